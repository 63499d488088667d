// Whole form only.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, describe, expect, test } from 'vitest'
import { startCloudfront } from '../../dev/emulators/cloudfront.ts'
import { startS3 } from '../../dev/emulators/s3.ts'
import { followChain } from '../../ingest/writer/writer.ts'
import { distribution } from '../../lambdas/edge/distribution.ts'
import { edgeKeyText, newKey } from '../../schemas/api/access.ts'
import { documents } from '../../schemas/api/documents.ts'
import { operations } from '../../schemas/api/operations.ts'
import { type RebuildRun, rebuild } from '../../snapshot/rebuild.ts'
import { ensureBucket, openBucket } from '../../store/aws/bucket.ts'
import { bearer } from '../support/aws/access.ts'
import { depsOver, startStores, untilIdle } from '../support/aws/ingest-stores.ts'
import { tempDir } from '../support/temp-dir.ts'
import { hostileChain, hostileMarket } from './hostile-market.ts'

/** What genuine contracts may say at their worst goes all the way: decode, fold, tables, engine, documents, schemas, edge. */

type Row = Readonly<Record<string, unknown>>

const { chain, tokens } = hostileMarket()
const stores = await startStores()
await untilIdle(followChain(depsOver(stores, { rpc: chain.rpc, chain: hostileChain })))
const s3 = await startS3({ dir: tempDir(), anonymousRead: ['public'] })
process.env['AWS_ENDPOINT_URL_S3'] = s3.url
await ensureBucket('public')
let run: RebuildRun | undefined
await rebuild(
  { ...stores, published: openBucket('public') },
  {
    clock: () => 0,
    report: (done) => {
      run = done
    },
  },
)
const edge = await startCloudfront({
  ...distribution(),
  origins: { published: `${s3.url}/public` },
  keyValueStore: { get: () => edgeKeyText({ account: 'a', tier: 'enterprise', state: 'active' }) },
})
const headers = bearer(newKey('test'))
/** Every document as a reader gets it. */
const answers = new Map<string, string>()
for (const { name, operation, parameterValues } of documents) {
  const { path, documentParameters: parameters } = operations[operation]
  const query = (parameters ?? []).map(({ names }, at) => `${names[0]}=${parameterValues[at]}`).join('&')
  const response = await fetch(`${edge.url}${path}?${query}`, { headers })
  expect(`${response.status} ${name}`).toBe(`200 ${name}`)
  answers.set(name, await response.text())
}
afterAll(async () => {
  await edge.stop()
  await s3.stop()
  await stores.stop()
})

const rowsOf = (document: string): readonly Row[] => JSON.parse(answers.get(document) ?? '[]')
/** Every row of a token in any list, by the list. */
const rowsAbout = (name: string): readonly Row[] =>
  [...answers.keys()]
    .flatMap((document) => [JSON.parse(answers.get(document)!) as Row | readonly Row[]].flat())
    .filter((row) => String(row['contract_address']).toLowerCase() === tokens[name])
const board = (kind: 'creators' | 'posts') =>
  rowsOf(`v1/z100/${kind}/24h`).map((row) => String(row['contract_address']).toLowerCase())

/** Every value in a JSON value, at any depth. */
const valuesIn = (value: unknown): readonly unknown[] =>
  value !== null && typeof value === 'object' ? Object.values(value).flatMap(valuesIn) : [value]

describe('every document', () => {
  test('is published and served', () => {
    expect(run?.failures.map(String)).toEqual([])
    expect([...answers.keys()]).toEqual(documents.map(({ name }) => name))
    expect(JSON.parse(answers.get('v1/status')!)).toMatchObject({ unpublished: [] })
    expect(rowsOf('v1/z100/creators/24h').length).toBeGreaterThan(50)
    const trending = rowsOf('v1/market/trending/24h/volume')
    expect(trending.length).toBeGreaterThan(50)
    expect(trending.every(({ price_usd: price }) => price !== null)).toBe(true)
  })

  test('is JSON of its schema, with finite numbers and no text that disguises', () => {
    const ajv = new Ajv2020({ allowUnionTypes: true })
    for (const { name, operation } of documents) {
      const body = JSON.parse(answers.get(name)!)
      expect(ajv.validate(operations[operation].body, body), `${name} ${ajv.errorsText()}`).toBe(true)
      for (const value of valuesIn(body)) {
        if (typeof value === 'number') expect(Number.isFinite(value), name).toBe(true)
        if (typeof value !== 'string') continue
        expect(value).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}\p{Default_Ignorable_Code_Point}]/u)
        expect([...value].length).toBeLessThanOrEqual(160)
      }
    }
  })
})

describe('a name', () => {
  const shown: readonly [what: string, name: string, symbol: string][] = [
    ['4 KB', 'n'.repeat(128), 'n'.repeat(32)],
    ['4 KB of four bytes each', '𝔘'.repeat(128), '𝔘'.repeat(32)],
    ['hidden', 'ab', 'ab'],
    ['4 KB of controls', '', ''],
    ['unseen', '', ''],
    ['nothing', '', ''],
    ['controls', 'ab[31mredc', 'ab[31mredc'],
    ['a right-to-left override', 'gpj.exe', 'gpj.exe'],
    ['half a surrogate pair', '\uFFFD broken \uFFFD', '\uFFFD broken \uFFFD'],
    ['prototype', '__proto__', '__proto__'],
    ['constructor', 'constructor', 'constructor'],
  ]
  test.each(shown)('%s is shown cleaned, of a creator and of a post', (name, long, short) => {
    for (const kind of ['creator', 'post'] as const) {
      const rows = rowsAbout(`${kind}: ${name}`)
      expect(rows.length).toBeGreaterThan(0)
      // The post was renamed on the way: its name twice, its symbol as it was.
      const clean = kind === 'creator' ? long : [...`${long}${long}`].slice(0, 128).join('')
      for (const row of rows) {
        const address = String(row['contract_address'])
        const nameless = `${address.slice(0, 6)}…${address.slice(-4)}`
        expect([row['name'], row['symbol']]).toEqual([clean || nameless, short || nameless])
      }
      expect(rows[0]!['creator_handle']).not.toBe('')
    }
  })

  test('of bytes that are no text is shown as the signs for that', () => {
    expect(rowsAbout('creator: no UTF-8')[0]!['name']).toMatch(/^bad \uFFFD+ bytes$/)
  })
})

describe('a figure', () => {
  test.each(['priceless', 'unrouted', 'its own quote'])('of a token without a price is null (%s)', (name) => {
    const rows = rowsAbout(name)
    expect(rows.length).toBeGreaterThan(0)
    const unknown = {
      price_usd: null,
      market_cap: null,
      liquidity_usd: null,
      change_24h: null,
      volume_24h: 0,
    }
    for (const row of rows) expect(row).toMatchObject(unknown)
    expect([...board('creators'), ...board('posts')]).not.toContain(tokens[name])
  })

  test.each(['burned', 'never minted'])('of a token without supply is 0 (%s)', (name) => {
    const rows = rowsAbout(name)
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(row).toMatchObject({ market_cap: 0, holders_count: 0, price_usd: 0.05 })
  })

  test('of an emptied pool counts for nothing, whatever its price says', () => {
    const [row] = rowsOf('v1/z100/creators/24h').filter(
      ({ contract_address }) => String(contract_address).toLowerCase() === tokens['emptied'],
    )
    expect(row).toMatchObject({ liquidity_usd: 0, portfolio_value_raw: 0 })
    expect(row!['rank']).toBeGreaterThan(50)
  })

  test('of overdrawn liquidity is none, and never negative', () => {
    for (const row of rowsAbout('overdrawn')) expect(row['liquidity_usd']).toBe(0)
    for (const document of answers.keys()) {
      for (const [key, value] of JSON.stringify(JSON.parse(answers.get(document)!)).matchAll(
        /"(\w*(?:volume|cap|liquidity|price|count|supply)\w*)":-/g,
      )) {
        expect(`${document} ${key} ${value}`).toMatch(/change/)
      }
    }
  })
})
