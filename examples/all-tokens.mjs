// Every token there ever was, oldest first, as comma-separated values; with `traded` those traded in the last 24 hours:
//   API=http://127.0.0.1:4100 KEY=… node examples/all-tokens.mjs [traded] > tokens.csv
// A page is one request: a basic account has 100 an hour. The program waits for the next hour when they are used up.

const { API = 'http://127.0.0.1:4100', KEY = '', LIMIT = '100' } = process.env
const [first, columns] =
  process.argv[2] === 'traded'
    ? [`/v1/tokens/screener?limit=${LIMIT}`, ['rank_volume_24h', 'change_24h']]
    : [`/v1/tokens?order=asc&limit=${LIMIT}`, ['created_at']]

async function ask(path) {
  const response = await fetch(new URL(path, API), { headers: { authorization: `Bearer ${KEY}` } })
  if (response.status === 429) {
    const seconds = Number(response.headers.get('retry-after') ?? 60)
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
    return ask(path)
  }
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  const [, next] = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? []
  return { rows: await response.json(), next }
}

/** Names are anybody's text: quoted, and no spreadsheet takes them for a formula. */
const cell = (value) =>
  `"${String(value ?? '')
    .replace(/^[=+@-]/, "'$&")
    .replaceAll('"', '""')}"`

const names = ['contract_address', 'symbol', 'name', 'market_cap', ...columns]
console.log(names.join())
for (let path = first; path; ) {
  const { rows, next } = await ask(path)
  for (const row of rows) console.log(names.map((name) => cell(row[name])).join())
  path = next
}
