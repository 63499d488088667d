/** All endpoints of a run, each by itself: who is asked first, and what is believed of what several say. */
import { isDeepStrictEqual } from 'node:util'
import type { Block } from '../market/segment.ts'
import { IngestError, orFault, StateDisputedError, StateUnavailableError } from './faults.ts'
import { headOf } from './headers.ts'
import { isDistrusted, isSilent, type Rpc } from './rpc.ts'

/** Every endpoint by itself: those that are not in `last` first, those that left logs out later, those that do not answer last. */
export function endpointsOf(rpc: Rpc, last: ReadonlySet<string> = new Set()): readonly Rpc[] {
  const place = ({ endpoint }: Rpc) =>
    4 * Number(isSilent(endpoint)) + 2 * Number(isDistrusted(endpoint)) + Number(last.has(endpoint.name))
  return rpc
    .each()
    .map(held)
    .sort((a, b) => place(a) - place(b))
}

/** A newest block so old (ms), or so much older than another one, is that of an endpoint that lags. */
const LAG_MS = 30_000

/** Asks for the newest block. Where that is old the other endpoints are asked for theirs, once in a while, and one that is ahead is followed from then on. */
export function openNewestBlock(rpc: Rpc): () => Promise<Block> {
  let comparedAt = 0
  return async () => {
    let newest: Block = await headOf(rpc)
    const now = Date.now()
    if (now - newest.timestamp * 1_000 <= LAG_MS || Math.abs(now - comparedAt) <= LAG_MS) return newest
    comparedAt = now
    let name = rpc.endpoint.name
    for (const one of endpointsOf(rpc)) {
      const head = await headOf(one).catch(orFault)
      if (head instanceof IngestError || (head.timestamp - newest.timestamp) * 1_000 < LAG_MS) continue
      newest = head
      name = one.endpoint.name
    }
    for (let turns = rpc.each().length; rpc.endpoint.name !== name && turns > 0; turns -= 1) rpc.next()
    return newest
  }
}

/** So long an endpoint that was contradicted is asked after the others (ms). */
const DISTRUST_MS = 3_600_000

/** These endpoints left logs out that others gave, or have other blocks than others: they are asked after the others, and the next one to be asked is none of them. */
export function distrust(rpc: Rpc, names: readonly string[]): void {
  for (const { endpoint } of endpointsOf(rpc))
    if (names.includes(endpoint.name)) endpoint.distrustedUntil = Date.now() + DISTRUST_MS
  if (names.includes(rpc.endpoint.name)) rpc.next()
}

/**
 * Whether any endpoint says so: what is committed stands as long as one of them has it. Those that denied it before are then
 * distrusted. Throws what the last of them threw where none has an answer.
 */
export async function anySays(rpc: Rpc, ask: (endpoint: Rpc) => Promise<boolean>): Promise<boolean> {
  const denied: string[] = []
  let fault: IngestError | undefined
  for (const endpoint of endpointsOf(rpc)) {
    try {
      if (await ask(endpoint)) {
        distrust(rpc, denied)
        return true
      }
      denied.push(endpoint.endpoint.name)
    } catch (thrown) {
      if (!(thrown instanceof IngestError)) throw thrown
      fault = thrown
    }
  }
  if (fault && denied.length === 0) throw fault
  return false
}

/** The same endpoint, which another reader's faults do not move. */
function held(rpc: Rpc): Rpc {
  const own: Rpc = { ...rpc, pinned: () => own, next: () => own, fastest: () => own }
  return own
}

/**
 * What endpoints say of the state after a block: two have to say the same where there are two that have it, for what one of them
 * makes up of a price or a balance would stay. `onFault`: told of each that has no answer. Throws StateDisputedError, or what
 * the last of them threw where none has it.
 */
export async function agreedState<T>(
  endpoints: readonly Rpc[],
  block: number,
  read: (endpoint: Rpc) => Promise<T>,
  onFault: (endpoint: Rpc, fault: IngestError) => void = () => {},
): Promise<T> {
  const said: T[] = []
  let fault: IngestError = new StateUnavailableError('every endpoint', block)
  for (const endpoint of endpoints) {
    try {
      const state = await read(endpoint)
      if (said.some((other) => isDeepStrictEqual(other, state))) return state
      said.push(state)
    } catch (thrown) {
      if (!(thrown instanceof IngestError)) throw thrown
      fault = thrown
      onFault(endpoint, fault)
    }
  }
  if (said.length > 1) throw new StateDisputedError(block)
  if (said.length === 0) throw fault
  return said[0] as T
}
