/**
 * Every swap of the last seven days of a token, as comma-separated values on standard output: complete and without
 * duplicates, however many blocks share a second.
 *
 *   API=http://127.0.0.1:4100 KEY=… npx tsx examples/swaps-of-seven-days.ts 0x… > swaps.csv
 */
const api = process.env['API'] ?? 'http://127.0.0.1:4100'
const token = process.argv[2] ?? ''
const WEEK_SECONDS = 7 * 86_400
const columns = ['cursor', 'datetime', 'type', 'trader', 'amount', 'volume_usd', 'transaction_hash'] as const

type Swap = Readonly<Record<(typeof columns)[number] | 'timestamp', string | number>>

/** A page, the address of the next one, and the time of the data in Unix seconds. */
async function read(url: string): Promise<{ swaps: readonly Swap[]; next: string | undefined; now: number }> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${process.env['KEY']}` } })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  const [, next] = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? []
  const now = Date.parse(response.headers.get('x-data-time') ?? '') / 1_000
  return { swaps: (await response.json()) as Swap[], next, now }
}

process.stdout.write(`${columns.join(',')}\n`)
for (let path: string | undefined = `/v1/tokens/${token}/swaps?limit=100`; path; ) {
  const { swaps, next, now } = await read(new URL(path, api).href)
  const wanted = swaps.filter(({ timestamp }) => Number(timestamp) >= now - WEEK_SECONDS)
  for (const swap of wanted) process.stdout.write(`${columns.map((column) => swap[column]).join(',')}\n`)
  path = wanted.length === swaps.length ? next : undefined
}
