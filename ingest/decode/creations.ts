/** First pass over a range: creations and migrations must be known before any other log can be judged. */
import type { Fact } from '../../market/fold/fact.ts'
import type { Address, Hash } from '../../market/segment.ts'
import type { Chain } from '../client/chains.ts'
import type { Log } from '../client/logs.ts'
import { decodeCreation, decodeMigration, kindOfCreation } from './cold-events.ts'
import { tokenTopics, topicOf } from './events.ts'
import type { Registry } from './registry.ts'

/** The facts of the first pass by their logs, and their pools. */
export type Creations = { readonly facts: ReadonlyMap<Log, Fact>; readonly poolIds: readonly Hash[] }

/** Finds the Unix seconds of the blocks of these logs. */
export type TimesOf = (logs: readonly Log[]) => Promise<(blockNumber: number) => number>

/** Registers the genuine creations and migrations among the logs. Throws MalformedLogError. */
export async function readCreations(
  logs: readonly Log[],
  source: { readonly chain: Chain; readonly registry: Registry },
  timesOf: TimesOf,
): Promise<Creations> {
  const { chain, registry } = source
  const facts = new Map<Log, Fact>()
  const poolIds: Hash[] = []
  const created = logs.filter(
    ({ address, topics }) => kindOfCreation.has(topics[0] ?? '0x') && address === chain.factory,
  )
  const timeAt = await timesOf(created)
  for (const log of created) {
    const launched = decodeCreation(log, timeAt(log.blockNumber))
    registerFacts(registry, [launched])
    facts.set(log, launched)
    poolIds.push(launched.coin.poolId)
  }
  const [first] = logs
  if (first) await registry.registerOld(mentionedIn(logs, facts), first.blockNumber - 1)

  // After the creations, since a token may migrate in the range in which it is created.
  const moves = logs.filter((log) => log.topics[0] === topicOf.liquidityMigrated)
  const genuine = await registry.tokens(moves.map((log) => log.address))
  for (const log of moves) {
    if (!genuine.has(log.address)) continue
    const migrated = decodeMigration(log)
    registerFacts(registry, [migrated])
    facts.set(log, migrated)
    poolIds.push(migrated.poolId)
  }
  return { facts, poolIds }
}

/**
 * Addresses that may be tokens older than the log: emitters of logs that only tokens emit, currencies of traded pools,
 * and quotes of new tokens.
 */
function mentionedIn(logs: readonly Log[], creations: ReadonlyMap<Log, Fact>): ReadonlySet<Address> {
  const mentioned = new Set<Address>()
  for (const log of logs) {
    const { address, topics, data } = log
    const created = creations.get(log)
    if (created?.is === 'launched') mentioned.add(created.coin.quote)
    else if (topics[0] === topicOf.swapped) for (const word of [1, 2]) mentioned.add(addressIn(data, word))
    else if (topics[0] === topicOf.liquidityMigrated) {
      mentioned.add(address)
      for (const word of [6, 7]) mentioned.add(addressIn(data, word))
    } else if (topics[0] && tokenTopics.includes(topics[0])) mentioned.add(address)
  }
  return new Set([...mentioned].filter((address) => ADDRESS.test(address)))
}

/** Anyone can emit a log with the platform's topics and other data. */
const ADDRESS = /^0x[0-9a-f]{40}$/

const addressIn = (data: string, word: number): Address => `0x${data.slice(26 + 64 * word, 66 + 64 * word)}`

/** Registers the creations and migrations among the facts. */
export function registerFacts(registry: Registry, facts: readonly Fact[]): void {
  for (const fact of facts) {
    const { blockNumber } = fact
    if (fact.is === 'launched') {
      const { address: token, poolId, hook } = fact.coin
      registry.register({ token, poolId, hook, blockNumber })
    } else if (fact.is === 'migrated') {
      const { token, poolId, hook } = fact
      registry.register({ token, poolId, hook, blockNumber })
    }
  }
}
