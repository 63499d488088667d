/** A creator token and a post over many days: a log of minutes with reorgs, and the facts that it was folded from. */
import { type Random, randomFrom } from '../../../dev/devnet/random.ts'
import { fold } from '../../../market/fold/fold.ts'
import { effectiveEntries } from '../../../market/log.ts'
import type { PriorState } from '../../../market/prior.ts'
import type { Coin, Minute } from '../../../market/segment.ts'
import { openMemoryTable } from '../../../store/aws/memory.ts'
import { allOf } from '../../../store/aws/parallel.ts'
import { openLog } from '../../../store/log/log.ts'
import { memoryBucket } from '../aws/memory-stores.ts'
import { openCommits } from './commits.ts'
import {
  address,
  block,
  blockOf,
  coin,
  initialized,
  type Loose,
  launched,
  launchedIn,
  minuteOf,
  ONE_X96,
  prior,
  rated,
  swapped,
  transferred,
  USD,
  WHOLE,
} from './facts.ts'

/** A Monday. */
const START: Minute = 20_000_160 + 5_760 - (20_000_160 % 10_080)

/** A sealed minute: its facts, and what held before it. */
export type CandleMinute = {
  readonly minute: Minute
  readonly prior: PriorState
  readonly facts: readonly Loose[]
}

const bornIn = (minute: Minute, part: Parameters<typeof coin>[0]): Coin =>
  coin({ ...part, launchedAt: launchedIn({ number: minute, timestamp: minute * 60 }, 2) })

/** Writes a log at random. */
export function openCandleMarket(seed: number) {
  const random = randomFrom(seed)
  const [table, bucket] = [openMemoryTable(), memoryBucket()]
  const log = openLog(table, bucket)
  const commits = openCommits(table, bucket)
  const sealed: CandleMinute[] = []
  let now = prior([])
  const [bornCreator, bornPost] = [START + 5, START + 5 + random.below(4_000)]
  const creator = bornIn(bornCreator, { address: address(0xa), isCurrency0: false })
  const post = bornIn(bornPost, { address: address(0xb), kind: 'post', quote: creator.address })
  const tokens = [creator, post] as const
  const sqrts = new Map<string, bigint>()

  const trade = (token: Coin): Loose => {
    const isBuy = random.chance(0.5)
    const sqrtPriceX96 = stepped(random, sqrts.get(token.address) ?? ONE_X96)
    sqrts.set(token.address, sqrtPriceX96)
    const amountQuote = BigInt(1 + random.below(1_000_000)) * 10n ** 13n
    return swapped({ token, isBuy, amountQuote, sqrtPriceX96 })
  }
  const launch = (token: Coin): readonly Loose[] => [
    initialized(token),
    transferred(token, [address(0), address(0x99)], [1_000n * WHOLE, 0n, 1_000n * WHOLE]),
    launched(token),
  ]
  const factsOf = (minute: Minute): readonly Loose[] => {
    const born = tokens.filter(({ launchedAt }) => launchedAt.timestamp === minute * 60)
    const alive = tokens.filter(({ launchedAt }) => launchedAt.timestamp < minute * 60)
    // Near a dollar, so that no close is held: what holds does is tested with the rates.
    const observed = rated((USD * BigInt(91 + random.below(19))) / 100n)
    return [
      ...born.flatMap(launch),
      ...Array.from({ length: random.below(4) }, () =>
        random.chance(0.2) ? [observed] : alive.map(trade),
      ).flat(),
    ]
  }
  const seal = async (minute: Minute) => {
    const facts = factsOf(minute)
    const before = now
    const { segment, after } = fold(before, minuteOf(blockOf(block(minute, minute * 60 + 30), facts)))
    await commits.commit(segment)
    now = {
      ...after,
      tokens: new Map([...after.tokens].map(([at, known]) => [at, { ...known, isNew: false }])),
    }
    sealed.push({ minute, prior: before, facts })
  }
  /** Takes back some of the newest minutes, none of them before the launch of the post. */
  const rewindSome = async () => {
    const most = 1 + random.below(random.chance(0.3) ? 60 : 5)
    const { length } = sealed.slice(-most).filter(({ minute }) => minute > bornPost)
    const [first] = sealed.splice(Math.max(1, sealed.length - length))
    if (!first) return
    now = first.prior
    for (const { address: token } of tokens)
      sqrts.set(token, now.tokens.get(token)?.state.sqrtPriceX96 ?? ONE_X96)
    await commits.rollBackAfter(sealed.at(-1)!.minute)
  }

  return {
    tokens,
    table,
    /** The minutes in force, oldest first. */
    sealed: sealed as readonly CandleMinute[],
    log,
    /** Its effective minutes. */
    async minutes() {
      const entries = effectiveEntries(await allOf(log.entriesAfter(0)))
      return { entries, readWhole: log.readSegment }
    },
    last: () => sealed.at(-1)!.minute,
    /** Seals minutes for so many days, with gaps; some are rolled back and written anew. */
    async grow(days: number, gap: number) {
      const end = START + days * 1_440
      await seal(START)
      while (sealed.at(-1)!.minute < end) {
        const previous = sealed.at(-1)!.minute
        const next = previous + 1 + random.below(gap)
        const births = [bornCreator, bornPost].filter((minute) => minute > previous)
        await seal(Math.min(next, ...births))
        // A reorg is of minutes since the last one was rolled back.
        if (random.chance(0.02)) await rewindSome()
      }
    },
  }
}

/** Up to a tenth up or down. */
const stepped = (random: Random, sqrt: bigint): bigint => (sqrt * BigInt(1_900 + random.below(201))) / 2_000n
