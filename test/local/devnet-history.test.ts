// Whole form only.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Devnet } from '../../dev/devnet/chain.ts'
import { ZORA_USD } from '../../dev/devnet/genesis.ts'
import { poolIdOf } from '../../ingest/decode/pool-state.ts'
import type { Address } from '../../market/segment.ts'
import { type DecodedLog, logsOf } from '../support/chain/devnet-logs.ts'
import { readRawHeaders } from '../support/chain/json-rpc.ts'
import { startQuietDevnet } from '../support/chain/quiet-devnet.ts'

// The history that `npm start` makes, read through the RPC.
const DAY = 86_400
const now = Math.floor(Date.now() / 1_000)
let devnet: Devnet
let swaps: (DecodedLog & { token: Address; timestamp: number })[]

beforeAll(async () => {
  devnet = await startQuietDevnet({ seed: 1, now: () => now * 1_000 })
  const timestamps = (await readRawHeaders(devnet.rpcUrl)).map(({ timestamp }) => Number(timestamp))
  const tokens = new Map(devnet.tokens().map((token) => [poolIdOf(token.key), token.address]))
  swaps = (await logsOf(devnet.rpcUrl, ['Swapped'])).flatMap((log) => {
    const token = tokens.get(log.args.poolKeyHash)
    return token ? [{ ...log, token, timestamp: timestamps[Number(log.blockNumber)]! }] : []
  })
})

afterAll(() => devnet?.stop())

const since = (seconds: number) => swaps.filter(({ timestamp }) => timestamp >= now - seconds)
const tokensOf = (some: typeof swaps) => new Set(some.map(({ token }) => token))

describe('the history of a new devnet', () => {
  test('has at most 400 blocks over 8 days, ends now, and has no failed transaction', () => {
    expect(devnet.head().number).toBeLessThanOrEqual(400)
    expect(devnet.head().timestamp).toBe(now)
    expect(Math.min(...swaps.map(({ timestamp }) => timestamp))).toBeLessThan(now - 7.5 * DAY)
    expect(devnet.failures()).toBe(0)
  })

  test('is denser towards the present', () => {
    expect(swaps.length).toBeGreaterThan(2_000)
    expect(swaps.length).toBeLessThan(2_700)
    expect(since(DAY).length / swaps.length).toBeGreaterThan(0.4)
    expect(since(3_600).length / swaps.length).toBeGreaterThan(0.06)
    expect(tokensOf(since(3_600)).size).toBeGreaterThanOrEqual(25)
  })

  test('has creators with an address each, and posts with names of their own', () => {
    const creators = devnet.tokens('creator').filter(({ owner }) => devnet.creators.includes(owner))
    expect(creators.length).toBeGreaterThan(100)
    expect(new Set(creators.map(({ payoutRecipient }) => payoutRecipient)).size).toBe(creators.length)
    const posts = devnet.tokens('post')
    const alone = (key: 'name' | 'symbol') =>
      posts.filter((post) => posts.every((other) => other === post || other[key] !== post[key])).length
    expect(alone('name')).toBeGreaterThan(posts.length * 0.95)
    expect(alone('symbol')).toBeGreaterThan(posts.length * 0.9)
  })

  test('fills both boards with traded tokens, most of the posts traded today', () => {
    const traded = tokensOf(swaps)
    const today = tokensOf(since(DAY))
    const creators = devnet.tokens('creator').filter(({ address }) => traded.has(address))
    const posts = devnet.tokens('post').filter(({ address }) => traded.has(address))
    expect(creators.length).toBeGreaterThanOrEqual(110)
    expect(posts.length).toBeGreaterThanOrEqual(130)
    expect(posts.filter(({ address }) => today.has(address)).length).toBeGreaterThanOrEqual(115)
  })

  test('has tokens older than 7 days with trades before and after, and launches in the last day', async () => {
    const old = tokensOf(swaps.filter(({ timestamp }) => timestamp < now - 7 * DAY))
    const recent = tokensOf(since(7 * DAY))
    const kinds = new Map(devnet.tokens().map(({ address, kind }) => [address, kind]))
    const both = [...old].filter((token) => recent.has(token))
    expect(both.filter((token) => kinds.get(token) === 'creator').length).toBeGreaterThanOrEqual(10)
    expect(both.filter((token) => kinds.get(token) === 'post').length).toBeGreaterThanOrEqual(5)
    const firstSwap = new Map([...swaps].reverse().map(({ token, timestamp }) => [token, timestamp]))
    const young = [...firstSwap]
      .filter(([, timestamp]) => timestamp >= now - DAY)
      .map(([token]) => kinds.get(token))
    expect(young.filter((kind) => kind === 'creator').length).toBeGreaterThanOrEqual(4)
    expect(young.filter((kind) => kind === 'post').length).toBeGreaterThanOrEqual(10)
  })

  test('has 60 creator pools that hold at least $100', () => {
    const creators = new Map(devnet.tokens('creator').map((token) => [token.address, token]))
    const held = new Map<Address, number>()
    for (const { token, args } of swaps) {
      const creator = creators.get(token)
      if (!creator) continue
      const quote = creator.key.currency0 === token ? args.amount1 : args.amount0
      held.set(token, (held.get(token) ?? 0) - (Number(quote) / 1e18) * ZORA_USD)
    }
    expect([...held.values()].filter((usd) => usd >= 102).length).toBeGreaterThanOrEqual(60)
  })

  test('has many traders, some of them unnamed by the hook', () => {
    const senders = new Set(swaps.map(({ args }) => args.swapSender))
    expect(senders.size).toBeGreaterThan(40)
    expect(senders).toContain('0x0000000000000000000000000000000000000000')
  })
})
