/** Pages in trouble: refused, unanswered, offline. */
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import { isLong } from '../support/rounds.ts'
import { statusOf, useServedPages } from './served-pages.ts'

const refusal = (message: string, details: object = {}) => ({
  error: { code: 'RATE_LIMIT_EXCEEDED', message, details, request_id: 'r' },
})

describe.runIf(isLong && hasBrowser('nobody looks at pages in trouble'))('a page', () => {
  const { page: pageNow, answer, open, timesAsked } = useServedPages()
  let page: Page
  beforeEach(() => {
    page = pageNow()
  })
  const notice = () => page.locator('.panel .notice').last()
  /** Publishes another snapshot and lets so much time pass; the page knows the first one by then. */
  const publishAnother = async (afterMs: number) => {
    await page.waitForSelector('#freshness[data-state=fresh]')
    await answer('/v1/status', statusOf('second'))
    await page.clock.fastForward(afterMs)
  }

  it('waits as long as a refusal demands, also if the reader’s clock is ahead of the hour’s end', async () => {
    const reset_at = new Date(Date.now() - 60_000).toISOString().slice(0, 19)
    const body = refusal('The limit of 100 requests an hour is reached.', { limit: 100, reset_at })
    await answer('/v1/discover/rising', body, { status: 429, headers: { 'retry-after': '600' } })
    await page.clock.install()
    await open('/rising')
    await expect.poll(() => notice().textContent()).toContain(`is used up until ${reset_at.slice(11)} UTC`)
    await page.waitForTimeout(500)
    // By the reset alone it would be asked for dozens of times by now.
    expect(timesAsked('/v1/discover/rising')).toBeLessThanOrEqual(2)
    const before = timesAsked('/v1/discover/rising')
    await page.clock.fastForward(601_000)
    await expect.poll(() => timesAsked('/v1/discover/rising')).toBeGreaterThan(before)
  })

  it('keeps the figures it has when the next answer is refused, and says that they are earlier ones', async () => {
    await answer('/v1/discover/rising', [])
    await page.clock.install()
    await open('/rising')
    await page.getByText('Nothing is rising right now').waitFor()
    const headers = { 'retry-after': '6000' }
    await answer('/v1/discover/rising', refusal('Too many.'), { status: 429, headers })
    await publishAnother(620_000)
    await expect.poll(() => notice().textContent()).toContain('The data below is from an earlier snapshot.')
    expect(await page.getByText('Nothing is rising right now').count()).toBe(1)
  })

  it('does not take the brake of the edge for the hour’s limit', async () => {
    const body = refusal('Too many requests from one address or with one key.')
    await answer('/v1/discover/rising', body, { status: 429, headers: { 'retry-after': '60' } })
    await open('/rising')
    await expect.poll(() => notice().textContent()).toMatch(/^Too many requests .* again in (1 min|\d+ s)\.$/)
  })

  it('requests the pages’ key again when it has none', async () => {
    await answer('/v1/discover/rising', [])
    await page.route('**/config.json', (route) => route.abort(), { times: 1 })
    // Nor is there a snapshot with which the page would ask by itself.
    await page.route('**/v1/status', () => {})
    await open('/rising')
    await notice().getByText('The service is not responding').waitFor()
    await notice().locator('button').click()
    await page.getByText('Nothing is rising right now').waitFor()
  })

  it('says which refusal came, and that a key may help where it does', async () => {
    const error = { code: 'UNAUTHORIZED', message: 'The key is not valid.', details: {}, request_id: 'r1' }
    await answer('/v1/discover/rising', { error }, { status: 401 })
    await open('/rising')
    await expect.poll(() => notice().textContent()).toContain('The key is not valid. (UNAUTHORIZED)')
    expect(await notice().locator('button').textContent()).toBe('Use another key')
  })

  it('says how old figures are that are too old', async () => {
    await answer('/v1/z100/creators', [])
    const line = page.locator('#freshness[data-state=stale]')
    await answer('/v1/status', statusOf('first', new Date(Date.now() - 600_000)))
    await open('/')
    await expect.poll(() => line.textContent()).toMatch(/more than 5 min old.*1\d min old/)
  })

  it('says why there are no figures before the first snapshot', async () => {
    await answer('/v1/status', refusal('The first snapshot is not published yet.'), { status: 503 })
    await open('/rising')
    const line = page.locator('#freshness[data-state=lost]')
    await expect.poll(() => line.textContent()).toContain('The first snapshot is not published yet.')
  })

  it('says how far the first figures are', async () => {
    const message = 'The first snapshot is not published yet: building the first snapshot, 60 %.'
    const error = { code: 'SERVICE_UNAVAILABLE', message, details: {}, request_id: 'r' }
    await answer('/v1/discover/rising', { error }, { status: 503 })
    await open('/rising')
    await notice().getByText('The first figures are being made, 60 %.').waitFor()
  })

  it('says that nothing is heard of a service that hangs, and of one that is away', async () => {
    // Nothing comes, and nothing is closed.
    await page.route('**/v1/**', () => {})
    await page.clock.install()
    await open('/rising')
    await page.clock.fastForward(60_000)
    await page.waitForSelector('#freshness[data-state=lost]')
    await expect.poll(() => notice().textContent()).toContain('is not responding')
    await page.route('**/v1/**', (route) => route.abort())
    await open('/rising')
    await page.waitForSelector('#freshness[data-state=lost]')
    await expect.poll(() => notice().textContent()).toContain('is not responding')
  })

  it('keeps the figures of a reader who is offline, says how old they are, and asks as soon as they are back', async () => {
    await answer('/v1/discover/rising', [])
    await page.clock.install()
    await open('/rising')
    await page.getByText('Nothing is rising right now').waitFor()
    await page.waitForSelector('#freshness[data-state=fresh]')
    await page.route('**/v1/**', (route) => route.abort())
    await page.context().setOffline(true)
    const line = page.locator('#freshness[data-state=lost]')
    await page.clock.fastForward(3_600_000)
    await expect
      .poll(() => line.textContent())
      .toMatch(/You are offline\. These are the last figures received\..*1 h old/)
    expect(await page.getByText('Nothing is rising right now').count()).toBe(1)
    await answer('/v1/status', statusOf('second'))
    await page.context().setOffline(false)
    await page.waitForSelector('#freshness:not([data-state=lost])')
  })

  it('asks again with the next snapshot for a part that got no answer, however seldom that changes', async () => {
    await page.clock.install()
    await open('/')
    await expect.poll(() => page.locator('.slim .notice').count()).toBe(1)
    const before = timesAsked('/v1/z100/index')
    await publishAnother(16_000)
    await expect.poll(() => timesAsked('/v1/z100/index')).toBe(before + 1)
  })

  it('says in a sentence what would be a chart of fewer than three points', async () => {
    const bar = { timestamp: 1_780_000_000, date: '2026-05-28T20:26:40Z', open: 1, close: 2 }
    await answer('/v1/z100/index/hours', { hours: [bar, { ...bar, timestamp: bar.timestamp + 3_600 }] })
    await open('/z100-index')
    await page.getByText('The index since 2026-05-28 20:26 UTC, now 2.00, +100% since then.').waitFor()
    expect(await page.locator('.chart').count()).toBe(0)
  })

  it('keeps the figures of a chart open while it is drawn anew', async () => {
    await page.clock.install()
    const bars = [0, 1, 2, 3].map((n) => ({
      timestamp: 1_780_000_000 + 3_600 * n,
      date: '2026-05-28T20:26:40Z',
      open: 1,
      close: 2,
    }))
    await answer('/v1/z100/index/hours', { hours: bars.slice(0, 3) })
    await open('/z100-index')
    await page.locator('.chart + details summary').click()
    await answer('/v1/z100/index/hours', { hours: bars })
    await publishAnother(620_000)
    await expect.poll(() => page.locator('.chart + details[open] tbody tr').count()).toBe(4)
    expect(await page.locator('.chart canvas').count()).toBe(1)
  })
})
