/** The first pass over a range, in the form that the endpoint takes: by topic alone, or by address. */
import type { Address } from '../market/segment.ts'
import type { Chain } from './chains.ts'
import { type Lessons, learn } from './learn.ts'
import { inOrder, type Log, readAllLogs, readLogs, type Span } from './logs.ts'
import { marketQueries, platformQueriesOf, platformQuery, tokenQuery, v3PoolsOf } from './queries.ts'
import type { Registry } from './registry.ts'
import type { Rpc } from './rpc.ts'

/** The logs of the first pass in order, and what they teach. */
export type PlatformLogs = { readonly logs: readonly Log[]; readonly lessons: Lessons }

type Source = { readonly rpc: Rpc; readonly chain: Chain; readonly registry: Registry }
type TimeAt = (blockNumber: number) => number

/** By topic alone: one query, whoever emitted the logs. */
export const readByTopic = async (source: Source, span: Span, timeAt: TimeAt): Promise<PlatformLogs> => {
  const logs = inOrder(await readLogs(source.rpc, span, platformQuery))
  return { logs, lessons: await learn(logs, source, timeAt) }
}

/** By address: the factory, the hooks and every known token, in chunks; then those that these logs made known, until there are no more. */
export const readByAddress = async (source: Source, span: Span, timeAt: TimeAt): Promise<PlatformLogs> => {
  const { rpc, chain, registry } = source
  const asked = new Set<Address>()
  const found: Log[] = []
  for (;;) {
    const known = [chain.factory, ...(await registry.hooks()), ...(await registry.allTokens())]
    const fresh = [...new Set(known)].filter((address) => !asked.has(address))
    for (const address of fresh) asked.add(address)
    const filters = platformQueriesOf(fresh, rpc.endpoint.addressesAFilter)
    for (const log of await readAllLogs(rpc, span, filters)) found.push(log)
    const logs = inOrder(found)
    const lessons = await learn(logs, source, timeAt)
    const isAll = [...(await registry.hooks()), ...(await registry.allTokens())].every((one) =>
      asked.has(one),
    )
    if (isAll) return { logs, lessons }
  }
}

/** By both, to ask a second time: what tokens emit by topic, what the factory and the hooks emit by address. */
export const readBothWays = async (source: Source, span: Span, timeAt: TimeAt): Promise<PlatformLogs> => {
  const { rpc, chain, registry } = source
  const found: Log[] = [...(await readLogs(rpc, span, tokenQuery))]
  const asked = new Set<Address>()
  for (;;) {
    const market = [chain.factory, ...v3PoolsOf(chain), ...(await registry.hooks())]
    const fresh = market.filter((address) => !asked.has(address))
    for (const address of fresh) asked.add(address)
    found.push(...(await readAllLogs(rpc, span, marketQueries(fresh))))
    const logs = inOrder(found)
    const lessons = await learn(logs, source, timeAt)
    const hooks = await registry.hooks()
    if ([...hooks].every((hook) => asked.has(hook))) return { logs, lessons }
  }
}
