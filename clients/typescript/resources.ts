import type { Path } from './paths.ts'

/** Every operation that answers JSON, by resource and method. */
export const resources = {
  boards: {
    creators: '/v1/z100/creators',
    posts: '/v1/z100/posts',
    all: '/v1/all',
    history: '/v1/z100/history/{id}',
    recap: '/v1/z100/recap',
  },
  index: {
    current: '/v1/z100/index',
    hours: '/v1/z100/index/hours',
    constituents: '/v1/z100/index/constituents',
    historical: '/v1/z100/historical',
  },
  market: {
    trending: '/v1/market/trending',
    volume: '/v1/market/volume',
    stats: '/v1/market/stats',
    recentSwaps: '/v1/market/recent-swaps',
  },
  discover: { rising: '/v1/discover/rising', newLaunches: '/v1/discover/new-launches' },
  tokens: {
    list: '/v1/tokens',
    screener: '/v1/tokens/screener',
    search: '/v1/search',
    get: '/v1/tokens/{id}',
    metrics: '/v1/tokens/{id}/metrics',
    candles: '/v1/tokens/{id}/candles',
    priceHistory: '/v1/tokens/{id}/price-history',
    holders: '/v1/tokens/{id}/holders',
    holderHistory: '/v1/tokens/{id}/holders/history',
    traders: '/v1/tokens/{id}/traders',
    swaps: '/v1/tokens/{id}/swaps',
  },
  creators: { get: '/v1/creators/{id}' },
  wallets: { get: '/v1/wallets/{id}', swaps: '/v1/wallets/{id}/swaps' },
  snapshots: { list: '/v1/snapshots', get: '/v1/snapshots/{id}' },
  service: { status: '/v1/status', statusDay: '/v1/status/day', usage: '/v1/usage' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Path>>>>

export type Resources = typeof resources
