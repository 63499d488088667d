import { StateUnavailableError } from '../../ingest/client/faults.ts'
import type { Rpc } from '../../ingest/client/rpc.ts'
import { loneRpc } from './json-rpc.ts'

/** The only endpoint, which keeps no state of the past. */
export const withoutState = ({ request, endpoint }: Rpc): Rpc =>
  loneRpc(async ({ method, params }) => {
    if (method === 'eth_call') throw new StateUnavailableError('pruned', 'missing trie node')
    return request(method, params)
  }, endpoint)
