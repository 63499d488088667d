/** The platform's contracts on a chain of their own, where nothing is launched yet: it mines what a test says, block by block. */
import { startAnvil } from '../../dev/devnet/anvil.ts'
import { type Book, openBook } from '../../dev/devnet/book.ts'
import { genesisDrafts } from '../../dev/devnet/genesis.ts'
import { type Miner, openMiner, type TransactionDraft } from '../../dev/devnet/miner.ts'
import type { Address } from '../../market/segment.ts'
import { noJournal } from '../support/chain/quiet-devnet.ts'

export type EmptyDevnet = {
  readonly rpcUrl: string
  readonly wallets: readonly Address[]
  readonly book: Book
  readonly head: Miner['head']
  /** A block of these transactions; fails where one of them does. */
  mine(...drafts: readonly TransactionDraft[]): Promise<void>
  stop(): Promise<void>
}

const GENESIS = 1_700_000_000

/** Starts it with blocks so many seconds apart. */
export async function startEmptyDevnet(blockSeconds: number): Promise<EmptyDevnet> {
  const anvil = await startAnvil({ genesisTimestamp: GENESIS, onExit: () => {} })
  const wallets = (await anvil.request('eth_accounts')) as Address[]
  const miner = await openMiner(anvil, noJournal)
  const book = openBook(wallets)
  let time = GENESIS
  const mine = async (...drafts: readonly TransactionDraft[]): Promise<void> => {
    time += blockSeconds
    const { failed, logs } = await miner.mine(time, drafts)
    if (failed.length > 0) throw new Error(`failed: ${JSON.stringify(failed)}`)
    book.apply(logs)
  }
  await mine(...genesisDrafts(wallets))
  return { rpcUrl: anvil.rpcUrl, wallets, book, head: miner.head, mine, stop: anvil.stop }
}
