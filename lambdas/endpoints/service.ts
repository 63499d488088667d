import type { TokenPage } from '../../market/board/token-page.ts'
import { DAY_MINUTES } from '../../market/calendar.ts'
import { formatUsd } from '../../market/display.ts'
import { asOf } from '../../market/window.ts'
import { usageHourOf } from '../../schemas/api/access.ts'
import { SnapshotNotFoundError, TokenNotFoundError, UnauthorizedError } from '../../schemas/api/errors.ts'
import { snapshotFields, usageFields } from '../../schemas/api/service.ts'
import { escaped, pageHtml, SITE_STYLE, SITE_TOKEN_SCRIPT, TOKEN_PAGES } from '../../schemas/pages/site.ts'
import { crawledPages } from '../../schemas/pages/site-pages.ts'
import { publishedDayFields } from '../../schemas/records/published-day.ts'
import { shownName, shownSymbol } from '../../schemas/records/token-description.ts'
import { rowWriter } from '../../schemas/values/field.ts'
import { isoTime } from '../../schemas/values/kinds.ts'
import { readApplied } from '../../store/log/applied-read.ts'
import { infoOfManifest } from '../../store/published/documents.ts'
import { countedAccount } from '../api/admission.ts'
import { type ApiEndpoint, answerAt, lastMinuteOver, numberOf, rowsText } from '../api/endpoint.ts'
import { namedIn, readBoards, unpublished } from '../api/stored-lists.ts'
import { readerOf, readPage, readToken } from './token.ts'

/** GET /v1/status, as last published. */
export const status: ApiEndpoint = async (_asked, stores) => {
  const found = await stores.status.read()
  if (!found) throw unpublished()
  return { at: found.snapshot, text: found.text }
}

const writeSnapshot = rowWriter(snapshotFields)

/** GET /v1/snapshots: newest first. */
export const snapshots: ApiEndpoint = async (asked, { manifests }) => {
  const newest = await manifests.newest()
  if (!newest) throw unpublished()
  const { to } = asked.query
  const upTo = to === undefined ? newest.minute : lastMinuteOver(to)
  const page = { offset: numberOf(asked, 'offset'), limit: numberOf(asked, 'limit') }
  const { manifests: found, ...facts } = await manifests.list({ upTo, ...page })
  const list = rowsText(found.map(writeSnapshot))
  // New snapshots come before those of the first page.
  const pinned = { to: to ?? isoTime(asOf(newest.minute)) }
  return { at: infoOfManifest(newest), page: { ...page, ...facts, list, pinned } }
}

/** GET /v1/snapshots/{id}. */
export const snapshotEndpoint: ApiEndpoint = async ({ id }, { manifests }) => {
  const found = await manifests.byId(id)
  if (!found && !(await manifests.newest())) throw unpublished()
  if (!found) throw new SnapshotNotFoundError(id)
  return { at: infoOfManifest(found), text: JSON.stringify(found, null, 1) }
}

const writeDay = rowWriter(publishedDayFields)

/** GET /v1/status/day: counted by the names of the manifests alone. */
export const statusDay: ApiEndpoint = async (_asked, { manifests }) => {
  const newest = await manifests.newest()
  if (!newest) throw unpublished()
  const to = newest.minute
  const start = to - DAY_MINUTES + 1
  const { kept, first = to } = await manifests.minutes(start, to)
  return { at: infoOfManifest(newest), text: writeDay({ from: Math.max(start, first), to, published: kept }) }
}

const writeUsage = rowWriter(usageFields)

/** GET /v1/usage: the usage of the caller's account in this hour. Not counted itself. */
export const usage: ApiEndpoint = async (_asked, stores, { caller, viewer, now }) => {
  if (!caller) throw new UnauthorizedError('missing_api_key')
  const { account, tier } = caller
  const hour = usageHourOf(now)
  const counted = { account: countedAccount(caller, viewer), hour }
  const [at, used] = await Promise.all([stores.lists.newest(), stores.usage.used(counted)])
  return { at, text: writeUsage({ account, tier, hour, used }) }
}

/** GET /v1/robots.txt: pages may be indexed; the API and the stream may not. */
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

const files = { script: `/${SITE_TOKEN_SCRIPT}`, style: `/${SITE_STYLE}`, imports: [] }
const unknown = {
  title: 'Token · z100',
  heading: 'Token',
  description: 'Price, market data, holders and swaps of a token.',
}

/**
 * GET /v1/token-pages/{id}: the page of a token, named in its title and preview; for an unknown id, the page that will
 * say so.
 */
export const tokenPage: ApiEndpoint = async ({ id }, stores, { site }) => {
  const { at, value } = await readApplied(stores.log, async (now) => {
    const reader = readerOf(stores)
    const token = await readToken(reader, id, now).catch(orNull)
    return token && readPage(reader, token, now)
  })
  const named = value === null ? unknown : namesOf(value)
  const own = { origin: site, ownPath: TOKEN_PAGES + (value?.token.address ?? id) }
  const page = { path: '/token', group: 'market' as const, ...own, ...named }
  return answerAt(at, { text: pageHtml(page, files, '') })
}

function orNull(error: unknown): null {
  if (error instanceof TokenNotFoundError) return null
  throw error
}

function namesOf({ token, marketCap, volume24h }: TokenPage) {
  const figures = `Market cap ${formatUsd(marketCap)}, 24-hour volume ${formatUsd(volume24h)}.`
  return {
    title: `${shownSymbol(token)} · z100`,
    heading: shownSymbol(token),
    description: `${shownName(token)}: ${token.kind} token. ${figures}`,
  }
}
