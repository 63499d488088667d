/** All endpoints of a run: their order, and conclusions from several answers. */
import { isDeepStrictEqual } from 'node:util'
import type { Block } from '../../market/segment.ts'
import { isDistrusted, isSilent } from './endpoint-traits.ts'
import { IngestError, orFault, StateDisputedError, StateUnavailableError } from './faults.ts'
import { headOf } from './headers.ts'
import type { Rpc } from './rpc.ts'

/** Every endpoint, pinned: those in `last` after the others, then those that omitted logs, then those that do not answer. */
export function endpointsOf(rpc: Rpc, last: ReadonlySet<string> = new Set()): readonly Rpc[] {
  const rank = ({ endpoint }: Rpc) =>
    4 * Number(isSilent(endpoint)) + 2 * Number(isDistrusted(endpoint)) + Number(last.has(endpoint.name))
  return rpc
    .each()
    .map(held)
    .sort((a, b) => rank(a) - rank(b))
}

/** An endpoint lags if its newest block is this old (ms), or this much older than another endpoint's. */
const LAG_MS = 30_000

/** Reads the newest block. If it is old, the other endpoints are compared from time to time, and one that is ahead becomes the preferred one. */
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

/** How long (ms) an endpoint that was contradicted ranks after the others. */
const DISTRUST_MS = 3_600_000

/** These endpoints omitted logs, or have other blocks than the others: they rank after them, and none is the preferred one. */
export function distrust(rpc: Rpc, names: readonly string[]): void {
  for (const { endpoint } of endpointsOf(rpc))
    if (names.includes(endpoint.name)) endpoint.distrustedUntil = Date.now() + DISTRUST_MS
  if (names.includes(rpc.endpoint.name)) rpc.next()
}

/**
 * The first answer of these endpoints, in turn; undefined: none has one. After an answer, even undefined, endpoints that
 * did not answer recently are skipped.
 */
export async function firstAnswer<T>(
  endpoints: readonly Rpc[],
  ask: (rpc: Rpc) => Promise<T | undefined>,
): Promise<T | undefined> {
  let isAnswered = false
  for (const rpc of endpoints) {
    if (isAnswered && isSilent(rpc.endpoint)) continue
    const answer = await ask(rpc).catch(orFault)
    if (answer instanceof IngestError) continue
    isAnswered = true
    if (answer !== undefined) return answer
  }
  return undefined
}

/**
 * Whether any endpoint confirms it: what is committed stays as long as one of them has it. Those that denied it before are
 * then distrusted. Throws the last fault if none has an answer.
 */
export async function anyConfirms(rpc: Rpc, ask: (endpoint: Rpc) => Promise<boolean>): Promise<boolean> {
  const denied: string[] = []
  let fault: IngestError | undefined
  for (const one of endpointsOf(rpc)) {
    const answer = await ask(one).catch(orFault)
    if (answer === true) {
      distrust(rpc, denied)
      return true
    }
    if (answer === false) denied.push(one.endpoint.name)
    else fault = answer
  }
  if (fault && denied.length === 0) throw fault
  return false
}

/** The same endpoint, even when other readers switch to another one. */
function held(rpc: Rpc): Rpc {
  const own: Rpc = { ...rpc, pinned: () => own, next: () => own, fastest: () => own }
  return own
}

/**
 * The state after a block. Where two endpoints have it, two must agree, because a wrong price or balance would stay.
 * `onFault` is called for each that has no answer. Throws StateDisputedError, or the last fault if none has it.
 */
export async function agreedState<T>(
  endpoints: readonly Rpc[],
  block: number,
  read: (endpoint: Rpc) => Promise<T>,
  onFault: (endpoint: Rpc, fault: IngestError) => void = () => {},
): Promise<T> {
  const states: T[] = []
  let fault: IngestError = new StateUnavailableError('every endpoint', block)
  for (const endpoint of endpoints) {
    const state = await read(endpoint).catch(orFault)
    if (state instanceof IngestError) {
      fault = state
      onFault(endpoint, fault)
    } else if (states.some((other) => isDeepStrictEqual(other, state))) return state
    else states.push(state)
  }
  const [state] = states
  if (states.length > 1) throw new StateDisputedError(block)
  if (state === undefined) throw fault
  return state
}
