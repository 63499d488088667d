import type { Chain } from '../../ingest/client/chains.ts'
import type { OldTokens } from '../../ingest/decode/old-tokens.ts'
import type { Range } from '../../ingest/read/range.ts'
import { minuteOfBlock } from '../../market/calendar.ts'
import { importedAt } from '../../market/coverage.ts'
import type { BlockFacts } from '../../market/fold/fact.ts'
import { NOBODY } from '../../market/fold/holders.ts'
import type { PriorToken } from '../../market/prior.ts'
import type { Address, Block, Coin, Hash } from '../../market/segment.ts'
import { olderTokensOf } from '../support/chain/older-tokens.ts'
import {
  address,
  block,
  blockOf,
  coin,
  DOLLAR,
  HOOK,
  hash,
  initialized,
  known,
  type Loose,
  launched,
  launchedIn,
  MANAGER,
  migrated,
  moved,
  ONE_X96,
  provided,
  RATE_POOL,
  rated,
  renamed,
  swapped,
  transferred,
  USD,
  uriUpdated,
  WHOLE,
  ZORA,
} from '../support/market/facts.ts'
import type { Chances } from './random.ts'

/** A chain that grows and is reorganised, with a small market on it. */
export type ModelChain = {
  readonly rules: Chain
  head(): Block
  at(blockNumber: number): (Block & { readonly parentHash: Hash }) | undefined
  isCanonical(block: Block): boolean
  readonly oldTokens: OldTokens
  /** Changes the chain: most often it grows, by as many blocks as chance gives; else blocks at its end are replaced. */
  turn(): void
  grow(blocks: number): void
  /** The blocks after `after` up to `to`, as a reader of ranges gives them. */
  range(after: Block | null, to: number): Range | 'reorged'
}

/** What the facts of the next block depend on. */
type Market = {
  readonly coins: ReadonlyMap<Address, Coin>
  /** By `token/holder`. */
  readonly balances: ReadonlyMap<string, bigint>
}

type Link = {
  readonly block: Block
  readonly facts: BlockFacts
  readonly market: Market
  readonly parent: Link | null
}

/** Three minutes before a full hour, so that wallets and hours begin anew within a trial. */
const GENESIS_SECONDS = (26_000_040 - 3) * 60
/** Seconds from block to block: two or three a minute, and now and then minutes without one. */
const gaps = [12, 20, 20, 30, 30, 60, 150] as const

const tokens = [0xa0, 0xa1, 0xa2].map(address)
const people = [0x71, 0x72, 0x73].map(address)

/** The creator token and its post, as the chain had them before the log's first block. */
const olderTokens: readonly PriorToken[] = [tokens[0]!, tokens[1]!].map((token, at) => {
  const own = coin({
    address: token,
    kind: at === 0 ? 'creator' : 'post',
    symbol: 'OLD',
    quote: at ? tokens[0]! : ZORA,
    poolId: hash(0x9000_0000 + at),
    launchedAt: importedAt(block(0, GENESIS_SECONDS), at),
  })
  const launch = { priceUsdE36: null, supply: 1_000n * WHOLE }
  return { ...known({ coin: own, state: { pooled: 1_000n * WHOLE }, launch }), isNew: true }
})

/** Opens a chain of one block. `hasOlderTokens`: some tokens are older than the log, and are imported at their first log. */
export function openChain(random: Chances, hasOlderTokens = false): ModelChain {
  const older = new Map((hasOlderTokens ? olderTokens : []).map((known) => [known.token.address, known]))
  const marketBefore: Market = {
    coins: new Map([...older].map(([address, { token }]) => [address, token])),
    balances: new Map([...older.keys()].map((token) => [token + MANAGER, 1_000n * WHOLE])),
  }
  let made = 0
  let tip = linkAfter(null)
  let canonical: Link[] = [tip]
  let former: Link | undefined

  function linkAfter(parent: Link | null): Link {
    made += 1
    const number = (parent?.block.number ?? -1) + 1
    const timestamp = parent ? parent.block.timestamp + random.pick(gaps) : GENESIS_SECONDS
    const block: Block = { number, hash: hash(0xb10c_0000 + made), timestamp }
    const draft = openDraft(random, { parent, before: marketBefore, block, transaction: made })
    for (let acts = random.pick([0, 0, 1, 1, 2]); acts > 0; acts--) draft.act()
    return { block, parent, ...draft.done() }
  }

  const stand = (link: Link): void => {
    tip = link
    canonical = []
    for (let at: Link | null = link; at; at = at.parent) canonical.push(at)
    canonical.reverse()
  }
  const grown = (from: Link, blocks: number): Link => {
    let link = from
    for (let left = blocks; left > 0; left--) link = linkAfter(link)
    return link
  }
  const reorganise = (depth: number): void => {
    const height = tip.block.number
    if (former && random.percent(15) && former.block.number >= height) {
      const back = former
      former = tip
      stand(back)
      return
    }
    former = tip
    const fork = canonical[Math.max(0, height - depth)]!
    stand(grown(fork, height - fork.block.number + random.below(3)))
  }
  /** Blocks of the last three minutes and some. */
  const deep = () => canonical.filter(({ block }) => block.timestamp > tip.block.timestamp - 200).length
  const isCanonical = (block: Block) => canonical[block.number]?.block.hash === block.hash

  return {
    rules: {
      name: 'devnet',
      id: 7,
      factory: NOBODY,
      poolManager: MANAGER,
      internalSenders: [],
      passThroughs: [],
      references: [
        {
          address: ZORA,
          symbol: 'ZORA',
          name: 'Zora',
          decimals: 18,
          sources: [{ pool: RATE_POOL, quote: DOLLAR, isCurrency0: true }],
        },
        { address: DOLLAR, symbol: 'USD', name: 'Dollar', decimals: 18, sources: [], fixedUsdE36: USD },
      ],
      creationsFrom: 0,
      publicEndpoints: null,
      sealingSeconds: random.pick([0, 0, 120]),
      schedule: [],
    },
    head: () => tip.block,
    at: (blockNumber) => {
      const link = canonical[blockNumber]
      return link && { ...link.block, parentHash: link.parent?.block.hash ?? hash(0) }
    },
    isCanonical,
    oldTokens: olderTokensOf(older),
    turn() {
      if (random.percent(62)) stand(grown(tip, random.pick([1, 1, 2, 3])))
      else reorganise(random.percent(60) ? random.below(4) : deep() + random.below(3))
    },
    grow: (blocks) => stand(grown(tip, blocks)),
    range(after, to) {
      if (after && !isCanonical(after)) return 'reorged'
      const blocks = canonical.slice((after?.number ?? -1) + 1, to + 1).map(({ facts }) => facts)
      return {
        blocks: blocks.filter(isGiven),
        last: canonical[to]!.block,
        endsMinute: false,
        poolTransactions: [],
        endpoint: 'model',
      }
    },
  }
}

/** Of the blocks without a fact only those are given that end a minute or the range. */
function isGiven({ block, facts }: BlockFacts, at: number, blocks: readonly BlockFacts[]): boolean {
  const next = blocks[at + 1]
  return facts.length > 0 || !next || minuteOfBlock(next.block) > minuteOfBlock(block)
}

/** A block that is being made. */
function openDraft(
  random: Chances,
  {
    parent,
    before,
    block,
    transaction,
  }: { parent: Link | null; before: Market; block: Block; transaction: number },
) {
  const coins = new Map((parent?.market ?? before).coins)
  const balances = new Map((parent?.market ?? before).balances)
  const rate = () => rated((USD * BigInt(90 + random.below(20))) / 100n)
  const facts: Loose[] = parent ? [] : [rate()]

  const move = (token: Coin, [from, to]: readonly [Address, Address], amount: bigint): void => {
    const shift = (holder: Address, by: bigint): bigint => {
      const balance = holder === NOBODY ? 0n : (balances.get(token.address + holder) ?? 0n) + by
      balances.set(token.address + holder, balance)
      return balance
    }
    facts.push(transferred(token, [from, to], [amount, shift(from, -amount), shift(to, amount)]))
  }
  const heldBy = (token: Coin, holder: Address) => balances.get(token.address + holder) ?? 0n
  /** No token returns to a pool it left, and no two share one. */
  const newPool = () => hash(0x9001_0000 + transaction * 100 + facts.length)
  const price = () => (ONE_X96 * BigInt(50 + random.below(100))) / 100n

  const launch = (at: Address): void => {
    const own = coin({
      address: at,
      kind: at === tokens[0] ? 'creator' : 'post',
      symbol: `S${random.below(3)}`,
      quote: at === tokens[1] ? tokens[0]! : ZORA,
      poolId: newPool(),
      launchedAt: launchedIn(block, 9, transaction),
    })
    move(own, [NOBODY, MANAGER], 1_000n * WHOLE)
    facts.push(initialized(own), provided(own, 5n * WHOLE), launched(own))
    coins.set(at, own)
  }
  const trade = (token: Coin): void => {
    const person = random.pick(people)
    const isBuy = heldBy(token, person) === 0n || random.percent(60)
    const amountToken = isBuy ? WHOLE * BigInt(1 + random.below(5)) : heldBy(token, person)
    if (isBuy && heldBy(token, MANAGER) < amountToken) return
    move(token, isBuy ? [MANAGER, person] : [person, MANAGER], amountToken)
    const [sqrtPriceX96, trader] = [price(), random.percent(50) ? person : null]
    facts.push(swapped({ token, isBuy, amountToken, amountQuote: WHOLE / 2n, sqrtPriceX96, trader }))
  }
  const others: readonly ((own: Coin) => void)[] = [
    (token) => {
      const [from, to] = [random.pick(people), random.pick(people)]
      if (from !== to && heldBy(token, from) > 0n) move(token, [from, to], heldBy(token, from))
    },
    (own) => {
      const uri = random.percent(50) ? `ipfs://${random.below(9)}` : null
      facts.push(uriUpdated(own, uri))
      coins.set(own.address, { ...own, uri })
    },
    (own) => {
      const name = `Name ${random.below(3)}`
      facts.push(renamed(own, name, name.slice(-3)))
      coins.set(own.address, { ...own, name })
    },
    (own) => {
      const after = { ...own, poolId: newPool(), hook: random.pick([HOOK, address(0x42)]) }
      facts.push(initialized(after, price()), migrated(after))
      coins.set(after.address, after)
    },
    (own) => facts.push(moved(own, price())),
    (own) => facts.push(provided(own, BigInt(random.below(9)) * WHOLE, [-400, 200])),
  ]

  return {
    act(): void {
      if (random.percent(15)) facts.push(rate())
      const at = random.pick(tokens)
      const own = coins.get(at)
      if (!own) launch(at)
      // A rename or the like is often the first log of a token older than the log.
      else if (random.percent(own === before.coins.get(at) ? 30 : 65)) trade(own)
      else random.pick(others)(own)
    },
    done: (): { facts: BlockFacts; market: Market } => ({
      facts: blockOf(block, facts.map((fact) => ({ ...fact, tx: transaction })) as Loose[]),
      market: { coins, balances },
    }),
  }
}
