/** A small devnet's history with a snapshot published after each minute: stores over their wires, a log with a reorg in it. */
import { rebuild, type Warm } from '../../snapshot/rebuild.ts'
import { openDocuments } from '../../store/documents.ts'
import { openManifests } from '../../store/manifests.ts'
import { startDevnetMarket } from './devnet-market.ts'
import { startStores, startWriter, untilIdle } from './ingest-stores.ts'

/** Starts everything and publishes: an image and a first snapshot, one more that a reorg takes, then five that stay. */
export async function startPublishedHistory(seed: number) {
  const [market, stores] = await Promise.all([startDevnetMarket(seed, { isArchive: true }), startStores()])
  const { log, table, segments, published } = stores
  const documents = openDocuments(table)
  const manifests = openManifests(published)
  const writer = startWriter(stores, market.rpcUrl)
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
  // A head that only goes backwards takes nothing back: the fork has to be the longer one.
  while (head.number <= orphaned.block_number + 1) head = await market.mine(20, 1)
  const kept = []
  for (let count = 0; count < 5; count += 1) kept.push(await minute(25))
  const env: Readonly<Record<string, string>> = { ...stores.env, CHAIN: 'devnet', RPC_URLS: market.rpcUrl }
  return { market, ...stores, documents, manifests, orphaned, kept, env, stop }
}
