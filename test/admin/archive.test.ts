// Whole form only.
/** The archive into a folder, and a log taken over from there, as an operator does both. */
import { link, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { archiveManifestKey } from '../../archive/span.ts'
import { type Emulator, listen } from '../../dev/emulators/listening.ts'
import type { ArchiveManifest } from '../../schemas/records/archive.ts'
import { rebuild } from '../../snapshot/rebuild.ts'
import { FIRST_LOG, OWN_RULES, openLogs } from '../../store/log/logs.ts'
import { admin, readyDir } from '../support/admin.ts'
import { startStores, startWriter, untilIdle, visible } from '../support/aws/ingest-stores.ts'
import { type DevnetMarket, startDevnetMarket } from '../support/chain/devnet-market.ts'
import { openDuckdb } from '../support/duckdb.ts'
import { expectAsFromZero } from '../support/from-zero.ts'
import { isWhole } from '../support/rounds.ts'
import { tempDir } from '../support/temp-dir.ts'

const folder = tempDir()
const NOW = Date.now()
const yesterday = new Date(NOW - 86_400_000).toISOString().slice(0, 10)
const past = { blocks: 8, days: 2.5, trades: 20, creators: 2, posts: 3 }
let market: DevnetMarket
let bucket: Emulator
/** Swaps of minutes that are archived. */
let trades = 0

const manifestOf = async (dir = folder): Promise<ArchiveManifest> =>
  JSON.parse(await readFile(join(dir, archiveManifestKey), 'utf8'))

/** Stores that an operator's command finds, until it is done. */
async function withStores(work: (stores: Stores, dir: string) => Promise<void>): Promise<void> {
  const stores = await startStores()
  try {
    await work(stores, readyDir(tempDir(), { ...stores.env, CHAIN: 'devnet', RPC_URLS: market.rpcUrl }))
  } finally {
    await stores.stop()
  }
}
type Stores = Awaited<ReturnType<typeof startStores>>

beforeAll(async () => {
  market = await startDevnetMarket(31, past, () => NOW)
  for (let minute = 0; minute < 2; minute += 1) await market.mine(70, 2)
  bucket = await listen(
    'archive',
    createServer(async ({ url = '' }, response) => {
      const bytes = await readFile(join(folder, url)).catch(() => undefined)
      response.writeHead(bytes ? 200 : 404).end(bytes)
    }),
  )
})
afterAll(async () => {
  await bucket?.stop()
  await market?.stop()
})

test('the archive is written into a folder, day by day, and from there on', async () => {
  await withStores(async (stores, dir) => {
    await untilIdle(startWriter(stores, market.rpcUrl))
    await rebuild(stores, { clock: () => 0 })
    const archive = (...more: readonly string[]) =>
      admin('archive', '--data-dir', dir, '--into', folder, '--json', ...more)
    for (const option of ['--from', '--to']) {
      const bad = await archive(option, 'tomorrow')
      expect([bad.code, bad.err]).toEqual([2, expect.stringContaining('It must be a day')])
    }
    const { out, err } = await archive('--to', yesterday)
    expect(JSON.parse(out || err).written.at(-1)).toBe(`date=${yesterday}`)
    const first = await manifestOf()
    expect([first.days.length, first.hours]).toEqual([expect.any(Number), []])
    // Where nothing is archived yet, --from begins later; where something is, it changes nothing.
    const later = tempDir()
    const from = ['--from', yesterday, '--to', yesterday]
    expect(JSON.parse((await archive(...from)).out).written).toEqual([])
    const { out: fromYesterday } = await archive(...from, '--into', later)
    expect(JSON.parse(fromYesterday).written).toEqual([`date=${yesterday}`])
    expect(first.days.length).toBeGreaterThan(1)
    const [whole, cut] = [first.days.at(-1), (await manifestOf(later)).days[0]]
    expect(cut).toEqual(whole)
    // What is replaced is never written over: whoever dies in the middle leaves the file of before.
    const before = await readFile(join(folder, archiveManifestKey))
    await link(join(folder, archiveManifestKey), join(later, 'linked.json'))
    await archive()
    expect(await readFile(join(later, 'linked.json'))).toEqual(before)
    const { days, hours } = await manifestOf()
    expect(JSON.parse((await archive()).out).written).toEqual([])
    await writeFile(
      join(later, archiveManifestKey),
      JSON.stringify({ ...(await manifestOf(later)), chain: 'base' }),
    )
    const other = await archive('--into', later)
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('OtherChainError')])
    trades = [...days, ...hours]
      .flatMap(({ files }) => files)
      .reduce((sum, { set, rows }) => sum + (set === 'swaps' ? rows : 0), 0)
  })
  const duckdb = await openDuckdb()
  const paths = (await manifestOf()).days.flatMap(({ files }) => files).filter(({ set }) => set === 'swaps')
  const files = paths.map(({ path }) => `'${join(folder, path)}'`)
  const [row] = await duckdb.rows(`SELECT count(*) AS trades FROM read_parquet([${files}])`)
  duckdb.stop()
  expect(Number(row?.['trades'])).toBeGreaterThan(5)
  expect(Number(row?.['trades'])).toBeLessThanOrEqual(trades)
})

test('a log that is taken over from there and goes on by its own endpoints is as one from zero', async () => {
  await withStores(async (stores, dir) => {
    const backfill = () => admin('backfill', '--data-dir', dir, '--from-archive', bucket.url)
    const path = join(folder, (await manifestOf()).days[0]?.files[0]?.path ?? '')
    const bytes = await readFile(path)
    await writeFile(path, Buffer.concat([bytes, Buffer.of(0)]))
    const forged = await backfill()
    expect([forged.code, forged.err]).toEqual([2, expect.stringContaining('ArchiveDigestError')])
    const logs = openLogs(stores.table)
    expect([await logs.all(), (await logs.live()).switches]).toEqual([[], 0])
    await writeFile(path, bytes)
    const { code, out } = await backfill()
    expect([code, out]).toEqual([0, expect.stringMatching(/^[1-9]\d* minutes were taken over/)])
    const again = await backfill()
    expect([again.code, again.out]).toEqual([0, expect.not.stringContaining('were taken over')])
    await market.mine(70, 2)
    await untilIdle(startWriter(stores, market.rpcUrl))
    await expectAsFromZero(stores, market)
  })
})

test.runIf(isWhole)('a log that is begun is continued with the same items, put one by one', async () => {
  const items = async (isBegun: boolean) => {
    let found: Record<string, string> = {}
    await withStores(async (stores, dir) => {
      const begun = { rules: OWN_RULES, log: FIRST_LOG, copiedTo: null, since: 0 }
      if (isBegun) await openLogs(stores.table).register(begun)
      const { code } = await admin('backfill', '--data-dir', dir, '--from-archive', bucket.url)
      expect(code).toBe(0)
      found = await visible(stores, ({ pk }) => pk !== 'LOGS')
    })
    return found
  }
  const begun = await items(true)
  expect(Object.keys(begun).length).toBeGreaterThan(100)
  expect(await items(false)).toEqual(begun)
})
