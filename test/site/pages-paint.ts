import { expect, it } from 'vitest'
import { pages } from '../../site/build/pages.ts'
import { MOST_SHIFT, type PageReader, PHONE, queriesOf, WIDE } from './reader.ts'

/** What was painted last is noted with the next frame. */
const NEXT_FRAME = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))'

/** What a reader sees before any figure has come. */
export function itBegins(reader: () => PageReader): void {
  it('the largest part in sight of every page is painted before any figure comes, and nothing moves when they do', async () => {
    const { ask, settled, service } = reader()
    const query = await queriesOf(ask)
    const own = `/token/${query['/token']!.slice('?id='.length)}`
    for (const path of [...pages.map((each) => each.path + (query[each.path] ?? '')), own])
      for (const size of [WIDE, PHONE]) {
        await reader().begin()
        const page = reader().page
        await page.setViewportSize(size)
        let release = () => {}
        const released = new Promise<void>((resolve) => {
          release = resolve
        })
        await page.route('**/v1/**', async (route) => {
          await released
          await route.continue().catch(() => {})
        })
        await page.goto(service.ready.base_url + path)
        await expect.poll(() => page.evaluate('painted.what')).not.toBe('')
        await page.evaluate(NEXT_FRAME)
        const before = await page.evaluate('performance.now()')
        release()
        await settled()
        await page.evaluate(NEXT_FRAME)
        const { at, what } = (await page.evaluate('painted')) as { at: number; what: string }
        expect(at, `${path}, ${size.width} wide: ${what}`).toBeLessThan(before as number)
        expect(await page.evaluate('shifted'), `${path}, ${size.width} wide`).toBeLessThanOrEqual(MOST_SHIFT)
      }
  })
}
