import { METRIC_VALUES_MAX, metricsOf } from '../schemas/metrics.ts'

/** Metrics of a task since the last line, including the lag behind chain time. No line contains a reader's address or filter. */
export class Metrics {
  readonly #namespace: string | undefined
  #sent = 0
  #dropped = 0
  #replayed = 0
  #resynced = 0
  #refused = 0
  #lags: number[] = []

  constructor(namespace?: string) {
    this.#namespace = namespace
  }

  /** Events × readers; `lagMs`: from the newest event's block time to now, null for a retraction. */
  sent(deliveries: number, lagMs: number | null): void {
    this.#sent += deliveries
    if (lagMs !== null && this.#lags.length < METRIC_VALUES_MAX)
      this.#lags.push(Math.max(0, Math.round(lagMs)))
  }

  /** A slow reader was disconnected. */
  dropped(): void {
    this.#dropped += 1
  }

  replayed(events: number): void {
    this.#replayed += events
  }

  /** A reader could not continue from its position. */
  resynced(): void {
    this.#resynced += 1
  }

  /** A connection was refused. */
  refused(): void {
    this.#refused += 1
  }

  /** The line of the period that ends now; starts the next. `now` is in Unix ms. */
  line(readers: number, now: number): string {
    const counts = {
      Readers: readers,
      Sent: this.#sent,
      Dropped: this.#dropped,
      Replayed: this.#replayed,
      Resynced: this.#resynced,
      Refused: this.#refused,
    }
    const lag = this.#lags.length > 0 ? { Lag: this.#lags } : {}
    const line = metricsOf('stream', { ...counts, ...lag }, { now, namespace: this.#namespace })
    this.#sent = this.#dropped = this.#replayed = this.#resynced = this.#refused = 0
    this.#lags = []
    return JSON.stringify(line)
  }
}
