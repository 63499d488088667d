import { describe, expect, it } from 'vitest'
import { printedAddress } from '../../../schemas/values/address.ts'
import { marketKeys } from '../../../store/aws/tables.ts'
import { API_POOL_MANAGER } from '../../support/aws/api-stack.ts'
import { fillTable } from '../../support/aws/fill-table.ts'
import { launchOf, nthAddress, ONE_X96, tokenAt, tradedState, WHOLE } from '../../support/market/facts.ts'
import { ann, bob, MARKET_FROM, useMarketApi } from '../market-api.ts'

const { answered, api, ask } = await useMarketApi()

const holder = nthAddress(66)
/** Tokens with prices between a sixteenth of a dollar and sixteen, every sixth with hardly any liquidity. */
const tokens = Array.from({ length: 24 }, (_, n) =>
  tokenAt(20 + n, MARKET_FROM + 31 + n, { symbol: `T${n}`, creator: nthAddress(500 + n) }),
)
const root = (n: number) => (ONE_X96 * 8n) >> BigInt(n % 7)
const tokensHeld = (n: number) => BigInt(1 + ((n * 7_919) % 97))
for (const [n, token] of tokens.entries()) {
  const reserveQuote = n % 6 === 5 ? WHOLE : 10n ** 9n * WHOLE
  const state = tradedState({ sqrtPriceX96: root(n), reserveQuote, holders: 1 })
  const held = { token: token.address, holder, before: 0n, after: tokensHeld(n) * WHOLE }
  await api.seal({ ...launchOf(token, state), balances: [held] })
}
api.state.now = (MARKET_FROM + 60) * 60
await api.publish()

type Row = Readonly<Record<string, number | string | boolean | null>>
type Answer = Readonly<Record<string, unknown>> & { readonly holdings: readonly Row[] }
const walletOf = async (query = '', wallet = holder) =>
  (await answered('wallet', `/v1/wallets/${wallet}${query}`)).body as Answer

async function pagesOf(limit: number, between: () => Promise<void> = async () => {}) {
  const pages: Answer[] = []
  for (let cursor: unknown = ''; cursor !== null; cursor = pages.at(-1)!['next_cursor']) {
    if (cursor !== '') await between()
    pages.push(await walletOf(`?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`))
  }
  return pages
}

/** What the tokens are worth by their own pages. */
const priced = await Promise.all(
  tokens.map(async ({ address }, n) => {
    const { price_usd, thin_liquidity } = (await ask(`/v1/tokens/${address}`)).body as Row
    const value = Math.round(Number(price_usd) * Number(tokensHeld(n)) * 100) / 100
    return { address: printedAddress(address), value, isThin: thin_liquidity === true }
  }),
)
const wanted = priced.toSorted(
  (a, b) =>
    Number(a.isThin) - Number(b.isThin) ||
    b.value - a.value ||
    (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1),
)

describe('what a wallet holds', () => {
  it('is what the ledgers of the tokens say, largest value first, thin ones last', async () => {
    const { holdings, ...wallet } = await walletOf('?limit=50')
    expect(holdings.map((row) => [row['contract_address'], row['value_usd'], row['thin_liquidity']])).toEqual(
      wanted.map(({ address, value, isThin }) => [address, value, isThin]),
    )
    expect(wanted.filter(({ isThin }) => isThin)).toHaveLength(4)
    for (const row of holdings) {
      const { body } = await ask(`/v1/tokens/${row['contract_address']}/holders`)
      const own = (body as { holders: Row[] }).holders.find((each) => each['address'] === wallet['address'])
      const { balance, balance_raw, percentage, value_usd } = own!
      expect(row).toMatchObject({ balance, balance_raw, percentage, value_usd })
    }
    const sum = wanted.reduce((all, { value, isThin }) => all + (isThin ? 0 : value), 0)
    expect(wallet).toMatchObject({ tokens_count: 24, next_cursor: null })
    // Half a cent a row is rounded away.
    expect(Math.abs(Number(wallet['value_usd']) - sum)).toBeLessThan(0.005 * wanted.length)
  })

  it('is in pages what it is whole, also while prices move', async () => {
    let minute = MARKET_FROM + 61
    const whole = await walletOf('?limit=50')
    const pages = await pagesOf(5, async () => {
      const [token] = [tokens[minute % tokens.length]!]
      const state = tradedState({ sqrtPriceX96: ONE_X96, reserveQuote: 10n ** 9n * WHOLE, holders: 1 })
      await api.seal({
        ...launchOf(token, state),
        tokens: [],
        minute,
        last: { ...launchOf(token).last, number: minute * 30 + 5, timestamp: minute * 60 + 10 },
        firstBlock: minute * 30,
      })
      api.state.now = (minute + 2) * 60
      await api.publish()
      minute += 1
    })
    expect(pages).toHaveLength(5)
    const rows = pages.flatMap(({ holdings }) => holdings)
    const places = (all: readonly Row[]) => all.map(({ position: _, ...row }) => row)
    expect(places(rows)).toEqual(places(whole.holdings))
    expect(new Set(pages.map((page) => page['prices_as_of']))).toEqual(new Set([whole['prices_as_of']]))
  })

  it('of a creator names their token; of nobody it is nothing', async () => {
    const { creator_token, tokens_count, holdings } = await walletOf('', ann.creator)
    expect([creator_token, tokens_count, holdings]).toEqual([
      expect.objectContaining({ contract_address: printedAddress(ann.address) }),
      0,
      [],
    ])
    expect(await walletOf('', nthAddress(999))).toMatchObject({
      holdings: [],
      value_usd: 0,
      creator_token: null,
    })
  })

  it('is not given while a later minute has sold one of its tokens', async () => {
    const [token] = tokens
    const tomb = { ...marketKeys.holding(token!.address, holder), tomb: true, pos: 10 ** 6 }
    await fillTable('market', [tomb])
    expect((await ask(`/v1/wallets/${holder}`)).status).toBe(503)
    await fillTable('market', [{ ...tomb, pos: 1 }])
    expect((await walletOf())['tokens_count']).toBe(23)
  })

  it('needs an address and a cursor that it gave', async () => {
    for (const other of ['bob', API_POOL_MANAGER])
      expect((await ask(`/v1/wallets/${other}`)).status).toBe(404)
    for (const cursor of ['x', `29000160-1-abc~`, `~${bob.address}`]) {
      const { status, body } = await ask(`/v1/wallets/${holder}?cursor=${cursor}`)
      expect([status, (body as { error: { details: unknown } }).error.details]).toEqual([
        400,
        expect.objectContaining({ parameter: 'cursor' }),
      ])
    }
  })
})
