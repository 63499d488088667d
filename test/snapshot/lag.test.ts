import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { effectiveEntries } from '../../market/log.ts'
import { emptyState, type StateField, stateFields, type TokenState } from '../../market/segment.ts'
import { edgeNames, edges } from '../../market/window.ts'
import { emptyColumns, writeState } from '../../snapshot/columns.ts'
import { builders, snapshotOf } from '../../snapshot/documents.ts'
import { advance, type Engine, emptyEngine } from '../../snapshot/engine.ts'
import { engineFrom, imageBytes } from '../../snapshot/image.ts'
import { emptyLag, hold, NotHeldError, readLag, settle } from '../../snapshot/lag.ts'
import { snapshotDocuments } from '../../snapshot/publish.ts'
import { addressOf, seal, segmentOf, stateFrom, tokenAt } from '../support/market-history.ts'
import { type MemoryLog, memoryLog } from '../support/memory-stores.ts'

const START = 29_000_000
const TOKENS = 12
const fields = Object.keys(stateFields) as StateField[]

/** `LAG_RUNS=3000 npx vitest run test/snapshot/lag.test.ts` for the long form. */
const numRuns = Number(process.env['LAG_RUNS'] ?? 12)

const gaps = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 70 }) },
  { weight: 3, arbitrary: fc.constantFrom(240, 1_440, 1_500, 10_080) },
  { weight: 1, arbitrary: fc.constantFrom(43_200, 50_000) },
)
const minutes = fc.array(fc.record({ gap: gaps, seed: fc.nat(1_000_000) }), { minLength: 3, maxLength: 25 })

/** A log in which a third of the tokens, or none, change each minute; posts belong to creator tokens. */
async function logOf(history: readonly { gap: number; seed: number }[]): Promise<MemoryLog> {
  const log = memoryLog()
  const numbers = Array.from({ length: TOKENS }, (_, at) => at + 1)
  const tokens = numbers.map((number) =>
    tokenAt(number, START, number % 3 === 0 ? { kind: 'post', quote: addressOf(number - 1) } : {}),
  )
  let minute = START
  let trades = 1
  const rowsOf = (some: readonly number[], seed: number) =>
    some.map((number) => {
      const state: TokenState = { ...stateFrom(seed + number), cumTrades: trades, cumEngagement: trades }
      return [addressOf(number), { ...state, cumVolumeMicroUsd: BigInt(trades) * 1_000_000n }] as const
    })
  const launched = tokens.map((after) => ({ before: null, after }))
  await seal(log, segmentOf(minute, { tokens: launched, rows: rowsOf(numbers, 1) }))
  for (const { gap, seed } of history) {
    minute += gap
    trades += 1
    const changed = numbers.filter((number) => (seed >> number) % 3 === 0)
    await seal(log, segmentOf(minute, { rows: rowsOf(changed, seed), rate: 900 + (seed % 200) }))
  }
  return log
}

/** Goes through the log; `keepAll`: every token keeps a row at every edge for good. */
async function engineAfter(log: MemoryLog, keepAll: boolean): Promise<Engine> {
  const engine = emptyEngine()
  const entries = effectiveEntries(log.entries)
  const segments = new Map(
    await Promise.all(
      entries.map(async ({ segment }) => [segment.key, await log.readSegment(segment)] as const),
    ),
  )
  const kept = new Set<number>()
  for (const entry of entries) {
    advance(engine, entry, ({ key }) => segments.get(key)!)
    for (const number of keepAll ? engine.numbers.values() : []) {
      if (kept.has(number)) continue
      kept.add(number)
      for (const name of edgeNames) if (engine.edges[name].lag) hold(engine.edges[name].lag, number)
    }
  }
  return engine
}

const publishedBy = (engine: Engine) => {
  const snapshot = snapshotOf(engine, { chain: null, codeVersion: null })
  return snapshotDocuments.map(({ name, operation, axes }) => [
    name,
    builders[operation](snapshot, axes).text,
  ])
}

const rowsAt = (engine: Engine) => edgeNames.map((name) => engine.edges[name].lag?.places.size ?? 0)

describe('a lag', () => {
  it('changes no published byte by letting go of tokens that nobody trades', async () => {
    await fc.assert(
      fc.asyncProperty(minutes, async (history) => {
        const log = await logOf(history)
        const [lean, full] = [await engineAfter(log, false), await engineAfter(log, true)]
        expect(rowsAt(full)).toEqual(edgeNames.map((name) => (name === 'now' ? 0 : TOKENS)))
        expect(publishedBy(lean)).toEqual(publishedBy(full))
        expect(publishedBy(engineFrom(imageBytes(lean)))).toEqual(publishedBy(full))
      }),
      { numRuns },
    )
  })

  it('keeps rows of the tokens that changed since its edge, and of no others', async () => {
    // Seed 0 changes all tokens; the highest seeds tried below change token 1 alone.
    const one = [...Array(1_000_000).keys()].find((seed) =>
      Array.from({ length: TOKENS }, (_, at) => (seed >> (at + 1)) % 3 === 0).every(
        (is, at) => is === (at === 0),
      ),
    )!
    const engineOf = async (gapsAfter: readonly number[]) =>
      engineAfter(await logOf([{ gap: 10, seed: 0 }, ...gapsAfter.map((gap) => ({ gap, seed: one }))]), false)
    const rows = (engine: Engine) =>
      Object.fromEntries(edgeNames.map((name, at) => [name, rowsAt(engine)[at]]))
    expect(rows(await engineOf([59]))).toMatchObject({ '1h': TOKENS, '24h': TOKENS, '30d': TOKENS })
    expect(rows(await engineOf([60]))).toMatchObject({ '1h': 1, '24h': TOKENS, '30d': TOKENS })
    expect(rows(await engineOf([60, 1_440]))).toMatchObject({ '1h': 1, '24h': 1, '7d': TOKENS })
    expect(rows(await engineOf([43_200]))).toEqual({
      ...Object.fromEntries(edgeNames.map((name) => [name, name === 'now' ? 0 : 1])),
    })
  })

  it('refuses a row that it was not told of when it passed now', () => {
    const now = emptyColumns(fields)
    writeState(now, 0, stateFrom(1))
    const lag = emptyLag(now, edges['1h'].fields)
    expect(() => settle(lag, 0, stateFrom(2))).toThrow(NotHeldError)
    hold(lag, 0)
    writeState(now, 0, stateFrom(2))
    expect(readLag(lag, 'supply', 0)).toBe(stateFrom(1).supply)
    settle(lag, 0, stateFrom(2))
    expect(readLag(lag, 'supply', 0)).toBe(stateFrom(2).supply)
    expect(readLag(lag, 'supply', 7)).toBe(emptyState.supply)
    expect(() => settle(lag, 0, stateFrom(2))).toThrow(NotHeldError)
  })
})
