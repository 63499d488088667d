/** Texts of providers' refusals, as tables: JSON-RPC has no standard errors for the limits of eth_getLogs. */

/** A pattern, a message as a provider wrote it, and where it is documented or reported. */
export type KnownText = readonly [says: RegExp, example: string, source: string]

const ponder =
  'https://github.com/ponder-sh/ponder/blob/main/packages/utils/src/getLogsRetryHelper.ts' as const
const alloy = 'https://github.com/alloy-rs/alloy/blob/main/crates/transport/src/error.rs' as const
const proxyd = 'https://github.com/ethereum-optimism/infra/blob/main/proxyd/backend.go' as const
const geth = 'https://github.com/ethereum/go-ethereum' as const
const besu =
  'https://github.com/besu-eth/besu/blob/main/ethereum/api/src/main/java/org/hyperledger/besu/ethereum/api/jsonrpc/internal/response/RpcErrorType.java' as const
/** Received from an endpoint; no public source was found. */
const received = 'received' as const

/** Only for eth_getLogs: the range has too many blocks or too many logs, or takes too long. */
const tooManyBlocks: readonly KnownText[] = [
  // Alchemy, Infura and Coinbase name a range or a number: `allowances` reads it.
  [
    /block range|blocks? range|range is too|range too|max(imum)? range/i,
    'Log response size exceeded. this block range should work: [0x1, 0x7d0]',
    ponder,
  ],
  [/limit the query to at most/i, 'please limit the query to at most 1000 blocks', ponder],
  [
    /(requested too many|number of requested) blocks/i,
    'requested too many blocks from 0 to 5000000, maximum is set to 1024',
    ponder,
  ],
  [
    /this block range should work|retry with the range/i,
    'query exceeds max results 20000, retry with the range 25766988-25775072',
    'https://github.com/base/base/issues/2421',
  ],
  [
    /response size|response (is )?too (large|big)|response exceeds/i,
    'response size should not greater than 10000000 bytes',
    ponder,
  ],
  [
    /more than [\d,]+ (results|logs)|max(imum)? results|too many (results|logs)|max-results/i,
    'query returned more than 10000 results',
    ponder,
  ],
  // Arbitrum.
  [/logs matched by query exceeds/i, 'logs matched by query exceeds limit of 10000', ponder],
  [
    /exceeds the range allowed|limited to (an? )?[\d,]+ (blocks?|range)/i,
    'eth_getLogs is limited to a 10,000 range',
    'https://github.com/OffchainLabs/arbitrum-sdk/issues/609',
  ],
  [
    /ranges over [\d,]+ blocks|(range|span) [\d,]+ .{0,40}exceeds|query exceeds/i,
    'range 1000000 exceeds limit of 10000',
    'https://github.com/INFURA/infura/issues/237',
  ],
  [/(query|request) (timeout|timed out)/i, 'query timed out', ponder],
  // mainnet.base.org, if a range is far too wide.
  [/no backend is currently healthy/i, 'no backend is currently healthy to serve traffic', ponder],
  // Ankr.
  [/blocks? distance/i, 'maximum [from, to] blocks distance: 1200', ponder],
  [/maximum RPC range|range exceeds/i, 'Requested range exceeds maximum RPC range limit', besu],
  [/number of blocks in range/i, 'exceed max number of blocks in range', received],
  [/beyond the range/i, 'cannot query blocks beyond the range: 1000', received],
  // Harmony.
  [/smaller than size/i, 'GetLogs query must be smaller than size 1024', ponder],
]

/** A JSON-RPC batch has too many calls. */
const tooManyCalls: readonly KnownText[] = [
  [
    /(calls|requests|items) in (a |one |1 )?batch|batch.{0,30}(too large|limit|maximum)|maximum batch|batch of more than/i,
    'too many RPC calls in batch request',
    proxyd,
  ],
  [/max batch size/i, 'Number of requests exceeds max batch size', besu],
]

/** The endpoint takes no batches at all. */
const noBatches: readonly KnownText[] = [
  [
    /batch(es|ing)?( requests?)? (is|are) (not (supported|allowed|enabled)|disabled)|batch.{0,20}unsupported|(not|no) support.{0,20}batch/i,
    'batch requests are not supported',
    received,
  ],
]

/** PublicNode, 1RPC, dRPC: eth_getLogs without an address is for paying users. */
const addressWanted: readonly KnownText[] = [
  [
    /(specify|provide|require[sd]?|include|without|missing|need)[^.]{0,30}\baddress(es)?\b|address(es)?\b[^.]{0,20}(required|missing|must)/i,
    'Please specify an address in your request or, to remove restrictions, order a dedicated node',
    received,
  ],
]

const tooManyAddresses: readonly KnownText[] = [
  [
    /(less|fewer|too many|max(imum)?|more than)[^.]{0,30}\baddresses|addresses (limit|exceed)/i,
    'Please specify less number of addresses. Maximum allowed is 100.',
    received,
  ],
]

const blockMissing: readonly KnownText[] = [
  [
    /unknown block|block not found|header not found|header for hash not found|cannot be found|after last accepted block|block height is \d+ but requested|beyond (the )?(current )?head|blockoutofrange|block is out of range|invalid block range/i,
    'block is out of range',
    proxyd,
  ],
]

/** geth, reth, erigon, nethermind, anvil, QuickNode, Alchemy, dRPC. */
const stateMissing: readonly KnownText[] = [
  [
    /missing trie node|historical state|unknown state|pruned|state.{0,40}(not available|unavailable|not found|pruned|histor)|no state|archive|required data unavailable|distance to target block|proof window|old data/i,
    'missing trie node ecd6 (path ) state 0xecd6 is not available, not found',
    geth,
  ],
]

/** geth, reth, anvil: EIP-170 and EIP-3860. */
const codeTooLarge: readonly KnownText[] = [
  [
    /(max|init) ?code ?size|code ?size ?(limit|exceeded)|contract ?size ?limit/i,
    'max initcode size exceeded',
    geth,
  ],
]

/** The rate is limited. Several providers report it with HTTP 200. */
const tooOften: readonly KnownText[] = [
  [/rate.?limit|rps limit/i, 'over rate limit', proxyd],
  [/too many requests?/i, 'Too many request, try again later', received],
  [/capacity|compute units|throughput/i, 'backend is over capacity', proxyd],
  [
    /requests? per second|request limit/i,
    '100/second request limit reached - reduce calls per second or upgrade your account',
    'https://github.com/foundry-rs/foundry/issues/4894',
  ],
  // QuickNode.
  [
    /(credits|calls|requests) limited to/i,
    'credits limited to 6000/sec',
    'https://github.com/foundry-rs/foundry/pull/6712',
  ],
  [
    /rate exceeded|(daily|monthly) request count exceeded/i,
    'project ID request rate exceeded',
    'https://github.com/ConsenSys-archive/truffle/issues/3200',
  ],
  [/concurrent requests/i, 'maximum number of concurrent requests reached', alloy],
]

/** The method is closed to us, for now or for good. */
const methodClosed: readonly KnownText[] = [
  [/not whitelisted|no backends available for method/i, 'rpc method is not whitelisted', proxyd],
]

/** Nothing but that it may answer later. */
const later: readonly KnownText[] = [[/try again|temporar/i, 'internal error, please try again', received]]

/** All tables by the meaning of their texts. */
export const knownTexts = {
  tooManyBlocks,
  tooManyCalls,
  noBatches,
  addressWanted,
  tooManyAddresses,
  blockMissing,
  stateMissing,
  codeTooLarge,
  tooOften,
  methodClosed,
  later,
} as const

/** Whether one of these texts is meant. */
export const isOneOf = (texts: readonly KnownText[], message: string): boolean =>
  texts.some(([says]) => says.test(message))

const numberIn = (digits: string | undefined, isThousands = false): number | undefined =>
  digits === undefined ? undefined : Number(digits.replaceAll(',', '')) * (isThousands ? 1_000 : 1)

/** The number of blocks that a message allows: the first of these that finds one. */
const allowances: readonly ((message: string) => number | undefined)[] = [
  (message) => {
    const span = /\[\s*(0x[0-9a-f]+)\s*,\s*(0x[0-9a-f]+)\s*\]/i.exec(message)
    return span ? Number(span[2]) - Number(span[1]) + 1 : undefined
  },
  (message) => numberIn(/exceeds the range allowed for your plan \(\d+ > (\d+)\)/i.exec(message)?.[1]),
  (message) => {
    const named =
      /(?:at most|up to an?|limited to(?: an?)?|ranges over|exceeds (?:the )?limit of|maximum allowed is|requested blocks is|max(?:imum)?(?: block)? range:?|maximum is set to|max is|limit is|distance:?|beyond the range:?|smaller than size|\(maximum)\s+([\d,]+)(k?)\b/i.exec(
        message,
      )
    return numberIn(named?.[1], Boolean(named?.[2]))
  },
]

/** A number of blocks or of a range in a text that is not known. */
const hints: readonly ((message: string) => number | undefined)[] = [
  (message) => {
    const named = /\b([\d,]+)(k?)[ -]?blocks?\b/i.exec(message)
    return numberIn(named?.[1], Boolean(named?.[2]))
  },
  (message) => {
    const named = /\b(?:range|span|distance|blocks?)\b[^\d]{0,20}\b([\d,]+)(k?)\b/i.exec(message)
    return numberIn(named?.[1], Boolean(named?.[2]))
  },
]

function firstNumber(
  readers: readonly ((message: string) => number | undefined)[],
  message: string,
): number | undefined {
  for (const read of readers) {
    const blocks = read(message)
    if (blocks !== undefined && blocks >= 1 && Number.isSafeInteger(blocks)) return blocks
  }
  return undefined
}

/** The number of blocks that a refusal of a range allows; undefined: it names none. */
export const allowedBlocks = (message: string): number | undefined => firstNumber(allowances, message)

/** The number of blocks that an unknown message may allow: only a hint. */
export const hintedBlocks = (message: string): number | undefined =>
  firstNumber([...allowances, ...hints], message)
