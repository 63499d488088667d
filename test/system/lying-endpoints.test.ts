import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomFrom } from '../../local/devnet/random.ts'
import { startDevnetMarket } from '../support/devnet-market.ts'
import {
  lies,
  type Outcome,
  type Plan,
  phases,
  playRound,
  queries,
  settings,
} from '../support/lying-round.ts'
import {
  type RecordedChain,
  type RecordedEndpoint,
  recordChain,
  serveRecorded,
} from '../support/recorded-chain.ts'
import { rounds } from '../support/rounds.ts'

/** Endpoints answer with HTTP 200 and leave logs out: what is sealed is never wrong, or v1/status says that something is missing. */

const ROUNDS = rounds('LYING_ROUNDS', 12, 300)
const SEED = Number(process.env['LYING_SEED'] ?? 1)

let chain: RecordedChain
let endpoints: [RecordedEndpoint, RecordedEndpoint]
let clean: Pick<Outcome, 'sealed' | 'firstBlocks'>

beforeAll(async () => {
  const market = await startDevnetMarket(7, { blocks: 30, trades: 40, creators: 3, posts: 4 })
  for (let minute = 0; minute < 8; minute += 1) await market.mineMinute(20)
  chain = await recordChain(market.rpcUrl)
  await market.stop()
  endpoints = [await serveRecorded(chain), await serveRecorded(chain)]
  clean = await playRound(null, { chain, endpoints, random: randomFrom(SEED, 0), clean: new Map() })
})
afterAll(async () => {
  for (const endpoint of endpoints) await endpoint.stop()
})

const plans: readonly Plan[] = Array.from({ length: ROUNDS }, (_, round) => {
  const random = randomFrom(SEED, round)
  return {
    query: queries[round % queries.length]!,
    lie: random.pick(lies),
    setting: settings[Math.floor(round / queries.length) % settings.length]!,
    phase: random.pick(phases),
  }
})
const nameOf = ({ query, lie, phase, setting }: Plan) => `${query}: ${lie}, ${phase}, ${setting}`

/** Minutes that end before a block, and those in force that are as they should be. */
const minutesBefore = (block: number): readonly number[] => {
  const minutes = [...clean.firstBlocks]
  return minutes
    .filter((_, at) => (minutes[at + 1]?.[1] ?? Number.POSITIVE_INFINITY) <= block)
    .map(([minute]) => minute)
}
const rightIn = ({ sealed }: Outcome) =>
  [...clean.sealed].filter(([minute, digest]) => sealed.get(minute) === digest).map(([minute]) => minute)

/**
 * An endpoint alone that leaves a log out of every answer, whatever is asked and however, is a chain without it: the next
 * balance that does not tie may tell, or never. All else is told.
 */
const canBeTold = ({ setting }: Plan): boolean => setting !== 'alone, for ever, in every form'
const isForEver = ({ setting }: Plan): boolean => setting.startsWith('alone, for ever')

test.each(plans.map((plan, round) => [round, nameOf(plan), plan] as const))(
  '%i. %s',
  async (round, _name, plan) => {
    const random = randomFrom(SEED, ROUNDS + round)
    const outcome = await playRound(plan, { chain, endpoints, random, clean: clean.sealed })
    const { wrong, gap, sealed } = outcome
    if (canBeTold(plan)) expect(wrong).toEqual([])
    expect(rightIn(outcome)).toEqual(expect.arrayContaining([...minutesBefore(outcome.firstOmitted)]))
    if (!isForEver(plan)) expect(gap).toBeUndefined()
    if (gap) {
      expect(gap).toMatchObject({
        missing: expect.stringMatching(/./),
        endpoints: [new URL(endpoints[0].url).host],
      })
      expect([...sealed.keys()]).toEqual(minutesBefore(gap.block))
    } else {
      expect([...sealed.keys()]).toEqual([...clean.sealed.keys()])
      if (canBeTold(plan)) expect(rightIn(outcome)).toEqual([...sealed.keys()])
    }
    report({ round, wrong: wrong.length, gap: gap?.missing, ...plan })
  },
  60_000,
)

/** What a long run came to, a line a round. */
function report(line: Readonly<Record<string, unknown>>): void {
  if (process.env['LYING_ROUNDS']) process.stdout.write(`${JSON.stringify(line)}\n`)
}
