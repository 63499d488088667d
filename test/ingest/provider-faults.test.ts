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
  StateUnavailableError,
} from '../../ingest/faults.ts'
import { faultOf } from '../../ingest/provider-faults.ts'

const fault = (message: string, code = -32_000, method = 'eth_getLogs') =>
  faultOf('rpc.example', method, { code, message })

describe('messages of endpoints', () => {
  // As said by Alchemy, Coinbase, Base, 1RPC, QuickNode, Infura, sei, Cloudflare, Thirdweb, BlockPI, Blast, PublicNode, dRPC, MEV Blocker, Sentio, Chainstack, Flashbots.
  it.each([
    [
      'You can make eth_getLogs requests with up to a 500 block range. Based on your parameters, this block range should work: [0x3d7773, 0x3d7966]',
      500,
    ],
    ['Log response size exceeded. this block range should work: [0x1, 0x7d0]', 2_000],
    ['please limit the query to at most 1000 blocks', 1_000],
    ['eth_getLogs is limited to a 10,000 blocks range', 10_000],
    ['eth_getLogs is limited to a 5 range', 5],
    [
      'You can make eth_getLogs requests with up to a 2K block range and no limit on the response size',
      2_000,
    ],
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
  ])('a range that is too large, and what is allowed: %s', (message, allowedBlocks) => {
    const found = fault(message, -32_600)
    expect(found).toBeInstanceOf(BlockRangeTooLargeError)
    expect(found).toMatchObject({ allowedBlocks, retryable: true })
  })

  it.each([
    'block range too large',
    'Block range is too large',
    'block range is too wide',
    'Block range limit exceeded.',
    'no backend is currently healthy to serve traffic',
    'query returned more than 10000 results',
    'query exceeds max results 100000, retry with the range 0-3',
    'backend response too large',
    'response size should not greater than 10000000 bytes',
    'Query timeout exceeded. Consider reducing your block range.',
    'query timed out',
    'Request timeout on the free plan, please upgrade to paid plan',
    'block span 120000 of range [1, 120001] exceeds the limit 10000',
  ])('a range that is too large: %s', (message) => {
    const found = fault(message)
    expect(found).toBeInstanceOf(BlockRangeTooLargeError)
    expect(found).toMatchObject({ allowedBlocks: undefined })
  })

  it.each([
    ['rate limit exceeded', -32_005],
    ['Your app has exceeded its compute units per second capacity', 429],
    ['Too Many Requests', 429],
    ["You've exceeded the RPS limit available on the current plan.", -32_005],
  ])('an endpoint that rate-limits its caller: %s', (message, code) => {
    expect(fault(message, code)).toBeInstanceOf(RateLimitedError)
  })

  it.each([
    ['Please specify an address in your request or, to remove restrictions, order a dedicated node', -32_701],
    ['eth_getLogs requires an address', -32_602],
    ['a contract address is required in the filter', -32_000],
    ['logs without address are not allowed', -32_600],
  ])('an endpoint that wants addresses: %s', (message, code) => {
    expect(fault(message, code)).toBeInstanceOf(AddressRequiredError)
  })

  it.each([
    'Please specify less number of addresses. Maximum allowed is 100.',
    'too many addresses in filter',
    'exceed max addresses or topics per search position',
  ])('a filter with too many addresses: %s', (message) => {
    expect(fault(message)).toBeInstanceOf(FilterTooLargeError)
  })

  it.each([
    ['no healthy upstream', 503],
    ['internal error', -32_603],
    ['something never seen', 1],
  ])('an endpoint that may answer later: %s', (message, code) => {
    expect(fault(message, code)).toBeInstanceOf(RpcUnavailableError)
  })

  it.each([
    ['unknown block', -32_000],
    ['header not found', -32_000],
    ['One of the blocks specified in filter (fromBlock, toBlock or blockHash) cannot be found.', -32_000],
    ['block range extends beyond current head block', -32_602],
    ['invalid block range params', -32_602],
    ['BlockOutOfRangeError: block height is 5 but requested was 9', -32_602],
  ])('a block that is not there: %s', (message, code) => {
    expect(fault(message, code)).toBeInstanceOf(BlockNotYetAvailableError)
  })

  it.each([
    ['over the limit: maximum 10 calls in 1 batch', -32_014],
    ['batch limit exceeded', -32_005],
    ['Batch of more than 3 requests are not allowed on free plan', 31],
    ['too many RPC calls in batch request', -32_000],
    ['Payload Too Large', 413],
  ])('a batch that is too large: %s', (message, code) => {
    expect(fault(message, code, 'eth_getBlockByNumber')).toBeInstanceOf(BatchTooLargeError)
  })

  it.each([
    ['the method eth_chainid does not exist', -32_601],
    ['invalid argument 0: hex string', -32_602],
    ['Must be authenticated!', 401],
  ])('a refusal: %s', (message, code) => {
    const found = fault(message, code, 'eth_chainId')
    expect(found).toBeInstanceOf(RpcRefusedError)
    expect(found.retryable).toBe(false)
  })

  it.each([
    ['missing trie node ecd6 (path ) state 0xecd6 is not available, not found', -32_000],
    ['Unknown state. First available state is 1', 27],
    ['pruned history unavailable', 4_444],
  ])('a state that is not kept: %s', (message, code) => {
    expect(fault(message, code, 'eth_call')).toBeInstanceOf(StateUnavailableError)
  })

  it.each([408, 504, 524])('HTTP %i for a range of logs: it takes too long', (status) => {
    expect(fault('<html>', status)).toBeInstanceOf(BlockRangeTooLargeError)
    expect(fault('<html>', status, 'eth_chainId')).toBeInstanceOf(RpcUnavailableError)
  })

  it('about ranges are ignored for other methods', () => {
    expect(fault('block range too large', -32_000, 'eth_chainId')).toBeInstanceOf(RpcUnavailableError)
  })

  it('are cut, because an endpoint can send one of any length', () => {
    expect(fault(`${'x'.repeat(100_000)} block range too large`).message.length).toBeLessThan(600)
  })
})
