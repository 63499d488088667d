import { describe, expect, it } from 'vitest'
import {
  AddressRequiredError,
  BatchTooLargeError,
  BlockNotYetAvailableError,
  BlockRangeTooLargeError,
  FilterTooLargeError,
  HistoryUnavailableError,
  QuotaSpentError,
  RateLimitedError,
  RpcRefusedError,
  RpcUnavailableError,
  StateAnswerTooLargeError,
  StateUnavailableError,
} from '../../../ingest/client/faults.ts'
import { faultOf } from '../../../ingest/client/provider-faults.ts'
import type { Reported } from '../../../ingest/texts/known-text.ts'
import { hintedBlocks } from '../../../ingest/texts/provider-numbers.ts'
import { knownTexts } from '../../../ingest/texts/provider-texts.ts'

const fault = (message: string, code = -32_000, method = 'eth_getLogs') =>
  faultOf('rpc.example', method, { code, message })

type Named = Reported[2]
const anywhere = ['eth_getLogs', 'eth_getBlockByNumber', 'eth_call']
/** What the texts of a table mean, to these methods, and what the fault has of the number or period that they name. */
const meanings: Readonly<
  Record<
    keyof typeof knownTexts,
    { kind: unknown; methods: readonly string[]; like?: (named: Named) => object }
  >
> = {
  noBatches: {
    kind: BatchTooLargeError,
    methods: ['eth_getBlockByNumber'],
    like: (allowedCalls) => ({ allowedCalls }),
  },
  tooManyCalls: {
    kind: BatchTooLargeError,
    methods: ['eth_getBlockByNumber'],
    like: (allowedCalls) => ({ allowedCalls }),
  },
  codeTooLarge: { kind: StateAnswerTooLargeError, methods: ['eth_call'] },
  quotaSpent: { kind: QuotaSpentError, methods: anywhere, like: (period) => ({ period, retryable: true }) },
  historyMissing: { kind: HistoryUnavailableError, methods: ['eth_getLogs', 'eth_getBlockByNumber'] },
  stateMissing: { kind: StateUnavailableError, methods: ['eth_call'] },
  blockMissing: { kind: BlockNotYetAvailableError, methods: ['eth_getLogs'] },
  busy: { kind: RpcUnavailableError, methods: anywhere, like: () => ({ isBusy: true }) },
  tooManyTopics: { kind: FilterTooLargeError, methods: ['eth_getLogs'], like: () => ({ too: 'topics' }) },
  tooManyAddresses: {
    kind: FilterTooLargeError,
    methods: ['eth_getLogs'],
    like: () => ({ too: 'addresses' }),
  },
  addressWanted: { kind: AddressRequiredError, methods: ['eth_getLogs'] },
  tooManyBlocks: {
    kind: BlockRangeTooLargeError,
    methods: ['eth_getLogs'],
    like: (allowedBlocks) => ({ allowedBlocks, isCertain: true, retryable: true }),
  },
  tooOften: { kind: RateLimitedError, methods: anywhere },
  methodClosed: { kind: RpcRefusedError, methods: anywhere, like: () => ({ scope: 'method' }) },
  planClosed: { kind: RpcRefusedError, methods: anywhere, like: () => ({ scope: 'everything' }) },
  later: { kind: RpcUnavailableError, methods: anywhere, like: () => ({ isBusy: false }) },
}

const rows = Object.entries(knownTexts).flatMap(([table, texts]) =>
  texts.flatMap(([says, ...reported]) =>
    reported.map(([text, source, named]) => ({
      text,
      says,
      source,
      named,
      ...meanings[table as keyof typeof knownTexts],
    })),
  ),
)

describe('a known text of an endpoint', () => {
  it.each(rows)('means one thing, whatever its code: $text', (row) => {
    const { text, says, source, named, kind, methods, like = () => ({}) } = row
    expect(text).toMatch(says)
    expect(source).toMatch(/^(https:\/\/\S+|received)$/)
    for (const method of methods)
      for (const code of [-32_600, -32_602, -32_000, -32_005, 15]) {
        const found = fault(text, code, method)
        expect(found).toBeInstanceOf(kind)
        expect(found).toMatchObject(like(named))
      }
  })

  it.each<[table: keyof typeof knownTexts, status: number, code: number]>([
    ['quotaSpent', 429, 429],
    ['quotaSpent', 403, -32_600],
    ['historyMissing', 403, -32_602],
    ['historyMissing', 401, 401],
    ['busy', 408, 30],
    ['methodClosed', 403, -32_601],
    ['planClosed', 400, -32_000],
  ])('of %s means the same with HTTP %i', (table, status, code) => {
    const [first] = knownTexts[table]
    const [, [text] = ['']] = first ?? []
    const { kind, like = () => ({}) } = meanings[table]
    const found = faultOf('rpc.example', 'eth_getLogs', { code, status, message: text })
    expect(found).toBeInstanceOf(kind)
    if (table !== 'quotaSpent') expect(found).toMatchObject(like(undefined))
  })
})

describe('messages of endpoints', () => {
  it.each<[kind: string, message: string, code: number, method?: string]>([
    ['RpcUnavailableError', 'no healthy upstream', 503],
    ['RpcUnavailableError', 'internal error', -32_603],
    ['RpcUnavailableError', 'something never seen', 1],
    ['RpcUnavailableError', 'limit exceeded', -32_005],
    ['RateLimitedError', 'limit exceeded', -32_005, 'eth_chainId'],
    ['RateLimitedError', 'nope', 429],
    ['BlockRangeTooLargeError', 'Payload Too Large', 413],
    ['BatchTooLargeError', 'Payload Too Large', 413, 'eth_getBlockByNumber'],
    ['RpcRefusedError', 'the method eth_chainid does not exist', -32_601, 'eth_chainId'],
    ['RpcRefusedError', 'invalid argument 0: hex string', -32_602, 'eth_chainId'],
    ['RpcRefusedError', 'Must be authenticated!', 401, 'eth_chainId'],
    ['StateUnavailableError', 'pruned history unavailable', 4_444, 'eth_call'],
    ['StateUnavailableError', 'Archive requests require a personal token', -32_602, 'eth_call'],
    ['StateUnavailableError', 'header not found', -32_000, 'eth_call'],
  ])(
    'are read by their code if their words are unknown, or by their method: %s, %s',
    (kind, message, code, method) => {
      expect(fault(message, code, method).name).toBe(kind)
    },
  )

  it('that ask for a pause of ten minutes or more mean a quota, shorter ones a rate', () => {
    const asked = (retryAfterMs: number) =>
      faultOf('rpc.example', 'eth_getLogs', { code: 429, message: 'slow down', retryAfterMs })
    expect(asked(599_000)).toMatchObject({ name: 'RateLimitedError', retryAfterMs: 599_000 })
    expect(asked(600_000)).toMatchObject({
      name: 'QuotaSpentError',
      retryAfterMs: 600_000,
      period: undefined,
    })
  })

  it.each([408, 504, 524])('HTTP %i for a range of logs: it takes too long', (status) => {
    expect(fault('<html>', status)).toBeInstanceOf(BlockRangeTooLargeError)
    expect(fault('<html>', status, 'eth_chainId')).toBeInstanceOf(RpcUnavailableError)
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

describe('an unknown text', () => {
  it.each([
    ['only 250 blocks please', 250],
    ['span of 40-block requests', 40],
    ['your distance must be under 2k', 2_000],
    ['internal error', undefined],
    ['error in batch 7', undefined],
  ])('may name a number of blocks, which is a hint: %s', (message, blocks) => {
    expect(hintedBlocks(message)).toBe(blocks)
  })
})
