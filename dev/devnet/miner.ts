/** Mines blocks: each is written to the journal, mined and checked. */
import type { Hex } from 'viem'
import type { Address, Block, Hash } from '../../market/segment.ts'
import { openQueue } from '../emulators/queue.ts'
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

/** What changes the chain and its journal. */
export type Mining = {
  /** Transactions that others have sent through the chain's RPC get a block of their own before; `logs` includes its logs. */
  mine(timestamp: number, drafts: readonly TransactionDraft[]): Promise<MinedBlock>
  /** Removes the last `depth` blocks, as the first half of a reorg; the next block replaces them. */
  rollback(depth: number): Promise<void>
}

/** The chain's only writer. */
export type Miner = Mining & {
  head(): Block
  /**
   * Runs a step while nobody else changes the chain. Whoever reads the state to decide what to mine does so in a turn.
   * After a rollback readers see the old chain until the turn ends.
   */
  turn<Result>(step: (mining: Mining) => Promise<Result>): Promise<Result>
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

/** Mines on top of anvil's chain. `onBlock`: readers have another newest block, or several. */
export async function openMiner(anvil: Anvil, journal: Journal, onBlock = () => {}): Promise<Miner> {
  let head = blockOf(await latest(anvil))
  const inTurn = openQueue()

  const mineOne = async (timestamp: number, drafts: readonly TransactionDraft[]): Promise<MinedBlock> => {
    const transactions = await numbered(anvil, drafts)
    const hashes = await send(anvil, transactions).catch(async (error: unknown) => {
      await anvil.request('anvil_dropAllTransactions')
      throw error
    })
    const line = { parent: head.hash, timestamp: Math.max(timestamp, head.timestamp) }
    const keep = async (raw: RawBlock) => {
      if (raw.transactions.join() !== hashes.join()) {
        // Others' transactions are in it too.
        journal.dropLast(1)
        journal.append({ ...line, transactions: await signedTransactions(anvil, raw.transactions) })
      }
      head = blockOf(raw)
    }
    journal.append({ ...line, transactions })
    const [raw, receipts] = await mineNext(anvil, line.timestamp).catch(async (error: unknown) => {
      const newest = await latest(anvil)
      if (Number(newest.number) > head.number) await keep(newest)
      else {
        journal.dropLast(1)
        await anvil.request('anvil_dropAllTransactions')
      }
      throw error
    })
    await keep(raw)
    const statusOf = new Map(raw.transactions.map((hash, index) => [hash, receipts[index]?.status]))
    const failed = drafts.filter((_, index) => statusOf.get(hashes[index] as Hash) !== '0x1')
    return { ...head, logs: receipts.flatMap((receipt) => receipt.logs), failed }
  }
  const mining: Mining = {
    mine: async (timestamp, drafts) => {
      const { pending } = (await anvil.request('txpool_status')) as { readonly pending: Hex }
      if (Number(pending) === 0) return mineOne(timestamp, drafts)
      const others = await mineOne(Math.min(timestamp, head.timestamp + 1), [])
      const block = await mineOne(timestamp, drafts)
      return { ...block, logs: [...others.logs, ...block.logs] }
    },
    rollback: async (depth) => {
      const all = journal.blocks()
      const blocks = all.slice(0, all.length - depth)
      await anvil.renew(async () => {
        const made = await remine(anvil, blocks)
        if (made < blocks.length) throw new Error(`block ${made + 1} of the journal is not the one it was`)
      })
      journal.dropLast(depth)
      head = blockOf(await latest(anvil))
    },
  }
  const turn: Miner['turn'] = (step) =>
    inTurn(async () => {
      try {
        return await step(mining)
      } finally {
        await anvil.publish().then(onBlock)
      }
    })
  return {
    head: () => head,
    turn,
    mine: (timestamp, drafts) => turn(({ mine }) => mine(timestamp, drafts)),
    rollback: (depth) => turn(({ rollback }) => rollback(depth)),
  }
}

/** Replays the journal's blocks, and returns how many are identical: all, or those before the first that differs. */
export async function remine(
  anvil: Anvil,
  blocks: readonly JournalBlock[],
  onBlock: (done: number) => void = () => {},
): Promise<number> {
  // Without an interval only the first of several blocks of a call gets its timestamp, the others the wall clock's.
  await anvil.request('anvil_setBlockTimestampInterval', [0])
  for (let done = 0; done < blocks.length; ) {
    const next = alike(blocks, done)
    const { timestamp, transactions } = blocks[done] as JournalBlock
    try {
      await send(anvil, transactions)
      await anvil.request('evm_mine', [{ timestamp, blocks: next - done }])
    } catch (error) {
      if (error instanceof AnvilCallError) return countSame(anvil, blocks.slice(0, done))
      throw error
    }
    done = next
    onBlock(done)
  }
  await anvil.request('anvil_removeBlockTimestampInterval')
  return countSame(anvil, blocks)
}

/** The end of the blocks from `start` on that one call can mine: empty ones at the same second, as five are on a 200 ms chain. */
function alike(blocks: readonly JournalBlock[], start: number): number {
  const second = blocks[start]?.timestamp
  const isAlike = (block: JournalBlock | undefined) =>
    block?.timestamp === second && block?.transactions.length === 0
  let end = start + 1
  while (isAlike(blocks[start]) && isAlike(blocks[end])) end += 1
  return end
}

/** Number of blocks with the journal's hashes. A hash covers everything before it, so the last one proves the chain. */
async function countSame(anvil: Anvil, blocks: readonly JournalBlock[]): Promise<number> {
  const proofs = blocks.flatMap(({ parent }, number) => (parent === null ? [] : [{ number, hash: parent }]))
  const isSame = async ({ number, hash }: (typeof proofs)[number]) =>
    (await blockAt(anvil, number)).hash === hash
  const last = proofs.at(-1)
  if (!last || (await isSame(last))) return blocks.length
  let same = 0
  for (const proof of proofs) {
    if (!(await isSame(proof))) break
    same = proof.number
  }
  return same
}

const blockAt = async (anvil: Anvil, number: number): Promise<RawBlock> =>
  (await anvil.request('eth_getBlockByNumber', [hex(number), false])) as RawBlock

const latest = async (anvil: Anvil): Promise<RawBlock> =>
  (await anvil.request('eth_getBlockByNumber', ['latest', false])) as RawBlock

async function mineNext(anvil: Anvil, timestamp: number): Promise<[RawBlock, readonly RawReceipt[]]> {
  await anvil.request('evm_mine', [{ timestamp, blocks: 1 }])
  const [block, receipts] = await anvil.batch([
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    { method: 'eth_getBlockReceipts', params: ['latest'] },
  ])
  return [block as RawBlock, receipts as readonly RawReceipt[]]
}

/** The drafts with their senders' next nonces. */
async function numbered(anvil: Anvil, drafts: readonly TransactionDraft[]): Promise<readonly Transaction[]> {
  const senders = [...new Set(drafts.map(({ from }) => from))]
  const counts = await anvil.batch(
    senders.map((from) => ({ method: 'eth_getTransactionCount', params: [from, 'pending'] })),
  )
  const nonces = new Map(senders.map((from, index) => [from, Number(counts[index])]))
  return drafts.map(({ from, to, data, gas = GAS_LIMIT }) => {
    const nonce = nonces.get(from) ?? 0
    nonces.set(from, nonce + 1)
    return { from, ...(to && { to }), data, nonce, gas }
  })
}

const signedTransactions = async (anvil: Anvil, hashes: readonly Hash[]): Promise<readonly Hex[]> =>
  (await anvil.batch(
    hashes.map((hash) => ({ method: 'eth_getRawTransactionByHash', params: [hash] })),
  )) as readonly Hex[]

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
