/** The newest blocks as pushed by WebSocket endpoints. Polls continue independently of them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Block } from '../../market/segment.ts'
import type { Chain } from '../client/chains.ts'
import { openSocket, type SocketListener, type SocketTimes } from '../client/socket.ts'
import { headQuery } from '../decode/queries.ts'
import { openPushedBlocks, type PushedSpan, SETTLE_MS } from './pushed-blocks.ts'

export type Pushes = {
  /** The complete blocks that were pushed after a block; undefined: none. */
  after(block: Block): PushedSpan | undefined
  /** A poll has read up to this block. */
  polled(block: Block): void
  /** The pushed blocks were wrong or unusable: they are dropped, and the socket is reopened. */
  refuse(span: PushedSpan | undefined, cause: string): void
  /** Waits for `ms`, or until blocks were pushed or the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>
  /** Ends a wait. */
  wake(): void
  stop(): void
}

/** Nothing is pushed. */
export const noPushes: Pick<Pushes, 'after' | 'polled' | 'refuse'> = {
  after: () => undefined,
  polled: () => {},
  refuse: () => {},
}

/** Opens the WebSockets of a chain; without one, nothing is ever pushed. */
export function openPushes(
  urls: readonly URL[],
  chain: Chain,
  onState: SocketListener['state'],
  times: SocketTimes = {},
): Pushes {
  const blocks = openPushedBlocks()
  let wake = (): void => {}
  let settling: NodeJS.Timeout | undefined
  /** A block is complete when the next one comes, or a little later. */
  const pushed = (isNewBlock: boolean): void => {
    if (isNewBlock) wake()
    clearTimeout(settling)
    settling = setTimeout(() => wake(), SETTLE_MS + 1)
    settling.unref()
  }
  const socket = openSocket(
    urls,
    headQuery(chain),
    {
      header(header) {
        blocks.header(header, Date.now())
        pushed(true)
      },
      log(log) {
        blocks.log(log, Date.now())
        pushed(false)
      },
      state: onState,
    },
    times,
  )
  return {
    after: (block) => blocks.after(block, Date.now()),
    polled: ({ number }) => socket.seenElsewhere(number),
    refuse(span, cause) {
      for (const { hash } of span?.headers ?? []) blocks.forget(hash)
      socket.fail(cause)
    },
    async wait(ms, signal) {
      const waking = new AbortController()
      wake = () => waking.abort()
      await sleep(ms, undefined, { signal: AbortSignal.any([signal, waking.signal]) }).catch(() => {})
    },
    wake: () => wake(),
    stop() {
      clearTimeout(settling)
      socket.stop()
    },
  }
}
