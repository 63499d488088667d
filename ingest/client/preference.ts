/** Selects an endpoint: the preferred one or the fastest; includes the requests that measure them. */
import type { Endpoint } from './endpoint.ts'
import { isDistrusted, isNarrowBeside, isNearOnly, isSilent } from './endpoint-traits.ts'
import { RpcUnavailableError } from './faults.ts'

/** Another endpoint is preferred if it is this many times as fast. */
const FASTER = 1.3
/** Every 8th range is read from an endpoint whose speed is unknown, every 60th from the next one in turn. */
const UNKNOWN_EVERY = 8
const AGAIN_EVERY = 60

/** The endpoint with the most blocks per second among those that omitted no logs, serve old ones and are not narrow beside such; `now` unless another is much faster. */
function fastestOf(all: readonly Endpoint[], now: Endpoint): Endpoint {
  const speed = ({ traits }: Endpoint) => traits.blocksPerSecond ?? 0
  const trusted = all
    .filter(({ traits }) => !isDistrusted(traits) && !isNearOnly(traits))
    .filter(({ traits }, _, some) => !some.some((other) => isNarrowBeside(traits, other.traits)))
  const [first = now] = trusted.includes(now) ? [now] : trusted
  return trusted.reduce((most, one) => (speed(one) > FASTER * speed(most) ? one : most), first)
}

/** The choice among the endpoints of a run. One for far ranges alone is never the preferred one. */
export type Preference = {
  /** The preferred one. Throws RpcUnavailableError if there is none. */
  current(): Endpoint
  /** If this one is preferred, the next that is not silent becomes so; if all are, the next one. */
  moveOn(from: Endpoint): void
  /** The one with the most blocks per second, which becomes the preferred one if it may; sometimes another one, to measure it. */
  fastest(): Endpoint
}

/** Opens a choice; the first endpoint is preferred. */
export function openPreference(all: readonly Endpoint[]): Preference {
  const near = all.filter(({ traits }) => !traits.isFarOnly)
  let preferred = 0
  let turns = 0
  const after = (steps: number): Endpoint | undefined => near[(preferred + steps) % near.length]
  const current = (): Endpoint => {
    const endpoint = after(0)
    if (!endpoint) throw new RpcUnavailableError('the chain', 'no endpoint is configured')
    return endpoint
  }
  return {
    current,
    moveOn(from) {
      if (from !== current()) return
      const steps = near.slice(1).map((_, at) => at + 1)
      const heard = steps.find((step) => {
        const next = after(step)
        return next !== undefined && !isSilent(next.traits)
      })
      preferred += heard ?? 1
    },
    fastest() {
      turns += 1
      const best = fastestOf(all, current())
      if (!best.traits.isFarOnly) preferred = near.indexOf(best)
      const far = all.filter(({ traits }) => !isNearOnly(traits))
      const unknown = far.find(({ traits }) => traits.blocksPerSecond === undefined)
      const again = turns % AGAIN_EVERY === 0 ? far[(turns / AGAIN_EVERY) % far.length] : undefined
      return (turns % UNKNOWN_EVERY === 0 ? unknown : again) ?? best
    },
  }
}
