import { EventSource } from 'eventsource'

/** A client of the npm package that follows a stream and keeps what it says. */
export type Follower = {
  /** Events of swaps and of retracted blocks, in the order they came. */
  readonly ids: readonly string[]
  /** Reasons of the resyncs it was told. */
  readonly resyncs: readonly string[]
  /** Swaps that came twice. */
  readonly faults: readonly string[]
  /** `block:log` of each swap in force, in the order they came. */
  swaps(): readonly string[]
  lastId(): string
  close(): void
}

/** Follows a stream. */
export function follow(url: string): Follower {
  const source = new EventSource(url)
  const [ids, resyncs, faults]: [string[], string[], string[]] = [[], [], []]
  const swaps = new Set<string>()
  let lastId = ''
  type Told = { readonly block_hash: string; readonly log_index: number; readonly reason: string }
  const on = (name: string, take: (told: Told, id: string) => void) =>
    source.addEventListener(name, ({ lastEventId, data }) => {
      lastId = lastEventId
      take(JSON.parse(data) as Told, lastEventId)
    })
  on('ready', () => {})
  on('message', ({ block_hash, log_index }, id) => {
    const name = `${block_hash}:${log_index}`
    if (swaps.has(name)) faults.push(`${name} came twice: ${id}`)
    swaps.add(name)
    ids.push(id)
  })
  on('retract', ({ block_hash }, id) => {
    for (const name of [...swaps]) if (name.startsWith(`${block_hash}:`)) swaps.delete(name)
    ids.push(id)
  })
  on('resync', ({ reason }) => resyncs.push(reason))
  return { ids, resyncs, faults, swaps: () => [...swaps], lastId: () => lastId, close: () => source.close() }
}
