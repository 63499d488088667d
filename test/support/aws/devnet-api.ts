/** The read API over the development chain's market: made, ingested and published in one go, at a moment of the test's choice. */

import type { DevnetOptions } from '../../../dev/devnet/chain.ts'
import { chains } from '../../../ingest/client/chains.ts'
import { startQuietDevnet } from '../chain/quiet-devnet.ts'
import { type ApiStack, publishFrom, startApiStack } from './api-stack.ts'
import { fillBucket, fillTable } from './fill-table.ts'
import { memoryStores, startWriter, untilIdle } from './ingest-stores.ts'

export type DevnetMoment = {
  readonly seed: number
  /** Unix seconds: when the market's past ends, and what the API's clock says. */
  readonly now: number
  readonly history: NonNullable<DevnetOptions['history']>
}

/** Starts the API; the same seed and moment give the same answers. All is written in memory first, and then put where the API reads it. */
export async function startDevnetApi({ seed, now, history }: DevnetMoment): Promise<ApiStack> {
  const devnet = await startQuietDevnet({ seed, history, now: () => now * 1_000 })
  const written = memoryStores()
  try {
    await untilIdle(startWriter(written, devnet.rpcUrl))
  } finally {
    await devnet.stop()
  }
  await publishFrom(written, () => now)
  const api = await startApiStack()
  await fillTable('market', await written.items())
  await fillBucket(api.segments, written.segments)
  await fillBucket(api.published, written.published)
  const { poolManager, references } = chains.devnet
  Object.assign(api.stores, { poolManager })
  for (const currency of references) api.stores.references.set(currency.address, currency)
  api.state.now = now
  return api
}
