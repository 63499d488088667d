import { StateUnavailableError } from '../../ingest/faults.ts'
import type { Rpc } from '../../ingest/rpc.ts'

/** The only endpoint, which keeps no state of the past. */
export function withoutState(endpoint: Rpc): Rpc {
  const own: Rpc = {
    ...endpoint,
    each: () => [own],
    request: async (method, params) => {
      if (method === 'eth_call') throw new StateUnavailableError('pruned', 'missing trie node')
      return endpoint.request(method, params)
    },
    batch: async (calls) => {
      if (calls.some(({ method }) => method === 'eth_call'))
        throw new StateUnavailableError('pruned', 'missing trie node')
      return endpoint.batch(calls)
    },
  }
  return own
}
