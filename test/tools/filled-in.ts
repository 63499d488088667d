/** What forms send that fill in every parameter. */
import { expect } from 'vitest'
import { openapiDocument } from '../../schemas/described/openapi.ts'
import { knownOf } from '../openapi/examples.ts'
import type { ApiStack } from '../support/aws/api-stack.ts'
import { startDevnetApi } from '../support/aws/devnet-api.ts'

/** A small market at a fixed moment. */
export function startFormsApi(): Promise<ApiStack> {
  const history = { blocks: 12, days: 3, trades: 30, creators: 4, posts: 5 }
  return startDevnetApi({ seed: 2, now: Date.UTC(2026, 0, 31, 12, 0, 30) / 1_000, history })
}

export const operationCount = Object.keys(openapiDocument()['paths'] as object).length

/** Checks that requests with every parameter get the answer of those with the required ones. Ids in paths are replaced by ones of this market. */
export async function expectAnswersOfDefaults(api: ApiStack, filledIn: readonly string[]): Promise<void> {
  const { token, snapshot } = await knownOf(api)
  expect(filledIn).toHaveLength(operationCount)
  for (const filled of filledIn) {
    const [path = '', query] = filled.split('?')
    const id = path.includes('/snapshots/') ? snapshot : token
    const here = path.replace(/:id|0x[0-9a-fA-F]{40}|(?<=snapshots\/)[^/]+$/, id)
    const needed = new URLSearchParams(
      [...new URLSearchParams(query)].filter(([name]) => ['q', 'field', 'value'].includes(name)),
    )
    const [whole, plain] = [await api.ask(`${here}?${query}`), await api.ask(`${here}?${needed}`)]
    // A market of three days has no week that is over.
    const status = path.endsWith('/recap') ? 404 : 200
    expect([filled, whole.status, plain.status]).toEqual([filled, status, status])
    if (status === 200 && !path.endsWith('/usage')) expect([filled, whole.text]).toEqual([filled, plain.text])
  }
}
