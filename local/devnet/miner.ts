/** Makes blocks: each is written to the journal, mined, and checked. */
import type { Hex } from 'viem'
import type { Address, Block, Hash } from '../../market/segment.ts'
import type { Anvil } from './anvil.ts'
import { DevnetReplayError, type Journal, type JournalBlock, type Transaction } from './journal.ts'

/** A transaction that somebody wants. `gas` is its limit. */
export type Draft = {
  readonly from: Address
  readonly to?: Address
  readonly data: Hex
  readonly gas?: number
}

/** A log as the RPC gives it. */
export type RawLog = {
  readonly address: Address
  readonly topics: readonly Hash[]
  readonly data: Hex
  readonly blockNumber: Hex
}

/** A new block. `failed` are its transactions that reverted. */
export type MinedBlock = Block & { readonly logs: readonly RawLog[]; readonly failed: readonly Draft[] }

/** The chain's one writer. Calls queue up. */
export type Miner = {
  head(): Block
  /** Transactions mined since genesis. */
  transactions(): number
  mine(timestamp: number, drafts: readonly Draft[]): Promise<MinedBlock>
  /** Takes back the last `depth` blocks, as a reorg does; what follows replaces them. */
  rollback(depth: number): Promise<void>
}

/** Blocks come out otherwise than they were asked for: somebody else writes to this chain. */
export class ForeignTransactionError extends Error {
  override readonly name = 'ForeignTransactionError'
  constructor(blockNumber: number) {
    super(`block ${blockNumber} of the devnet holds other transactions than the devnet sent`)
  }
}

type RawBlock = {
  readonly number: Hex
  readonly hash: Hash
  readonly timestamp: Hex
  readonly transactions: readonly Hash[]
}
type RawReceipt = { readonly status: Hex; readonly logs: readonly RawLog[] }

const GAS_LIMIT = 8_000_000

/** Mines on top of what anvil holds. */
export async function openMiner(anvil: Anvil, journal: Journal): Promise<Miner> {
  let head = blockOf((await anvil.request('eth_getBlockByNumber', ['latest', false])) as RawBlock)
  let queue: Promise<unknown> = Promise.resolve()
  let count = 0
  const nonces = new Map<Address, number>()

  const mine = async (timestamp: number, drafts: readonly Draft[]): Promise<MinedBlock> => {
    await learnNonces(anvil, nonces, drafts)
    const transactions = drafts.map((draft) => transactionOf(draft, nonces))
    const hashes = await send(anvil, transactions).catch(async (error: unknown) => {
      await anvil.request('anvil_dropAllTransactions')
      nonces.clear()
      throw error
    })
    journal.append({ parent: head.hash, timestamp, transactions })
    await anvil.request('evm_mine', [{ timestamp, blocks: 1 }])
    const [raw, receipts] = await readLatest(anvil)
    if (raw.transactions.join() !== hashes.join()) {
      await rollback(1)
      throw new ForeignTransactionError(Number(raw.number))
    }
    head = blockOf(raw)
    count += drafts.length
    const failed = drafts.filter((_, index) => receipts[index]?.status !== '0x1')
    return { ...head, logs: receipts.flatMap((receipt) => receipt.logs), failed }
  }
  const rollback = async (depth: number) => {
    // anvil_rollback leaves behind what the blocks that it takes back put where nothing was.
    const blocks = journal.dropLast(depth)
    await anvil.restart()
    await replay(anvil, { path: 'the journal', blocks }, () => {})
    nonces.clear()
    head = blockOf((await anvil.request('eth_getBlockByNumber', ['latest', false])) as RawBlock)
  }
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = queue.then(work)
    queue = result.catch(() => undefined)
    return result
  }
  return {
    head: () => head,
    transactions: () => count,
    mine: (timestamp, drafts) => inTurn(() => mine(timestamp, drafts)),
    rollback: (depth) => inTurn(() => rollback(depth)),
  }
}

/** Makes the journal's blocks again. Throws DevnetReplayError where a hash differs. */
export async function replay(
  anvil: Anvil,
  journal: { readonly path: string; readonly blocks: readonly JournalBlock[] },
  onBlock: (done: number) => void,
): Promise<void> {
  for (const [index, { timestamp, transactions }] of journal.blocks.entries()) {
    await send(anvil, transactions)
    await anvil.request('evm_mine', [{ timestamp, blocks: 1 }])
    onBlock(index + 1)
  }
  // A hash covers all that came before: the last line's parent speaks for the chain.
  const last = journal.blocks.length - 1
  if (last >= 0 && !(await isSame(anvil, journal.blocks, last))) {
    let first = 0
    while (await isSame(anvil, journal.blocks, first)) first++
    throw new DevnetReplayError(journal.path, `block ${first} has another hash than it had`)
  }
}

async function readLatest(anvil: Anvil): Promise<[RawBlock, readonly RawReceipt[]]> {
  const [block, receipts] = await anvil.batch([
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    { method: 'eth_getBlockReceipts', params: ['latest'] },
  ])
  return [block as RawBlock, receipts as readonly RawReceipt[]]
}

async function isSame(anvil: Anvil, blocks: readonly JournalBlock[], index: number): Promise<boolean> {
  const parent = (await anvil.request('eth_getBlockByNumber', [`0x${index.toString(16)}`, false])) as RawBlock
  return parent.hash === blocks[index]?.parent
}

async function learnNonces(
  anvil: Anvil,
  nonces: Map<Address, number>,
  drafts: readonly Draft[],
): Promise<void> {
  const unknown = [...new Set(drafts.map(({ from }) => from))].filter((from) => !nonces.has(from))
  const answers = await anvil.batch(
    unknown.map((from) => ({ method: 'eth_getTransactionCount', params: [from, 'latest'] })),
  )
  for (const [index, from] of unknown.entries()) nonces.set(from, Number(answers[index]))
}

function transactionOf(
  { from, to, data, gas = GAS_LIMIT }: Draft,
  nonces: Map<Address, number>,
): Transaction {
  const nonce = nonces.get(from) ?? 0
  nonces.set(from, nonce + 1)
  return { from, ...(to && { to }), data, nonce, gas }
}

// anvil orders a block by gas price: a falling one keeps the order, in the replay too.
async function send(anvil: Anvil, transactions: readonly Transaction[]): Promise<readonly unknown[]> {
  return anvil.batch(
    transactions.map(({ nonce, gas, ...transaction }, index) => ({
      method: 'eth_sendTransaction',
      params: [
        { ...transaction, nonce: hex(nonce), gas: hex(gas), gasPrice: hex(transactions.length - index) },
      ],
    })),
  )
}

const hex = (value: number) => `0x${value.toString(16)}`

function blockOf(raw: RawBlock): Block {
  return { number: Number(raw.number), hash: raw.hash, timestamp: Number(raw.timestamp) }
}
