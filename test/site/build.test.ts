import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { measuredSizes } from '../../cdk/price/abuse.ts'
import { documents } from '../../schemas/api/documents.ts'
import { type ErrorCode, errorBody, errorCodes, errorPage } from '../../schemas/api/errors.ts'
import { keyWay } from '../../schemas/api/key-way.ts'
import type { Operation } from '../../schemas/api/operation.ts'
import { operations } from '../../schemas/api/operations.ts'
import { refusals } from '../../schemas/described/openapi-refusals.ts'
import { EMBED_PAGES, embeds } from '../../schemas/pages/embeds.ts'
import { drawnPreviews, previewKey } from '../../schemas/pages/previews.ts'
import {
  METHODOLOGY_TEXT,
  notFoundPage,
  ORIGIN_MARK,
  pageHtml,
  REDIRECTS,
  SITE_CATALOG,
  SITE_FAVICON,
  SITE_ICON,
  SITE_MANIFEST,
  SITE_SECURITY,
  SITE_SKILL,
  SITE_STYLE,
  SITE_TEXTS,
  SITE_TOKEN_SCRIPT,
  SITE_WHOLE_TEXT,
  siteFileOf,
} from '../../schemas/pages/site.ts'
import { crawledPages } from '../../schemas/pages/site-pages.ts'
import { searchText } from '../../schemas/values/parameters.ts'
import { documentUrl } from '../../site/browser/base/addresses.ts'
import { buildSite } from '../../site/build/build-site.ts'
import { textHtml } from '../../site/build/html.ts'
import { objectOf, pages } from '../../site/build/pages.ts'

const LIMIT_BYTES = 100 * 1024
/** Of a browser to one host over HTTP/1.1. */
const CONNECTIONS = 6

const site = await buildSite()
const textOf = (name: string) => Buffer.from(site.get(name)!).toString()

describe('the built site', () => {
  it('has every page, and each file that a page names', () => {
    for (const page of pages) {
      const html = textOf(objectOf(page))
      const named = [...html.matchAll(/(?:src|href)="(\/[^"?#]*)/g)].map(([, path]) => path!)
      const own = named.filter((path) => !/^\/(v1\/|llms\.txt|config\.json)/.test(path))
      const known = new Set([...site.keys()].map((name) => `/${name}`).concat('/'))
      expect(own.filter((path) => !known.has(path))).toEqual([])
      expect(own.some((path) => path.endsWith('.js'))).toBe(true)
    }
  })

  it('has files as large as the costs of strangers are computed with', () => {
    const API_REFERENCE = 'docs/api'
    const kb = (name: string) => site.get(name)!.length / 1e3
    const largest = Math.max(...[...site.keys()].filter((name) => name !== API_REFERENCE).map(kb))
    const { pageKb, referenceKb, tokenPageKb } = measuredSizes
    for (const [found, stated] of [
      [largest, pageKb],
      [kb(API_REFERENCE), referenceKb],
      [kb('token'), tokenPageKb],
    ] as const) {
      expect(found / stated, `${found} KB`).toBeGreaterThan(0.75)
      expect(found / stated, `${found} KB`).toBeLessThan(1.25)
    }
  })

  it('requests each published document at its address', () => {
    for (const { name, operation, parameterValues } of documents) {
      const url = new URL(documentUrl(name), 'http://site.invalid')
      const { path, documentParameters: parameters } = operations[operation]
      expect(url.pathname, name).toBe(path)
      const asked = (parameters ?? []).map(({ names }) =>
        names.map((each) => url.searchParams.get(each)).join(''),
      )
      expect(asked, name).toEqual(parameterValues)
    }
  })

  it('has the assets and links of the page for a mistyped address', () => {
    const named = [...notFoundPage.matchAll(/(?:src|href)="\/([^"]*)/g)].map(
      ([, name]) => name || 'index.html',
    )
    expect(named).toContain(SITE_STYLE)
    expect(named.filter((name) => !site.has(name))).toEqual([])
  })

  it('has previews for each page, and one navigation, also on the 404 page', () => {
    const navigation = (html: string) => /<nav aria-label="Pages">(.*?)<\/nav>/.exec(html)?.[1]
    for (const page of pages) {
      const html = textOf(objectOf(page))
      const [, title] = /<title>(.*)<\/title>/.exec(html)!
      expect(html).toContain(`<meta property="og:title" content="${title}">`)
      // Whole addresses, as crawlers take no others: of a picture of the site, or of one that is drawn.
      const images = [...html.matchAll(/og:image" content="([^"]+)"/g)].map(([, address]) => address!)
      const paths = images.map((address) => address.replace(`${ORIGIN_MARK}/`, ''))
      expect(paths.length).toBeGreaterThan(0)
      expect(
        paths.filter((path) => !site.has(path) && !drawnPreviews.map(previewKey).includes(path)),
      ).toEqual([])
      expect(images.filter((address) => !address.startsWith(`${ORIGIN_MARK}/`))).toEqual([])
      expect(html).toContain(`<meta property="og:url" content="${ORIGIN_MARK}${page.path}">`)
      expect(navigation(html)!.replace(' aria-current="page"', '')).toBe(navigation(notFoundPage))
    }
    const { icons } = JSON.parse(textOf(SITE_MANIFEST)) as { icons: { src: string }[] }
    expect(icons[0]!.src).toBe(`/${SITE_ICON}`)
    expect(icons.filter(({ src }) => !site.has(src.slice(1)))).toEqual([])
    expect(siteFileOf(SITE_MANIFEST)?.contentType).toBe('application/manifest+json')
    const found = pages.filter(
      ({ path }) => !['/account', '/token', '/creator', '/wallet', '/watchlist', '/search'].includes(path),
    )
    expect(found.map(({ path }) => path).sort()).toEqual([...crawledPages].sort())
  })

  it('names the drawn pictures on the pages of what they show, each with what is in it', () => {
    const namedBy = (name: string) =>
      [...textOf(name).matchAll(/og:image" content="[^"]*\/previews\/(\w+)\.png"/g)].map(([, one]) => one)
    expect(namedBy('boards')).toEqual(['creators', 'posts'])
    expect(namedBy('z100-index')).toEqual(['index'])
    expect(namedBy('index.html')).toEqual(['index'])
    expect(namedBy('docs/start')).toEqual([])
    for (const tag of ['type', 'width', 'height', 'alt'])
      expect(textOf('boards').split(`og:image:${tag}"`).length - 1).toBe(2)
  })

  it('has titles and descriptions that can stand alone, no two alike', () => {
    const all = pages.map((page) => textOf(objectOf(page)))
    for (const tag of ['title', 'description']) {
      const texts = all.map((html) => new RegExp(`og:${tag}" content="([^"]+)"`).exec(html)![1]!)
      expect(new Set(texts).size).toBe(pages.length)
      expect(texts.filter((text) => text.length > (tag === 'title' ? 70 : 160))).toEqual([])
    }
    expect(textOf('docs/errors')).toContain('og:title" content="Errors · z100 documentation"')
  })

  it('has an icon on every page, also on generated ones, so that no browser requests another', () => {
    const frame = {
      path: '/token',
      origin: 'https://z100.example',
      heading: '',
      title: '',
      description: '',
      group: 'market' as const,
    }
    const files = { script: `/${SITE_TOKEN_SCRIPT}`, style: `/${SITE_STYLE}`, imports: [] }
    const all = [...pages.map((page) => textOf(objectOf(page))), pageHtml(frame, files, ''), notFoundPage]
    for (const html of all) expect(html).toContain(`<link rel="icon" href="/${SITE_ICON}"`)
    expect(site.has(SITE_ICON)).toBe(true)
    expect(siteFileOf(SITE_ICON)?.contentType).toBe('image/svg+xml')
  })

  it('takes as much text to search for as the API does', () => {
    const [, most] = /<input type="search"[^>]* maxlength="(\d+)"/.exec(textOf('index.html'))!
    expect(searchText.syntax?.schema).toMatchObject({ maxLength: Number(most) })
  })

  it('has no script, style or handler inside a page', () => {
    for (const page of pages) {
      const html = textOf(objectOf(page))
      expect(html.match(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|javascript:/gi)).toBeNull()
    }
  })

  it('loads at most 100 KB of compressed JavaScript on any page', () => {
    for (const page of pages) {
      const scripts = [...textOf(objectOf(page)).matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)]
      const bytes = scripts.map(([, name]) => gzipSync(site.get(name!)!).length)
      expect(bytes.length).toBeGreaterThan(0)
      expect(bytes.reduce((sum, each) => sum + each)).toBeLessThan(LIMIT_BYTES)
    }
  })

  it('loads at most 60 KB for a board, compressed, with its font and its style', () => {
    const html = textOf('boards')
    const files = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css|woff2))"/g)].map(
      ([, name]) => name!,
    )
    expect(files.map((name) => name.split('.').at(-1))).toEqual(
      expect.arrayContaining(['js', 'css', 'woff2']),
    )
    // A font is compressed by itself.
    const bytes = ['boards', ...files].map((name) =>
      name.endsWith('woff2') ? site.get(name)!.length : gzipSync(site.get(name)!).length,
    )
    expect(bytes.reduce((sum, each) => sum + each)).toBeLessThan(60 * 1024)
  })

  it('has pages for the frames of other sites, of at most 30 KB compressed, without anything inline', () => {
    for (const kind of embeds) {
      const html = textOf(EMBED_PAGES + kind)
      const files = [...html.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, name]) => name!)
      expect(files).toHaveLength(2)
      const bytes = files.map((name) => gzipSync(site.get(name)!).length)
      expect(bytes.reduce((sum, each) => sum + each, gzipSync(html).length)).toBeLessThan(30 * 1024)
      expect(html.match(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/gi)).toBeNull()
    }
  })

  it('has a part for every error code, to which its help leads, and one that leads to a key', () => {
    const errors = Object.keys(errorCodes) as ErrorCode[]
    const helps = Object.values(refusals).flatMap(({ examples }) =>
      Object.values(examples).map((error) => String(errorBody(error, 'r').error.details['help'])),
    )
    expect(helps.every((help) => help.includes('/docs/errors#'))).toBe(true)
    const places = [...helps, ...errors.map(errorPage), keyWay()].flatMap(
      (text) => text.match(/\/docs\/[\w#-]+/g) ?? [],
    )
    expect(places).toContain('/docs/start#a-key')
    for (const place of places) {
      const [page = '', part = ''] = place.split('#')
      expect([place, textOf(page.slice(1)).includes(`id="${part}"`)]).toEqual([place, true])
    }
  })

  it('shows what each operation takes and answers without a click, and lets a reader send it', () => {
    const html = textOf('docs/api')
    expect(html).not.toContain('<details')
    const shown = Object.values<Operation>(operations).filter(({ path }) =>
      html.includes(`data-path="${path}"`),
    )
    const hidden = Object.values<Operation>(operations).filter((each) => !shown.includes(each))
    expect(hidden.map(({ path }) => path)).toEqual([
      '/v1/token-pages/{id}',
      '/v1/robots.txt',
      '/v1/sitemap.xml',
      '/v1/llms.txt',
    ])
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
    const links = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(links.filter((id) => !ids.includes(id))).toEqual([])
  })

  it('loads the files of a page at once, over as few connections as a browser has', () => {
    for (const page of pages) {
      const html = textOf(objectOf(page))
      const files = html.match(/<(?:link rel="(?:stylesheet|preload|modulepreload)"|script)[^>]*>/g)!
      expect(files.length, page.path).toBeLessThanOrEqual(CONNECTIONS)
    }
  })

  it('has the script of a token’s page, where its HTML is made elsewhere, in one file', () => {
    const script = textOf(SITE_TOKEN_SCRIPT)
    expect(script).not.toMatch(/\bimport\s*[\w{*"'(]/)
    expect(gzipSync(script).length).toBeLessThan(LIMIT_BYTES)
    expect(script).toContain('/v1/tokens/')
  })

  it('has every text for language models, in one and each by itself', () => {
    const whole = textOf(SITE_WHOLE_TEXT)
    for (const page of pages) {
      if (!page.markdown) continue
      const text = textOf(`${SITE_TEXTS}${page.path.split('/').at(-1)}.md`)
      expect(whole).toContain(text)
      // Also where a reader of the page would look for it.
      expect(textOf(`${objectOf(page)}.md`)).toBe(text)
      expect(siteFileOf(`${objectOf(page)}.md`)?.contentType).toMatch(/^text\/markdown/)
      expect(siteFileOf(objectOf(page))?.contentType).toMatch(/^text\/html/)
    }
    expect(site.has(METHODOLOGY_TEXT.slice(1))).toBe(true)
    expect(whole).toContain('GET /v1/z100/creators')
    for (const code of Object.keys(errorCodes))
      expect(whole).toContain(`## ${errorCodes[code as ErrorCode].status} ${code}`)
  })

  it('has what browsers, agents and researchers ask for at known addresses', () => {
    const types = [SITE_FAVICON, SITE_SECURITY, SITE_CATALOG, SITE_SKILL].map((name) => [
      name,
      siteFileOf(name)?.contentType?.split(';')[0],
    ])
    expect(Object.fromEntries(types)).toEqual({
      'favicon.ico': 'image/x-icon',
      '.well-known/security.txt': 'text/plain',
      '.well-known/api-catalog': 'application/linkset+json',
      'skill.md': 'text/markdown',
    })
    const icon = Buffer.from(site.get(SITE_FAVICON)!)
    const [length, at] = [icon.readUInt32LE(14), icon.readUInt32LE(18)]
    expect([icon.readUInt32LE(0), icon.readUInt16LE(4), at + length]).toEqual([0x10000, 1, icon.length])
    expect(icon.subarray(at + 1, at + 4).toString()).toBe('PNG')
    expect(textOf(SITE_SECURITY)).toMatch(
      /^Contact: \{\{origin\}\}\/docs\/start#security\nExpires: 20\d\d-.*Z$/m,
    )
    expect(textOf('docs/start')).toContain('id="security"')
    const { linkset } = JSON.parse(textOf(SITE_CATALOG)) as { linkset: Record<string, { href: string }[]>[] }
    const links = linkset.flatMap(({ anchor: _, ...relations }) => Object.values(relations).flat())
    const paths = links.map(({ href }) => href.replace(ORIGIN_MARK, ''))
    const known = (path: string) =>
      site.has(path.slice(1)) || Object.values<Operation>(operations).some((each) => each.path === path)
    expect(paths.filter((path) => !known(path))).toEqual(['/v1/stream/asyncapi.json'])
    expect(textOf(SITE_SKILL)).toMatch(/^---\nname: [a-z0-9-]+\ndescription: .+\n---\n/)
    expect(textOf(SITE_SKILL)).toContain(`${ORIGIN_MARK}/mcp`)
  })

  it('leads from the addresses of the documentation to a page of it', () => {
    expect(Object.keys(REDIRECTS)).toEqual(['/docs', '/docs/'])
    for (const page of Object.values(REDIRECTS)) expect(site.has(page.slice(1))).toBe(true)
  })

  it('takes over the whole text of the methodology and of the stream', () => {
    expect(textOf('docs/methodology')).toContain('id="z100-index"')
    expect(textOf('docs/methodology').replaceAll('\n', ' ')).toContain(
      '<strong>25</strong> (<code>CAP_PER_LIQUIDITY</code>)',
    )
    expect(textOf('docs/stream')).toContain('<td><code>resync</code></td>')
  })
})

describe('text from Markdown', () => {
  /** Without the line breaks of the source, which a reader does not see. */
  const htmlOf = (text: string) =>
    textHtml(text)
      .replace(/(?<=>)\n|\n(?=<)/g, '')
      .replaceAll('\n', ' ')

  it('is always text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...'<>"\'&*_`[]()|#\n- a', 'javascript:x'), { maxLength: 60 }),
        (parts) => {
          const tags = [...htmlOf(parts.join('')).matchAll(/<\/?([a-z0-9]+)([^>]*)>/g)]
          const allowed =
            /^(article|p|h[1-6]|pre|code|ul|ol|li|div|table|thead|tbody|tr|t[hd]|strong|em|a|br|hr|blockquote)$/
          for (const [, name, attributes] of tags) {
            expect(name).toMatch(allowed)
            expect(attributes).not.toMatch(/\bon\w+=|javascript:/)
          }
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('reads the marks of the repository’s texts', () => {
    expect(htmlOf('a **b `c`** _d_ [e](#f) [g](rules.ts)\nh')).toBe(
      '<article class="prose"><p>a <strong>b <code>c</code></strong> <em>d</em> <a href="#f">e</a> g h</p></article>',
    )
    expect(htmlOf('- a\n  b\n- c')).toContain('<ul><li>a b</li><li>c</li></ul>')
    expect(htmlOf('| a | b |\n|---|---|\n| `x` | y \\| z |')).toContain(
      '<tbody><tr><td><code>x</code></td><td>y | z</td></tr></tbody>',
    )
  })
})
