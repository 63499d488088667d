import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamLoad } from './stream-measure.ts'

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
