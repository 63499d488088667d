import type { IncomingMessage } from 'node:http'
import { ServiceUnavailableError } from '../schemas/api/errors.ts'
import { networkOf } from '../schemas/values/address.ts'

/** Maximum concurrent connections. */
export type Caps = {
  readonly perTask: number
  /** Per address; for IPv6 per /64. */
  readonly perAddress: number
  /** Per IPv6 /48, the usual allocation of one customer. */
  readonly perSite: number
}

/** Capacity of a task with one CPU and 1 GB; the limit per address suits an office. */
export const defaultCaps: Caps = { perTask: 10_000, perAddress: 50, perSite: 200 }

/** Retry-After in seconds for a refused reader. */
const RETRY_FULL = 10
const RETRY_ADDRESS = 60

/** Counts connections in total and by address. Addresses are stored only while connected, and never logged. */
export class StreamAdmission {
  readonly #caps: Caps
  /** By address and by site. */
  readonly #counts = new Map<string, number>()
  #size = 0

  constructor(caps: Caps) {
    this.#caps = caps
  }

  /** Current connections. */
  get size(): number {
    return this.#size
  }

  /** Admits a connection; the returned function releases it, once. Throws ServiceUnavailableError beyond a limit. */
  enter(address: string): () => void {
    const site = siteOf(address)
    const isFull = this.#count(address) >= this.#caps.perAddress || this.#count(site) >= this.#caps.perSite
    if (this.#size >= this.#caps.perTask)
      throw new ServiceUnavailableError(RETRY_FULL, 'The stream is at capacity; retry later.')
    if (isFull)
      throw new ServiceUnavailableError(RETRY_ADDRESS, 'There are too many connections from this address.')
    for (const each of [address, site]) this.#counts.set(each, this.#count(each) + 1)
    this.#size += 1
    let isIn = true
    return () => {
      if (!isIn) return
      isIn = false
      this.#size -= 1
      for (const each of [address, site]) {
        const left = this.#count(each) - 1
        if (left > 0) this.#counts.set(each, left)
        else this.#counts.delete(each)
      }
    }
  }

  #count(network: string): number {
    return this.#counts.get(network) ?? 0
  }
}

/**
 * The reader's address as seen by the outermost of `proxies` trusted proxies. Each proxy appends the address it was
 * reached from to X-Forwarded-For, so only that many last entries can be trusted; anything before was sent by the
 * reader. Behind a CDN and a load balancer it is the last but one. With fewer entries, a proxy was bypassed and the
 * connection's address counts. An IPv6 reader is identified by its /64 network.
 */
export function readerAddress(request: Pick<IncomingMessage, 'headers' | 'socket'>, proxies: number): string {
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',')
  const seen = proxies > 0 && forwarded.length >= proxies ? forwarded[forwarded.length - proxies]?.trim() : ''
  return networkOf(seen || (request.socket.remoteAddress ?? ''))
}

/** Groups of an IPv6 address that identify one customer. */
const SITE_GROUPS = 3

/** The /48 of an IPv6 network; an IPv4 address itself. */
const siteOf = (network: string): string =>
  network.includes(':') ? `${network.split(':').slice(0, SITE_GROUPS).join(':')}/48` : `${network}/32`

const HOUR_MS = 3_600_000

/** Replay usage of one network. */
type Taken = { running: number; bytes: number }

/** Replay limits of one network. */
export const replayLimits = {
  /** Concurrent replays from the table. */
  tableReplays: 2,
  /** Maximum events from the table per connection: 0.3 s of CPU. */
  tableEvents: 10_000,
  /** Bytes of replays per hour. Ordinary reconnects need a thousandth of it. */
  hourlyBytes: 64 * 1_024 * 1_024,
}
export type ReplayLimits = Readonly<typeof replayLimits>

/** Replay usage by network, so that one that keeps requesting a whole day cannot starve the others. */
export class ReplayAllowance {
  readonly limits: ReplayLimits
  readonly #taken = new Map<string, Taken>()
  #hour = 0

  constructor(limits: ReplayLimits) {
    this.limits = limits
  }

  /** Begins a replay from the table; false: the network has its maximum running. */
  enter(network: string): boolean {
    const taken = this.#of(network)
    if (taken.running >= this.limits.tableReplays) return false
    taken.running += 1
    return true
  }

  /** Ends a replay. */
  leave(network: string): void {
    this.#of(network).running -= 1
  }

  /** Consumes bytes of the hour; false: they are used up. */
  spend(network: string, bytes: number): boolean {
    const taken = this.#of(network)
    taken.bytes += bytes
    return taken.bytes <= this.limits.hourlyBytes
  }

  #of(network: string): Taken {
    this.#beginHour()
    const known = this.#taken.get(network) ?? { running: 0, bytes: 0 }
    this.#taken.set(network, known)
    return known
  }

  #beginHour(): void {
    const hour = Math.floor(Date.now() / HOUR_MS)
    if (hour === this.#hour) return
    this.#hour = hour
    for (const [network, taken] of this.#taken) {
      taken.bytes = 0
      if (taken.running === 0) this.#taken.delete(network)
    }
  }
}
