import { METRIC_VALUES_MAX, metricsOf } from '../schemas/deployment/metrics.ts'

/** Counters; schemas/deployment/metrics.ts describes each. */
const NONE = { Sent: 0, Dropped: 0, Replayed: 0, Resynced: 0, Refused: 0 }

/** Metrics of a task since the last line, including the lag behind chain time. No line contains a reader's address or filter. */
export class Metrics {
  readonly #namespace: string | undefined
  #counts = { ...NONE }
  #lags: number[] = []

  constructor(namespace?: string) {
    this.#namespace = namespace
  }

  add(name: keyof typeof NONE, count = 1): void {
    this.#counts[name] += count
  }

  /** Ms from the block time of an event to its departure. */
  lag(ms: number): void {
    if (this.#lags.length < METRIC_VALUES_MAX) this.#lags.push(Math.max(0, Math.round(ms)))
  }

  /** The line of the period that ends now; starts the next. `now` is in Unix ms. */
  line(readers: number, now: number): string {
    const lag = this.#lags.length > 0 ? { Lag: this.#lags } : {}
    const values = { Readers: readers, ...this.#counts, ...lag }
    const line = metricsOf('stream', values, { now, namespace: this.#namespace })
    this.#counts = { ...NONE }
    this.#lags = []
    return JSON.stringify(line)
  }
}
