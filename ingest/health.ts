/** The metrics of the process, a line a minute, and its answer to /health. */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Minute } from '../market/segment.ts'
import { metricsOf } from '../schemas/deployment/metrics.ts'
import type { IngestEvent } from './report.ts'

/** A writer with no event for this long hangs: even failing endpoints cause events more often. */
const SILENT_MS = 300_000

/** No event counted. */
const nothing = {
  Sealed: 0,
  Retries: 0,
  Rewinds: 0,
  OffSchedule: 0,
  Requests: 0,
  Calls: 0,
  Waits: 0,
  Waited: 0,
}

/** Counters of the process between two lines of metrics. Times are Unix ms. */
export class IngestHealth {
  #lastEventAt: number
  #minute: Minute | null = null
  #counts = { ...nothing }
  /** Unix seconds. */
  #gapSince: number | null = null

  constructor(now: number) {
    this.#lastEventAt = now
  }

  record(event: IngestEvent, now: number): void {
    if (event.is === 'asked') {
      this.#counts.Requests += 1
      this.#counts.Calls += event.calls
      return
    }
    if (event.is === 'wait') {
      this.#counts.Waits += 1
      this.#counts.Waited += Math.max(0, Math.round(event.wait.until - now))
      return
    }
    this.#lastEventAt = now
    if (event.is === 'retry') this.#counts.Retries += 1
    else if (event.is === 'off schedule') this.#counts.OffSchedule += 1
    else if (event.is === 'gap') this.#gapSince = event.gap.since
    else if (event.is === 'gap closed') this.#gapSince = null
    else if (event.is === 'sealed') {
      this.#counts.Sealed += 1
      this.#minute = event.entry.minute
    } else if (event.is === 'rewound' && event.entry.is === 'rewound') {
      this.#counts.Rewinds += event.entry.orphaned.length
      this.#minute = event.entry.minute
    }
  }

  isAlive(now: number): boolean {
    return now - this.#lastEventAt < SILENT_MS
  }

  /** Ends the period, begins the next, and returns its line, which has no age until this process has sealed a minute. */
  line(now: number, namespace?: string): string {
    const age = this.#minute === null ? {} : { SealedAge: Math.round(now / 1_000) - (this.#minute + 1) * 60 }
    const gap = this.#gapSince === null ? 0 : Math.max(1, Math.round(now / 1_000) - this.#gapSince)
    const counts = { ...this.#counts, GapAge: gap, ...age }
    this.#counts = { ...nothing }
    return JSON.stringify(metricsOf('ingest', counts, { now, namespace }))
  }
}

/** A running server of /health. */
export type HealthServer = { readonly port: number; stop(): void }

/** Answers GET /health on a port of this machine: 200 while `isWell`, else 503. Rejects when the port is taken. */
export async function serveHealth(port: number, isWell: () => boolean): Promise<HealthServer> {
  const server = createServer((request, response) => {
    const status = request.url !== '/health' ? 404 : isWell() ? 200 : 503
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
    response.end(JSON.stringify({ status: status === 200 ? 'ok' : 'unavailable' }))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
