/** Draws the icons of an installed page and the previews of links that never change with Debian's Chromium: `npm run build:share`. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startBrowser } from '../support/browser.ts'

const ROOT = join(import.meta.dirname, '../..')
const OUT = join(ROOT, 'site/browser/share')
const icon = readFileSync(join(ROOT, 'site/browser/icon.svg'), 'utf8')

/** Title and line of each preview. A token's page says which token it is in its own title. */
const previews = {
  home: ['The market now', 'Creator tokens and post tokens: what leads, what moved, who trades, who earns'],
  token: ['Live on the chain', 'Price, candles, holders and swaps, exact to the micro-dollar'],
} as const

/** Heights of the picture's bars, percent. */
const bars = [34, 42, 38, 51, 47, 60, 55, 68, 74, 70, 83, 92]

const previewHtml = ([title, line]: readonly [string, string]) => `<style>
* { box-sizing: border-box; margin: 0 }
body { width: 1200px; height: 630px; padding: 72px; background: #14161a; color: #f3f3ef; font-family: system-ui, "DejaVu Sans", sans-serif; position: relative; overflow: hidden }
svg { width: 84px; height: 84px; display: block; margin-bottom: 92px }
h1 { font-size: 84px; letter-spacing: -0.03em; line-height: 1.1 }
p { font-size: 34px; line-height: 1.35; color: #a0a5ae; max-width: 800px; margin-top: 22px }
div { position: absolute; right: 0; bottom: 0; width: 560px; height: 420px; display: flex; gap: 12px; align-items: flex-end; opacity: 0.35 }
i { flex: 1; border-radius: 8px 8px 0 0; background: linear-gradient(#93a8ff, #2746c8) }
h1, p { position: relative; z-index: 1 }
</style>${icon}<h1>${title}</h1><p>${line}</p><div>${bars.map((height) => `<i style="height:${height}%"></i>`).join('')}</div>`

mkdirSync(OUT, { recursive: true })
const browser = await startBrowser()
const page = await browser.newPage({ viewport: { width: 1_200, height: 630 } })
for (const [name, words] of Object.entries(previews)) {
  await page.setContent(previewHtml(words))
  await page.screenshot({ path: join(OUT, `${name}.png`) })
}
for (const size of [180, 192, 512]) {
  await page.setViewportSize({ width: size, height: size })
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100%}</style>${icon}`)
  await page.screenshot({ path: join(OUT, `icon-${size}.png`), omitBackground: true })
}
await browser.close()
