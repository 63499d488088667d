import { expect, it, vi } from 'vitest'
import { distrust, endpointsOf } from '../../ingest/client/endpoints.ts'
import { openRpc } from '../../ingest/client/rpc.ts'
import type { Reading } from '../../ingest/read/range.ts'
import { openAgreement, witnessesAfter } from '../../ingest/read/reading.ts'
import type { BlockFacts } from '../../market/fold/fact.ts'
import { NOBODY } from '../../market/fold/holders.ts'
import { address, block, blockOf, coin, transferred } from '../support/facts.ts'

const token = coin({ address: address(0xa1) })
const mint = transferred({ token, from: NOBODY, to: address(1), amount: 1n, fromBalance: 0n, toBalance: 1n })
/** Block 1 with that many facts; those that are left out are the last ones. */
const withFacts = (count: number): readonly BlockFacts[] => [
  blockOf(
    block(1, 60),
    Array.from({ length: count }, () => mint),
  ),
]
const readingOf = (endpoint: string, count: number, form = 'usual'): Reading => ({
  witness: `${endpoint} ${form}`,
  endpoint,
  poolTransactions: [],
  blocks: withFacts(count),
})
const agreementOf = (...readings: readonly Reading[]) => {
  const agreement = openAgreement()
  for (const reading of readings) agreement.add(reading)
  return agreement
}

it.each<[string, readonly Reading[], boolean]>([
  ['one reading', [readingOf('a', 20)], false],
  ['two equal ones of two endpoints', [readingOf('a', 20), readingOf('b', 20)], true],
  ['two equal ones of one endpoint in two forms', [readingOf('a', 20), readingOf('a', 20, 'other')], true],
  ['the same question asked twice', [readingOf('a', 20), readingOf('a', 20)], false],
  ['a smaller one and the whole one', [readingOf('a', 19), readingOf('b', 20)], false],
  [
    'a smaller one that is whole the next time',
    [readingOf('a', 19), readingOf('b', 20), readingOf('a', 20)],
    true,
  ],
  [
    'four that have nearly all and add nothing',
    [readingOf('a', 20), ...[19, 19, 18, 19].map((count) => readingOf('b', count))],
    true,
  ],
  [
    'four that have too little to tell',
    [readingOf('a', 20), ...[9, 9, 9, 9].map((count) => readingOf('b', count))],
    false,
  ],
])('%s: agreed or not', (_name, readings, isReached) => {
  expect(agreementOf(...readings).isReached()).toBe(isReached)
})

it('has every fact of every reading, and names endpoints that lack some', () => {
  const agreement = agreementOf(readingOf('a', 19), readingOf('b', 20))
  expect(agreement.blocks()).toEqual(withFacts(20))
  expect(agreement.incomplete()).toEqual(['a'])
  expect(agreement.endpoints()).toEqual(['a', 'b'])
})

it('is not reached while a proven fact is in no reading', () => {
  const equal = [19, 19, 19, 19].map((count) => readingOf('a', count))
  const agreement = agreementOf(...equal, readingOf('b', 19))
  expect(agreement.isReached()).toBe(true)
  expect(agreement.know(withFacts(20))).toBe(true)
  expect(agreement.know(withFacts(20))).toBe(false)
  expect(agreement.isReached()).toBe(false)
  expect(agreement.incomplete()).toEqual(['a', 'b'])
})

it('combines what each form sees of a transaction', () => {
  const atPools = { transactionHash: block(7, 60).hash, blockNumber: 1 }
  const seeing = (form: string, hasPlatformLog: boolean, hasUnreportedTrade: boolean): Reading => ({
    ...readingOf('a', 2, form),
    poolTransactions: [{ ...atPools, hasPlatformLog, hasUnreportedTrade }],
  })
  expect(agreementOf(seeing('other', false, true), seeing('usual', true, false)).poolTransactions()).toEqual([
    { ...atPools, hasPlatformLog: true, hasUnreportedTrade: true },
  ])
})

it('ignores facts of another fork', () => {
  const agreement = agreementOf(readingOf('a', 2))
  const other = { ...block(1, 60), hash: block(2, 60).hash }
  expect(agreement.know([blockOf(other, [mint, mint, mint])])).toBe(false)
  expect(agreement.blocks()).toEqual(withFacts(2))
})

it('asks other endpoints first, then the same one in another form', () => {
  const rpc = openRpc(['http://one', 'http://two'])
  const names = witnessesAfter(rpc, new Set(['one'])).map(({ rpc, form }) => `${rpc.endpoint.name} ${form}`)
  expect(names).toEqual(['two usual', 'one other', 'two other', 'one usual'])
})

it('asks an endpoint that omitted logs after all others, for an hour', () => {
  const rpc = openRpc(['http://one', 'http://two', 'http://three'])
  distrust(rpc, ['two'])
  const names = () => endpointsOf(rpc, new Set(['one'])).map(({ endpoint }) => endpoint.name)
  expect(names()).toEqual(['three', 'one', 'two'])
  expect(rpc.fastest().endpoint.name).toBe('one')
  distrust(rpc, ['one'])
  expect(rpc.fastest().endpoint.name).not.toBe('one')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_001 })
  expect(names()).toEqual(['two', 'three', 'one'])
  vi.useRealTimers()
})
