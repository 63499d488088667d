/** Kinds of endpoints as they are met, and what reading a chain through one of them costs. */

import { IngestError } from '../../ingest/client/faults.ts'
import type { RpcOptions } from '../../ingest/client/rpc.ts'
import { followChain, type Progress } from '../../ingest/writer/writer.ts'
import type { GeneratedChain } from '../support/generated-chain.ts'
import { openGeneratedNode } from '../support/generated-node.ts'
import { digestsOf, memoryStores, verifiedDeps } from '../support/ingest-stores.ts'
import { type Count, type Limits, startProxies } from '../support/strict-endpoint.ts'

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
  'HTTP 403 for a while': [{ batch: 10, closed: { from: 20, requests: 3 } }],
} as const satisfies Readonly<Record<string, readonly Limits[]>>

export type EndpointKind = keyof typeof endpointKinds

/** What was asked of the endpoints, and what was sealed: the minutes and digests of the log. */
export type KindCost = Count & { readonly sealed: readonly string[]; readonly gaps: number }

/** Reads a chain through endpoints of a kind until nothing is left, and starts again after faults as the process does. */
export async function readThrough(
  chain: GeneratedChain,
  kind: EndpointKind,
  options: RpcOptions,
): Promise<KindCost> {
  const limits: readonly Limits[] = endpointKinds[kind]
  const { answer } = openGeneratedNode(chain)
  const { rpc, counts, stop } = await startProxies(
    limits.map(() => answer),
    { limits, ...options },
  )
  const stores = memoryStores()
  try {
    const gaps = await untilRead(async function* () {
      yield* followChain(await verifiedDeps(stores, { rpc, chain: chain.rules }, null))
    })
    const sealed = await digestsOf(stores)
    const sum = (of: keyof Count) => counts.reduce((total, count) => total + count[of], 0)
    return { requests: sum('requests'), calls: sum('calls'), refused: sum('refused'), sealed, gaps }
  } finally {
    await stop()
  }
}

/** Follows until there is nothing new; the gaps met on the way. A fault that can be retried begins anew. */
async function untilRead(follow: () => AsyncGenerator<Progress>): Promise<number> {
  let gaps = 0
  for (;;) {
    try {
      for await (const { is } of follow()) {
        if (is === 'gap') gaps += 1
        if (is === 'idle') return gaps
      }
    } catch (fault) {
      if (!(fault instanceof IngestError && fault.retryable)) throw fault
    }
  }
}
