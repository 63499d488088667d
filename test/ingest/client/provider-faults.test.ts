import { describe, expect, it } from 'vitest'
import {
  AddressRequiredError,
  BatchTooLargeError,
  BlockNotYetAvailableError,
  BlockRangeTooLargeError,
  FilterTooLargeError,
  RateLimitedError,
  RpcRefusedError,
  RpcUnavailableError,
  StateAnswerTooLargeError,
  StateUnavailableError,
} from '../../../ingest/client/faults.ts'
import { faultOf } from '../../../ingest/client/provider-faults.ts'
import { hintedBlocks, knownTexts } from '../../../ingest/client/provider-texts.ts'

const fault = (message: string, code = -32_000, method = 'eth_getLogs') =>
  faultOf('rpc.example', method, { code, message })

/** A range that is too large, in the words of real endpoints, and the blocks that it says are allowed. */
const ranges: [message: string, allowedBlocks?: number][] = [
  // As said by Alchemy, Coinbase, Base, 1RPC, QuickNode, Infura, sei, Cloudflare, Thirdweb, BlockPI, Blast, PublicNode, dRPC, MEV Blocker, Sentio, Chainstack, Flashbots.
  [
    'You can make eth_getLogs requests with up to a 500 block range. Based on your parameters, this block range should work: [0x3d7773, 0x3d7966]',
    500,
  ],
  ['Log response size exceeded. this block range should work: [0x1, 0x7d0]', 2_000],
  ['please limit the query to at most 1000 blocks', 1_000],
  ['eth_getLogs is limited to a 10,000 blocks range', 10_000],
  ['eth_getLogs is limited to a 5 range', 5],
  ['You can make eth_getLogs requests with up to a 2K block range and no limit on the response size', 2_000],
  ['Try with this block range [0x10, 0x1f].', 16],
  ['block range too large (2000), maximum allowed is 1000 blocks', 1_000],
  ['Max range: 3500', 3_500],
  ['Maximum allowed number of requested blocks is 3500', 3_500],
  ['limited to 2000 block', 2_000],
  ['exceeds the range allowed for your plan (5000 > 3000)', 3_000],
  ['maximum block range: 2000', 2_000],
  ['query exceeds max block range 1000', 1_000],
  ['requested too many blocks from 0 to 5000000, maximum is set to 1024', 1_024],
  ['range 500000 exceeds limit of 10000', 10_000],
  ['ranges over 10000 blocks are not supported on free plan', 10_000],
  ['maximum [from, to] blocks distance: 1200', 1_200],
  ['cannot query blocks beyond the range: 1000', 1_000],
  ['eth_getLogs range is too large, max is 10k blocks', 10_000],
  ['block range is too wide (maximum 1024)', 1_024],
  ['too wide blocks range, the limit is 100', 100],
  ['block range too large'],
  ['Block range is too large'],
  ['block range is too wide'],
  ['Block range limit exceeded.'],
  ['no backend is currently healthy to serve traffic'],
  ['query returned more than 10000 results'],
  ['query exceeds max results 100000, retry with the range 0-3'],
  ['backend response too large'],
  ['response size should not greater than 10000000 bytes'],
  ['Query timeout exceeded. Consider reducing your block range.'],
  ['query timed out'],
  ['Request timeout on the free plan, please upgrade to paid plan'],
  ['block span 120000 of range [1, 120001] exceeds the limit 10000'],
  ['requested range exceeds maximum RPC range limit'],
  ['exceed max number of blocks in range'],
  ['block range greater than 10000 max'],
]

const logs = ['eth_getLogs']
/** What a text can mean: the fault, what it says besides, and the methods that are called. */
const meanings: Readonly<Record<string, { kind: unknown; methods: readonly string[]; like?: object }>> = {
  'a rate limit': { kind: RateLimitedError, methods: ['eth_getLogs', 'eth_getBlockByNumber', 'eth_call'] },
  'wanted addresses': { kind: AddressRequiredError, methods: logs },
  'too many addresses': { kind: FilterTooLargeError, methods: logs },
  'no answer for now': { kind: RpcUnavailableError, methods: logs },
  'no such block': { kind: BlockNotYetAvailableError, methods: logs },
  'too large a batch': { kind: BatchTooLargeError, methods: ['eth_getBlockByNumber'] },
  'no batches': { kind: BatchTooLargeError, methods: ['eth_getBlockByNumber'], like: { allowedCalls: 1 } },
  'a refusal': { kind: RpcRefusedError, methods: ['eth_chainId'], like: { retryable: false } },
  'no such state': { kind: StateUnavailableError, methods: ['eth_call'] },
}

describe('messages of endpoints', () => {
  it.each(ranges)('mean a range that is too large, whatever the code: %s', (message, allowedBlocks) => {
    for (const code of [-32_600, -32_000, -32_005]) {
      const found = fault(message, code)
      expect(found).toBeInstanceOf(BlockRangeTooLargeError)
      expect(found).toMatchObject({ allowedBlocks, isCertain: true, retryable: true })
    }
  })

  it.each<[meaning: keyof typeof meanings, message: string, code: number]>([
    ['a rate limit', 'rate limit exceeded', -32_005],
    ['a rate limit', 'Your app has exceeded its compute units per second capacity', 429],
    ['a rate limit', 'Too Many Requests', 429],
    ['a rate limit', "You've exceeded the RPS limit available on the current plan.", -32_005],
    ['a rate limit', 'credits limited to 6000/sec', -32_012],
    ['a rate limit', 'Too many request, try again later', 15],
    ['a rate limit', 'project ID request rate exceeded', -32_005],
    ['a rate limit', 'daily request count exceeded, request rate limited', -32_005],
    ['a rate limit', '100/second request limit reached - reduce calls per second', -32_007],
    ['a rate limit', 'over rate limit', -32_016],
    ['a rate limit', 'backend is over capacity', -32_012],
    [
      'wanted addresses',
      'Please specify an address in your request or, to remove restrictions, order a dedicated node',
      -32_701,
    ],
    ['wanted addresses', 'eth_getLogs requires an address', -32_602],
    ['wanted addresses', 'a contract address is required in the filter', -32_000],
    ['wanted addresses', 'logs without address are not allowed', -32_600],
    ['too many addresses', 'Please specify less number of addresses. Maximum allowed is 100.', -32_000],
    ['too many addresses', 'too many addresses in filter', -32_000],
    ['too many addresses', 'exceed max addresses or topics per search position', -32_000],
    ['no answer for now', 'no healthy upstream', 503],
    ['no answer for now', 'internal error', -32_603],
    ['no answer for now', 'something never seen', 1],
    ['no such block', 'unknown block', -32_000],
    ['no such block', 'header not found', -32_000],
    [
      'no such block',
      'One of the blocks specified in filter (fromBlock, toBlock or blockHash) cannot be found.',
      -32_000,
    ],
    ['no such block', 'block range extends beyond current head block', -32_602],
    ['no such block', 'invalid block range params', -32_602],
    ['no such block', 'BlockOutOfRangeError: block height is 5 but requested was 9', -32_602],
    ['too large a batch', 'over the limit: maximum 10 calls in 1 batch', -32_014],
    ['too large a batch', 'batch limit exceeded', -32_005],
    ['too large a batch', 'Batch of more than 3 requests are not allowed on free plan', 31],
    ['too large a batch', 'too many RPC calls in batch request', -32_000],
    ['too large a batch', 'Payload Too Large', 413],
    ['no batches', 'Batch requests are not supported', -32_600],
    ['no batches', 'batch request is not allowed', -32_600],
    ['no batches', 'batching is disabled', -32_600],
    ['no batches', 'this endpoint does not support batch', -32_600],
    ['a refusal', 'the method eth_chainid does not exist', -32_601],
    ['a refusal', 'invalid argument 0: hex string', -32_602],
    ['a refusal', 'Must be authenticated!', 401],
    ['no such state', 'missing trie node ecd6 (path ) state 0xecd6 is not available, not found', -32_000],
    ['no such state', 'Unknown state. First available state is 1', 27],
    ['no such state', 'pruned history unavailable', 4_444],
  ])('mean %s: %s', (meaning, message, code) => {
    const { kind, methods, like = {} } = meanings[meaning]!
    for (const method of methods) {
      const found = fault(message, code, method)
      expect(found).toBeInstanceOf(kind)
      expect(found).toMatchObject(like)
    }
  })

  it.each([408, 504, 524])('HTTP %i for a range of logs: it takes too long', (status) => {
    expect(fault('<html>', status)).toBeInstanceOf(BlockRangeTooLargeError)
    expect(fault('<html>', status, 'eth_chainId')).toBeInstanceOf(RpcUnavailableError)
  })

  it('with EIP-1474’s limit code and unknown words mean a rate limit, except that for logs the cause is uncertain', () => {
    expect(fault('nope', -32_005, 'eth_chainId')).toBeInstanceOf(RateLimitedError)
    expect(fault('nope', -32_005)).toBeInstanceOf(RpcUnavailableError)
  })

  it.each([
    [401, 'Unauthorized'],
    [402, 'Payment Required'],
    [403, '<html><title>Just a moment...</title>too many requests, block range</html>'],
    [404, 'no such path'],
  ])('HTTP %i refuses everything, whatever its page says: %s', (status, message) => {
    for (const method of ['eth_getLogs', 'eth_chainId'])
      expect(faultOf('rpc.example', method, { code: status, status, message })).toMatchObject({
        name: 'RpcRefusedError',
        scope: 'everything',
      })
  })

  it('refuse one method where it is not whitelisted, with HTTP 403 or without', () => {
    const refused = { code: -32_601, message: 'rpc method is not whitelisted' }
    for (const error of [refused, { ...refused, status: 403 }])
      expect(faultOf('rpc.example', 'eth_getLogs', error)).toMatchObject({
        name: 'RpcRefusedError',
        scope: 'method',
      })
  })

  it('are printed as one line without control characters, a page by its title', () => {
    expect(fault('slow \u001b[31m\n\tdown').message).toContain('eth_getLogs: slow [31m down (-32000)')
    expect(fault('<!doctype html>\n<title>Bad\ngateway</title><p>x', 502).message).toContain(
      'eth_getLogs: Bad gateway (502)',
    )
    expect(fault('<p>x', 502).message).toContain('eth_getLogs: a page (502)')
  })

  it('about ranges are ignored for other methods', () => {
    expect(fault('block range too large', -32_000, 'eth_chainId')).toBeInstanceOf(RpcUnavailableError)
  })

  it('are cut, because an endpoint can send one of any length', () => {
    expect(fault(`${'x'.repeat(100_000)} block range too large`).message.length).toBeLessThan(600)
  })
})

describe('the tables of texts', () => {
  const meanings = [
    ['tooManyBlocks', 'eth_getLogs', BlockRangeTooLargeError],
    ['tooManyCalls', 'eth_getBlockByNumber', BatchTooLargeError],
    ['noBatches', 'eth_getBlockByNumber', BatchTooLargeError],
    ['addressWanted', 'eth_getLogs', AddressRequiredError],
    ['tooManyAddresses', 'eth_getLogs', FilterTooLargeError],
    ['blockMissing', 'eth_getLogs', BlockNotYetAvailableError],
    ['stateMissing', 'eth_call', StateUnavailableError],
    ['codeTooLarge', 'eth_call', StateAnswerTooLargeError],
    ['tooOften', 'eth_getLogs', RateLimitedError],
    ['methodClosed', 'eth_getLogs', RpcRefusedError],
    ['later', 'eth_getLogs', RpcUnavailableError],
  ] as const

  it.each(meanings)('of %s have an example each that means this, and a source', (table, method, kind) => {
    for (const [says, example, source] of knownTexts[table]) {
      expect(example).toMatch(says)
      expect(fault(example, -32_000, method)).toBeInstanceOf(kind)
      expect(source).toMatch(/^(https:\/\/github\.com\/\S+|received)$/)
    }
  })

  it.each([
    ['only 250 blocks please', 250],
    ['span of 40-block requests', 40],
    ['your distance must be under 2k', 2_000],
    ['internal error', undefined],
    ['error in batch 7', undefined],
  ])('a number of blocks in an unknown text is a hint: %s', (message, blocks) => {
    expect(hintedBlocks(message)).toBe(blocks)
  })
})
