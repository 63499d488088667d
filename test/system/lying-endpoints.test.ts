// Whole form only.
import { afterAll, expect, test } from 'vitest'
import { randomFrom } from '../../dev/devnet/random.ts'
import { topicOf } from '../../ingest/decode/events.ts'
import type { NodeLog } from '../support/chain/json-rpc.ts'
import { fiveASecond } from '../support/chain/paces.ts'
import { referencePool } from '../support/chain/raw-logs.ts'
import { rounds } from '../support/rounds.ts'
import {
  BLOCKS_A_STEP,
  isAlone,
  type LyingPlan,
  lies,
  phases,
  playRound,
  queries,
  type RoundGiven,
  type RoundOutcome,
  settings,
} from './lying-round.ts'
import {
  type RecordedChain,
  type RecordedEndpoint,
  recordMarket,
  relayChain,
  serveRecorded,
} from './recorded-chain.ts'

/** Endpoints answer with HTTP 200 and leave logs out: what is sealed is never wrong, or v1/status says that something is missing. */

const ROUNDS = rounds(6, 10)
const SEED = Number(process.env['SEED'] ?? 1)

/** A chain, endpoints of it, and its log as it should be. */
type Ground = Pick<RoundGiven, 'rules' | 'step'> & {
  readonly chain: RecordedChain
  readonly endpoints: readonly [RecordedEndpoint, RecordedEndpoint]
  readonly clean: Pick<RoundOutcome, 'sealed' | 'firstBlocks'>
}
const paces = ['as the devnet has them', 'of 200 ms'] as const
const grounds = new Map<(typeof paces)[number], Ground>()
const play = (plan: LyingPlan | null, ground: Ground, random: RoundGiven['random']) =>
  playRound(plan, { ...ground, random, clean: ground.clean.sealed })

const recorded = await recordMarket(8, { blocks: 10, trades: 14 })
const fast = relayChain(recorded, fiveASecond)
const chains = [
  { chain: recorded, step: BLOCKS_A_STEP.devnet, rules: undefined },
  { chain: fast, step: BLOCKS_A_STEP.fiveASecond, rules: fast.rules },
]
for (const [at, one] of chains.entries()) {
  const endpoints = [await serveRecorded(one.chain), await serveRecorded(one.chain)] as const
  const given = { ...one, endpoints, random: randomFrom(SEED, 0), clean: new Map() }
  grounds.set(paces[at]!, { ...given, clean: await playRound(null, given) })
}
afterAll(async () => {
  for (const { endpoints } of grounds.values()) for (const endpoint of endpoints) await endpoint.stop()
})

const plans: readonly LyingPlan[] = Array.from({ length: ROUNDS }, (_, round) => {
  const random = randomFrom(SEED, round)
  return {
    query: queries[round % queries.length]!,
    lie: random.pick(lies),
    setting: settings[Math.floor(round / queries.length) % settings.length]!,
    phase: random.pick(phases),
  }
})
const nameOf = ({ query, lie, phase, setting }: LyingPlan) => `${query}: ${lie}, ${phase}, ${setting}`

/** Minutes that end before a block, and those in force that are as they should be. */
function minutesBefore(block: number, { clean }: Ground): readonly number[] {
  const minutes = [...clean.firstBlocks]
  return minutes
    .filter((_, at) => (minutes[at + 1]?.[1] ?? Number.POSITIVE_INFINITY) <= block)
    .map(([minute]) => minute)
}
const rightIn = ({ sealed }: RoundOutcome, { clean }: Ground) =>
  [...clean.sealed].filter(([minute, digest]) => sealed.get(minute) === digest).map(([minute]) => minute)

/**
 * An endpoint alone that leaves a log out of every answer, whatever is asked and however, is a chain without it: the next
 * balance that does not tie may tell, or never. So it is where a transfer outside a trade, or a rename, is left out for ever
 * of what is asked by topic: nothing else refers to it. All else is reported.
 */
function canBeTold(
  { setting }: LyingPlan,
  { wrong, omitted }: RoundOutcome,
  { chain, clean }: Ground,
): boolean {
  if (setting === 'alone, for ever, in every form') return false
  const [from = Number.POSITIVE_INFINITY] = wrong
  const next = [...clean.firstBlocks.values()].find((block) => block > from) ?? Number.POSITIVE_INFINITY
  const inFirstWrong = [...omitted].filter(
    ({ blockNumber }) => Number(blockNumber) >= from && Number(blockNumber) < next,
  )
  return inFirstWrong.length === 0 || !inFirstWrong.every((log) => isAlone(log, chain))
}
const isForEver = ({ setting }: LyingPlan): boolean => setting.startsWith('alone, for ever')

/** Of the chain with faster blocks, one round in four unless there are many. */
const played = paces.flatMap((pace, at) =>
  plans
    .map((plan, round) => [round, nameOf(plan), pace, plan] as const)
    .filter(([round]) => at === 0 || ROUNDS > 12 || round % 4 === 1),
)

test.each(played)('%i. %s, blocks %s', async (round, _name, pace, plan) => {
  const ground = grounds.get(pace)!
  const { clean, endpoints } = ground
  const outcome = await play(plan, ground, randomFrom(SEED, ROUNDS + round))
  const { wrong, gap, sealed } = outcome
  const isTold = canBeTold(plan, outcome, ground)
  if (isTold) expect(wrong).toEqual([])
  const firstOmitted = Math.min(...[...outcome.omitted].map(({ blockNumber }) => Number(blockNumber)))
  expect(rightIn(outcome, ground)).toEqual(expect.arrayContaining([...minutesBefore(firstOmitted, ground)]))
  if (!isForEver(plan)) expect(gap).toBeUndefined()
  if (gap) {
    expect(gap).toMatchObject({
      missing: expect.stringMatching(/./),
      endpoints: [new URL(endpoints[0].url).host],
    })
    expect([...sealed.keys()]).toEqual(minutesBefore(gap.block, ground))
  } else {
    expect([...sealed.keys()]).toEqual([...clean.sealed.keys()])
    if (isTold) expect(rightIn(outcome, ground)).toEqual([...sealed.keys()])
  }
  report({ round, isTold, wrong: wrong.length, gap: gap?.missing, ...plan })
})

/** Left out of every answer of the only endpoint, whatever is asked and however. */
function leaveOut(ground: Ground, isLeftOut: (log: NodeLog) => boolean) {
  ground.endpoints[0].lie = (logs) => logs.filter((log) => !isLeftOut(log))
  return play(null, ground, randomFrom(SEED, 1))
}

test.each([
  ['a reference pool', ({ topics: [, pool] }: NodeLog) => pool === referencePool],
  ['a pool of a token', ({ topics: [, pool] }: NodeLog) => pool !== referencePool],
] as const)(
  'the last trade of %s, left out of every form, is missed at the price of the pool',
  async (_name, isOf) => {
    const ground = grounds.get('as the devnet has them')!
    const { chain, clean } = ground
    const trades = chain.logs.filter((log) => log.topics[0] === topicOf.poolSwap && isOf(log))
    const minuteAt = ({ blockNumber }: NodeLog) => Math.floor(chain.timestampOf(Number(blockNumber)) / 60)
    // One that follows another of the same pool and sealed minute: a pool of which nothing is read is not asked for.
    const left = trades.findLast(
      (log) =>
        clean.sealed.has(minuteAt(log)) &&
        trades.some(
          (one) =>
            log.topics[1] === referencePool ||
            (Number(one.blockNumber) < Number(log.blockNumber) &&
              one.topics[1] === log.topics[1] &&
              minuteAt(one) === minuteAt(log)),
        ),
    )!
    const { gap, wrong, sealed } = await leaveOut(
      ground,
      ({ transactionHash }) => transactionHash === left.transactionHash,
    )
    expect(gap).toMatchObject({ missing: 'the last trade of a pool' })
    expect(wrong).toEqual([])
    expect(gap!.block).toBeLessThanOrEqual(Number(left.blockNumber))
    expect([...sealed.keys()]).toEqual(minutesBefore(gap!.block, ground))
  },
)

/** What a long run came to, a line a round. */
function report(line: Readonly<Record<string, unknown>>): void {
  if (process.env['ROUNDS']) process.stdout.write(`${JSON.stringify(line)}\n`)
}
