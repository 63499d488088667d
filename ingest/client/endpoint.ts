/** One endpoint and its measured limits: blocks, calls and addresses per request, and its rate. */

import { type Answers, type Call, type CallSender, openSender } from './call-sender.ts'
import { type EndpointTraits, openTraits } from './endpoint-traits.ts'
import { isPortalUrl } from './endpoint-urls.ts'
import {
  AddressRequiredError,
  BlockRangeTooLargeError,
  FilterTooLargeError,
  IngestError,
  RpcRefusedError,
  RpcUnavailableError,
  WrongChainError,
} from './faults.ts'
import { type ExchangeLimits, openExchange } from './http-exchange.ts'
import { openPacing, type PacingReports } from './pacing.ts'
import { openPortal } from './portal.ts'
import { hintedBlocks } from './provider-texts.ts'
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
  const traits = { ...openTraits(name), isFarOnly: isPortal }
  const pacing = openPacing(name, settings)
  const sender: CallSender = isPortal
    ? openPortal(url, name, { limits: settings, pacing })
    : openSender(name, openExchange(url, name, settings), pacing)
  const { chainId, refusalPauseMs, run, onWait } = settings
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
    try {
      await assertServes()
      const answer = await ask()
      refusals.answered(method)
      return answer
    } catch (thrown) {
      const fault = recordFault(thrown, traits, calls)
      throw fault instanceof IngestError ? refusals.refused(fault, method) : fault
    }
  }
  return {
    traits,
    askOne: (call) =>
      asked([call], async () => {
        const answer = await sender.one(call)
        if (!isShaped(call, answer)) throw noResult(name, call)
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

/**
 * Records the limit that a fault reveals; returns the fault to throw: a refusal if no other form of the query is left.
 * Whatever fails for more than one block may be due to their number.
 */
function recordFault(fault: unknown, traits: EndpointTraits, calls: readonly Call[]): unknown {
  const needsOtherMode = fault instanceof AddressRequiredError || fault instanceof FilterTooLargeError
  const blocks = Math.max(...calls.map(blocksIn))
  // Of an open end, only a refusal: another form of the query may be answered.
  const isUnexplained =
    (fault instanceof RpcUnavailableError && Number.isFinite(blocks)) ||
    (fault instanceof RpcRefusedError && fault.scope === 'request')
  if (isUnexplained && blocks > 1)
    return new BlockRangeTooLargeError(fault.message, hintIn(fault.message), false)
  if (!needsOtherMode) return fault
  const addresses = Math.max(...calls.map(addressesIn))
  if (fault instanceof AddressRequiredError && addresses === 0) traits.takesTopicsAlone = false
  else if (fault instanceof FilterTooLargeError && addresses > 1)
    traits.addressesAFilter = Math.min(traits.addressesAFilter, Math.floor(addresses / 2))
  else return new RpcRefusedError(traits.name, fault.message)
  return fault
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
  if (method !== 'eth_getLogs') return 0
  const blocks = Number(toBlock) - Number(fromBlock) + 1
  return toBlock === 'latest' ? Number.POSITIVE_INFINITY : blocks >= 1 ? blocks : 0
}

function addressesIn({ params: [filter] }: Call): number {
  const { address } = (filter ?? {}) as { readonly address?: unknown }
  return Array.isArray(address) ? address.length : 0
}
