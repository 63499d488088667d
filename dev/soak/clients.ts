/** Who uses a service during a soak: honest and hostile, over HTTP and the stream. Each runs until its signal aborts. */
import { randomInt } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { bearer } from '../../test/support/aws/access.ts'
import type { Answered, Described } from '../../test/support/described/described.ts'
import type { DescribedRequest, RequestContext } from '../../test/support/described/described-requests.ts'
import { faultsOfAnswer } from '../../test/support/described/described-walk.ts'
import { type FuzzRequest, fuzzRequests, send } from '../../test/support/described/fuzz-requests.ts'

/** Where the service is now, and what can be asked of its market: absent while it is down on purpose. */
export type SoakTarget = {
  at:
    | { readonly url: string; readonly facts: RequestContext; readonly requests: readonly DescribedRequest[] }
    | undefined
}

/** What came of it: counts by what happened, and each fault as text. */
export type Seen = { readonly counts: Map<string, number>; readonly faults: string[] }

const KEPT_FAULTS = 50
const count = ({ counts }: Seen, what: string): void => void counts.set(what, (counts.get(what) ?? 0) + 1)
function fault(seen: Seen, text: string): void {
  count(seen, 'fault')
  if (seen.faults.length < KEPT_FAULTS) seen.faults.push(text)
}

/** Of so many requests one is nothing that anybody should send. */
const HOSTILE_EVERY = 20
/** Of so many requests one is made with a key whose hour is soon used up. */
const SPENT_EVERY = 47

/**
 * Requests a second, each what the description allows, but for the hostile ones: forbidden values and malformed requests in turn. The
 * keys take turns. Every answer is as described, and none is 5xx.
 */
export async function askService(
  target: SoakTarget,
  {
    described,
    keys,
    spentKey,
    perSecond,
    signal,
  }: {
    described: Described
    keys: readonly string[]
    spentKey: string
    perSecond: number
    signal: AbortSignal
  },
  seen: Seen,
): Promise<void> {
  const one = async (at: number): Promise<void> => {
    const before = target.at
    if (!before) return
    const request = requestAt(described, before, at)
    const key = at % SPENT_EVERY === 0 ? spentKey : keys[at % keys.length]!
    const answer = await send(before.url, request, bearer(key)).catch(
      (error: Error): Answered => ({ status: 0, headers: new Headers(), text: error.message }),
    )
    // What was asked while the run ended or began again may be lost.
    if (target.at?.url !== before.url) return
    count(seen, `api ${answer.status}`)
    const faults = answer.status === 0 ? [answer.text] : faultsOfAnswer(described, request, answer)
    for (const each of faults)
      fault(seen, `${request.method} ${request.path}: ${answer.status} ${each.slice(0, 200)}`)
  }
  const open = new Set<Promise<void>>()
  const began = Date.now()
  for (let at = 0; !signal.aborted; at += 1) {
    const running = one(at).finally(() => open.delete(running))
    open.add(running)
    await restFor(Math.max(0, began + ((at + 1) * 1_000) / perSecond - Date.now()), signal)
  }
  await Promise.all(open)
}

function requestAt(
  { operations }: Described,
  { facts, requests }: NonNullable<SoakTarget['at']>,
  at: number,
): FuzzRequest {
  if (at % (2 * HOSTILE_EVERY) === 0) return fc.sample(fuzzRequests(operations, facts), 1)[0]!
  const all = requests.filter(({ isValid }) => isValid === (at % HOSTILE_EVERY !== 0))
  return { ...all[randomInt(all.length)]!, method: 'GET' }
}

/** How a reader of the stream behaves. */
export type Manner = 'reads' | 'reads slowly' | 'comes and goes' | 'never reads' | 'sends malformed requests'

/** A reader of the stream, with an address of its own. */
export type SoakReader = { readonly manner: Manner; readonly localAddress: string }

/** One reader, which comes back whenever its connection ends. */
export async function readStream(
  target: SoakTarget,
  reader: SoakReader,
  signal: AbortSignal,
  seen: Seen,
): Promise<void> {
  const { manner } = reader
  while (!signal.aborted) {
    const before = target.at
    if (before) {
      const ended = await (manner === 'sends malformed requests'
        ? malformedAt(before.url, signal)
        : readOnce(before.url, reader, signal, seen))
      count(seen, `stream ${manner}: ${ended}`)
    }
    await restFor(manner === 'comes and goes' ? 500 : 2_000, signal)
  }
}

function readOnce(
  url: string,
  { manner, localAddress }: { readonly manner: Manner; readonly localAddress: string },
  signal: AbortSignal,
  seen: Seen,
): Promise<string> {
  return new Promise((resolve) => {
    const request = get(
      `${url}/stream/swaps`,
      { agent: false, localAddress },
      (response: IncomingMessage) => {
        if (response.statusCode !== 200) {
          response.resume()
          resolve(String(response.statusCode))
          return
        }
        if (manner === 'comes and goes') setTimeout(() => request.destroy(), 3_000)
        if (manner === 'never reads') {
          response.pause()
          setTimeout(() => request.destroy(), 60_000)
          return
        }
        response.on('data', (part: Buffer) => {
          count(seen, 'stream parts')
          if (part.includes('undefined')) fault(seen, `stream: ${part.toString().slice(0, 200)}`)
          if (manner === 'reads slowly') {
            response.pause()
            setTimeout(() => response.resume(), 5_000)
          }
        })
      },
    )
    const end = () => request.destroy()
    signal.addEventListener('abort', end, { once: true })
    request.on('close', () => {
      signal.removeEventListener('abort', end)
      resolve('closed')
    })
    request.on('error', () => {})
  })
}

/** Bytes that are no request. */
function malformedAt(url: string, signal: AbortSignal): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.setTimeout(10_000, () => socket.destroy())
    socket.on('close', () => resolve('refused'))
    signal.addEventListener('abort', () => socket.destroy(), { once: true })
    socket.write(
      `GET /stream/swaps?${'\u0000%zz&'.repeat(200)} HTTP/1.1\r\nHost: a\r\nLast-Event-ID: ${'9'.repeat(300)}\r\n\r\n`,
    )
    socket.resume()
  })
}

export async function restFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}
