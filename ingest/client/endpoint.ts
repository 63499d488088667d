/** One endpoint and its measured limits: blocks, calls and addresses per request, and its rate. */

import { hintedBlocks } from '../texts/provider-numbers.ts'
import { type Answers, type Call, type CallSender, openSender } from './call-sender.ts'
import { type EndpointTraits, openTraits } from './endpoint-traits.ts'
import { isPortalUrl } from './endpoint-urls.ts'
import {
  AddressRequiredError,
  BlockRangeTooLargeError,
  FilterTooLargeError,
  HistoryUnavailableError,
  IngestError,
  RpcRefusedError,
  RpcUnavailableError,
  WrongChainError,
} from './faults.ts'
import { type ExchangeLimits, openExchange } from './http-exchange.ts'
import { openPacing, type PacingReports } from './pacing.ts'
import { openPortal } from './portal.ts'
import { openReach } from './reach.ts'
import { openRefusals, type RunState } from './refusals.ts'

export type EndpointSettings = ExchangeLimits &
  PacingReports & {
    /** The chain that it must serve. */
    readonly chainId: number | undefined
    /** First pause (ms) after a refusal during a run. */
    readonly refusalPauseMs: number
    /** Shared by all endpoints of a run. */
    readonly run: RunState
  }

/** Both methods throw an IngestError. */
export type Endpoint = {
  readonly traits: EndpointTraits
  askOne(call: Call): Promise<unknown>
  /** Adds the results that are not in `answers` yet. */
  askMany(calls: readonly Call[], answers: Answers): Promise<void>
}

/** Opens one endpoint, without a request. */
export function openEndpoint(url: URL, name: string, settings: EndpointSettings): Endpoint {
  const isPortal = isPortalUrl(url.href)
  const { chainId, refusalPauseMs, run, onWait } = settings
  const traits = { ...openTraits(name, openReach(run)), isFarOnly: isPortal }
  const pacing = openPacing(name, settings)
  const sender: CallSender = isPortal
    ? openPortal(url, name, { limits: settings, pacing })
    : openSender(name, openExchange(url, name, settings), pacing)
  const refusals = openRefusals(name, run, { pauseMs: refusalPauseMs, onWait })
  let isRightChain = chainId === undefined

  const assertServes = async (): Promise<void> => {
    if (isRightChain || chainId === undefined) return
    const id = chainIdIn(name, await sender.one({ method: 'eth_chainId', params: [] }))
    if (id !== chainId) throw new WrongChainError(chainId, id, name)
    isRightChain = true
  }
  const asked = async <T>(calls: readonly Call[], ask: () => Promise<T>): Promise<T> => {
    const [{ method } = { method: '' }] = calls
    refusals.assertOpen(method)
    const oldest = Math.min(...calls.map(firstBlockIn))
    if (!traits.reach.covers(oldest))
      throw new HistoryUnavailableError(name, `it serves about the newest ${traits.reach.blocks()} blocks`)
    try {
      await assertServes()
      const answer = await ask()
      refusals.answered(method)
      traits.reach.answered(oldest)
      if (method === GET_LOGS) traits.timesBusy = 0
      return answer
    } catch (thrown) {
      const fault = recordFault(thrown, traits, calls)
      if (fault instanceof HistoryUnavailableError) traits.reach.refused(oldest)
      throw fault instanceof IngestError ? refusals.refused(fault, method) : fault
    }
  }
  return {
    traits,
    askOne: (call) =>
      asked([call], async () => {
        const answer = await sender.one(call)
        if (!isShaped(call, answer)) throw noResult(name, call)
        noteNewest(run, call, answer)
        return answer
      }),
    askMany: (calls, answers) =>
      asked(calls, async () => {
        await sender.many(calls, answers)
        const wrong = [...calls.entries()].filter(([at, call]) => !isShaped(call, answers.get(at)))
        // What has no answer is asked for again.
        for (const [at] of wrong) answers.delete(at)
        const [first] = wrong
        if (first) throw noResult(name, first[1])
        for (const [at, call] of calls.entries()) noteNewest(run, call, answers.get(at))
      }),
  }
}

const noResult = (name: string, { method }: Call): RpcUnavailableError =>
  new RpcUnavailableError(name, `${method}: answered with no result`)

/** Whether an answer has the shape that its method has, where one that has not could be believed. */
function isShaped(call: Call, answer: unknown): boolean {
  if (call.method === 'eth_call') return typeof answer === 'string' && /^0x([0-9a-f]{2})*$/i.test(answer)
  return blocksIn(call) === 0 || Array.isArray(answer)
}

/** The chain id in an answer. Throws RpcUnavailableError if it is none. */
export function chainIdIn(endpoint: string, answer: unknown): number {
  const id = typeof answer === 'string' ? Number(answer) : Number.NaN
  if (!Number.isSafeInteger(id) || id <= 0)
    throw new RpcUnavailableError(endpoint, 'eth_chainId: answered with no chain id')
  return id
}

const GET_LOGS = 'eth_getLogs'
/** An endpoint that is busy is waited for; after this many times in a row, fewer blocks are tried. */
const BUSY_MAX = 8

/**
 * Records the limit that a fault reveals; returns the fault to throw: a refusal if no other form of the query is left.
 * Whatever fails for more than one block may be due to their number.
 */
function recordFault(fault: unknown, traits: EndpointTraits, calls: readonly Call[]): unknown {
  const blocks = Math.max(...calls.map(blocksIn))
  if (blocks > 1 && isUnexplained(fault, traits, blocks))
    return new BlockRangeTooLargeError(fault.message, hintIn(fault.message), false)
  if (fault instanceof AddressRequiredError) {
    if (Math.max(...calls.map(addressesIn)) > 0) return new RpcRefusedError(traits.name, fault.message)
    traits.takesTopicsAlone = false
  }
  if (fault instanceof FilterTooLargeError) {
    const isOfTopics = fault.too === 'topics'
    const values = Math.max(...calls.map(isOfTopics ? valuesIn : addressesIn))
    if (values <= 1) return new RpcRefusedError(traits.name, fault.message)
    const limit = isOfTopics ? 'valuesATopic' : 'addressesAFilter'
    traits[limit] = Math.min(traits[limit], Math.floor(values / 2))
  }
  return fault
}

/** Whether a fault may be due to the number of blocks. Of an open end only a refusal: another form of the query may be answered. */
function isUnexplained(fault: unknown, traits: EndpointTraits, blocks: number): fault is IngestError {
  if (fault instanceof RpcRefusedError) return fault.scope === 'request'
  if (!(fault instanceof RpcUnavailableError) || !Number.isFinite(blocks)) return false
  if (fault.isBusy) traits.timesBusy += 1
  return !fault.isBusy || traits.timesBusy > BUSY_MAX
}

/** A number of blocks in the text of a fault, without the host before it and the code behind it. */
const hintIn = (message: string): number | undefined =>
  hintedBlocks(message.slice(message.indexOf(': ') + 1).replace(/\(-?\d+\)$/, ''))

/** Blocks of one eth_getLogs; infinite up to the newest block, 0 for other calls. */
function blocksIn({ method, params: [filter] }: Call): number {
  const { fromBlock, toBlock } = (filter ?? {}) as {
    readonly fromBlock?: unknown
    readonly toBlock?: unknown
  }
  if (method !== GET_LOGS) return 0
  const blocks = Number(toBlock) - Number(fromBlock) + 1
  return toBlock === 'latest' ? Number.POSITIVE_INFINITY : blocks >= 1 ? blocks : 0
}

/** The first block of one eth_getLogs; infinite for other calls. */
function firstBlockIn({ method, params: [filter] }: Call): number {
  const { fromBlock } = (filter ?? {}) as { readonly fromBlock?: unknown }
  const first = method === GET_LOGS ? Number(fromBlock) : Number.NaN
  return Number.isSafeInteger(first) ? first : Number.POSITIVE_INFINITY
}

/** Notes the number of a header that was answered, if it is newer, and of the newest one in any case: a false one is soon replaced. */
function noteNewest(run: RunState, { method, params: [block] }: Call, answer: unknown): void {
  const number = Number((answer as { readonly number?: unknown } | null)?.number)
  if (method !== 'eth_getBlockByNumber' || !Number.isSafeInteger(number)) return
  if (block === 'latest' || number > run.newest) run.newest = number
}

/** The most values that a topic of one eth_getLogs may have. */
function valuesIn({ params: [filter] }: Call): number {
  const { topics } = (filter ?? {}) as { readonly topics?: readonly unknown[] }
  return Math.max(0, ...(topics ?? []).map((wanted) => (Array.isArray(wanted) ? wanted.length : 0)))
}

function addressesIn({ params: [filter] }: Call): number {
  const { address } = (filter ?? {}) as { readonly address?: unknown }
  return Array.isArray(address) ? address.length : 0
}
