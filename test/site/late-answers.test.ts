/** Pages whose browser stores nothing, and pages on which an answer comes after a newer one. */

import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import type { OwnAccount } from '../../schemas/api/account.ts'
import { timedOutText } from '../../site/browser/part/timed-out.ts'
import { hasBrowser } from '../support/browser.ts'
import { isLong } from '../support/rounds.ts'
import { statusOf, useServedPages } from './served-pages.ts'

/** An account without keys. */
const account = {
  id: 'a',
  name: `0x${'1'.repeat(40)}`,
  signed_in_by: 'wallet',
  session_ends_at: '2026-11-26T12:00:00Z',
  tier: 'basic',
  tier_ends_at: null,
  ended_tier: null,
  state: 'active',
  limit: 100,
  used: 1,
  reset_at: '2026-11-26T12:00:00Z',
  hours: [],
  keys: [],
  keys_max: 5,
  changes: [],
} satisfies OwnAccount

/** A token of a list, without figures. */
const row = {
  symbol: 'lisbon',
  name: 'Lisbon',
  type: 'post',
  rank: 1,
  token_address: `0x${'2'.repeat(40)}`,
  creator_address: null,
  price_usd: null,
  change_24h: null,
  market_cap: null,
  thin_liquidity: null,
  effective_market_cap: null,
  rising_score: null,
  components: { change_1h: null, rank_volume_1h: null, rank_volume_25h: null, wallet_hours_1h: null },
}
const manifest = (snapshot_id: string) => ({
  snapshot_id,
  as_of: '2026-11-26T12:00:00Z',
  chain: 'devnet',
  block_number: 7,
  block_hash: '0x7',
  log_position: 7,
  rules_version: 1,
  documents: {},
})

const index = {
  index_value: 1,
  index_value_start: 1,
  index_change_percent: null,
  constituents_count: 1,
  period: '24h',
  total_volume: 1,
  total_trades: 1,
  active_creators: 1,
  active_posts: 1,
  divisor: '1',
  as_of: '2026-11-26T12:00:00Z',
}

describe.runIf(isLong && hasBrowser('nobody looks at late answers'))('a page', () => {
  const { page: pageNow, answer, open, timesAsked, hold } = useServedPages()
  let page: Page
  beforeEach(() => {
    page = pageNow()
  })

  it('reads with the pages’ key where the browser refuses to store anything', async () => {
    await answer('/v1/discover/rising', [])
    await page.addInitScript(() => {
      const get = () => {
        throw new DOMException('Storage is refused', 'SecurityError')
      }
      for (const name of ['sessionStorage', 'localStorage']) Object.defineProperty(globalThis, name, { get })
    })
    await open('/rising')
    await page.getByText('Nothing is rising right now').waitFor()
    await page.locator('#access button').first().click()
    await page.fill('#key', 'z100_live_1')
    await page.getByRole('button', { name: 'Use this key' }).click()
    await page.getByRole('button', { name: 'Your key', exact: true }).waitFor()
    await open('/docs/start')
    await page.locator('.samples button[value=python]').first().click()
    await page.waitForSelector('body[data-language=python]')
  })

  it('is not told that the service is silent by a request of before it answered', async () => {
    const first = await hold('**/v1/status')
    await answer('/v1/discover/rising', [])
    await open('/rising')
    const hanging = await first()
    await page.evaluate('dispatchEvent(new Event("online"))')
    await page.waitForSelector('#freshness[data-state=fresh]')
    await hanging.abort()
    await page.waitForTimeout(1_500)
    expect(await page.locator('#freshness').getAttribute('data-state')).toBe('fresh')
  })

  it('tells of a gap in the swaps until others are chosen', async () => {
    const ready = 'retry: 60000\nevent: ready\nid: 7.0\ndata: {"head":"7.0","oldest_id":"7.0"}\n\n'
    const gap = 'event: resync\nid: 7.0\ndata: {"reason":"expired","oldest_id":"7.0"}\n\n'
    const told = { contentType: 'text/event-stream' }
    await page.route('**/stream/swaps', (route) => route.fulfill({ ...told, body: ready + gap }))
    await page.route('**/stream/swaps?type=buy', (route) => route.fulfill({ ...told, body: ready }))
    await open('/live')
    const notice = page.getByText('Swaps may be missing before this time')
    await notice.waitFor()
    await page.getByRole('button', { name: 'Buys', exact: true }).click()
    await notice.waitFor({ state: 'detached' })
  })

  it('does not lose the text of a new key to figures that come meanwhile, nor shows them after signing out', async () => {
    await answer('/account/api/session', { chain: { name: 'base', chain_id: 8453 }, is_signed_in: true })
    await answer('/account/api/account', account)
    const made = await hold('**/account/api/keys')
    await page.clock.install()
    await open('/account')
    await page.getByRole('button', { name: 'Create a key' }).waitFor()
    await page.clock.fastForward(50_000)
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByRole('button', { name: 'Create key' }).click()
    const making = await made()
    const before = timesAsked('/account/api/account')
    await page.clock.fastForward(11_000)
    await expect.poll(() => timesAsked('/account/api/account')).toBeGreaterThan(before)
    await page.waitForTimeout(300)
    await making.fulfill({ json: { key: 'z100_live_new', id: 'k' } })
    await page.getByText('z100_live_new', { exact: true }).waitFor()

    const late = await hold('**/account/api/account')
    await page.clock.fastForward(61_000)
    const figures = await late()
    await answer('/account/api/session', { chain: { name: 'base', chain_id: 8453 }, is_signed_in: false })
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Sign in with a wallet').waitFor()
    await figures.fulfill({ json: account })
    await page.waitForTimeout(500)
    expect(await page.getByText('Sign in with a wallet').count()).toBe(1)
  })

  it('has no proof of an earlier snapshot under the figures of a newer one', async () => {
    await page.clock.install()
    await answer('/v1/discover/rising', [row], { headers: { 'x-snapshot-id': 'one' } })
    await answer('/v1/snapshots/two', manifest('two'))
    const asked = await hold('**/v1/snapshots/one')
    await open('/rising')
    await page.getByText('Verify this data').waitFor()
    await page.clock.fastForward(40_000)
    await page.getByText('Verify this data').click()
    const late = await asked()
    await answer('/v1/status', statusOf('two'))
    await answer('/v1/discover/rising', [row], { headers: { 'x-snapshot-id': 'two' } })
    await page.clock.fastForward(6_000)
    await page.evaluate('dispatchEvent(new Event("online"))')
    await page.locator('.proof .hex', { hasText: 'two' }).waitFor()
    await late.fulfill({ json: manifest('one') })
    await page.waitForTimeout(500)
    expect(await page.locator('.proof .hex').first().textContent()).toBe('two')
  })

  it('has the swaps of a token that came between its answer and the beginning of the stream', async () => {
    const at = new Date().toISOString()
    const swap = {
      type: 'buy',
      is_buy: true,
      amount: 12_345,
      price_per_token: 1,
      volume_usd: 1,
      trader: null,
    }
    const place = { timestamp: Date.parse(at) / 1_000, datetime: at, block_hash: '0x8', log_index: 1 }
    const data = JSON.stringify({ ...swap, ...place, transaction_hash: '0x9', confirmed: false })
    const stream = (id: string, more = '') => ({
      contentType: 'text/event-stream',
      body: `retry: 60000\nevent: ready\nid: ${id}\ndata: {"head":"40.0","oldest_id":"1.0"}\n\n${more}`,
    })
    await page.route('**/stream/swaps?*', (route) => route.fulfill(stream('40.0')))
    const resumed = stream('10.0', `id: 39.0\ndata: ${data}\n\n`)
    await page.route('**/stream/swaps?*last_event_id=10.0', (route) => route.fulfill(resumed))
    await answer(`/v1/tokens/${row.token_address}`, { swaps: [] })
    await open(`/token?id=${row.token_address}`)
    await page.locator('.of-swaps').getByText('12.3K').waitFor()
  })

  it('shows no figures of one choice under another that gets no answer', async () => {
    await answer('/v1/z100/index', index)
    await page.route('**/v1/z100/index?period=7d', (route) => route.abort())
    await open('/z100-index')
    await page.getByText('Volume 24 h').waitFor()
    await page.getByRole('button', { name: '7 d', exact: true }).click()
    const panel = page.locator('.of-index')
    await panel.getByText('The service is not responding').waitFor()
    expect(await panel.textContent()).not.toContain('Volume 24 h')
  })

  it('suggests nothing once the search field is left', async () => {
    await answer('/v1/discover/rising', [])
    await answer('/v1/tokens', [])
    const looked = await hold('**/v1/search*')
    await open('/rising')
    await page.fill('.find input', 'lisbon')
    const late = await looked()
    await page.locator('.find input').blur()
    await late.fulfill({ json: Array.from({ length: 7 }, () => row) })
    await page.waitForTimeout(500)
    expect(await page.locator('#suggestions').isVisible()).toBe(false)
  })

  it('asks once more, not each second, after a refusal that is already over', async () => {
    const error = { code: 'RATE_LIMIT_EXCEEDED', message: 'Too many.', details: {}, request_id: 'r' }
    const over = { json: { error }, status: 429, headers: { 'retry-after': '0' } }
    await answer('/v1/discover/rising', [])
    await page.route('**/v1/discover/rising', (route) => route.fulfill(over), { times: 1 })
    await page.clock.install()
    await open('/rising')
    await page.getByText('Nothing is rising right now').waitFor()
    for (let seconds = 0; seconds < 5; seconds++) await page.clock.runFor(1_000)
    // The refusal is not among them.
    expect(timesAsked('/v1/discover/rising')).toBe(1)
  })
})

it('a request of the account page that timed out may have made a key, and the page says so', () => {
  expect(timedOutText(new DOMException('', 'TimeoutError'))).toMatch(/may have been done.*revoke it/)
  expect(timedOutText(new TypeError('Failed to fetch'))).toBeNull()
})
