import { escaped } from '../../schemas/page-html.ts'
import { crawledPages, TOKEN_PAGES } from '../../schemas/site.ts'
import { namedIn, readBoards } from '../stored-lists.ts'
import type { ApiEndpoint } from './endpoint.ts'

/** GET /v1/robots.txt: the pages are for everyone; answers of the API and the stream are nothing to find. */
export const robots: ApiEndpoint = async (_asked, _stores, { site }) => ({
  at: null,
  text: `User-agent: *
Disallow: /v1/
Disallow: /stream/
Disallow: /search
Sitemap: ${site}/sitemap.xml
`,
})

/** GET /v1/sitemap.xml, in the form of sitemaps.org. */
export const sitemap: ApiEndpoint = async (_asked, { lists }, { site }) => {
  const { at, rows } = await readBoards(lists)
  const tokens = rows.map((row) => `${TOKEN_PAGES}${namedIn(row).address}`)
  const places = [...crawledPages, ...tokens].map((path) => `<url><loc>${escaped(site + path)}</loc></url>`)
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${places.join('\n')}
</urlset>
`
  return { at, text }
}
