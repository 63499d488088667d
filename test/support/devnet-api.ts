/** The read API over the development chain's market: made, ingested and published in one go, at a moment of the test's choice. */

import type { DevnetOptions } from '../../devnet/chain.ts'
import { chains } from '../../ingest/client/chains.ts'
import { openFeed } from '../../store/feed.ts'
import { openTokens } from '../../store/tokens.ts'
import { type ApiStack, startApiStack } from './api-stack.ts'
import { startWriter, untilIdle } from './ingest-stores.ts'
import { startQuietDevnet } from './quiet-devnet.ts'

export type DevnetMoment = {
  readonly seed: number
  /** Unix seconds: when the market's past ends, and what the API's clock says. */
  readonly now: number
  readonly history: NonNullable<DevnetOptions['history']>
}

/** Starts the API; the same seed and moment give the same answers. */
export async function startDevnetApi({ seed, now, history }: DevnetMoment): Promise<ApiStack> {
  const devnet = await startQuietDevnet({ seed, history, now: () => now * 1_000 })
  const api = await startApiStack()
  try {
    const { table, log } = api.stores
    const stores = { log, tokens: openTokens(table), feed: openFeed(table, () => 0) }
    await untilIdle(startWriter(stores, devnet.rpcUrl))
  } finally {
    await devnet.stop()
  }
  const { poolManager, references } = chains.devnet
  Object.assign(api.stores, { poolManager })
  for (const currency of references) api.stores.references.set(currency.address, currency)
  api.state.now = now
  await api.publish()
  return api
}
