/**
 * Mines blocks: each is written to the journal, mined and checked. Changes by others in between are written to the
 * journal first.
 */
import type { Hex } from 'viem'
import type { Address, Block, Hash } from '../../market/segment.ts'
import { type Anvil, AnvilCallError } from './anvil.ts'
import type { Journal, JournalBlock, Transaction } from './journal.ts'

/** A requested transaction. `gas` is its limit. */
export type TransactionDraft = {
  readonly from: Address
  readonly to?: Address
  readonly data: Hex
  readonly gas?: number
}

/** A log of the RPC. */
export type RawLog = {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Hex
  readonly blockNumber: Hex
}

/** A new block. `failed` are its transactions that reverted. */
export type MinedBlock = Block & {
  readonly logs: readonly RawLog[]
  readonly failed: readonly TransactionDraft[]
}

/** Writes to the chain and its journal. Calls are queued. */
export type Miner = {
  head(): Block
  /** Transactions mined since genesis. */
  transactions(): number
  mine(timestamp: number, drafts: readonly TransactionDraft[]): Promise<MinedBlock>
  /** Removes the last `depth` blocks, as the first half of a reorg; the next block replaces them. */
  rollback(depth: number): Promise<void>
  /**
   * Writes changes made through the chain's RPC (blocks, transactions, reorgs) to the journal; true if there were any.
   * `mine` does so first.
   */
  adopt(): Promise<boolean>
}

type RawBlock = {
  readonly number: Hex
  readonly hash: Hash
  readonly timestamp: Hex
  readonly parentHash: Hash
  readonly transactions: readonly Hash[]
}
type RawReceipt = { readonly status: Hex; readonly logs: readonly RawLog[] }

const GAS_LIMIT = 8_000_000

/** Mines on top of anvil's chain. `onForeign` is called each time others have changed the chain. */
export async function openMiner(
  anvil: Anvil,
  journal: Journal,
  onForeign: (head: Block) => Promise<void> = async () => {},
): Promise<Miner> {
  let head = blockOf(await latest(anvil))
  const inTurn = openQueue()
  let count = 0
  const nonces = new Map<Address, number>()

  const adopt = async (): Promise<boolean> => {
    const newest = await latest(anvil)
    if (newest.hash === head.hash) return false
    const dropped = await journalForeign(anvil, journal, head)
    nonces.clear()
    // anvil_reorg and anvil_rollback do not remove state that the rolled back blocks created.
    if (dropped > 0) await remake(anvil, journal)
    head = blockOf(await latest(anvil))
    await onForeign(head)
    return true
  }
  const mine = async (timestamp: number, drafts: readonly TransactionDraft[]): Promise<MinedBlock> => {
    await adopt()
    // Pending transactions of others get a block before ours, since they may come from the same accounts.
    const { pending } = (await anvil.request('txpool_status')) as { readonly pending: Hex }
    if (Number(pending) > 0) {
      await anvil.request('evm_mine', [{ timestamp: head.timestamp + 1 }])
      await adopt()
    }
    await learnNonces(anvil, nonces, drafts)
    const transactions = drafts.map((draft) => transactionOf(draft, nonces))
    const hashes = await send(anvil, transactions).catch(async (error: unknown) => {
      await anvil.request('anvil_dropAllTransactions')
      nonces.clear()
      throw error
    })
    const at = Math.max(timestamp, head.timestamp + 1)
    journal.append({ parent: head.hash, timestamp: at, transactions })
    await anvil.request('evm_mine', [{ timestamp: at, blocks: 1 }])
    const [raw, receipts] = await readLatest(anvil)
    const isOurs = raw.parentHash === head.hash && raw.transactions.join() === hashes.join()
    if (isOurs) head = blockOf(raw)
    else {
      journal.dropLast(1)
      await adopt()
    }
    count += drafts.length
    const statusOf = new Map(raw.transactions.map((hash, index) => [hash, receipts[index]?.status]))
    const failed = drafts.filter((_, index) => statusOf.get(hashes[index] as Hash) !== '0x1')
    return { ...blockOf(raw), logs: receipts.flatMap((receipt) => receipt.logs), failed }
  }
  const rollback = async (depth: number) => {
    await adopt()
    journal.dropLast(depth)
    await remake(anvil, journal)
    nonces.clear()
    head = blockOf(await latest(anvil))
  }
  return {
    head: () => head,
    transactions: () => count,
    mine: (timestamp, drafts) => inTurn(() => mine(timestamp, drafts)),
    rollback: (depth) => inTurn(() => rollback(depth)),
    adopt: () => inTurn(adopt),
  }
}

/** Runs tasks sequentially; each caller gets its own result or error. */
function openQueue() {
  let queue: Promise<unknown> = Promise.resolve()
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = queue.then(work)
    queue = result.catch(() => undefined)
    return result
  }
}

/** Replays the journal's blocks, and returns how many are identical: all, or those before the first that differs. */
export async function replay(
  anvil: Anvil,
  blocks: readonly JournalBlock[],
  onBlock: (done: number) => void = () => {},
): Promise<number> {
  for (const [index, { timestamp, transactions }] of blocks.entries()) {
    try {
      await send(anvil, transactions)
      await anvil.request('evm_mine', [{ timestamp, blocks: 1 }])
    } catch (error) {
      if (error instanceof AnvilCallError) return countSame(anvil, blocks.slice(0, index))
      throw error
    }
    onBlock(index + 1)
  }
  return countSame(anvil, blocks)
}

/** Number of blocks with the journal's hashes. A hash covers everything before it, so the last line's parent proves the chain. */
async function countSame(anvil: Anvil, blocks: readonly JournalBlock[]): Promise<number> {
  const isSame = async (index: number) => (await blockAt(anvil, index)).hash === blocks[index]?.parent
  const last = blocks.length - 1
  if (last < 0 || (await isSame(last))) return blocks.length
  let first = 0
  while (await isSame(first)) first++
  return Math.max(0, first - 1)
}

/** Rebuilds anvil's chain and state from the journal alone. */
async function remake(anvil: Anvil, journal: Journal): Promise<void> {
  const blocks = journal.blocks()
  await anvil.restart()
  const made = await replay(anvil, blocks)
  if (made < blocks.length) journal.dropLast(blocks.length - made)
}

/**
 * Writes the blocks after the newest one common to journal and chain into the journal; returns how many of its blocks
 * they replace.
 */
async function journalForeign(anvil: Anvil, journal: Journal, head: Block): Promise<number> {
  const known = journal.blocks()
  const hashAt = (number: number) => known[number]?.parent ?? head.hash
  const newest = Number((await latest(anvil)).number)
  let ancestor = Math.min(newest, head.number)
  while (ancestor > 0 && (await blockAt(anvil, ancestor)).hash !== hashAt(ancestor)) ancestor -= 1
  const dropped = head.number - ancestor
  if (dropped > 0) journal.dropLast(dropped)
  for (let number = ancestor + 1; number <= newest; number += 1) {
    const { parentHash: parent, timestamp, transactions } = await blockAt(anvil, number)
    const signed = await anvil.batch(
      transactions.map((hash) => ({ method: 'eth_getRawTransactionByHash', params: [hash] })),
    )
    journal.append({ parent, timestamp: Number(timestamp), transactions: signed as Hex[] })
  }
  return dropped
}

const blockAt = async (anvil: Anvil, number: number): Promise<RawBlock> =>
  (await anvil.request('eth_getBlockByNumber', [hex(number), false])) as RawBlock

const latest = async (anvil: Anvil): Promise<RawBlock> =>
  (await anvil.request('eth_getBlockByNumber', ['latest', false])) as RawBlock

async function readLatest(anvil: Anvil): Promise<[RawBlock, readonly RawReceipt[]]> {
  const [block, receipts] = await anvil.batch([
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    { method: 'eth_getBlockReceipts', params: ['latest'] },
  ])
  return [block as RawBlock, receipts as readonly RawReceipt[]]
}

async function learnNonces(
  anvil: Anvil,
  nonces: Map<Address, number>,
  drafts: readonly TransactionDraft[],
): Promise<void> {
  const unknown = [...new Set(drafts.map(({ from }) => from))].filter((from) => !nonces.has(from))
  const answers = await anvil.batch(
    unknown.map((from) => ({ method: 'eth_getTransactionCount', params: [from, 'latest'] })),
  )
  for (const [index, from] of unknown.entries()) nonces.set(from, Number(answers[index]))
}

function transactionOf(
  { from, to, data, gas = GAS_LIMIT }: TransactionDraft,
  nonces: Map<Address, number>,
): Transaction {
  const nonce = nonces.get(from) ?? 0
  nonces.set(from, nonce + 1)
  return { from, ...(to && { to }), data, nonce, gas }
}

// anvil orders a block by gas price: falling prices keep our order, in a replay too.
async function send(anvil: Anvil, transactions: readonly (Transaction | Hex)[]): Promise<readonly unknown[]> {
  return anvil.batch(
    transactions.map((transaction, index) => {
      if (typeof transaction === 'string') return { method: 'eth_sendRawTransaction', params: [transaction] }
      const { nonce, gas, ...call } = transaction
      const gasPrice = hex(transactions.length - index)
      return {
        method: 'eth_sendTransaction',
        params: [{ ...call, nonce: hex(nonce), gas: hex(gas), gasPrice }],
      }
    }),
  )
}

const hex = (value: number) => `0x${value.toString(16)}`

function blockOf(raw: RawBlock): Block {
  return { number: Number(raw.number), hash: raw.hash, timestamp: Number(raw.timestamp) }
}
