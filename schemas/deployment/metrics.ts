/** The metrics that processes send to CloudWatch in their logs (embedded metric format); alarms and dashboards take the names from here. */

export type MetricUnit = 'Bytes' | 'Count' | 'Milliseconds' | 'Percent' | 'Seconds'

/** The metrics of each process by name, with their units. */
export const metrics = {
  ingest: {
    /** From the end of the newest sealed minute to now. */
    SealedAge: 'Seconds',
    Sealed: 'Count',
    /** Faults of endpoints, after which the chain is asked again. */
    Retries: 'Count',
    /** How long sealing has waited for logs that no endpoint delivers; 0: it does not wait. */
    GapAge: 'Seconds',
    /** Minutes of the log that were rolled back: by a reorg, or because logs of theirs had been left out. */
    Rewinds: 'Count',
    /** Headers whose time differs from the chain's schedule. */
    OffSchedule: 'Count',
    /** HTTP requests to endpoints, and the JSON-RPC calls in them. */
    Requests: 'Count',
    Calls: 'Count',
    /** Answers that asked for a pause (429), and the sum of these pauses. */
    Waits: 'Count',
    Waited: 'Milliseconds',
  },
  'rebuild-snapshots': {
    /** From the time of the published figures to now. */
    SnapshotAge: 'Seconds',
    Duration: 'Milliseconds',
    /** Documents that failed their schema and stay at their last good version. */
    Unpublished: 'Count',
    /** Reference rates that are held because the market's is too far away. */
    HeldRates: 'Count',
    /** Reference rates that no source votes for, and that only one does. */
    ShallowRates: 'Count',
    LoneRates: 'Count',
    /** Their sources that are too shallow or have not swapped for a day. */
    MuteSources: 'Count',
    /** The shortest of the boards. */
    BoardRows: 'Count',
    /** Tokens with a row in the last 30 days: memory follows them. */
    ActiveTokens: 'Count',
    MemoryBytes: 'Bytes',
  },
  'count-edge-usage': {
    /** Counted answers of the edge. */
    Answers: 'Count',
    /** Accounts that were flagged at the edge because their hour is used up. */
    Exhausted: 'Count',
    /** Requests with keys that the edge could not know, because its store is not whole or fails. */
    Lost: 'Count',
    /** The used part of the archive's bytes of a day that all who do not pay share. */
    BoundUsed: 'Percent',
  },
  account: {
    SignIns: 'Count',
    /** Accounts that were made on the account page. */
    NewAccounts: 'Count',
    /** The used part of a day's bound that all visitors share: new accounts, keys. */
    BoundUsed: 'Percent',
  },
  stream: {
    Readers: 'Count',
    /** Events × readers. */
    Sent: 'Count',
    /** Readers that were cut because they did not read. */
    Dropped: 'Count',
    Replayed: 'Count',
    /** Readers that could not continue from their position. */
    Resynced: 'Count',
    /** Connections beyond a cap. */
    Refused: 'Count',
    /** From a block's time to its events' departure. */
    Lag: 'Milliseconds',
  },
} as const satisfies Record<string, Record<string, MetricUnit>>

export type MeteredService = keyof typeof metrics
export type MetricName<S extends MeteredService> = keyof (typeof metrics)[S] & string

/** The one dimension of every metric: who sends it. */
export const METRIC_DIMENSION = 'service'
/** The namespace where METRICS_NAMESPACE names none. */
export const METRICS_NAMESPACE = 'z100'
/** Values of one metric in a line: the format's own bound. */
export const METRIC_VALUES_MAX = 100

/** Values of some of a service's metrics; a list: several values of one metric. */
export type MetricValues<S extends MeteredService> = Partial<
  Record<MetricName<S>, number | readonly number[]>
>

/** METRICS_NAMESPACE of a process: the namespace, and the names that become metrics; all others are fields of the log line alone. */
export const namespaceWith = (namespace: string, names: readonly string[]): string =>
  `${namespace}|${names.join()}`

/** The part of a log line that makes metrics of it. `now` is in Unix ms; `namespace` as METRICS_NAMESPACE: without names, all become metrics. */
export function metricsOf<S extends MeteredService>(
  service: S,
  values: MetricValues<S>,
  { now, namespace = METRICS_NAMESPACE }: { readonly now: number; readonly namespace?: string | undefined },
) {
  const units: Readonly<Record<string, MetricUnit>> = metrics[service]
  const [Namespace, names] = namespace.split('|')
  const wanted = names?.split(',')
  const Metrics = Object.keys(values)
    .filter((name) => wanted?.includes(name) ?? true)
    .map((Name) => ({ Name, Unit: units[Name] }))
  const plain = { [METRIC_DIMENSION]: service, ...values }
  if (Metrics.length === 0) return plain
  const directive = { Namespace, Dimensions: [[METRIC_DIMENSION]], Metrics }
  return { _aws: { Timestamp: now, CloudWatchMetrics: [directive] }, ...plain }
}
