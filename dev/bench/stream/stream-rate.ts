import { setTimeout as sleep } from 'node:timers/promises'

/** What is sent to whom. */
export type StreamLoad = {
  readonly name: string
  readonly readers: number
  /** Events a second; `text` is what they say. */
  readonly rate: number
  readonly text: string
  readonly seconds: number
  /** Events are sent one by one, never several that are late. */
  readonly isEven: boolean
  /** What the readers say in Accept-Encoding. */
  readonly coding: 'identity' | 'gzip'
}

/** What a schedule needs of a load. */
export type Rate = Pick<StreamLoad, 'rate' | 'seconds' | 'isEven'>

/**
 * Sends the events of a load as they are due, looked at every `everyMs`. If the load is even, a busy machine makes it
 * longer instead of sending what is late at once: a server that gathers events would have less to write.
 */
export async function sendAtRate(
  { rate, seconds, isEven }: Rate,
  send: () => void,
  everyMs = isEven ? 1_000 / rate : 1,
): Promise<void> {
  const began = performance.now()
  for (let sent = 0; sent < rate * seconds; ) {
    await sleep(everyMs)
    const due = isEven ? sent + 1 : Math.floor(((performance.now() - began) / 1_000) * rate)
    for (; sent < Math.min(rate * seconds, due); sent += 1) send()
  }
}
