/**
 * Reads logs that seem to be missing: those of known transactions, of pools, and of one holder of one token, whose transfers
 * show since when sealed minutes lack some.
 */
import type { BlockFacts } from '../../market/fold/fact.ts'
import { sidesOf } from '../../market/fold/holders.ts'
import type { LogEntry, SealedEntry } from '../../market/log.ts'
import type { BalanceChange, Hash } from '../../market/segment.ts'
import type { HolderOf } from '../../store/items/holders.ts'
import { effectiveBackwards, type LogStore } from '../../store/log/log.ts'
import { readHeaders } from '../client/headers.ts'
import {
  type BlockSpan,
  backwards,
  inOrder,
  type Log,
  logsOfTransactions,
  readAllLogs,
  readLogs,
  topicOfAddress,
} from '../client/logs.ts'
import { factsIn } from '../decode/decode-context.ts'
import { topicOf } from '../decode/events.ts'
import type { Source } from '../read/range.ts'
import { balancesIn } from './consistency.ts'
import { type MisreadPool, swapInLog } from './pool-prices.ts'

/** Maximum receipts per span, to bound the cost of spoofed logs. */
const RECEIPTS_MAX = 500

/** The facts in the receipts of these transactions that the endpoint has. Throws IngestError. */
export async function factsOfTransactions(
  source: Source,
  hashes: readonly Hash[],
): Promise<readonly BlockFacts[]> {
  const logs: Log[] = []
  for await (const own of logsOfTransactions(source.rpc, hashes.slice(0, RECEIPTS_MAX)))
    for (const log of own ?? []) logs.push(log)
  return blocksOf(source, logs)
}

/** The facts of logs, by block, without logs of other forks. */
async function blocksOf(source: Source, logs: readonly Log[]): Promise<readonly BlockFacts[]> {
  if (logs.length === 0) return []
  const numbers = [...new Set(logs.map(({ blockNumber }) => blockNumber))].sort((a, b) => a - b)
  const headers = new Map((await readHeaders(source.rpc, numbers)).map((header) => [header.number, header]))
  const genuine = logs.filter(({ blockNumber, blockHash }) => headers.get(blockNumber)?.hash === blockHash)
  const facts = await factsIn(genuine, source, async () => (block) => headers.get(block)?.timestamp ?? 0)
  return numbers.flatMap((blockNumber) => {
    const header = headers.get(blockNumber)
    const own = facts.filter((fact) => fact.blockNumber === blockNumber)
    if (!header || own.length === 0) return []
    const { number, hash, timestamp } = header
    return [{ block: { number, hash, timestamp }, facts: own }]
  })
}

/** The transfers of a token from and to one holder in some blocks. Throws IngestError, BlockRangeTooLargeError if there are too many. */
export async function transfersOf(
  source: Source,
  { token, holder }: HolderOf,
  span: BlockSpan,
): Promise<readonly BlockFacts[]> {
  const [who, address] = [topicOfAddress(holder), [token]]
  const asked = [
    { address, topics: [[topicOf.coinTransfer], [who]] },
    { address, topics: [[topicOf.coinTransfer], null, [who]] },
  ]
  const found = await Promise.all(asked.map((filter) => readLogs(source.rpc, span, filter)))
  const once = new Map(found.flat().map((log) => [`${log.blockNumber} ${log.logIndex}`, log]))
  return blocksOf(source, [...once.values()])
}

/**
 * The facts of misread pools in some blocks: prices, and everything else in their transactions. 'none': the endpoint does
 * not have the log that set a pool's price. Throws IngestError.
 */
export async function factsOfPools(
  source: Source,
  misread: readonly MisreadPool[],
  span: BlockSpan,
): Promise<readonly BlockFacts[] | 'none'> {
  const found: Log[] = []
  for (const { filters, sqrtPriceX96 } of misread) {
    const logs = await readAllLogs(source.rpc, span, filters)
    const last = inOrder(logs).at(-1)
    if (!last || swapInLog(last).sqrtPriceX96 !== sqrtPriceX96) return 'none'
    found.push(...logs)
  }
  const hashes = [...new Set(found.map(({ transactionHash }) => transactionHash))]
  return [...(await blocksOf(source, found)), ...(await factsOfTransactions(source, hashes))]
}

/** A sealed minute that lacks logs, with facts that it must have. */
export type PastGap = { readonly firstBlock: number; readonly facts: readonly BlockFacts[] }

/** The first of the minutes at the end of the log that lack a transfer of the holder; undefined: the endpoint has no such transfer. Throws IngestError. */
export async function findPastGap(
  { log, tail }: { readonly log: LogStore; readonly tail: LogEntry },
  source: Source,
  holder: HolderOf,
  span: BlockSpan,
): Promise<PastGap | undefined> {
  let gap: PastGap | undefined
  for await (const { entry, facts } of byMinute(
    effectiveBackwards(log, tail.n + 1),
    blocksBackwards(source, holder, span),
  )) {
    const balances = balancesIn(await log.readSegment(entry.segment), source.chain.poolManager)
    if (hasTransfers(balances, holder, facts)) return gap
    gap = { firstBlock: entry.firstBlock, facts }
  }
  return gap
}

/** Initial number of blocks per request for the logs of one token, which has few. */
const BLOCKS_OF_A_TOKEN = 100_000

/** Blocks with transfers of a token from and to one holder, newest first. */
async function* blocksBackwards(
  source: Source,
  holder: HolderOf,
  span: BlockSpan,
): AsyncGenerator<BlockFacts> {
  for await (const found of backwards(span, BLOCKS_OF_A_TOKEN, (part) => transfersOf(source, holder, part)))
    yield* found.toReversed()
}

/** The minutes of the blocks, newest first, each with its blocks, oldest first. */
async function* byMinute(minutes: AsyncGenerator<SealedEntry>, blocks: AsyncGenerator<BlockFacts>) {
  let entry: SealedEntry | undefined = (await minutes.next()).value
  let facts: BlockFacts[] = []
  for await (const block of blocks) {
    const { number } = block.block
    if (entry && number < entry.firstBlock && facts.length > 0) {
      yield { entry, facts }
      facts = []
    }
    while (entry && number < entry.firstBlock) entry = (await minutes.next()).value
    if (!entry) return
    facts = [block, ...facts]
  }
  if (entry && facts.length > 0) yield { entry, facts }
}

/** Whether the minute has the holder's balances before and after the transfers. */
function hasTransfers(
  balances: readonly BalanceChange[],
  { token, holder }: HolderOf,
  blocks: readonly BlockFacts[],
): boolean {
  const change = balances.find((one) => one.token === token && one.holder === holder)
  const sides = blocks
    .flatMap(({ facts }) => facts)
    .flatMap((fact) => (fact.is === 'transferred' ? sidesOf(fact) : []))
    .filter((side) => side.holder === holder)
  return change?.before === sides[0]?.before && change?.after === sides.at(-1)?.after
}
