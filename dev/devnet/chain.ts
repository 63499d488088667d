/** The development chain: anvil with our contracts, a market with a history, and a journal that reproduces the same chain. */
import { join } from 'node:path'
import { keccak256, toHex } from 'viem'
import { OperatorFault } from '../../admin/base/terminal.ts'
import type { Address, Hash } from '../../market/segment.ts'
import { type LaunchTerms, launchCreator, launchPost } from './actions.ts'
import { type Anvil, startAnvil, TRADING_ACCOUNTS } from './anvil.ts'
import { type Book, type BookToken, readBook } from './book.ts'
import { compiledContracts, deployer } from './contracts.ts'
import { genesisDrafts, ratePools } from './genesis.ts'
import { type Habits, habits } from './habits.ts'
import {
  cutJournal,
  type Journal,
  type JournalHeader,
  journalFault,
  openJournal,
  type ReadJournal,
  readJournal,
} from './journal.ts'
import { startLive } from './live.ts'
import { type HistoryPlan, mineHistory } from './market-history.ts'
import {
  type MinedBlock,
  type Miner,
  type Mining,
  openMiner,
  remine,
  type TransactionDraft,
} from './miner.ts'
import { BLOCK_MS } from './pace.ts'
import { randomFrom } from './random.ts'
import { balanceOf, buy, sell } from './traders.ts'

/** Options of the devnet. `now` is in milliseconds; `onExit` is called if the chain ends unexpectedly. */
export type DevnetOptions = {
  readonly dataDir: string
  readonly seed: number
  readonly now: () => number
  readonly report: (text: string, done?: number, total?: number) => void
  readonly onExit: (error: Error) => void
  /** Called when readers have another newest block. @default not called */
  readonly onBlock?: () => void
  /** History of a new chain; trades are transactions. */
  readonly history?: Omit<HistoryPlan, 'hasOddities'> & { readonly days: number }
  /** How its market behaves (habits.ts). @default odd */
  readonly habits?: keyof typeof habits
  /** Whether it keeps the state after any block, not only after the newest. */
  readonly isArchive?: boolean
  /** Whether the market continues by itself. @default true */
  readonly live?: boolean
  /** Seconds between reorgs of the live market; absent: none. */
  readonly reorgSeconds?: number
  /** Trades per second of the live market. @default TRADES_PER_SECOND */
  readonly tradesPerSecond?: number
  /** Milliseconds between blocks of the live market; below a second several blocks have the same timestamp. @default 6,000 */
  readonly blockMs?: number
}

/** The token was never launched, or its launch reverted. */
const unknownToken = (token: string) => new OperatorFault('UnknownToken', `the devnet has no token ${token}`)

type Chain = {
  readonly options: DevnetOptions
  readonly header: JournalHeader
  readonly anvil: Anvil
  readonly journal: Journal
  readonly miner: Miner
  readonly wallets: readonly Address[]
  readonly creators: readonly Address[]
  readonly habits: Habits
  book: Book
  failures: number
}

/**
 * A running devnet. Actions mine immediately: a block at `timestamp` (Unix seconds), else at the wall clock, at least a
 * second after the last.
 */
export type Devnet = ReturnType<typeof devnetOf>

const DAY = 86_400
const defaultHistory = { blocks: 280, days: 8, trades: 850, creators: 118, posts: 136 }
/** A longer pause is filled with history. */
const PAUSE_SECONDS = 3_600
/** From this many transactions on, a replay takes a while. */
const MANY_TRANSACTIONS = 20_000

/**
 * Starts the chain of `dataDir`, or a new one. Resolves when its history is complete. Throws AnvilStart, DevnetJournal,
 * DevnetMismatch.
 */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const path = join(options.dataDir, 'chain.jsonl')
  const kept = readJournal(path)
  const header = kept?.header ?? newHeader(options)
  if (header.contracts !== contractsDigest) throw journalFault(path, 'it was made with other contracts')
  const { onExit, onBlock, isArchive, blockMs = BLOCK_MS } = options
  const states = isArchive ? 'all' : blockMs < 1_000 ? 'newest' : 'recent'
  const anvil = await startAnvil({ genesisTimestamp: header.genesis, onExit, states })
  try {
    if (kept) await remineAll(anvil, path, { ...kept, report: options.report })
    const journal = openJournal(path, header)
    const accounts = (await anvil.request('eth_accounts')) as readonly Address[]
    const traders = accounts.slice(0, TRADING_ACCOUNTS).filter((wallet) => wallet !== deployer)
    const chain: Chain = {
      options,
      header,
      anvil,
      journal,
      wallets: traders,
      creators: accounts.slice(TRADING_ACCOUNTS),
      habits: habits[options.habits ?? 'odd'],
      miner: await openMiner(anvil, journal, onBlock),
      book: await readBook(anvil, traders),
      failures: 0,
    }
    await catchUp(chain)
    return devnetOf(chain)
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

/**
 * Replays the journal's blocks. If one differs from the journal, the chain continues from the block before: the journal
 * is cut there, and a complete copy is kept.
 */
async function remineAll(
  anvil: Anvil,
  path: string,
  { blocks, written, report }: ReadJournal & Pick<DevnetOptions, 'report'>,
): Promise<void> {
  const count = blocks.reduce((sum, { transactions }) => sum + transactions.length, 0)
  if (count > MANY_TRANSACTIONS)
    report(`chain: ${count} transactions, each replayed at a start; --reset begins a new chain`)
  const made = await remine(anvil, blocks, (done) => report('chain: replaying', done, written))
  if (made === written) return
  const whole = cutJournal(path, made)
  report(
    `chain: block ${made + 1} of ${written} cannot be made again; the chain goes on from block ${made}, the whole journal is kept as ${whole}`,
  )
  await anvil.renew(async () => {
    if ((await remine(anvil, blocks.slice(0, made))) < made)
      throw journalFault(path, `not even up to block ${made}`)
  })
  await anvil.publish()
}

const contractsDigest: Hash = keccak256(
  toHex(JSON.stringify([compiledContracts, ratePools.map(({ key }) => key)])),
)

function newHeader({ now, seed, history = defaultHistory }: DevnetOptions): JournalHeader {
  return { genesis: seconds(now) - Math.round(history.days * DAY), seed, contracts: contractsDigest }
}

/** For a new chain, genesis and history; after a pause, the time in between. */
async function catchUp(chain: Chain): Promise<void> {
  const { miner, header, options } = chain
  const isNew = miner.head().number === 0
  if (isNew)
    await mine(chain, header.genesis + 1, genesisDrafts([deployer, ...chain.wallets, ...chain.creators]))
  const now = seconds(options.now)
  const from = Math.max(miner.head().timestamp + 1, now - 8 * DAY)
  const { days, ...history } = options.history ?? defaultHistory
  if (!isNew && now - from <= PAUSE_SECONDS) return
  const plan = isNew ? { ...history, hasOddities: true } : pausePlan(now - from, history, chain.book)
  const market = { ...chain, random: randomFrom(header.seed, miner.head().number) }
  await mineHistory({ miner: counting(chain), market }, { from, to: now, plan }, (done, total) =>
    options.report('chain: writing history', done, total),
  )
}

/** The activity of a pause of `gap` seconds, and the launches that an interrupted history left out. */
function pausePlan(gap: number, history: Omit<HistoryPlan, 'hasOddities'>, book: Book): HistoryPlan {
  const upTo = (limit: number, each: number) => Math.min(limit, Math.ceil(gap / each))
  const missing = (planned: number, kind: BookToken['kind']) =>
    Math.max(0, planned - book.tokens(kind).length)
  return {
    blocks: upTo(300, 600),
    trades: upTo(1_200, 120),
    creators: upTo(20, DAY / 3) + missing(history.creators, 'creator'),
    posts: upTo(60, DAY / 12) + missing(history.posts, 'post'),
    hasOddities: false,
  }
}

/** A turn of the chain's miner that also keeps the book and the count of failures. */
const turnOf = <Result>(chain: Chain, step: (mining: Mining) => Promise<Result>): Promise<Result> =>
  chain.miner.turn(({ mine, rollback }) =>
    step({
      mine: async (timestamp, drafts) => {
        const block = await mine(timestamp, drafts)
        chain.book.apply(block.logs)
        chain.failures += block.failed.length
        if (block.failed.length > 0)
          chain.options.report(`chain: ${block.failed.length} transactions of block ${block.number} reverted`)
        return block
      },
      rollback: async (depth) => {
        await rollback(depth)
        chain.book = await readBook(chain.anvil, chain.wallets)
      },
    }),
  )

const mine = (chain: Chain, timestamp: number, drafts: readonly TransactionDraft[]): Promise<MinedBlock> =>
  turnOf(chain, (turn) => turn.mine(timestamp, drafts))

const counting = (chain: Chain): Pick<Miner, 'head' | 'mine'> => ({
  head: chain.miner.head,
  mine: (timestamp, drafts) => mine(chain, timestamp, drafts),
})

function devnetOf(chain: Chain) {
  const { anvil, journal, options, header, wallets, creators, miner } = chain
  const { live = true, onExit } = options
  const turn = <Result>(step: (mining: Mining) => Promise<Result>) => turnOf(chain, step)
  const market = { ...options, market: chain, head: miner.head, turn, seed: header.seed }
  const running = live ? startLive(market, onExit) : undefined
  return {
    /** Where to read the chain; a reorg moves it. */
    get rpcUrl() {
      return anvil.rpcUrl
    },
    /** Accounts that anvil signs for; each holds ZORA and USDC. */
    wallets,
    /** Accounts that creators launch from, with as much. */
    creators,
    head: miner.head,
    now: options.now,
    turn,
    /** Transactions that reverted since the start; there should be none. */
    failures: () => chain.failures,
    ...toolsOf(chain),
    stop: async () => {
      await running?.stop()
      await anvil.stop()
      journal.close()
    },
  }
}

/** What tests do with a devnet: launches by the first wallet, trades, reorgs. */
function toolsOf(chain: Chain) {
  const { anvil, options, wallets } = chain
  const soon = () => Math.max(seconds(options.now), chain.miner.head().timestamp + 1)
  const mineBlock = (timestamp?: number, drafts: readonly TransactionDraft[] = []) =>
    turnOf(chain, (turn) => turn.mine(timestamp ?? soon(), drafts))
  const known = (address: Address): BookToken => {
    const token = chain.book.token(address)
    if (!token) throw unknownToken(address)
    return token
  }
  const launched = (draft: TransactionDraft): Promise<BookToken> =>
    turnOf(chain, async (turn) => {
      const before = chain.book.tokens().length
      await turn.mine(soon(), [draft])
      const token = chain.book.tokens()[before]
      if (!token) throw unknownToken('after a launch that reverted')
      return token
    })
  const launcher = wallets[0] ?? deployer
  return {
    mineBlock,
    /** Tokens in launch order. */
    tokens: (kind?: BookToken['kind']) => chain.book.tokens(kind),
    launchCreator: (terms: LaunchTerms) => launched(launchCreator(launcher, terms)),
    launchPost: (terms: LaunchTerms & { readonly quote: Address }) => launched(launchPost(launcher, terms)),
    /** Buys with ZORA worth this many dollars. */
    buy: ({ token, ...order }: { token: Address; wallet: Address; usd: number }) =>
      turnOf(chain, (turn) => turn.mine(soon(), [buy(chain.book, { ...order, token: known(token) })])),
    /** Sells all for ZORA. */
    sell: ({ token, wallet }: { token: Address; wallet: Address }) =>
      turnOf(chain, async (turn) => {
        const amount = await balanceOf(anvil, token, wallet)
        return turn.mine(soon(), [sell(chain.book, { wallet, token: known(token), amount })])
      }),
    balanceOf: (token: Address, wallet: Address) => balanceOf(anvil, token, wallet),
    /** Rolls back the last blocks, by replaying the chain up to there; the next blocks replace them. */
    rollback: (depth: number) => turnOf(chain, (turn) => turn.rollback(depth)),
  }
}

const seconds = (now: () => number) => Math.floor(now() / 1_000)
