import type { IncomingMessage } from 'node:http'
import { networkOf } from '../schemas/address.ts'
import { ServiceUnavailableError } from '../schemas/errors.ts'

/** Connections that are let in at once. */
export type Caps = {
  readonly perTask: number
  /** Of an IPv6 reader: from one /64. */
  readonly perAddress: number
  /** From one /48 of IPv6, which is what one customer gets. */
  readonly perSite: number
}

/** A task of one processor and 1 GB holds so many; an office behind one address has so many readers. */
export const defaultCaps: Caps = { perTask: 10_000, perAddress: 50, perSite: 200 }

/** Seconds after which a refused reader may try again. */
const RETRY_FULL = 10
const RETRY_ADDRESS = 60

/** Counts connections, in all and by the address they come from. Addresses are kept while they are connected and never told. */
export class StreamAdmission {
  readonly #caps: Caps
  /** By address and by site. */
  readonly #counts = new Map<string, number>()
  #size = 0

  constructor(caps: Caps = defaultCaps) {
    this.#caps = caps
  }

  /** Connections that are in. */
  get size(): number {
    return this.#size
  }

  /** Lets a connection in; the answer lets it out, once. Throws ServiceUnavailableError beyond a cap. */
  enter(address: string): () => void {
    const site = siteOf(address)
    const isFull = this.#count(address) >= this.#caps.perAddress || this.#count(site) >= this.#caps.perSite
    if (this.#size >= this.#caps.perTask)
      throw new ServiceUnavailableError(RETRY_FULL, 'The stream has no place left at the moment.')
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

  #count(of: string): number {
    return this.#counts.get(of) ?? 0
  }
}

/**
 * The address that a request comes from, as the outermost of `proxies` trusted proxies saw it. Each of them adds the address
 * it was reached from at the end of X-Forwarded-For, so only so many of the last entries are true; what stands before
 * them is whatever the reader sent. Behind CDN and load balancer that is the last but one. With fewer entries somebody
 * has come around a proxy and is known by the connection. An IPv6 reader is known by its network (64 bits).
 */
export function readerAddress(request: Pick<IncomingMessage, 'headers' | 'socket'>, proxies: number): string {
  const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',')
  const seen = proxies > 0 && forwarded.length >= proxies ? forwarded[forwarded.length - proxies]?.trim() : ''
  return networkOf(seen || (request.socket.remoteAddress ?? ''))
}

/** Groups of an IPv6 address that name what one customer gets. */
const SITE_GROUPS = 3

/** The /48 of an IPv6 network; an IPv4 address has none and is its own. */
const siteOf = (network: string): string =>
  network.includes(':') ? `${network.split(':').slice(0, SITE_GROUPS).join(':')}/48` : `${network}/32`

const HOUR_MS = 3_600_000

/** What one network has taken. */
type Taken = { running: number; bytes: number }

/** What replays one network of readers is given. */
export const replayLimits = {
  /** Readers that are brought up from the table at the same time. */
  tableReplays: 2,
  /** Events beyond what is at hand that one connection is sent: 0.3 s of a processor. */
  tableEvents: 10_000,
  /** Bytes of replays in an hour. Whoever only comes back now and then needs a thousandth of it. */
  hourlyBytes: 64 * 1_024 * 1_024,
}
export type ReplayLimits = Readonly<typeof replayLimits>

/** How much of replays each network of readers takes: one that asks for all of a day again and again is not to starve the others. */
export class ReplayAllowance {
  readonly limits: ReplayLimits
  readonly #clock: () => number
  readonly #taken = new Map<string, Taken>()
  #hour = 0

  /** `clock` gives Unix ms. */
  constructor(limits: ReplayLimits = replayLimits, clock: () => number = Date.now) {
    this.limits = limits
    this.#clock = clock
  }

  /** Begins a replay from the table; false: as many are running for the network as may. */
  enter(network: string): boolean {
    const taken = this.#of(network)
    if (taken.running >= this.limits.tableReplays) return false
    taken.running += 1
    return true
  }

  /** Ends a replay that was begun. */
  leave(network: string): void {
    this.#of(network).running -= 1
  }

  /** Takes bytes of the hour; false: they are used up. */
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
    const hour = Math.floor(this.#clock() / HOUR_MS)
    if (hour === this.#hour) return
    this.#hour = hour
    for (const [network, taken] of this.#taken) {
      taken.bytes = 0
      if (taken.running === 0) this.#taken.delete(network)
    }
  }
}
