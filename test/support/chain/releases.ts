/** Two releases of the service in one process: one as it is, and one whose rules have been raised and changed. */
import { vi } from 'vitest'
import type { Chain } from '../../../ingest/client/chains.ts'

export type Release = typeof import('./release.ts').release

type Rules = typeof import('../../../market/rules.ts')

/** By these a release counts and values differently. */
const otherRules = ({
  CAP_PER_LIQUIDITY,
  ENGAGEMENT_MIN_MICRO_USD,
}: Rules): Partial<Record<keyof Rules, unknown>> => ({
  CAP_PER_LIQUIDITY: CAP_PER_LIQUIDITY - 5n,
  ENGAGEMENT_MIN_MICRO_USD: ENGAGEMENT_MIN_MICRO_USD / 1_000n,
})

type Raised = {
  /** What every name of a chain is taken for. */
  readonly chain?: Chain
  /** @default otherRules */
  readonly changes?: typeof otherRules
}

/** Loads modules as a release has them whose rules are newer. */
export async function withRaisedRules<T>(
  loading: () => Promise<T>,
  { chain, changes = otherRules }: Raised = {},
): Promise<T> {
  vi.resetModules()
  if (chain)
    vi.doMock('../../../ingest/client/chains.ts', async (original) => ({
      ...(await original<typeof import('../../../ingest/client/chains.ts')>()),
      chainNamed: () => chain,
    }))
  vi.doMock('../../../market/rules.ts', async (original) => {
    const rules = await original<Rules>()
    const { FOLD_VERSION, RULES_VERSION } = rules
    const raised = { FOLD_VERSION: FOLD_VERSION + 1, RULES_VERSION: RULES_VERSION + 1 }
    return { ...rules, ...changes(rules), ...raised }
  })
  // One import alone: vitest registers mocks at the next import, and of several at once one may find none yet.
  await import('../../../market/rules.ts')
  const modules = await loading()
  vi.doUnmock('../../../market/rules.ts')
  vi.doUnmock('../../../ingest/client/chains.ts')
  vi.resetModules()
  return modules
}

const load = async (): Promise<Release> => (await import('./release.ts')).release

/** The release as it is. */
export const openRelease = load

/** A release with newer rules. */
export const openNewerRelease = (raised?: Raised): Promise<Release> => withRaisedRules(load, raised)
