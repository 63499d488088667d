/** Kinds of endpoints as they are met. */
import type { Limits } from '../../support/chain/strict-endpoint.ts'

/** Each kind is one endpoint alone, unless it has several. */
export const endpointKinds = {
  clean: [{ batch: 10 }],
  'a fifth of the answers failing': [{ batch: 10, failing: 20 }],
  'a fifth of the answers of two endpoints failing': [
    { batch: 10, failing: 20 },
    { batch: 10, failing: 20 },
  ],
  'a tenth of the calls failing': [{ batch: 10, failingCalls: 10 }],
  'a twentieth of the answers and of the calls failing': [{ batch: 10, failing: 5, failingCalls: 5 }],
  'Ankr’s words above 1,200 blocks': [
    { batch: 10, span: 1_200, says: { code: -32_000, message: 'maximum [from, to] blocks distance: 1200' } },
  ],
  'Besu’s words above 500 blocks': [
    {
      batch: 10,
      span: 500,
      says: { code: -32_005, message: 'Requested range exceeds maximum RPC range limit' },
    },
  ],
  'unknown words above 300 blocks': [
    { batch: 10, span: 300, says: { code: 15, message: 'that is not for you' } },
  ],
  'unknown words with a number above 300 blocks': [
    { batch: 10, span: 300, says: { code: 15, message: 'you may have 300 blocks' } },
  ],
  'HTTP 500 above 300 blocks': [{ batch: 10, span: 300, says: { code: 15, message: 'oops', status: 500 } }],
  'no batches': [{ batch: 1 }],
  'every fault at once': [{ batch: 10, calls: 50, failing: 10, refusing: 20, failingCalls: 5, empty: 12 }],
  'HTTP 403 for a while': [{ batch: 10, closed: { from: 20, requests: 3 } }],
} as const satisfies Readonly<Record<string, readonly Limits[]>>
