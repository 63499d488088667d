/** Classifies the errors of endpoints, by their message: JSON-RPC has no standard errors for the limits of eth_getLogs. */
import {
  AddressRequiredError,
  BatchTooLargeError,
  BlockNotYetAvailableError,
  BlockRangeTooLargeError,
  FilterTooLargeError,
  type IngestError,
  RateLimitedError,
  RpcRefusedError,
  RpcUnavailableError,
  StateAnswerTooLargeError,
  StateUnavailableError,
} from './faults.ts'

/** A JSON-RPC error, or an HTTP status and body (`code` is then the status). */
export type ProviderError = {
  readonly code: number
  readonly message: string
  readonly retryAfterMs?: number | undefined
}

// Only the beginning of a message is read: an endpoint can send one of any length.
const readLength = 400

// Only for eth_getLogs. Coinbase, Base, QuickNode, Alchemy, Infura, Ankr, LlamaRPC, reth, Optimism, PublicNode, Thirdweb, Chainstack, Blast, dRPC, MEV Blocker, Sentio.
const tooManyBlocks = [
  /block range|blocks? range|range is too|range too|max(imum)? range/i,
  /limit the query to at most/i,
  /(requested too many|number of requested) blocks/i,
  /this block range should work|retry with the range/i,
  /response size|response (is )?too (large|big)|response exceeds/i,
  /more than [\d,]+ (results|logs)|max(imum)? results|too many (results|logs)|max-results/i,
  /exceeds the range allowed|limited to (an? )?[\d,]+ (blocks?|range)/i,
  /ranges over [\d,]+ blocks|(range|span) [\d,]+ .{0,40}exceeds|query exceeds/i,
  /(query|request) (timeout|timed out)/i,
  // mainnet.base.org, if a range is far too wide.
  /no backend is currently healthy/i,
]

const tooManyCalls =
  /(calls|requests|items) in (a |one |1 )?batch|batch.{0,30}(too large|limit|maximum)|maximum batch|batch of more than/i

// PublicNode, 1RPC, dRPC: eth_getLogs by topic alone is for paying users.
const addressWanted =
  /(specify|provide|require[sd]?|include|without|missing|need)[^.]{0,30}\baddress(es)?\b|address(es)?\b[^.]{0,20}(required|missing|must)/i
// PublicNode: "Please specify less number of addresses"
const tooManyAddresses =
  /(less|fewer|too many|max(imum)?|more than)[^.]{0,30}\baddresses|addresses (limit|exceed)/i

const blockMissing =
  /unknown block|block not found|header not found|header for hash not found|cannot be found|after last accepted block|block height is \d+ but requested|beyond (the )?(current )?head|blockoutofrange|invalid block range/i

// geth, reth, erigon, nethermind, anvil, QuickNode, Alchemy, dRPC.
const stateMissing =
  /missing trie node|historical state|unknown state|pruned|state.{0,40}(not available|unavailable|not found|pruned|histor)|no state|archive|required data unavailable|distance to target block|proof window|old data/i

// geth, reth, anvil: EIP-170 and EIP-3860.
const codeTooLarge = /(max|init) ?code ?size|code ?size ?(limit|exceeded)|contract ?size ?limit/i

const tooOften =
  /rate.?limit|rps limit|too many requests|capacity|compute units|throughput|requests? per second|request limit/i
const patience = /try again|temporar/i

// HTTP: too much was requested, or a server, a gateway or a CDN timed out.
const tooLarge = new Set([408, 413, 504, 524])

// JSON-RPC 2.0 §5.1: invalid request, unknown method, invalid params. HTTP: bad key, no such path.
const refusals = new Set([-32_600, -32_601, -32_602, 401, 403, 404])

/** The number of blocks that a message allows. */
const allowances: readonly ((message: string) => number | undefined)[] = [
  (message) => {
    const span = /\[\s*(0x[0-9a-f]+)\s*,\s*(0x[0-9a-f]+)\s*\]/i.exec(message)
    return span ? Number(span[2]) - Number(span[1]) + 1 : undefined
  },
  (message) => {
    const plan = /exceeds the range allowed for your plan \(\d+ > (\d+)\)/i.exec(message)
    return plan ? Number(plan[1]) : undefined
  },
  (message) => {
    const named =
      /(?:at most|up to an?|limited to(?: an?)?|ranges over|exceeds limit of|maximum allowed is|requested blocks is|max(?:imum)?(?: block)? range:?|maximum is set to)\s+([\d,]+)(k?)\b/i.exec(
        message,
      )
    if (!named?.[1]) return undefined
    return Number(named[1].replaceAll(',', '')) * (named[2] ? 1_000 : 1)
  },
]

const allowedBlocks = (message: string): number | undefined => {
  for (const allowance of allowances) {
    const blocks = allowance(message)
    if (blocks !== undefined && blocks >= 1 && Number.isSafeInteger(blocks)) return blocks
  }
  return undefined
}

/** The fault that an endpoint's error means. An unknown one counts as unavailable, which is retried. */
export const faultOf = (endpoint: string, method: string, error: ProviderError): IngestError => {
  const message = error.message.slice(0, readLength)
  const said = `${method}: ${message} (${error.code})`
  if (tooManyCalls.test(message) || (error.code === 413 && method !== 'eth_getLogs'))
    return new BatchTooLargeError(said)
  if (method === 'eth_call' && codeTooLarge.test(message)) return new StateAnswerTooLargeError(said)
  if (method === 'eth_call' && (stateMissing.test(message) || blockMissing.test(message)))
    return new StateUnavailableError(endpoint, said)
  if (blockMissing.test(message)) return new BlockNotYetAvailableError()
  if (error.code === 429) return new RateLimitedError(endpoint, said, error.retryAfterMs)
  if (method === 'eth_getLogs') {
    if (tooManyAddresses.test(message)) return new FilterTooLargeError(said)
    if (addressWanted.test(message)) return new AddressRequiredError(said)
    if (tooLarge.has(error.code) || tooManyBlocks.some((words) => words.test(message)))
      return new BlockRangeTooLargeError(said, allowedBlocks(message))
  }
  if (tooOften.test(message)) return new RateLimitedError(endpoint, said, error.retryAfterMs)
  if (patience.test(message)) return new RpcUnavailableError(endpoint, said)
  if (refusals.has(error.code)) return new RpcRefusedError(endpoint, said)
  return new RpcUnavailableError(endpoint, said)
}
