/** What endpoints with limits cost: the same chain is read behind each, in the time and with the calls that are shown. Stores are in memory. */
import { startDevnetMarket } from '../support/devnet-market.ts'
import { readBehind } from '../support/endpoint-runs.ts'
import { type RelaidChain, relayChain } from '../support/relaid-chain.ts'
import type { Limits } from '../support/strict-endpoint.ts'
import { say, table } from './rounds.ts'

/** Of what an endpoint grants a second, at least so much is used from its first refusal on. */
const USED_GOAL = 0.7

type Row = {
  readonly name: string
  readonly endpoints: readonly Limits[]
  readonly chain: 'day' | 'hour'
  /** Its rate binds from the first call to the last, so the share that is used can be told. */
  readonly isGate?: true
}

const rows: readonly Row[] = [
  { name: 'no limits', endpoints: [{}], chain: 'day' },
  { name: '25 calls/s', endpoints: [{ calls: 25 }], chain: 'day', isGate: true },
  { name: '25 calls/s, Retry-After', endpoints: [{ calls: 25, retryAfter: true }], chain: 'day' },
  { name: '50 calls/s', endpoints: [{ calls: 50 }], chain: 'day', isGate: true },
  { name: '100 calls/s', endpoints: [{ calls: 100 }], chain: 'day' },
  { name: '5 HTTP/s', endpoints: [{ requests: 5 }], chain: 'day', isGate: true },
  { name: '10 HTTP/s', endpoints: [{ requests: 10 }], chain: 'day', isGate: true },
  { name: '12 ms a block', endpoints: [{ msPerBlock: 12 }], chain: 'hour' },
  { name: 'span 1', endpoints: [{ span: 1 }], chain: 'hour' },
  { name: 'span 10', endpoints: [{ span: 10, saysSpan: true }], chain: 'hour' },
  { name: 'span 1,000', endpoints: [{ span: 1_000 }], chain: 'day' },
  { name: 'span 10,000', endpoints: [{ span: 10_000 }], chain: 'day' },
  { name: 'no backend healthy above 1,000', endpoints: [{ healthySpan: 1_000 }], chain: 'day' },
  { name: 'batches to 10', endpoints: [{ batch: 10 }], chain: 'day' },
  { name: '20 % fail', endpoints: [{ failing: 20 }], chain: 'day' },
  { name: 'wants addresses', endpoints: [{ wantsAddresses: true }], chain: 'day' },
  {
    name: 'span 2,000, 40 calls/s, batches to 100',
    endpoints: [{ span: 2_000, calls: 40, batch: 100 }],
    chain: 'day',
    isGate: true,
  },
  { name: 'span 1, then 10,000', endpoints: [{ span: 1 }, { span: 10_000 }], chain: 'day' },
]

/** Measures every row (ROWS=…: those whose names contain it); the goals missed. */
export async function run(): Promise<readonly string[]> {
  const wanted = rows.filter(({ name }) => name.includes(process.env['ROWS'] ?? ''))
  const chains = { day: await chainOf(1), hour: await chainOf(1 / 24) }
  const missed: string[] = []
  const lines: string[][] = [['', 'blocks', 's', 'HTTP', 'calls', '429', 'used', 'digest']]
  for (const { name, endpoints, chain, isGate } of wanted) {
    const { relaid, clean } = chains[chain]
    const ran = await readBehind(relaid, endpoints)
    const isEqual = ran.sealed.join() === clean.join()
    const sum = (of: 'requests' | 'calls' | 'refused') =>
      ran.counts.map((count) => String(count[of])).join(' + ')
    const digest = isEqual ? 'equal' : `${ran.sealed.length} of ${clean.length} minutes`
    const used = ran.used === undefined ? '' : ran.used.toFixed(2)
    const blocks = relaid.last - relaid.rules.creationsFrom + 1
    lines.push([
      name,
      `${blocks}`,
      ran.seconds.toFixed(1),
      sum('requests'),
      sum('calls'),
      sum('refused'),
      used,
      digest,
    ])
    say(lines.at(-1)?.join(' | ') ?? '')
    if (!isEqual) missed.push(`${name}: ${digest}`)
    if (isGate && (ran.used ?? 0) < USED_GOAL) missed.push(`${name}: ${used} of the rate used`)
  }
  say(table(lines))
  return missed
}

async function chainOf(
  days: number,
): Promise<{ readonly relaid: RelaidChain; readonly clean: readonly string[] }> {
  const market = await startDevnetMarket(71, { days, blocks: 60, trades: 150 })
  const relaid = await relayChain(market.rpcUrl)
  await market.stop()
  return { relaid, clean: (await readBehind(relaid, [{}])).sealed }
}
