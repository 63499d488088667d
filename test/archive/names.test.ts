import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readParquet } from 'parquet-wasm'
import { expect, it } from 'vitest'
import { openColumns } from '../../archive/columns.ts'
import { writtenSets } from '../../archive/sets.ts'
import { cleanName, cleanSymbol } from '../../market/text.ts'
import { hostileTexts } from '../support/described/hostile-texts.ts'
import { openDuckdb } from '../support/duckdb.ts'
import { segmentOf, tokenAt } from '../support/market/facts.ts'
import { tempDir } from '../support/temp-dir.ts'

const MINUTE = 29_000_000
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

it('names with markup, escapes and bidirectional marks stay text in Parquet', async () => {
  const launches = writtenSets.find(({ name }) => name === 'launches') ?? expect.fail('no launches')
  const texts = hostileTexts(150, 'zqzq')
  const born = texts.map(({ name, symbol }, at) =>
    tokenAt(at + 1, MINUTE, { name: cleanName(name), symbol: cleanSymbol(symbol) }),
  )
  const columns = openColumns(launches.columns)
  const segment = segmentOf(MINUTE, { born })
  for (const row of launches.ofMinute({ segment, ratesBefore: new Map() })) columns.add(row)
  const file = join(tempDir(), 'launches.parquet')
  const bytes = columns.bytes()
  writeFileSync(file, bytes)
  const duckdb = await openDuckdb()
  const rows = await duckdb.rows(`SELECT name, symbol, token_address FROM '${file}' ORDER BY log_index`)
  duckdb.stop()
  expect(rows).toHaveLength(born.length)
  for (const [at, { name, symbol }] of rows.entries()) {
    const token = born[at] ?? expect.fail('too many rows')
    if (token.name !== '') expect(name).toBe(token.name)
    if (token.symbol !== '') expect(symbol).toBe(token.symbol)
    expect(`${name}${symbol}`).not.toMatch(hidden)
    expect(`${name}`).not.toBe('')
  }
  const strict = readParquet(bytes).recordBatches()
  expect(strict.reduce((sum, batch) => sum + batch.numRows, 0)).toBe(born.length)
})
