import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { CloudWatchLogsDecodedData, CloudWatchLogsEvent } from 'aws-lambda'
import {
  archiveUseFrom,
  type EdgeUsage,
  EVERYBODY,
  edgeKeys,
  exhaustedFrom,
  exhaustedText,
  freeArchiveBytes,
  LOST_LINE,
  tierAt,
  tiers,
  usageFrom,
} from '../schemas/api/access.ts'
import { type Env, readEnv } from '../schemas/deployment/env.ts'
import { type MetricValues, metricsOf } from '../schemas/deployment/metrics.ts'
import { type AccessStore, openAccess } from '../store/accounts/access.ts'
import { openUsage, type Usage, type UsedKey } from '../store/accounts/usage.ts'
import { type EdgeStore, openEdgeStore } from '../store/aws/edge.ts'

export type EdgeUsageStores = {
  readonly access: Pick<AccessStore, 'account'>
  readonly usage: Pick<Usage, 'add' | 'used' | 'isExhaustionReported' | 'setExhaustionReported' | 'noteUse'>
  readonly edge: Pick<EdgeStore, 'write'>
  /** Called with the used percent of a bound that all who do not pay share. */
  readonly onShared: (percent: number) => void
}

/** State of a warm function. */
let stores: EdgeUsageStores | undefined

/**
 * Invoked by CloudWatch Logs with log lines of the edge's function, and of the API about accounts over their limit; each
 * batch at least once. Rejects to get a batch again.
 */
export async function handler(event: CloudWatchLogsEvent): Promise<void> {
  const env = readEnv('countEdgeUsage', process.env)
  stores ??= openStores(env)
  measure(await countEdgeUsage(event, stores), env.METRICS_NAMESPACE)
}

function measure(counts: MetricValues<'count-edge-usage'>, namespace: string | undefined): void {
  if (namespace === undefined) return
  const line = metricsOf('count-edge-usage', counts, { now: Date.now(), namespace })
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

const unzip = promisify(gunzip)

/**
 * Counts the answers from the edge's cache, and notifies the edge of every account whose hour is used up. Returns the
 * number of each, and of requests whose key the edge could not know.
 */
export async function countEdgeUsage(
  event: CloudWatchLogsEvent,
  opened: EdgeUsageStores,
): Promise<Readonly<Record<'Answers' | 'Exhausted' | 'Lost', number>>> {
  let [Answers, Exhausted, Lost] = [0, 0, 0]
  const data = await unzip(Buffer.from(event.awslogs.data, 'base64'))
  const batch = JSON.parse(data.toString()) as CloudWatchLogsDecodedData
  if (batch.messageType !== 'DATA_MESSAGE') return { Answers, Exhausted, Lost }
  const id = digestOf(batch.logEvents.map((line) => line.id).join(' '))
  for (const counted of answersIn(batch)) {
    const used = await opened.usage.add(counted, counted.answers, id)
    Answers += counted.answers
    if (await flagExhausted({ ...counted, used }, opened)) Exhausted += 1
  }
  await countArchive(batch, id, opened)
  for (const { hour, ...key } of usesIn(batch)) await opened.usage.noteUse(key, hour)
  for (const { message } of batch.logEvents) {
    if (message.includes(LOST_LINE)) Lost += 1
    const exhausted = exhaustedFrom(message)
    if (!exhausted) continue
    const used = await opened.usage.used(exhausted)
    if (await flagExhausted({ ...exhausted, used }, opened)) Exhausted += 1
  }
  return { Answers, Exhausted, Lost }
}

/**
 * Counts the bytes of the archive's files by reader and day, and tells the edge of every reader whose day is used up: an account,
 * a network, or all who do not pay.
 */
async function countArchive(
  { logEvents }: CloudWatchLogsDecodedData,
  id: string,
  { access, usage, edge, onShared }: EdgeUsageStores,
): Promise<void> {
  const all = new Map<string, { readonly reader: string; readonly day: number; bytes: number }>()
  for (const { message } of logEvents) {
    const { readers = [], day = 0, bytes = 0 } = archiveUseFrom(message) ?? {}
    for (const reader of readers) {
      const key = `${reader} ${day}`
      all.set(key, { reader, day, bytes: (all.get(key)?.bytes ?? 0) + bytes })
    }
  }
  for (const { reader, day, bytes } of all.values()) {
    // A day's bytes are counted in its last hour, of a name that no account has.
    const of = { account: edgeKeys.archived(reader), hour: (day + 1) * HOURS - 1 }
    const used = await usage.add(of, bytes, id)
    const limit = await archiveLimitOf(reader, access)
    if (reader === EVERYBODY) onShared((100 * used) / limit)
    if (used < limit || (await usage.isExhaustionReported(of, limit))) continue
    await edge.write({ puts: { [edgeKeys.archived(reader)]: exhaustedText(of.hour, limit) } })
    await usage.setExhaustionReported(of, limit)
  }
}

const HOURS = 24

/** Bytes that a reader may have in a day. */
async function archiveLimitOf(reader: string, access: EdgeUsageStores['access']): Promise<number> {
  if (reader === EVERYBODY) return freeArchiveBytes.inAll
  if (reader.startsWith('@')) return freeArchiveBytes.ofNetwork
  const account = await access.account(reader)
  return account ? tiers[tierAt(account, Date.now() / 1_000)].archiveBytesPerDay : 0
}

type Counted = EdgeUsage & { answers: number }

/** Answers by account and hour; other lines are skipped. */
function answersIn({ logEvents }: CloudWatchLogsDecodedData): readonly Counted[] {
  const all = new Map<string, Counted>()
  for (const { message } of logEvents) {
    const usage = usageFrom(message)
    if (!usage) continue
    const { account, hour } = usage
    const key = `${account} ${hour}`
    all.set(key, { account, hour, answers: (all.get(key)?.answers ?? 0) + 1 })
  }
  return [...all.values()]
}

/** The newest hour of each key, for the account page. */
function usesIn({ logEvents }: CloudWatchLogsDecodedData): Iterable<UsedKey & { readonly hour: number }> {
  const newest = new Map<string, UsedKey & { readonly hour: number }>()
  for (const { message } of logEvents) {
    const { account, mark, hour } = usageFrom(message) ?? {}
    if (account === undefined || mark === undefined || hour === undefined) continue
    const key = `${account} ${mark}`
    if (hour >= (newest.get(key)?.hour ?? 0)) newest.set(key, { account, mark, hour })
  }
  return newest.values()
}

/** At most one write to the edge per account, hour and limit, because writes cost; recorded in the table. True: written now. */
async function flagExhausted(
  { used, ...counted }: EdgeUsage & { readonly used: number },
  { access, usage, edge }: EdgeUsageStores,
): Promise<boolean> {
  const account = await access.account(counted.account)
  if (!account) return false
  const { limitPerHour } = tiers[tierAt(account, Date.now() / 1_000)]
  if (used < limitPerHour || (await usage.isExhaustionReported(counted, limitPerHour))) return false
  // The edge has one hour of an account: a line that comes late must not put back the one before.
  if (await usage.isExhaustionReported({ ...counted, hour: counted.hour + 1 }, limitPerHour)) return false
  await edge.write({
    puts: { [edgeKeys.exhausted(counted.account)]: exhaustedText(counted.hour, limitPerHour) },
  })
  await usage.setExhaustionReported(counted, limitPerHour)
  return true
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

function openStores(env: Env<'countEdgeUsage'>): EdgeUsageStores {
  return {
    access: openAccess(env.ACCESS_TABLE),
    usage: openUsage(env.USAGE_TABLE),
    edge: openEdgeStore(env.KEY_VALUE_STORE),
    onShared: (percent) => measure({ BoundUsed: percent }, env.METRICS_NAMESPACE),
  }
}
