import { describe, expect, it } from 'vitest'
import type { Token } from '../../../market/segment.ts'
import { printedAddress } from '../../../schemas/values/address.ts'
import { itemsOfHourRecords } from '../../../store/items/hour-records.ts'
import { fillTable } from '../../support/aws/fill-table.ts'
import {
  hash,
  launchOf,
  nthAddress,
  segmentOf,
  stateWith,
  swapWith,
  tokenAt,
  tradedState,
} from '../../support/market/facts.ts'
import { ann, annsPost, bob, MARKET_FROM, useMarketApi } from '../market-api.ts'

const { answered, api, ask } = await useMarketApi()

const trader = nthAddress(70)
const HOUR = MARKET_FROM / 60
/** Swaps of hours before the market's: several blocks of one second, and one of another wallet among them. */
const earlier = Array.from({ length: 700 }, (_, n) =>
  swapWith({
    token: n % 3 === 0 ? bob.address : ann.address,
    poolId: n % 3 === 0 ? bob.poolId : ann.poolId,
    blockNumber: 1_000 + Math.floor(n / 4),
    logIndex: n % 4,
    timestamp: (HOUR - 3 + Math.floor(n / 300)) * 3_600 + Math.floor((n % 300) / 20),
    volumeMicroUsd: BigInt(n) * 10_000n,
    trader: n % 50 === 49 ? nthAddress(71) : trader,
  }),
)

const [first, second] = [nthAddress(60), nthAddress(61)] as const
const [other, stranger] = [nthAddress(62), nthAddress(63)] as const
/** One a minute after the market's; each is called by its number, but for those of the handle. */
const words: readonly Partial<Token>[] = [
  { creator: first, symbol: 'jess' },
  { creator: second, symbol: 'JESS' },
  { creator: first, kind: 'post' },
  { creator: first, launchedBy: stranger, kind: 'post' },
  { creator: second, kind: 'post' },
  { creator: other },
  { creator: other, launchedBy: stranger, symbol: 'jess' },
  { creator: first, kind: 'post' },
]
const named = words.map((each, at) => tokenAt(11 + at, MARKET_FROM + 31 + at, each))

const items = [0, 1, 2].flatMap((at) => {
  const swaps = earlier.filter(({ timestamp }) => Math.floor(timestamp / 3_600) === HOUR - 3 + at)
  return itemsOfHourRecords(HOUR - 3 + at, [{ ...segmentOf(MARKET_FROM, {}), swaps }])
})
await fillTable('market', items, 1)
for (const token of named) {
  // The last is on a board, and with it its creator's token.
  const cumTrades = token === named.at(-1) ? 1 : 0
  await api.seal(launchOf(token, tradedState({ reserveQuote: 10n ** 20n, cumTrades })))
}
api.state.now = (MARKET_FROM + 40) * 60
await api.publish()

/** Every page of a list, by its links. */
async function pagesOf(path: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  for (let next: string | undefined = path; next; ) {
    const { body, headers } = await answered('walletSwaps', next)
    rows.push(...(body as Record<string, unknown>[]))
    next = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  }
  return rows
}

const placesOf = (rows: readonly Record<string, unknown>[]) =>
  rows.map((row) => `${row['block_number']}.${row['log_index']}`)

describe('swaps of a wallet', () => {
  it('are complete and without duplicates, newest first, over hours and seconds of many blocks', async () => {
    const rows = await pagesOf(`/v1/wallets/${trader}/swaps?limit=37`)
    const own = earlier.filter((swap) => swap.trader === trader).toReversed()
    // Those of the open hour come from the feed.
    expect(rows.slice(0, 4).every((row) => Number(row['timestamp']) >= MARKET_FROM * 60)).toBe(true)
    expect(placesOf(rows.slice(4))).toEqual(own.map((swap) => `${swap.blockNumber}.${swap.logIndex}`))
  })

  it('are complete where the wallet has more of them in the open hour than are looked through for a page', async () => {
    const [wallet, at] = [nthAddress(72), MARKET_FROM * 60 + 1_900]
    const swaps = Array.from({ length: 1_200 }, (_, n) =>
      swapWith({
        token: bob.address,
        poolId: bob.poolId,
        blockNumber: at,
        blockHash: hash(at),
        logIndex: n,
        timestamp: at,
        volumeMicroUsd: n % 100 === 0 ? 10_000_000n : 0n,
        trader: wallet,
      }),
    ).toReversed()
    await api.feed({ seq: 3, is: 'block', block: { number: at, hash: hash(at), timestamp: at }, swaps })
    const rows = await pagesOf(`/v1/wallets/${wallet}/swaps?min_value=5&limit=100`)
    expect(rows).toHaveLength(12)
  })

  it('of the first second of an hour come before a time within that second', async () => {
    const second = (HOUR - 1) * 3_600
    const own = earlier.filter((swap) => swap.trader === trader && swap.timestamp <= second).toReversed()
    const { body } = await answered('walletSwaps', `/v1/wallets/${trader}/swaps?before=${second}.5&limit=30`)
    const rows = body as Record<string, unknown>[]
    expect(placesOf(rows)).toEqual(own.slice(0, 30).map((swap) => `${swap.blockNumber}.${swap.logIndex}`))
  })

  it('are filtered by token and worth, and go on where a page had none', async () => {
    const rows = await pagesOf(`/v1/wallets/${trader}/swaps?token=${bob.address}&min_value=3&limit=20`)
    const wanted = earlier.filter(
      (swap) => swap.trader === trader && swap.token === bob.address && swap.volumeMicroUsd >= 3_000_000n,
    )
    expect(placesOf(rows.slice(1))).toEqual(
      wanted.toReversed().map((swap) => `${swap.blockNumber}.${swap.logIndex}`),
    )
  })

  it('are none of an address that never traded; what is no address is not found', async () => {
    expect((await ask(`/v1/wallets/${nthAddress(99)}/swaps`)).body).toEqual([])
    expect((await ask('/v1/wallets/ann/swaps')).status).toBe(404)
  })
})

describe('a creator', () => {
  it.each([
    ['the address', ann.creator],
    ['the handle', '@ANN'],
    ['the creator token', ann.address],
    ['a post', annsPost.address],
  ])('is found by %s', async (_by, id) => {
    const { body } = await answered('creator', `/v1/creators/${id}`)
    expect(body).toMatchObject({
      creator_address: printedAddress(ann.creator),
      handle: 'ANN',
      token: { symbol: 'ANN', contract_address: printedAddress(ann.address) },
      posts: [{ symbol: 'WALK' }],
      posts_total: 1,
      posts_next_offset: null,
      portfolio: { token_market_cap: 250, posts_count: 1 },
      earnings: { creator_earnings_24h: 0, creator_earnings_total: 0, coverage_from: null },
    })
  })

  it('is not found by what no token names', async () => {
    expect((await ask(`/v1/creators/${nthAddress(77)}`)).status).toBe(404)
    expect((await ask('/v1/creators/nobody')).status).toBe(404)
  })

  it('has all its creator tokens, those that it launched itself first, and is found by each of them', async () => {
    const { body } = await answered('creator', `/v1/creators/${other}`)
    const tokens = (body as { creator_tokens: { contract_address: string; creator_verified: boolean }[] })
      .creator_tokens
    expect(tokens).toMatchObject([
      { contract_address: printedAddress(named[5]!.address), creator_verified: true },
      { contract_address: printedAddress(named[6]!.address), creator_verified: false },
    ])
    const { body: second } = await answered('creator', `/v1/creators/${named[6]!.address}`)
    // It only names the creator, whose posts and tokens are not its own.
    expect(second).toMatchObject({
      handle: 'jess',
      token: { contract_address: printedAddress(named[6]!.address), creator_verified: false },
      creator_tokens: [{ contract_address: printedAddress(named[6]!.address) }],
      posts_total: 0,
    })
  })

  it('has the portfolio of the board', async () => {
    const { body: rows } = await ask('/v1/z100/creators')
    const onBoard = (rows as Record<string, unknown>[]).find((row) => row['symbol'] === 'ANN')
    const { body } = await ask(`/v1/creators/${ann.creator}`)
    expect((body as Record<string, unknown>)['portfolio']).toEqual(onBoard?.['portfolio'])
  })
})

it('records of an hour are of tokens whose holders or earnings changed', () => {
  const row = (token: `0x${string}`, holders: number) => [token, stateWith({ holders })] as const
  const minute = segmentOf(MARKET_FROM, { rows: [row(ann.address, 3), row(bob.address, 0)] })
  expect(itemsOfHourRecords(HOUR, [minute]).map(({ pk }) => pk)).toEqual([`T#${ann.address.slice(2)}`])
})

describe('tokens by their creator', () => {
  async function found(value: string) {
    const { body } = await ask(`/v1/tokens?field=creator&value=${value}`)
    const rows = body as { contract_address: string; creator_verified: boolean }[]
    return rows.map(({ contract_address, creator_verified }) => [
      1 + named.findIndex(({ address }) => address === contract_address.toLowerCase()),
      creator_verified,
    ])
  }

  it('of a handle are those that its creator launched, board tokens first, then the oldest; not those of namesakes', async () => {
    expect(await found('@Jess')).toEqual([1, 8, 3].map((number) => [number, true]))
    const { body } = await answered('creator', '/v1/creators/jess')
    expect(body).toMatchObject({ creator_address: printedAddress(first) })
  })

  it('of an address are all that name it, and say whether it launched them', async () => {
    expect(await found(first)).toEqual([
      [1, true],
      [8, true],
      [3, true],
      [4, false],
    ])
  })
})
