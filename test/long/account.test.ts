/** A visitor with a wallet, in a browser, on a run: from the first sign-in to the end of the session. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setTier } from '../../accounts/accounts.ts'
import { openAccessService } from '../../accounts/service.ts'
import { ACCOUNT_API, sessionCookies } from '../../schemas/api/account.ts'
import { newWallet } from '../lambdas/account/account-page.ts'
import { bearer } from '../support/aws/access.ts'
import { type Complaints, hasBrowser, noteComplaints, startBrowser } from '../support/browser.ts'
import { isLong } from '../support/rounds.ts'
import { type Service, startServiceProcess } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const SESSION_COOKIE = sessionCookies.http.name

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PHONE = { width: 390, height: 844 }
/** A change works everywhere within this time. */
const WITHIN = { timeout: 60_000, interval: 500 }
const PUBLISHED = { timeout: 300_000, interval: 1_000 }
const wallet = newWallet()

describe.runIf(isLong && hasBrowser('nobody signs in'))('a visitor with a wallet', () => {
  let service: Service
  let browser: Browser
  let page: Page
  let complaints: Complaints
  const signIns: string[] = []

  beforeAll(async () => {
    service = await startServiceProcess({ dataDir: tempDir(), seed: 11 })
    browser = await startBrowser()
    const context = await browser.newContext()
    context.setDefaultTimeout(60_000)
    page = await context.newPage()
    await page.exposeFunction('signed', (raw: `0x${string}`) => wallet.signMessage({ message: { raw } }))
    await page.addInitScript((address) => {
      const provider = {
        request: async ({ method, params = [] }: { method: string; params?: unknown[] }) =>
          method === 'personal_sign'
            ? (globalThis as unknown as { signed(raw: unknown): unknown }).signed(params[0])
            : [address],
      }
      Object.assign(globalThis, { ethereum: provider })
    }, wallet.address)
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/session'))
        signIns.push(request.postData() ?? '')
    })
    complaints = await noteComplaints(page)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.interrupt('group')
  })

  const base = () => service.ready.base_url
  const statusOf = async (key: string, path = '/v1/z100/creators?limit=1') =>
    (await fetch(base() + path, { headers: bearer(key) })).status
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const keyButton = (change: string, label: string) =>
    page.getByRole('button', { name: `${change} key ${label} (` }).first()
  const dialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })

  /** Makes a key by the page, and reads its text. */
  async function newKey(label: string): Promise<string> {
    await button('Create a key').click()
    await page.getByLabel('Label (optional)').fill(label)
    await dialog('Create key').click()
    return newestKey(label)
  }
  async function newestKey(label: string): Promise<string> {
    await page.getByRole('row', { name: label }).first().waitFor()
    const text = await page.locator('[aria-live] .notice pre').first().textContent()
    return text?.trim() ?? ''
  }

  it('signs in, makes two keys, and spends the hour of the account with both', async () => {
    await page.goto(`${base()}/account`)
    await button('Sign in with your wallet').click()
    await page.getByText('0 of 10 keys').waitFor()
    const keys = [await newKey('production'), await newKey('staging')]
    expect(new Set(keys).size).toBe(2)
    // On a busy machine the first snapshot takes more than one run of the publisher.
    await expect.poll(() => statusOf(service.ready.keys.enterprise), PUBLISHED).toBe(200)
    for (let n = 0; n < 100; n++) expect(await statusOf(keys[n % 2]!)).toBe(200)
    expect(await Promise.all(keys.map((key) => statusOf(key)))).toEqual([429, 429])
    await page.reload()
    await page.getByText('100 of 100 requests').waitFor()

    const { env, keys: demo } = service.ready
    expect(await statusOf(demo.basic)).toBe(200)
    Object.assign(process.env, env)
    const access = openAccessService(env, 'operator')
    const id = /account (\w+)/.exec((await page.locator('.who span').textContent()) ?? '')?.[1] ?? ''
    await setTier(access, id, 'professional')
    await expect.poll(() => statusOf(keys[0]!), WITHIN).toBe(200)
    await expect.poll(() => statusOf(keys[0]!, '/v1/z100/creators'), WITHIN).toBe(200)

    await keyButton('Replace', 'production').click()
    const days = page.getByLabel('Days that it stays valid')
    await days.fill('')
    await dialog('Replace').click()
    // Nothing is no number of days: the key would end at once.
    expect(await days.evaluate((field) => field.matches(':invalid'))).toBe(true)
    await days.fill('7')
    await dialog('Replace').click()
    await page.getByText('valid until').waitFor()
    const next = await newestKey('production')
    expect(keys).not.toContain(next)
    expect([await statusOf(next), await statusOf(keys[0]!)]).toEqual([200, 200])

    await keyButton('Revoke', 'staging').click()
    await dialog('Revoke').click()
    await page.getByText('ended', { exact: false }).first().waitFor()
    for (const path of ['/v1/z100/creators', '/v1/z100/creators?limit=1'])
      await expect.poll(() => statusOf(keys[1]!, path), WITHIN).toBe(401)
    expect(await statusOf(next)).toBe(200)
    expect(await complaints()).toEqual([])
  })

  it('reads the page on a phone and by keyboard; axe finds nothing serious', async () => {
    await page.setViewportSize(PHONE)
    await expect
      .poll(() => page.evaluate('document.documentElement.scrollWidth'), WITHIN)
      .toBeLessThanOrEqual(PHONE.width)
    await page.evaluate(axe)
    const found = await page.evaluate(
      "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => id + ': ' + nodes[0].html))",
    )
    expect(found).toEqual([])
    await button('Create a key').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.type('by keyboard')
    await page.keyboard.press('Enter')
    await page.getByRole('row', { name: 'by keyboard' }).waitFor()
    // The focus stays where it was, so nobody begins again at the top of the page.
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('says so where the browser keeps no cookie', async () => {
    const own = await (await page.context().browser()!.newContext()).newPage()
    await own.route('**/account/api/session', async (route) => {
      const response = await route.fetch()
      // Playwright keeps the cookie of what it fetches itself.
      await own.context().clearCookies()
      const { 'set-cookie': _, ...headers } = response.headers()
      await route.fulfill({ response, headers })
    })
    await own.goto(`${base()}/account`)
    await own.getByRole('button', { name: 'Sign in with the demo wallet' }).click()
    await own.getByText('Your browser did not keep the cookie that signs you in.').waitFor()
    await own.context().close()
  })

  it('signs out; neither the old cookie nor the old signature opens the account again', async () => {
    const cookies = await page.context().cookies()
    const session = cookies.find(({ name }) => name === SESSION_COOKIE)
    expect(session).toMatchObject({ httpOnly: true, secure: false, sameSite: 'Strict', path: '/' })
    await button('Sign out').click()
    await button('Sign in with your wallet').waitFor()
    const headers = {
      origin: base(),
      'content-type': 'application/json',
      cookie: `${SESSION_COOKIE}=${session?.value}`,
    }
    const ask = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(base() + ACCOUNT_API + path, { headers, ...init })
      return ((await response.json()) as { error?: { code: string } }).error?.code
    }
    expect(await ask('account')).toBe('NOT_SIGNED_IN')
    expect(signIns).toHaveLength(1)
    expect(await ask('session', { method: 'POST', body: signIns[0]! })).toBe('CHALLENGE_ENDED')
  })

  it('can take the demo wallet on the development chain', async () => {
    await button('Sign in with the demo wallet').click()
    await page.getByText('0 of 10 keys').waitFor()
    expect(await complaints()).toEqual([])
  })
})
