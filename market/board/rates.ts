import { figuresOfSources } from '../fold/references.ts'
import { hasVote, type SourceFigures } from '../rate-source.ts'
import type { Address, Minute, PoolName, References, UsdE36 } from '../segment.ts'
import { asOf } from '../window.ts'

/** A source as published. `ageSeconds`: since its last swap; null: none is known. */
export type RateSourceRow = SourceFigures & {
  readonly pool: PoolName
  readonly quote: Address
  readonly ageSeconds: number | null
  readonly votes: boolean
}

/** A reference currency as published. */
export type RateRow = {
  readonly address: Address
  readonly priceUsdE36: UsdE36
  readonly isHeld: boolean
  /** It has sources, and none of them votes. */
  readonly isShallow: boolean
  readonly sources: readonly RateSourceRow[]
}

/** The reference rates at the end of a minute, with what their sources say. */
export const rateRows = (references: References, minute: Minute): readonly RateRow[] =>
  [...references].map(([address, rate]) => {
    const figures = figuresOfSources(rate, (quote) => references.get(quote), minute)
    const sources = rate.sources.map(({ pool, quote, swappedAt }, at) => {
      const own = figures[at] as SourceFigures
      const ageSeconds = swappedAt === 0 ? null : asOf(minute) - swappedAt
      return { ...own, pool, quote, ageSeconds, votes: hasVote(own) }
    })
    return {
      address,
      priceUsdE36: rate.heldUsdE36,
      isHeld: rate.heldUsdE36 !== rate.observedUsdE36,
      isShallow: sources.length > 0 && !sources.some(({ votes }) => votes),
      sources,
    }
  })
