/** The examples that need other people's packages, or a browser, against `npm start`. */
import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Emulator, listen } from '../../dev/emulators/listening.ts'
import { bearer } from '../support/aws/access.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { type Service, startServiceProcess } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'
import { hasTools, TOOLS } from './installed.ts'

const ROOT = join(import.meta.dirname, '../..')
const PYTHON = '/usr/bin/python3'
const history = { blocks: 120, days: 8, trades: 250, creators: 40, posts: 40 }

/** Whether Python has what the example needs; prints a line where it has not. */
function hasPandas(): boolean {
  const isHere = spawnSync(PYTHON, ['-c', 'import pandas, httpx']).status === 0
  if (!isHere) process.stdout.write('skipped: python3-pandas or -httpx is not here: no swaps go to pandas\n')
  return isHere
}

describe.runIf(hasTools('these examples are not run'))('the examples', () => {
  let service: Service
  let [api, key] = ['', '']
  const ask = async (path: string) => (await fetch(api + path, { headers: bearer(key) })).json()
  let pages: Emulator
  const files = new Map<string, readonly [type: string, text: string]>()

  beforeAll(async () => {
    service = await startServiceProcess({ dataDir: tempDir(), seed: 3, history })
    ;[api, key] = [service.ready.base_url, service.ready.keys.professional]
    pages = await listen(
      'pages',
      createServer(({ url = '' }, response) => {
        const [type, text] = files.get(url) ?? ['text/html', '']
        response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(text)
      }),
      { isForPages: true },
    )
  })
  afterAll(async () => {
    await pages.stop()
    await service.kill()
  })

  async function onPage(html: string, look: (page: Page) => Promise<void>): Promise<void> {
    files.set('/page', ['text/html', `<!doctype html><body>${html}`])
    const browser = await startBrowser()
    try {
      const page = await browser.newPage()
      await page.goto(`${pages.url}/page`)
      await look(page)
    } finally {
      await browser.close()
    }
  }

  it.runIf(hasBrowser('no dashboard is drawn'))(
    'a dashboard draws the candles of the token that is chosen',
    async () => {
      const { outputFiles } = await build({
        entryPoints: [join(ROOT, 'examples/react-dashboard.tsx')],
        ...{ bundle: true, write: false, jsx: 'automatic', nodePaths: [join(TOOLS, 'node_modules')] },
        alias: { '@z100/client': join(ROOT, 'clients/typescript/index.ts') },
      })
      files.set('/dashboard.js', ['text/javascript', outputFiles[0]?.text ?? ''])
      const html = `<div id="dashboard" data-api="${api}" data-key="${key}"></div><script src="/dashboard.js"></script>`
      await onPage(html, async (page) => {
        const board = (await ask('/v1/z100/creators')) as unknown[]
        await page.getByRole('button').nth(1).click()
        await page.locator('svg g').first().waitFor({ state: 'attached' })
        expect(await page.getByRole('button').count()).toBe(Math.min(10, board.length))
      })
    },
  )

  it.runIf(hasBrowser('no widget is drawn'))('a widget shows the index', async () => {
    const script = await readFile(join(ROOT, 'examples/index-widget.mjs'), 'utf8')
    files.set('/index-widget.mjs', ['text/javascript', script])
    const html = `<script type="module" src="/index-widget.mjs"></script><z100-index api="${api}" key="${key}"></z100-index>`
    const { hours } = (await ask('/v1/z100/index/hours')) as { hours: { index_value: number }[] }
    expect(hours.length).toBeGreaterThan(0)
    await onPage(html, async (page) => {
      await page.getByText(`in ${hours.length} hours`).waitFor()
      await page.getByText(hours.at(-1)!.index_value.toFixed(2)).waitFor()
    })
  })

  it.runIf(hasPandas())('swaps go to pandas, each once', async () => {
    const [row] = (await ask('/v1/z100/creators?limit=1')) as { contract_address: string }[]
    const { contract_address: token } = row!
    const all = (await ask(`/v1/tokens/${token}/swaps?limit=100`)) as { timestamp: number }[]
    const swaps = all.filter(({ timestamp }) => timestamp >= Date.now() / 1_000 - 7 * 86_400)
    expect(swaps.length).toBeGreaterThan(0)
    const file = join(tempDir(), 'swaps.csv')
    const env = { ...process.env, API: api, KEY: key, PYTHONPATH: join(ROOT, 'clients/python/src') }
    const program = [join(ROOT, 'examples/swaps_to_pandas.py'), token, file]
    const { stdout } = await promisify(execFile)(PYTHON, program, { env })
    expect(stdout).toContain(`${swaps.length} swaps, $`)
    expect((await readFile(file, 'utf8')).trimEnd().split('\n')).toHaveLength(swaps.length + 1)
  })
})
