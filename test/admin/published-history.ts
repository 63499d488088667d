/** A small devnet's history with a snapshot published after each minute: a log with a reorg in it, written in memory and then put into stores behind their wires. */
import { rmSync } from 'node:fs'
import { afterAll, beforeAll } from 'vitest'
import type { Verdict } from '../../admin/proof/finding.ts'
import { readHeader } from '../../ingest/client/headers.ts'
import { openRpc } from '../../ingest/client/rpc.ts'
import { rebuild, type Warm } from '../../snapshot/rebuild.ts'
import { openDocuments } from '../../store/published/documents.ts'
import { openManifests } from '../../store/published/manifests.ts'
import { admin, readyDir } from '../support/admin.ts'
import { fillBucket, fillTable } from '../support/aws/fill-table.ts'
import { memoryStores, startStores, startWriter, untilIdle } from '../support/aws/ingest-stores.ts'
import { startDevnetMarket } from '../support/chain/devnet-market.ts'
import { tempDir } from '../support/temp-dir.ts'

/** Small: every verification reads all of it. */
const past = { blocks: 10, trades: 18, creators: 3, posts: 5 }

/**
 * Starts everything and publishes: an image and a first snapshot, one more that a reorg takes, then five that stay.
 * `blocksBefore`: the log begins so many blocks before the end of the chain's past; absent: with its first block.
 */
async function startPublishedHistory(seed: number, blocksBefore?: number) {
  const [market, stores] = await Promise.all([
    startDevnetMarket(seed, { ...past, isArchive: true }),
    startStores(),
  ])
  const written = memoryStores()
  const { log, table, segments, published } = written
  const documents = openDocuments(table)
  const start =
    blocksBefore === undefined
      ? null
      : ((await readHeader(openRpc([market.rpcUrl]), market.begin - blocksBefore)) ?? null)
  const writer = startWriter(written, market.rpcUrl, start)
  const warm: Warm = {}
  const publish = async () => {
    await untilIdle(writer)
    const options = { clock: () => performance.now(), warm, chain: 'devnet', codeVersion: 'dev' }
    const manifest = await rebuild({ log, segments, published, documents }, options)
    return manifest!
  }
  const minute = async (seconds?: number) => {
    await market.mineMinute(seconds)
    return publish()
  }
  const stop = async () => {
    await Promise.all([market.stop(), stores.stop()])
  }
  await minute()
  const before = await market.snapshot()
  await market.mineMinute()
  // Two minutes long at the least, so that the other fork has no block in the last of them.
  const orphaned = await minute(55)
  await market.revert(before)
  for (let block = 0; block < 2; block += 1) await market.mine(70, 2)
  let head = await market.mine(200, 1)
  // A head that only goes backwards rolls nothing back: the fork has to be the longer one.
  while (head.number <= orphaned.block_number + 1) head = await market.mine(20, 1)
  const kept = []
  for (let count = 0; count < 5; count += 1) kept.push(await minute(25))
  await fillTable('market', await written.items())
  await fillBucket(stores.segments, segments)
  await fillBucket(stores.published, published)
  const own = { documents: openDocuments(stores.table), manifests: openManifests(stores.published) }
  const env: Readonly<Record<string, string>> = { ...stores.env, CHAIN: 'devnet', RPC_URLS: market.rpcUrl }
  return { market, ...stores, ...own, orphaned, kept, env, stop }
}

/** One history through all tests of a file, before which it is started as above; what a test forges it puts back. */
export function usePublishedHistory(seed: number, blocksBefore?: number) {
  const dir = tempDir()
  let history: Awaited<ReturnType<typeof startPublishedHistory>>
  beforeAll(async () => {
    history = await startPublishedHistory(seed, blocksBefore)
    readyDir(dir, history.env)
  })
  afterAll(() => history?.stop())
  const run = (...argv: string[]) => admin(...argv, '--data-dir', dir)
  return {
    dir,
    history: () => history,
    run,
    /** What verify finds, and its code; the documents that it made are removed. */
    async verify(...argv: string[]) {
      const { code, out, err } = await run('verify', '--json', ...argv)
      if (out === '') throw new Error(err)
      const verdict = JSON.parse(out) as Verdict & { result: string; into: string | null }
      const findings = [...verdict.findings, ...verdict.snapshots.flatMap((one) => one.findings)]
      if (verdict.into) rmSync(verdict.into, { recursive: true })
      return { code, verdict, findings }
    },
  }
}
