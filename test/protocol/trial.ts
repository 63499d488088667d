import { openChainClock } from '../../ingest/client/chain-clock.ts'
import { openTraits } from '../../ingest/client/endpoint-traits.ts'
import type { Rpc } from '../../ingest/client/rpc.ts'
import type { Registry } from '../../ingest/decode/registry.ts'
import { newestEachTime } from '../../ingest/read/head.ts'
import { noPushes } from '../../ingest/read/pushes.ts'
import type { RangeReader } from '../../ingest/read/range.ts'
import { noHolderViews } from '../../ingest/writer/holder-views.ts'
import { noVerification } from '../../ingest/writer/verifying.ts'
import { followChain, type WriterDeps } from '../../ingest/writer/writer.ts'
import type { Table } from '../../store/aws/table.ts'
import { type ModelChain, openChain } from './chain.ts'
import { type Chances, openRandom } from './random.ts'
import { openScheduler, type Process, type Scheduler, type Weather } from './scheduler.ts'
import { type Disk, type Operate, openDisk, openProtocolStores } from './stores.ts'
import { openFeedReader, type ProtocolFault, verdictOf } from './verdict.ts'

/** A guard of the protocol, taken away: what a writer sees instead of the true table or stores. */
export type Removal = {
  /** Some tokens are older than the log. */
  readonly hasOlderTokens?: boolean
  readonly table?: (table: Table, random: Chances) => Table
  readonly deps?: (deps: WriterDeps) => WriterDeps
}

const calm: Weather = { sleeps: 0, dies: 0, resends: 0 }
const storms: readonly Weather[] = [
  { sleeps: 0.5, dies: 0.1, resends: 0.3 },
  { sleeps: 3, dies: 1, resends: 0.5 },
  { sleeps: 1, dies: 3, resends: 0 },
  calm,
]
/** Operations between two turns of the chain: at most so many. Below 100 the writers fall behind. */
const paces = [5, 60, 200, 400] as const
/** A trial that takes longer goes round in circles. */
const STEPS_MAX = 15_000

/**
 * One history from a seed: writers start, sleep, wake up stale, die and are replaced while the chain grows and is
 * reorganised; then all go on in peace. Gives what was found wrong on the way or at rest.
 */
export async function faultOfTrial(seed: number, removal: Removal = {}): Promise<ProtocolFault> {
  const random = openRandom(seed)
  const world = openWorld(random, removal)
  const { chain, scheduler } = world
  const [weather, pace, turns] = [random.pick(storms), random.pick(paces), 3 + random.below(10)]
  for (let writers = 3 + random.below(2); writers > 0; writers--) world.start()
  for (let turn = 0; turn < turns; turn++) {
    chain.turn()
    scheduler.stir()
    for (let left = random.below(pace); left > 0 && !world.fault(); left--) {
      if (!(await scheduler.step(weather))) break
      world.look()
    }
  }
  const isAtRest = await settle(world)
  if (world.fault()) return world.fault()
  if (!isAtRest) return 'the writers do not come to rest'
  return verdictOf(world.disk, await alone(chain), chain.isCanonical)
}

type World = {
  readonly chain: ModelChain
  readonly scheduler: Scheduler
  readonly disk: Disk
  start(): void
  /** Lets the reader look. */
  look(): void
  fault(): ProtocolFault
}

function openWorld(random: Chances, removal: Removal): World {
  let started = 0
  let fault: ProtocolFault
  const chain = openChain(random, removal.hasOlderTokens)
  const disk = openDisk()
  const read = openFeedReader(disk)
  const scheduler = openScheduler(random, () => start())

  function start(): void {
    started += 1
    const process = scheduler.open(`writer ${started}`)
    const operate: Operate = (act) => scheduler.operate(process, act)
    const stores = openProtocolStores(disk, operate, (table) => removal.table?.(table, random) ?? table)
    const own = depsOf(chain, { ...stores, operate })
    const deps = started % 2 === 0 ? overlapping(own) : own
    run(removal.deps?.(deps) ?? deps, process).catch((error: unknown) => {
      fault ??= `${process.name} ended: ${error instanceof Error ? error.stack : error}`
    })
  }
  const run = async (deps: WriterDeps, process: Process): Promise<void> => {
    for await (const { is } of followChain(deps)) if (is === 'idle') await scheduler.rest(process)
  }
  const look = (): void => {
    fault ??= read()
  }
  return { chain, scheduler, disk, start, look, fault: () => fault }
}

/** As far behind the head: a few blocks a round, and the next round begins before the last one is done. */
const overlapping = (deps: WriterDeps): WriterDeps => ({
  ...deps,
  farSeconds: 0,
  ranges: {
    ...deps.ranges,
    read: (after, to) => deps.ranges.read(after, Math.min(to, (after?.number ?? -1) + 4)),
  },
})

/** The traits of the model's endpoint: none. */
const traits = openTraits('mock')

/** A registry without content: the model's ranges name every fact themselves. */
const noRegistry = { settle: () => {}, forgetAfter: () => {} } as unknown as Registry

/** What a writer over a model chain depends on. */
export function depsOf(
  chain: ModelChain,
  { operate, ...stores }: ReturnType<typeof openProtocolStores> & { readonly operate: Operate },
): WriterDeps {
  const header = (asked: unknown) => {
    const block = chain.at(asked === 'latest' ? chain.head().number : Number(asked))
    return block ?? null
  }
  const rpc: Rpc = {
    request: (_method, [asked]) => operate(() => header(asked)),
    batch: (calls) => operate(() => calls.map(({ params }) => header(params[0]))),
    pinned: () => rpc,
    next: () => rpc,
    fastest: () => rpc,
    each: () => [rpc],
    endpoint: traits,
  }
  const ranges: RangeReader = {
    read: (after, to) => operate(() => chain.range(after, to)),
    drop: async () => {},
  }
  const { rules, oldTokens } = chain
  const head = newestEachTime(rpc)
  const clock = openChainClock(rules.schedule)
  const none = {
    pushes: noPushes,
    verification: noVerification,
    holders: noHolderViews,
    registry: noRegistry,
    isLive: async () => true,
    start: null,
  }
  return { ...none, ...stores, rpc, chain: rules, clock, head, oldTokens, ranges }
}

/** Wakes everyone, lets the chain grow in peace, and waits until nobody has anything left to do; false: that never comes. */
async function settle({ chain, scheduler, look, fault }: World): Promise<boolean> {
  scheduler.wake()
  for (const blocks of [0, 3, 1]) {
    chain.grow(blocks)
    scheduler.stir()
    while ((await scheduler.step(calm)) && !fault()) {
      look()
      if (scheduler.steps() > STEPS_MAX) return false
    }
  }
  return true
}

/** What one writer alone makes of the chain. */
export async function alone(chain: ModelChain): Promise<Disk> {
  const disk = openDisk()
  const operate: Operate = (act) => Promise.resolve(act())
  for await (const { is } of followChain(depsOf(chain, { ...openProtocolStores(disk, operate), operate }))) {
    if (is === 'idle') return disk
  }
  return disk
}
