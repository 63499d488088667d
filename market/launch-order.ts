import type { Coin } from './segment.ts'

/** Order of creation: block, log, and (never needed on one chain) address. */
export function byLaunch(a: Coin, b: Coin): number {
  return (
    a.launchedAt.blockNumber - b.launchedAt.blockNumber ||
    a.launchedAt.logIndex - b.launchedAt.logIndex ||
    (a.address < b.address ? -1 : a.address > b.address ? 1 : 0)
  )
}
