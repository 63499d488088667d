/** One creator: the value and the earnings of the token and its posts, and a list of all posts. */

import type { CreatorPage, TokenSummary } from '../../../clients/typescript/index.ts'
import { ask } from '../base/ask.ts'
import { copiedHex, sharesBar, tiles, tokenCell } from '../base/cells.ts'
import { pageLinks } from '../base/choices.ts'
import { type Child, find, h, main, setChildren } from '../base/dom.ts'
import { countLabel, dayAndTime, dollars } from '../base/format.ts'
import { avatar } from '../base/pictures.ts'
import { lastingTable } from '../base/table.ts'
import { type ChartOptions, openChart } from '../part/chart.ts'
import { listColumns } from '../part/lists.ts'
import { openPanel, type Panel } from '../part/panel.ts'
import { facts } from '../part/proof-panel.ts'
import { openPage } from '../part/shell.ts'

type Creator = CreatorPage

const EVERY_SECONDS = 300
const POSTS = 20
const DAYS = 30

const { token, price, cap, volume, holders, age } = listColumns

function nameThePage({ handle, creator_address: address, token: own }: Creator): void {
  document.title = `${handle} · creator · z100`
  const heading = find('.title h1')
  setChildren(heading, h('bdi', {}, handle))
  setChildren(find('.title p'), h('bdi', {}, own?.name ?? 'A creator without a token of their own'))
  if (address && !find('.title').querySelector('.avatar')) heading.before(avatar(address))
}

/** Portfolio, earnings and addresses. */
function headOf(creator: Creator): Child {
  nameThePage(creator)
  const { portfolio, earnings, creator_address: address, token: own, posts_total: posts } = creator
  const isOld = earnings?.coverage_from != null
  return [
    tiles([
      ['Earned 24 h', dollars(earnings?.creator_earnings_24h ?? null)],
      ['Earned since launch', isOld ? 'unknown' : dollars(earnings?.creator_earnings_total ?? null)],
      ['Market cap of the token', dollars(own?.market_cap ?? null), own?.change_24h],
      ['Market cap of all posts', dollars(portfolio?.posts_market_cap ?? null)],
      ['Posts', countLabel(posts)],
    ]),
    own && h('p', { class: 'row' }, 'Creator token: ', tokenCell({ ...own, creator_address: address })),
    portfolio && portfolioOf(portfolio),
    facts([
      ['Creator payout address', address ? copiedHex(address, 'Copy the payout address') : 'not known'],
      ...(earnings && !isOld
        ? ([
            ['Earned from trades of the token', dollars(earnings.from_token)],
            ['Earned from trades of posts', dollars(earnings.from_posts)],
          ] as const)
        : []),
      ['Figures of', `${dayAndTime(creator.last_updated)} UTC`],
    ]),
  ]
}

/** The parts of the token and its posts that count towards the portfolio value, by which the board is ranked. */
function portfolioOf({
  token_counted: token,
  posts_counted: posts,
  token_market_cap: tokenCap,
  posts_market_cap: postsCap,
}: NonNullable<Creator['portfolio']>): Child {
  const counted = token + posts
  const share = (part: number) => (counted > 0 ? (100 * part) / counted : 0)
  return [
    h('h2', {}, `Portfolio value ${dollars(counted)}`),
    sharesBar([
      { label: `Token, ${dollars(token)} of ${dollars(tokenCap)}`, share: share(token), strength: 100 },
      { label: `Posts, ${dollars(posts)} of ${dollars(postsCap)}`, share: share(posts), strength: 50 },
    ]),
  ]
}

function earningsOf({ by_day: days }: NonNullable<Creator['earnings']>): ChartOptions {
  const sum = days.reduce((all, day) => all + day.creator_earnings, 0)
  return {
    times: days.map(({ timestamp }) => timestamp),
    series: [{ label: 'Earned', values: days.map((day) => day.creator_earnings), text: dollars, as: 'bars' }],
    description: `Earned on each of the last ${days.length} UTC days, ${dollars(sum)} together.`,
  }
}

function openCreator(id: string): void {
  let offset = 0
  const rows = lastingTable<TokenSummary>(() => ({
    caption: 'Posts, newest first',
    isList: true,
    columns: [{ ...age, phone: 'lead' }, token, price, cap, volume, { ...holders, phone: 'c' }],
    key: (row) => row.token_address,
  }))
  const chart = openChart()
  const load = async (signal: AbortSignal) => {
    const query = { limit: POSTS, offset, days: DAYS }
    return ask('/v1/creators/{id}', { id, query }, signal)
  }
  const panel: Panel = openPanel({
    load,
    show: ({ body, ...answer }) => {
      const { earnings, posts, posts_total: total } = body
      const headers = new Headers({ 'x-per-page': String(POSTS) })
      return [
        headOf(body),
        earnings &&
          earnings.by_day.length > 0 && [h('h2', {}, 'Earnings by day'), chart(earningsOf(earnings))],
        h('h2', {}, 'Posts'),
        posts.length > 0 ? rows(posts) : h('p', { class: 'quiet' }, 'No posts yet.'),
        pageLinks({ ...answer, body: posts, total, headers }, offset, ['Newer', 'Older'], (next) => {
          offset = next
          panel.reload()
        }),
      ]
    },
    everySeconds: EVERY_SECONDS,
  })
  main().append(panel.element)
}

openPage()
const id = new URLSearchParams(location.search).get('id') ?? ''
if (id === '') main().append(h('p', {}, 'No creator selected. Search above, or open /creator?id=0x…'))
else openCreator(id)
