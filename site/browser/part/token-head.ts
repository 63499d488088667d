/** The head of a token's page: its names, who made it, its figures, and where else it is. */
import type { TokenDetail } from '../../../clients/typescript/index.ts'
import { pagesOf } from '../base/addresses.ts'
import {
  ageOf,
  capCell,
  change,
  copiedHex,
  creatorHref,
  dollarsCell,
  hexCell,
  kindTag,
  makerOf,
  tiles,
  warningsOf,
} from '../base/cells.ts'
import { type Child, explained, find, h, setChildren } from '../base/dom.ts'
import { amountLabel, countLabel, DASH, dayAndTime, dollars, OWN_DIGITS, shortHex } from '../base/format.ts'
import { chainName } from '../base/freshness.ts'
import { avatar } from '../base/pictures.ts'
import { starButton } from '../base/watchlist.ts'
import { facts } from './proof-panel.ts'

type Fact = readonly [name: string, value: Child]

/** A figure since launch, unknown for tokens older than the service's history. */
export const orUnknown = (
  { coverage_from: from }: { readonly coverage_from: string | null },
  figure: Child,
): Child => (from ? 'unknown' : figure)

/** Names the page after its token, and shows its price. */
export function tokenHead(token: TokenDetail): Child {
  nameThePage(token)
  return h(
    'p',
    { class: 'price' },
    h('strong', {}, dollarsCell(token.price_usd, OWN_DIGITS)),
    change(token.change_24h),
    h('span', { class: 'quiet' }, '24 h'),
  )
}

/** Its main figures. */
export const mainFigures = (token: TokenDetail): HTMLElement =>
  tiles(
    [
      ['Market cap', capCell(token, undefined, OWN_DIGITS)],
      ['Volume 24 h', dollars(token.volume_24h, OWN_DIGITS)],
      [
        explained('Liquidity', 'What the pool holds on both sides at the price of now.'),
        dollars(token.liquidity_usd, OWN_DIGITS),
      ],
      ['Holders', orUnknown(token, countLabel(token.unique_holders))],
      ['Trades 24 h', countLabel(token.trades_24h)],
      [
        explained('Earned 24 h', 'Fees of trades that went to the creator in 24 hours.'),
        dollars(token.creator_earnings_24h, OWN_DIGITS),
      ],
    ],
    'tiles small',
  )

/** The page's heading names the token; names from the chain are plain text there, too. */
function nameThePage(token: TokenDetail): void {
  const { symbol, name, token_address: address, creator_handle: handle } = token
  const creator = makerOf(token)
  document.title = `${symbol} · z100`
  const [heading, line] = [find('.title h1'), find('.title p')]
  setChildren(heading, h('bdi', {}, symbol || address))
  setChildren(line, h('bdi', {}, name))
  let beside = heading.parentElement?.querySelector('.beside')
  if (!beside) {
    beside = h('span', { class: 'beside row' })
    line.after(beside)
    heading.before(avatar(creator ?? address))
  }
  const isPost = token.type === 'post'
  const by = creator && [
    isPost ? 'by ' : 'of ',
    h(
      'a',
      { href: creatorHref(address) },
      h('bdi', {}, isPost ? (handle ?? shortHex(creator)) : shortHex(creator)),
    ),
  ]
  setChildren(
    beside,
    kindTag(token.type),
    starButton(token, 'Watch'),
    by && h('span', { class: 'quiet' }, by),
    warningsOf(token),
  )
}

/** What a reader may want to know of it besides. */
export const tokenFacts = (token: TokenDetail): HTMLElement =>
  facts([
    ...(token.created_at ? [['Launched', [ageOf(token.created_at), ' ago']] as const] : []),
    ...coverageOf(token),
    ['Creator payout address', creatorOf(token)],
    ['Contract', copiedHex(token.token_address, 'Copy the contract address')],
    ['Pool', sinceMove(token)],
    ...metricsOf(token),
    ...elsewhere(token.token_address),
  ])

function creatorOf({
  creator_address: address,
  creator_verified: isVerified,
  launched_by: launcher,
}: TokenDetail): Child {
  if (address === null) return DASH
  const link = h('a', { href: creatorHref(address) }, hexCell(address))
  return isVerified === false ? [link, ' (named by ', hexCell(launcher), ', who launched it)'] : link
}

/** For a token older than the service's history: its beginning. */
const coverageOf = ({ coverage_from: from }: TokenDetail): readonly Fact[] =>
  from ? [['Known since', `${dayAndTime(from)} UTC; it is older, and what was before is not counted`]] : []

/** Links to explorers; none for a development chain. */
function elsewhere(address: string): readonly Fact[] {
  const links = pagesOf(chainName(), address).map(([label, href]) => [
    h('a', { href, rel: 'noreferrer' }, label),
    ' ',
  ])
  return links.length > 0 ? [['Elsewhere', links]] : []
}

/** The pool, and since when it has been this one, if the token had another before. */
function sinceMove({ pool_id: pool, migrations }: TokenDetail): Child {
  const last = migrations.at(-1)
  return last ? [hexCell(pool), h('small', {}, ` since ${dayAndTime(last.datetime)} UTC`)] : hexCell(pool)
}

const withTime = (value: Child, at: string | null): Child =>
  at === null ? value : [value, h('small', {}, ' ', ageOf(at), ' ago')]

function metricsOf(token: TokenDetail): readonly Fact[] {
  const { metrics } = token
  return [
    ...(metrics
      ? ([
          [
            'All-time high (minute close)',
            orUnknown(token, withTime(dollars(metrics.all_time_high, OWN_DIGITS), metrics.ath_at)),
          ],
          [
            'All-time low',
            orUnknown(token, withTime(dollars(metrics.all_time_low, OWN_DIGITS), metrics.atl_at)),
          ],
        ] as const)
      : []),
    ['Volume since launch', orUnknown(token, dollars(token.total_volume, OWN_DIGITS))],
    ['Total supply', amountLabel(token.total_supply, OWN_DIGITS)],
    ['Circulating supply', amountLabel(token.circulating_supply, OWN_DIGITS)],
    ['Circulating market cap', dollars(token.circulating_market_cap, OWN_DIGITS)],
    ['Creator earned since launch', orUnknown(token, dollars(token.creator_earnings_total, OWN_DIGITS))],
    [
      'Fees to platform, referrers, protocol',
      orUnknown(
        token,
        [token.fees_to_platform, token.fees_to_referrers, token.fees_to_protocol]
          .map((fee) => dollars(fee))
          .join(', '),
      ),
    ],
  ]
}
