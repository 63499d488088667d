/** Texts of providers' refusals, by meaning: JSON-RPC has no standard errors for the limits of eth_getLogs. */

import { alloy, besu, geth, type KnownTexts, ponder, proxyd, received } from './known-text.ts'
import { tooManyBlocks } from './range-texts.ts'

/** The endpoint takes no batches at all. */
const noBatches: KnownTexts = [
  [
    /batch(es|ing)?( requests?)? (is|are) (not (supported|allowed|enabled)|disabled)|batch.{0,20}unsupported|(not|no) support.{0,20}batch/i,
    ['batch requests are not supported', received, 1],
    ['batch request is not allowed', received, 1],
    ['batching is disabled', received, 1],
    ['this endpoint does not support batch', received, 1],
  ],
]

/** A JSON-RPC batch has too many calls. */
const tooManyCalls: KnownTexts = [
  [
    /(calls|requests|items) in (a |one |1 )?batch|batch.{0,30}(too large|limit|maximum)|maximum batch|batch of more than/i,
    ['too many RPC calls in batch request', proxyd],
    [
      'over the limit: maximum 10 calls in 1 batch',
      'https://github.com/ethereum-optimism/docs/issues/340',
      10,
    ],
    ['Batch of more than 3 requests are not allowed on free plan', received, 3],
    ['batch too large', 'https://github.com/base/node/issues/234'],
    ['batch limit exceeded', received],
  ],
  [/max batch size/i, ['Number of requests exceeds max batch size', besu]],
]

/** geth, reth, anvil: EIP-170 and EIP-3860. */
const codeTooLarge: KnownTexts = [
  [
    /(max|init) ?code ?size|code ?size ?(limit|exceeded)|contract ?size ?limit/i,
    ['max initcode size exceeded', geth],
  ],
]

/** The plan's requests of a day or a month are used up. */
const quotaSpent: KnownTexts = [
  [
    /(daily|monthly|per day|per month).{0,40}(limit|count|quota|capacity|exceeded|reached)|(limit|quota|capacity).{0,30}(per|for the|of the|this) (day|month)/i,
    [
      'Monthly capacity limit exceeded. Visit https://dashboard.alchemyapi.io/settings/billing to upgrade your scaling policy for continued service.',
      'https://github.com/xmtp/xmtpd/issues/672',
      'month',
    ],
    [
      'daily request count exceeded, request rate limited',
      'https://github.com/blockscout/blockscout/issues/7339',
      'day',
    ],
    ['daily request limit reached', received, 'day'],
    ['monthly request count exceeded', received, 'month'],
  ],
  [
    /usage limit for your current plan|(quota|credits|allowance)[^.]{0,30}(exceeded|exhausted|used up|depleted|reached)|(exceeded|exhausted|used up|reached)[^.]{0,30}quota/i,
    // Until 00:00 UTC, by its documentation.
    [
      "You've reached the usage limit for your current plan. To continue with higher limits and uninterrupted access, please upgrade here: https://www.1rpc.io/#pricing",
      'https://docs.1rpc.io/using-the-web3-api/errors',
    ],
    ['quota exceeded', received],
  ],
]

/** Blocks that old are not served, or not on this plan; new ones are. */
const historyMissing: KnownTexts = [
  [
    /archive requests? (require|need)|access to archive|archive.{0,30}(not (available|supported|included|enabled)|plan|upgrade|paid|token)/i,
    [
      'Archive requests require a personal token. Get one at: https://www.allnodes.com/publicnode',
      'https://www.allnodes.com/publicnode',
    ],
    ['project ID does not have access to archive state', 'https://github.com/status-im/status-go/pull/2107'],
  ],
  [
    /pruned history|history (has been |is |was )?(pruned|unavailable|expired)/i,
    ['pruned history unavailable', 'https://github.com/ethereum/go-ethereum/issues/31939'],
  ],
  [
    /data before txnum=\d+ is not available/i,
    [
      'seek with txNum=1962853355 but data before txNum=2662500000 is not available',
      'https://github.com/erigontech/erigon/issues/13198',
    ],
  ],
]

/** geth, reth, erigon, nethermind, anvil, QuickNode, Alchemy, dRPC. */
const stateMissing: KnownTexts = [
  [
    /missing trie node|historical state|unknown state|pruned|state.{0,40}(not available|unavailable|not found|pruned|histor)|no state|archive|required data unavailable|distance to target block|proof window|old data/i,
    ['missing trie node ecd6 (path ) state 0xecd6 is not available, not found', geth],
    ['Unknown state. First available state is 1', received],
  ],
]

const blockMissing: KnownTexts = [
  [
    /unknown block|block not found|header not found|header for hash not found|cannot be found|after last accepted block|block height is \d+ but requested|beyond (the )?(current )?head|blockoutofrange|block is out of range|invalid block range/i,
    ['block is out of range', proxyd],
    ['unknown block', geth],
    ['header not found', geth],
    ['invalid block range params', geth],
    ['One of the blocks specified in filter (fromBlock, toBlock or blockHash) cannot be found.', received],
    ['block range extends beyond current head block', received],
    ['BlockOutOfRangeError: block height is 5 but requested was 9', received],
  ],
]

/** dRPC's free plan, for any method: its nodes are busy. Fewer blocks do not help. */
const busy: KnownTexts = [
  [
    /request timeout on the free/i,
    [
      'Request timeout on the free tier, please upgrade your tier to the paid one',
      'https://github.com/enviodev/hyperindex/issues/715',
    ],
    ['Request timeout on the free plan, please upgrade to paid plan', ponder],
  ],
]

const tooManyTopics: KnownTexts = [
  [
    /max(imum)?( (of|number of) \d*)? ?topics|too many topics|topics (limit|exceed)/i,
    ['exceed max topics', 'https://github.com/ethereum/go-ethereum/pull/28494'],
    ['query exceeds the maximum of 4 topics', 'https://github.com/erigontech/erigon/pull/22014'],
  ],
]

const tooManyAddresses: KnownTexts = [
  [
    /(less|fewer|too many|max(imum)?|more than)[^.]{0,30}\baddresses|addresses (limit|exceed)/i,
    ['Please specify less number of addresses. Maximum allowed is 100.', received],
    ['too many addresses in filter', received],
    ['exceed max addresses or topics per search position', geth],
  ],
]

/** PublicNode, 1RPC, dRPC: eth_getLogs without an address is for paying users. */
const addressWanted: KnownTexts = [
  [
    /(specify|provide|require[sd]?|include|without|missing|need)[^.]{0,30}\baddress(es)?\b|address(es)?\b[^.]{0,20}(required|missing|must)/i,
    [
      'Please specify an address in your request or, to remove restrictions, order a dedicated node',
      received,
    ],
    ['eth_getLogs requires an address', received],
    ['a contract address is required in the filter', received],
    ['logs without address are not allowed', received],
  ],
]

/** The rate is limited. Several providers report it with HTTP 200. */
const tooOften: KnownTexts = [
  [
    /rate.?limit|rps limit/i,
    ['over rate limit', proxyd],
    ['rate limit exceeded', 'https://github.com/fluencelabs/dev-rewards/issues/20'],
    ["You've exceeded the RPS limit available on the current plan.", received],
  ],
  [/too many requests?/i, ['Too many request, try again later', received], ['Too Many Requests', received]],
  [
    /capacity|compute units|throughput/i,
    ['backend is over capacity', proxyd],
    [
      'Your app has exceeded its compute units per second capacity',
      'https://github.com/latticexyz/mud/issues/1522',
    ],
  ],
  [
    /requests? per second|request limit/i,
    [
      '100/second request limit reached - reduce calls per second or upgrade your account',
      'https://github.com/foundry-rs/foundry/issues/4894',
    ],
  ],
  // QuickNode.
  [
    /(credits|calls|requests) limited to/i,
    ['credits limited to 6000/sec', 'https://github.com/foundry-rs/foundry/pull/6712'],
  ],
  [
    /rate exceeded/i,
    ['project ID request rate exceeded', 'https://github.com/ConsenSys-archive/truffle/issues/3200'],
  ],
  [/concurrent requests/i, ['maximum number of concurrent requests reached', alloy]],
]

/** The method is closed to us, for now or for good. */
const methodClosed: KnownTexts = [
  [/not whitelisted|no backends available for method/i, ['rpc method is not whitelisted', proxyd]],
]

/** Everything is closed to us on this plan. */
const planClosed: KnownTexts = [
  [
    /(chain|network) (is )?not (available|supported|enabled|included)/i,
    ['chain is not available on free plan', received],
  ],
]

/** Nothing but that it may answer later. */
const later: KnownTexts = [[/try again|temporar/i, ['internal error, please try again', received]]]

/** All tables by the meaning of their texts. */
export const knownTexts = {
  noBatches,
  tooManyCalls,
  codeTooLarge,
  quotaSpent,
  historyMissing,
  stateMissing,
  blockMissing,
  busy,
  tooManyTopics,
  tooManyAddresses,
  addressWanted,
  tooManyBlocks,
  tooOften,
  methodClosed,
  planClosed,
  later,
} as const

/** Whether one of these texts is meant. */
export const isOneOf = (texts: KnownTexts, message: string): boolean =>
  texts.some(([says]) => says.test(message))
