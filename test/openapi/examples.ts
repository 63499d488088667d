/** One answer of every operation, asked of a seeded market at a fixed moment and cut to a row of each list. */
import type { Operation } from '../../schemas/api/operation.ts'
import { operations } from '../../schemas/api/operations.ts'
import type { ApiStack } from '../support/aws/api-stack.ts'
import { startDevnetApi } from '../support/aws/devnet-api.ts'

const moment = {
  seed: 1,
  now: Date.UTC(2026, 0, 31, 12, 0, 30) / 1_000,
  history: { blocks: 240, days: 8, trades: 700, creators: 60, posts: 80 },
}

/** Rows of a list that are shown, and words of a list of words. */
const ROWS_SHOWN = 1
const WORDS_SHOWN = 3
/** In place of an account’s id: those are random. */
const ACCOUNT = 'h3k9q2m7x4'
/** Documents of a manifest that are. */
const DOCUMENTS_SHOWN = 2

/** Examples by the name of their operation. Throws when an answer is no 200. */
export async function devnetExamples(): Promise<Record<string, unknown>> {
  const api = await startDevnetApi(moment)
  try {
    const examples: Record<string, unknown> = {}
    const known = await knownOf(api)
    for (const [name, { path, mediaType = 'json' }] of Object.entries<Operation>(operations)) {
      if (name === 'openapi' || !mediaType.includes('json')) continue
      const { status, body } = await api.ask(requestFor(path, known))
      if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
      examples[name] = shortened(ownPart(name, body))
    }
    return examples
  } finally {
    await api.stop()
  }
}

/** What is stored of an answer: not what schemas/described/openapi.ts takes from the examples of other operations. */
function ownPart(name: string, body: unknown): unknown {
  if (name === 'usage') return { ...Object(body), account: ACCOUNT }
  if (name === 'search') return (body as { match: unknown }[]).map(({ match }) => ({ match }))
  if (name !== 'all') return body
  const { index: _, creators: _creators, posts: _posts, ...own } = body as Record<string, unknown>
  return own
}

/** What requests need to know of the market. */
export type ExampleToken = {
  readonly token: string
  readonly symbol: string
  readonly snapshot: string
  /** One that has traded. */
  readonly wallet: string
}

/** The most valuable post: it has swaps, holders and a path through another token. */
export async function knownOf(api: Pick<ApiStack, 'ask'>): Promise<ExampleToken> {
  const { body, headers } = await api.ask('/v1/z100/posts?sort_by=volume&limit=1')
  const [row] = body as { contract_address: string; symbol: string }[]
  const { body: swaps } = await api.ask(`/v1/tokens/${row?.contract_address}/swaps?limit=1`)
  const [swap] = swaps as { trader: string }[]
  return {
    token: row?.contract_address ?? '',
    symbol: row?.symbol ?? '',
    snapshot: headers.get('x-snapshot-id') ?? '',
    wallet: swap?.trader ?? '',
  }
}

/** The plainest request for an operation that has something to answer. */
export function requestFor(path: string, { token, symbol, snapshot, wallet }: ExampleToken): string {
  const queries: Readonly<Record<string, string>> = {
    '/v1/search': `?q=${encodeURIComponent(symbol)}`,
    '/v1/tokens': `?field=symbol&value=${encodeURIComponent(symbol)}`,
  }
  const ids: Readonly<Record<string, string>> = { snapshots: snapshot, wallets: wallet }
  const id = ids[path.split('/')[2] ?? ''] ?? token
  return path.replace('{id}', id) + (queries[path] ?? '')
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isOfRows = value.some((each) => typeof each === 'object')
    return value.slice(0, isOfRows ? ROWS_SHOWN : WORDS_SHOWN).map(shortened)
  }
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value)
  const shown = entries.some(([key]) => key.startsWith('v1/')) ? entries.slice(0, DOCUMENTS_SHOWN) : entries
  return Object.fromEntries(shown.map(([key, each]) => [key, shortened(each)]))
}
