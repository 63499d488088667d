import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { CloudWatchLogsDecodedData, CloudWatchLogsEvent } from 'aws-lambda'
import { type EdgeUsage, edgeKeys, tiers, usageFrom } from '../schemas/access.ts'
import { readEnv } from '../schemas/env.ts'
import { type AccessStore, openAccess } from '../store/access.ts'
import { type EdgeStore, openEdgeStore } from '../store/edge.ts'
import { openUsage, type Usage } from '../store/usage.ts'

export type EdgeUsageStores = {
  readonly access: Pick<AccessStore, 'account'>
  readonly usage: Pick<Usage, 'add' | 'isToldExhausted' | 'setToldExhausted'>
  readonly edge: Pick<EdgeStore, 'write'>
}

/** Kept while the function stays warm. */
let stores: EdgeUsageStores | undefined

/** Invoked by CloudWatch Logs with lines of the edge's function, each batch at least once. Rejects when a batch is to come again. */
export async function handler(event: CloudWatchLogsEvent): Promise<void> {
  stores ??= openStores()
  await countEdgeUsage(event, stores)
}

const unzip = promisify(gunzip)

/** Counts the answers that the edge gave from its cache, and tells the edge of every account whose hour is used up by them. */
export async function countEdgeUsage(event: CloudWatchLogsEvent, opened: EdgeUsageStores): Promise<void> {
  const data = await unzip(Buffer.from(event.awslogs.data, 'base64'))
  const batch = JSON.parse(data.toString()) as CloudWatchLogsDecodedData
  if (batch.messageType !== 'DATA_MESSAGE') return
  const id = digestOf(batch.logEvents.map((line) => line.id).join(' '))
  for (const counted of answersIn(batch)) {
    const used = await opened.usage.add(counted, counted.answers, id)
    await tellExhausted({ ...counted, used }, opened)
  }
}

type Counted = EdgeUsage & { answers: number }

/** Answers by account and hour; lines that say something else are passed over. */
function answersIn({ logEvents }: CloudWatchLogsDecodedData): readonly Counted[] {
  const all = new Map<string, Counted>()
  for (const { message } of logEvents) {
    const usage = usageFrom(message)
    if (!usage) continue
    const key = `${usage.account} ${usage.hour}`
    all.set(key, { ...usage, answers: (all.get(key)?.answers ?? 0) + 1 })
  }
  return [...all.values()]
}

/** One write an account and hour, for writes to the edge cost: the table remembers that it was made. */
async function tellExhausted(
  { used, ...of }: EdgeUsage & { readonly used: number },
  { access, usage, edge }: EdgeUsageStores,
): Promise<void> {
  const account = await access.account(of.account)
  if (!account || used < tiers[account.tier].limitPerHour) return
  if (await usage.isToldExhausted(of)) return
  await edge.write({ puts: { [edgeKeys.exhausted(of.account)]: String(of.hour) } })
  await usage.setToldExhausted(of)
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

function openStores(): EdgeUsageStores {
  const env = readEnv('countEdgeUsage', process.env)
  return {
    access: openAccess(env.ACCESS_TABLE),
    usage: openUsage(env.ACCESS_TABLE),
    edge: openEdgeStore(env.KEY_VALUE_STORE),
  }
}
