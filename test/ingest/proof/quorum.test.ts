import { expect, it, vi } from 'vitest'
import { distrust, endpointsOf } from '../../../ingest/client/endpoints.ts'
import { openRpc } from '../../../ingest/client/rpc.ts'
import type { Reading } from '../../../ingest/read/range.ts'
import { openQuorum, readingSourcesAfter } from '../../../ingest/read/reading.ts'
import type { BlockFacts } from '../../../market/fold/fact.ts'
import { NOBODY } from '../../../market/fold/holders.ts'
import { address, block, blockOf, coin, transferred } from '../../support/market/facts.ts'

const token = coin({ address: address(0xa1) })
const mint = transferred(token, [NOBODY, address(1)], [1n, 0n, 1n])
/** Block 1 with that many facts; those that are left out are the last ones. */
const withFacts = (count: number): readonly BlockFacts[] => [
  blockOf(
    block(1, 60),
    Array.from({ length: count }, () => mint),
  ),
]
const readingOf = (endpoint: string, count: number, mode = 'usual'): Reading => ({
  readingSource: `${endpoint} ${mode}`,
  endpoint,
  poolTransactions: [],
  blocks: withFacts(count),
})
function quorumOf(...readings: readonly Reading[]) {
  const quorum = openQuorum()
  for (const reading of readings) quorum.add(reading)
  return quorum
}

it.each<[string, readonly Reading[], boolean]>([
  ['one reading', [readingOf('a', 20)], false],
  ['two equal ones of two endpoints', [readingOf('a', 20), readingOf('b', 20)], true],
  ['two equal ones of one endpoint in two modes', [readingOf('a', 20), readingOf('a', 20, 'other')], true],
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
  expect(quorumOf(...readings).isReached()).toBe(isReached)
})

it('a quorum has every fact of every reading, and names endpoints that lack some', () => {
  const quorum = quorumOf(readingOf('a', 19), readingOf('b', 20))
  expect(quorum.blocks()).toEqual(withFacts(20))
  expect(quorum.incomplete()).toEqual(['a'])
  expect(quorum.endpoints()).toEqual(['a', 'b'])
})

it.each<[string, readonly (readonly [endpoint: string, claimedMs?: number])[], number | undefined]>([
  [
    'two endpoints claim',
    [
      ['a', 60_200],
      ['b', 60_200],
    ],
    60_200,
  ],
  ['two of three claim, of whom one says nothing', [['a', 60_200], ['b'], ['c', 60_200]], 60_200],
  [
    'one endpoint claims twice',
    [
      ['a', 60_200],
      ['a', 60_200],
    ],
    undefined,
  ],
  [
    'one of those that were read in turn claims again',
    [
      ['a, b', 60_200],
      ['b', 60_200],
    ],
    undefined,
  ],
  [
    'a third endpoint denies',
    [
      ['a', 60_200],
      ['b', 60_200],
      ['c', 60_400],
    ],
    undefined,
  ],
])('milliseconds that %s: believed or not', (_name, claims, wanted) => {
  const readings = claims.map(([endpoint, claimedMs], at) => ({
    ...readingOf(endpoint, 1, `${at}`),
    blocks: withFacts(1).map((each) => ({ ...each, ...(claimedMs && { claimedMs }) })),
  }))
  expect(quorumOf(...readings).blocks()[0]?.timestampMs).toBe(wanted)
})

it('a quorum is not reached while a proven fact is in no reading', () => {
  const equal = [19, 19, 19, 19].map((count) => readingOf('a', count))
  const quorum = quorumOf(...equal, readingOf('b', 19))
  expect(quorum.isReached()).toBe(true)
  expect(quorum.know(withFacts(20))).toBe(true)
  expect(quorum.know(withFacts(20))).toBe(false)
  expect(quorum.isReached()).toBe(false)
  expect(quorum.incomplete()).toEqual(['a', 'b'])
})

it('a quorum combines both modes’ views of a transaction', () => {
  const atPools = { transactionHash: block(7, 60).hash, blockNumber: 1 }
  const seeing = (mode: string, hasPlatformLog: boolean, hasUnreportedTrade: boolean): Reading => ({
    ...readingOf('a', 2, mode),
    poolTransactions: [{ ...atPools, hasPlatformLog, hasUnreportedTrade }],
  })
  expect(quorumOf(seeing('other', false, true), seeing('usual', true, false)).poolTransactions()).toEqual([
    { ...atPools, hasPlatformLog: true, hasUnreportedTrade: true },
  ])
})

it('a quorum ignores facts of another fork', () => {
  const quorum = quorumOf(readingOf('a', 2))
  const other = { ...block(1, 60), hash: block(2, 60).hash }
  expect(quorum.know([blockOf(other, [mint, mint, mint])])).toBe(false)
  expect(quorum.blocks()).toEqual(withFacts(2))
})

it('the next reading prefers other endpoints, then the same one in another mode', () => {
  const rpc = openRpc(['http://one', 'http://two'])
  const names = readingSourcesAfter(rpc, new Set(['one'])).map(
    ({ rpc, mode }) => `${rpc.endpoint.name} ${mode}`,
  )
  expect(names).toEqual(['two usual', 'one other', 'two other', 'one usual'])
})

it('an endpoint that omitted logs ranks after all others for an hour', () => {
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
