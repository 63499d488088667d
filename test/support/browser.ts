/** Debian's Chromium for tests; where it is not, they are skipped, and say so. */
import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'

const CHROMIUM = '/usr/bin/chromium'
const ARGUMENTS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

/** Whether there is a browser; prints a line where there is none. */
export function hasBrowser(what: string): boolean {
  const isHere = existsSync(CHROMIUM)
  if (!isHere) process.stdout.write(`skipped: ${CHROMIUM} is not here, so ${what}\n`)
  return isHere
}

/** Starts the browser. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS })

/** What went wrong on a page: breaches of its policy, errors of its code, dialogs, messages of the browser. */
export type Complaints = () => Promise<readonly string[]>

/** Notes from now on what a page complains of. Answers of the service that refuse are no complaint: the page shows them. */
export async function noteComplaints(page: Page): Promise<Complaints> {
  const heard: string[] = []
  page.on('pageerror', (error) => heard.push(`error: ${error.stack ?? error.message}`))
  page.on('dialog', (dialog) => {
    heard.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      heard.push(`console: ${message.text()}`)
  })
  await page.addInitScript(() => {
    const breaches: string[] = []
    Object.assign(globalThis, { breaches })
    const target = globalThis as unknown as EventTarget
    target.addEventListener('securitypolicyviolation', (event) => {
      const { violatedDirective, blockedURI } = event as unknown as Record<string, string>
      breaches.push(`policy: ${violatedDirective} ${blockedURI}`)
    })
  })
  return async () => [
    ...heard,
    ...(await page.evaluate(() => (globalThis as unknown as { breaches: string[] }).breaches)),
  ]
}
