/** Texts of refusals of a range of logs: it has too many blocks or too many logs, or takes too long. */
import { besu, type KnownTexts, ponder, proxyd, received } from './known-text.ts'

/** Only for eth_getLogs. */
export const tooManyBlocks: KnownTexts = [
  // Alchemy, Infura and Coinbase name a range or a number: provider-numbers.ts reads it.
  [
    /block range|blocks? range|range is too|range too|max(imum)? range/i,
    [
      'You can make eth_getLogs requests with up to a 500 block range. Based on your parameters, this block range should work: [0x3d7773, 0x3d7966]',
      'https://github.com/BobTheBuidler/dank_mids/issues/772',
      500,
    ],
    ['Log response size exceeded. this block range should work: [0x1, 0x7d0]', ponder, 2_000],
    ['eth_getLogs is limited to a 10,000 blocks range', ponder, 10_000],
    [
      'You can make eth_getLogs requests with up to a 2K block range and no limit on the response size',
      ponder,
      2_000,
    ],
    ['Try with this block range [0x10, 0x1f].', ponder, 16],
    ['block range too large (2000), maximum allowed is 1000 blocks', ponder, 1_000],
    [
      'block range is larger than max block range, block range = 5120, max block range = 5000',
      'https://github.com/enviodev/hyperindex/issues/605',
      5_000,
    ],
    ['Max range: 3500', ponder, 3_500],
    ['maximum block range: 2000', ponder, 2_000],
    ['query exceeds max block range 1000', ponder, 1_000],
    ['eth_getLogs range is too large, max is 10k blocks', ponder, 10_000],
    [
      'block range is too wide (maximum 1024)',
      'https://github.com/moonbeam-foundation/moonbeam/pull/3250',
      1_024,
    ],
    ['too wide blocks range, the limit is 100', ponder, 100],
    [
      'query block range exceeds server limit, narrow your filter: 1000',
      'https://github.com/erigontech/erigon/pull/20784',
      1_000,
    ],
    ['block range too large', ponder],
    ['Block range is too large', ponder],
    ['Block range limit exceeded.', ponder],
    ['block range greater than 10000 max', received],
    ['Query timeout exceeded. Consider reducing your block range.', ponder],
  ],
  [/limit the query to at most/i, ['please limit the query to at most 1000 blocks', ponder, 1_000]],
  [
    /(requested too many|number of requested) blocks/i,
    ['requested too many blocks from 0 to 5000000, maximum is set to 1024', ponder, 1_024],
    ['Maximum allowed number of requested blocks is 3500', ponder, 3_500],
  ],
  [
    /this block range should work|retry with the range/i,
    [
      'query exceeds max results 20000, retry with the range 25766988-25775072',
      'https://github.com/base/base/issues/2421',
    ],
  ],
  [
    /response size|response (is )?too (large|big)|response exceeds/i,
    [
      'response size should not greater than 10000000 bytes',
      'https://docs.1rpc.io/using-the-web3-api/errors',
    ],
    ['backend response too large', proxyd],
  ],
  [
    /more than [\d,]+ (results|logs)|max(imum)? results|too many (results|logs)|max-results/i,
    ['query returned more than 10000 results', ponder],
    [
      'query returns too many logs, narrow your filter: 20000',
      'https://github.com/erigontech/erigon/pull/20784',
    ],
  ],
  // Arbitrum.
  [/logs matched by query exceeds/i, ['logs matched by query exceeds limit of 10000', ponder]],
  [
    /exceeds the range allowed|limited to (an? )?[\d,]+ (blocks?|range)/i,
    [
      'eth_getLogs is limited to a 10,000 range',
      'https://github.com/OffchainLabs/arbitrum-sdk/issues/609',
      10_000,
    ],
    ['eth_getLogs is limited to a 5 range', ponder, 5],
    ['limited to 2000 block', ponder, 2_000],
    ['exceeds the range allowed for your plan (5000 > 3000)', ponder, 3_000],
  ],
  [
    /ranges over [\d,]+ blocks|(range|span) [\d,]+ .{0,40}exceeds|query exceeds|range must not exceed|range [\d,]+ is bigger than/i,
    ['range 1000000 exceeds limit of 10000', 'https://github.com/INFURA/infura/issues/237', 10_000],
    ['ranges over 10000 blocks are not supported on free plan', ponder, 10_000],
    ['block span 120000 of range [1, 120001] exceeds the limit 10000', received, 10_000],
    ['log query range must not exceed 25 blocks', received, 25],
    // Tenderly, thirdweb: in `data`, beneath "invalid params".
    [
      'invalid params {"payload":"range 9009594 is bigger than range limit 2000"}',
      'https://github.com/bobanetwork/boba_legacy/issues/827',
      2_000,
    ],
  ],
  [
    /query (timeout|timed out)|request timed out/i,
    ['query timed out', ponder],
    ['query timeout of 10 seconds exceeded', 'https://github.com/Analog-Labs/chain-connectors/issues/275'],
  ],
  // mainnet.base.org, if a range is far too wide.
  [/no backend is currently healthy/i, ['no backend is currently healthy to serve traffic', ponder]],
  // Ankr.
  [/blocks? distance/i, ['maximum [from, to] blocks distance: 1200', ponder, 1_200]],
  [/maximum RPC range|range exceeds/i, ['Requested range exceeds maximum RPC range limit', besu]],
  [/number of blocks in range/i, ['exceed max number of blocks in range', received]],
  [/beyond the range/i, ['cannot query blocks beyond the range: 1000', received, 1_000]],
  // Harmony.
  [/smaller than size/i, ['GetLogs query must be smaller than size 1024', ponder, 1_024]],
]
