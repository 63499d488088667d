/** Reads a chain from its first block, decodes and folds it, with no store behind: `ingest-ours.ts <rpc url> <last block>`. Prints what it cost. */
import { chains } from '../../ingest/client/chains.ts'
import { openRpc, type Rpc } from '../../ingest/client/rpc.ts'
import { noOldTokens } from '../../ingest/decode/old-tokens.ts'
import { openRegistry } from '../../ingest/decode/registry.ts'
import { startingRates } from '../../ingest/proof/starting-rates.ts'
import { openRanges } from '../../ingest/read/range.ts'
import { openPending } from '../../ingest/writer/pending.ts'
import { noTotals } from '../../market/fold/running-totals.ts'
import type { Address, Block } from '../../market/segment.ts'
import type { IngestCost } from './ingest.ts'
import { startTimer } from './measuring.ts'

const [url = '', to = ''] = process.argv.slice(2)
const chain = chains.devnet
const nothing = {
  tokens: async () => new Map(),
  pools: async () => new Map(),
  known: async () => new Map(),
  owners: async () => new Map(),
  hooks: async () => new Set<Address>(),
  allTokens: async () => [],
}

let logs = 0
const counting = (rpc: Rpc): Rpc => ({
  batch: rpc.batch,
  get endpoint() {
    return rpc.endpoint
  },
  pinned: () => counting(rpc.pinned()),
  next: () => counting(rpc.next()),
  fastest: () => counting(rpc.fastest()),
  each: () => rpc.each().map(counting),
  request: async (method, params) => {
    const answer = await rpc.request(method, params)
    if (method === 'eth_getLogs') logs += (answer as readonly unknown[]).length
    return answer
  },
})

const trades: bigint[] = []
const time = startTimer()
const rpc = counting(openRpc([url]))
const ranges = openRanges({ rpc, chain, registry: openRegistry(nothing, chain, noOldTokens) })
const pending = openPending(
  nothing,
  {
    last: null,
    references: await startingRates(rpc, chain, null),
    closes: [],
    poolManager: chain.poolManager,
    uncounted: new Set([chain.poolManager]),
    totals: noTotals,
  },
  0,
  noOldTokens,
)
for (let last: Block | null = null; last === null || last.number < Number(to); last = pending.last()) {
  const range = await ranges.read(last, Number(to))
  if (range === 'reorged') process.exit(1)
  await pending.add(range.blocks)
  while (pending.minutes().length > 1) settle()
}
settle()
const found: IngestCost = {
  ...time(),
  logs,
  swaps: trades.length,
  amountToken: String(trades.reduce((sum, amountToken) => sum + amountToken, 0n)),
}
process.stdout.write(JSON.stringify(found))
process.exit()

function settle(): void {
  const [first] = pending.minutes()
  if (!first) return
  for (const { amountToken } of first.segment.swaps) trades.push(amountToken)
  pending.seal(1)
  pending.committedFirst()
  pending.materialized(first.minute)
}
