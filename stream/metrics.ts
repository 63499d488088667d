/** What a task did since the last line, as CloudWatch's embedded metric format. No line has an address or a filter of a reader. */

/** Values of one metric in a line: the format's own bound. */
const VALUES_MAX = 100

/** Counters of one period, and how far behind the chain's time what was sent is. */
export class Metrics {
  #sent = 0
  #dropped = 0
  #replayed = 0
  #resynced = 0
  #refused = 0
  #lags: number[] = []

  /** Events × readers; `lagMs`: from the newest one's block time to now. */
  sent(deliveries: number, lagMs: number): void {
    this.#sent += deliveries
    if (this.#lags.length < VALUES_MAX) this.#lags.push(Math.max(0, Math.round(lagMs)))
  }

  /** A reader was cut because it did not read. */
  dropped(): void {
    this.#dropped += 1
  }

  replayed(events: number): void {
    this.#replayed += events
  }

  /** A reader's place was lost. */
  resynced(): void {
    this.#resynced += 1
  }

  /** A connection was beyond a cap. */
  refused(): void {
    this.#refused += 1
  }

  /** The line of the period that ends now, and begins the next. `now` is in Unix ms. */
  line(readers: number, now: number): string {
    const counts = {
      Readers: readers,
      Sent: this.#sent,
      Dropped: this.#dropped,
      Replayed: this.#replayed,
      Resynced: this.#resynced,
      Refused: this.#refused,
    }
    const metrics = Object.keys(counts).map((Name) => ({ Name, Unit: 'Count' }))
    const lag = this.#lags.length > 0 ? { Lag: this.#lags } : {}
    if (this.#lags.length > 0) metrics.push({ Name: 'Lag', Unit: 'Milliseconds' })
    const directive = { Namespace: 'z100', Dimensions: [['service']], Metrics: metrics }
    this.#sent = this.#dropped = this.#replayed = this.#resynced = this.#refused = 0
    this.#lags = []
    return JSON.stringify({
      _aws: { Timestamp: now, CloudWatchMetrics: [directive] },
      service: 'stream',
      ...counts,
      ...lag,
    })
  }
}
