// Follows both boards with one request a minute, which fits a basic account's 100 an hour:
//   API=http://127.0.0.1:4100 KEY=… node examples/bot.mjs [minutes]
// Prints who enters, leaves or moves on the boards.

const { API = 'http://127.0.0.1:4100', KEY = '', PAUSE_MS = '60000' } = process.env
const rounds = Number(process.argv[2] ?? Number.POSITIVE_INFINITY)

let etag = ''
const known = { creators: new Map(), posts: new Map() }

/** Both boards, or null: they are as they were. */
async function readBoards() {
  const headers = { authorization: `Bearer ${KEY}`, ...(etag && { 'if-none-match': etag }) }
  const response = await fetch(`${API}/v1/all?period=1h`, { headers })
  if (response.status === 304) return null
  if (response.status === 429) {
    const seconds = Number(response.headers.get('retry-after') ?? 60)
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
    return null
  }
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  etag = response.headers.get('etag') ?? ''
  return response.json()
}

function report(board, rows) {
  const before = known[board]
  const now = new Map(rows.map(({ contract_address: address, rank, symbol }) => [address, { rank, symbol }]))
  const isFirst = before.size === 0
  for (const [address, { rank, symbol }] of now) {
    const was = before.get(address)?.rank
    if (!isFirst && was === undefined) console.log(`${board}: ${symbol} enters at ${rank}`)
    if (was !== undefined && was !== rank) console.log(`${board}: ${symbol} moves from ${was} to ${rank}`)
  }
  for (const [address, { symbol }] of before) if (!now.has(address)) console.log(`${board}: ${symbol} leaves`)
  if (isFirst) console.log(`${board}: ${rows.length} rows, first ${rows[0]?.symbol ?? 'none'}`)
  known[board] = now
}

for (let round = 0; round < rounds; round++) {
  if (round > 0) await new Promise((resolve) => setTimeout(resolve, Number(PAUSE_MS)))
  const boards = await readBoards()
  if (!boards) continue
  for (const board of ['creators', 'posts']) report(board, boards[board])
}
