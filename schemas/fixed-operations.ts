import type { Operation } from './operations.ts'
import * as parameters from './parameters.ts'

/** The code's own words change with a deployment alone. */
const FIXED_CACHE = 'public, max-age=300, stale-while-revalidate=60, stale-if-error=86400'

const fixed = (facts: Pick<Operation, 'path' | 'says' | 'body' | 'mediaType'>) => ({
  ...facts,
  needs: 'nothing' as const,
  axes: null,
  rest: [parameters.strict],
  cacheControl: FIXED_CACHE,
})

/** The operations whose answers are the same whatever the market does: what the API says of itself, to anyone. */
export const fixedOperations = {
  openapi: fixed({
    path: '/v1/openapi.json',
    says: 'This API, described in OpenAPI 3.1',
    mediaType: 'application/json; charset=utf-8',
    body: {
      type: 'object',
      properties: {
        openapi: { type: 'string', const: '3.1.0', description: 'Version of OpenAPI' },
        info: { type: 'object', description: 'What the API is' },
        paths: { type: 'object', description: 'Its operations' },
      },
      required: ['openapi', 'info', 'paths'],
      additionalProperties: true,
    },
  }),
  llms: fixed({
    path: '/v1/llms.txt',
    says: 'A short guide to this API for machines that read text',
    mediaType: 'text/plain; charset=utf-8',
    body: { type: 'string' },
  }),
} as const satisfies Record<string, Operation>

export type FixedName = keyof typeof fixedOperations
