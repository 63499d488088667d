/**
 * A WebSocket to one endpoint at a time: subscribes to new headers and to the logs of any query, notices within seconds
 * when it falls silent, and is opened again, at the next URL, after a pause. What it pushes is unconfirmed.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { shownText } from '../../market/text.ts'
import { budgets } from '../../schemas/deployment/budgets.ts'
import type { LogFilter } from './logs.ts'

/** `header` and `log` may throw, which closes the socket. */
export type SocketListener = {
  header(pushed: unknown): void
  log(pushed: unknown): void
  /** `cause`: why it was closed; null: it has subscribed. `endpoint`: its host, since its URL may hold a key. */
  state(endpoint: string, cause: string | null): void
}

export type Socket = {
  /** Closes the connection, and opens another one after a pause. */
  fail(cause: string): void
  /** Another endpoint has this block. */
  seenElsewhere(blockNumber: number): void
  stop(): void
}

/** Times in ms; `@default`: a deployment's. */
export type SocketTimes = {
  /** A socket that pushes nothing for this long gets a request, to see whether it answers. @default 5_000 */
  readonly askAfterMs?: number
  /** It is closed after this long without a message, or without a header of a block that others have. @default 12_000 */
  readonly silentMs?: number
  /** Pause before it is opened again; doubles up to a minute. @default 1_000 */
  readonly reopenMs?: number
}

const REOPEN_LIMIT_MS = 60_000
/** JSON-RPC ids of the three calls that are made. */
const ids = { headers: 1, logs: 2, probe: 3 } as const

/** Opens the first of these URLs, and keeps one of them open until stopped. */
export function openSocket(
  urls: readonly URL[],
  filter: LogFilter,
  listener: SocketListener,
  { askAfterMs = 5_000, silentMs = 12_000, reopenMs = 1_000 }: SocketTimes = {},
): Socket {
  const stopping = new AbortController()
  const { signal } = stopping
  let current: Connection | undefined
  let elsewhere = -1

  const follow = async (): Promise<void> => {
    for (let [at, pauseMs] = [0, reopenMs]; !signal.aborted; at += 1) {
      const url = urls[at % urls.length]
      if (!url) return
      const since = performance.now()
      current = connect(url, { filter, listener, askAfterMs, silentMs, elsewhere: () => elsewhere })
      const cause = await current.ended
      if (signal.aborted) return
      listener.state(url.host, cause)
      pauseMs = performance.now() - since > REOPEN_LIMIT_MS ? reopenMs : pauseMs
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => {})
      pauseMs = Math.min(2 * pauseMs, REOPEN_LIMIT_MS)
    }
  }
  void follow()
  return {
    fail: (cause) => current?.fail(cause),
    seenElsewhere(blockNumber) {
      elsewhere = Math.max(elsewhere, blockNumber)
    },
    stop() {
      stopping.abort()
      current?.fail('stopped')
    },
  }
}

type Connection = {
  fail(cause: string): void
  /** Resolves with the cause of its end. */
  readonly ended: Promise<string>
}

type Watched = Required<Pick<SocketTimes, 'askAfterMs' | 'silentMs'>> & {
  readonly filter: LogFilter
  readonly listener: SocketListener
  /** The newest block that another endpoint has. */
  readonly elsewhere: () => number
}

function connect(url: URL, { filter, listener, askAfterMs, silentMs, elsewhere }: Watched): Connection {
  const socket = new WebSocket(url, {
    handshakeTimeout: silentMs,
    maxPayload: budgets.socketMessage,
    headers: { 'user-agent': 'z100' },
  })
  const subscriptions = openSubscriptions(() => listener.state(url.host, null))
  let [heardAt, headerAt, isAsked] = [performance.now(), performance.now(), false]
  let newest = -1
  let fail = (_cause: string): void => {
    // Replaced at once by the function that ends the connection.
  }

  const send = (id: number, method: string, params: readonly unknown[]): void =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
  const received = (text: string): void => {
    const { id, error, result, params } = JSON.parse(text) as Message
    if (error) throw new Error(String(error.message ?? 'it refused'))
    if (id === ids.headers) subscriptions.answered('header', result)
    if (id === ids.logs) subscriptions.answered('log', result)
    const kind = subscriptions.kindOf(params?.subscription)
    if (!kind) return
    listener[kind](params?.result)
    if (kind !== 'header') return
    newest = Math.max(newest, Number((params?.result as { readonly number?: unknown } | null)?.number))
    headerAt = performance.now()
  }
  const watch = (): void => {
    const now = performance.now()
    const isBehind = elsewhere() > newest && now - headerAt > silentMs
    if (now - heardAt > silentMs) fail(`no message for ${silentMs / 1_000} s`)
    if (isBehind) fail(`no new block for ${silentMs / 1_000} s, others have some`)
    if (isAsked || now - heardAt < askAfterMs || socket.readyState !== WebSocket.OPEN) return
    isAsked = true
    send(ids.probe, 'eth_chainId', [])
  }
  const ended = new Promise<string>((resolve) => {
    fail = (cause) => resolve(cause)
    socket.on('open', () => {
      send(ids.headers, 'eth_subscribe', ['newHeads'])
      send(ids.logs, 'eth_subscribe', ['logs', filter])
    })
    socket.on('message', (data) => {
      heardAt = performance.now()
      isAsked = false
      try {
        received(String(data))
      } catch (error) {
        fail(withoutUrl(error, url))
      }
    })
    socket.on('close', () => fail('it was closed'))
    socket.on('error', (error) => fail(withoutUrl(error, url)))
  })
  const timer = setInterval(watch, Math.min(1_000, silentMs / 4))
  timer.unref()
  void ended.then(() => {
    clearInterval(timer)
    // A socket that is being opened reports its end as an error.
    socket.terminate()
  })
  return { fail: (cause) => fail(cause), ended }
}

/** Longest id of a subscription: nodes have 34 characters at most. */
const SUBSCRIPTION_LENGTH = 128

/** The two subscriptions of a socket, by the ids that it gave them. */
function openSubscriptions(onBoth: () => void) {
  const kinds = new Map<unknown, 'header' | 'log'>()
  return {
    kindOf: (id: unknown) => kinds.get(id),
    /** Throws an Error for anything but one id for each. */
    answered(kind: 'header' | 'log', id: unknown): void {
      const isId = typeof id === 'string' && id.length <= SUBSCRIPTION_LENGTH
      if (!isId || kinds.has(id) || [...kinds.values()].includes(kind))
        throw new Error('it answered a subscription with no id, or twice')
      kinds.set(id, kind)
      if (kinds.size === 2) onBoth()
    },
  }
}

type Message = {
  readonly id?: unknown
  readonly error?: { readonly message?: unknown }
  readonly result?: unknown
  readonly params?: { readonly subscription?: unknown; readonly result?: unknown }
}

/** Characters of an error that are told. */
const MESSAGE_LENGTH = 400

/** An error's message for a terminal; the path and query of a URL may hold a key. */
function withoutUrl(error: unknown, { href, host, pathname, search }: URL): string {
  const message = error instanceof Error ? error.message : String(error)
  const secret = pathname + search
  const plain = shownText(message.slice(0, MESSAGE_LENGTH)).replaceAll(href, host)
  return secret.length > 1 ? plain.replaceAll(secret, '/…') : plain
}
