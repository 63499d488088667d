/** What strangers can make the operator pay in a day, path by path: from prices, limits and sizes. */
import { rateRules } from '../../lambdas/edge/distribution.ts'
import { freeArchiveBytes, tiers } from '../../schemas/api/access.ts'
import { accountLimits } from '../../schemas/api/account.ts'
import { openapiDocument } from '../../schemas/described/openapi.ts'
import { ACCOUNT_MEMORY_MB, type Stage, TOOLS_MEMORY_MB } from '../config.ts'
import { assumptions } from './cost-assumptions.ts'
import { prices } from './prices.ts'

const DAY_SECONDS = 86_400
/** Addresses of a stranger who has many. */
const ADDRESSES = 40
const GB = 1e9

/** Sizes on the wire in kilobytes, without gzip, that tests compare with what is built, and connections of one address to the stream. */
export const measuredSizes = {
  /** The largest file of the pages, and the page of the API's reference, which has a rule of its own. */
  pageKb: 110,
  referenceKb: 390,
  /** The list of the tools. */
  toolsKb: 20,
  /** The guide for language models, and the map of the site with two whole boards. */
  guideKb: 16,
  siteMapKb: 24,
  /** An event of the stream. */
  eventKb: 1.4,
  streamConnections: 50,
} as const

/** Guesses: no test has what they depend on. */
const guesses = {
  tokenPageKb: 6,
  statusKb: 6,
  documentKb: 60,
  /** The archive's manifest after a year: 3 KB a day. */
  manifestKb: 1_100,
  /** Seconds until a reader whose bytes are used up is refused, in which a link of a gigabit a second goes on. */
  refusedAfterSeconds: 30,
  linkBytesPerSecond: 125e6,
  /** Calls of the edge's store that a new key costs until it has ended: made, given an end, looked up, removed. */
  callsPerKey: 4,
} as const

const sizes = { ...measuredSizes, ...guesses }

/** Dollars a day. `inAll`: what a bound for everybody leaves; null: there is none but the addresses'. */
export type AbuseRow = {
  readonly path: string
  readonly bound: string
  readonly oneAddress: number
  readonly inAll: number | null
}

const perKb = (prices.edgeGbTiers[1].perGb * 1e3) / GB
/** A request that ends at the edge. */
const atEdge = prices.edgeRequest + prices.edgeFunction + prices.edgeKeyRead + prices.firewallRequest
const call = (memoryMb: number, seconds: number): number =>
  prices.gatewayRequest +
  prices.lambdaRequest +
  seconds * (memoryMb / 1_024) * prices.lambdaGbSecond +
  (assumptions.apiLogBytes / GB) * prices.logGb
const apiCall = ({ api }: Stage): number =>
  call(api.memoryMb, assumptions.apiSeconds) + assumptions.readUnitsPerApiRead * prices.tableReadUnit

/** Requests a day that a rate rule lets one address make. */
function daily(rule: string): number {
  const found = rateRules.find(({ name }) => name === rule)
  if (!found) throw new RangeError(`there is no rate rule ${rule}`)
  return (found.limit / found.windowSeconds) * DAY_SECONDS
}
const ruleText = (rule: string): string => `rate rule \`${rule}\``

type Path = {
  readonly path: string
  readonly rule: string
  /** Of one request. */
  readonly usd: number
  /** Of a request beyond the edge, and how many a second are let through for all. */
  readonly behind?: { readonly usd: number; readonly perSecond: number; readonly bound: string }
}

function rowOf({ path, rule, usd, behind }: Path): AbuseRow {
  const requests = daily(rule)
  const { usd: each = 0, perSecond = 0, bound } = behind ?? {}
  const most = perSecond * DAY_SECONDS
  return {
    path,
    bound: bound === undefined ? ruleText(rule) : `${ruleText(rule)}; in all ${bound}`,
    oneAddress: requests * usd + Math.min(requests, most) * each,
    inAll: behind ? ADDRESSES * requests * usd + Math.min(ADDRESSES * requests, most) * each : null,
  }
}

/** Every path that needs no key or a free one. A stage without a firewall has no bound by address. */
export function abuseRows(stage: Stage): readonly AbuseRow[] {
  const { api, accounts } = stage
  const strangers = { perSecond: api.strangersPerSecond, bound: '`strangersPerSecond` of its method' }
  const openapiKb = JSON.stringify(openapiDocument()).length / 1e3
  const toolCall = call(TOOLS_MEMORY_MB, assumptions.messageGbSeconds / (TOOLS_MEMORY_MB / 1_024))
  const site = tiers.site.limitPerHour * 24
  return [
    rowOf({ path: 'pages and their files', rule: 'open', usd: atEdge + sizes.pageKb * perKb }),
    rowOf({
      path: 'pages that do not exist, missing pictures',
      rule: 'open',
      usd: atEdge + prices.objectGet,
      behind: { usd: apiCall(stage), ...strangers },
    }),
    rowOf({
      path: '`/token/…` of ever new tokens',
      rule: 'open',
      usd: atEdge + sizes.tokenPageKb * perKb,
      behind: { usd: apiCall(stage), ...strangers },
    }),
    rowOf({
      path: '`/mcp` without a key',
      rule: 'open',
      usd: atEdge,
      behind: { usd: toolCall + sizes.toolsKb * perKb, ...strangers },
    }),
    rowOf({ path: '`/docs/api`', rule: 'large', usd: atEdge + sizes.referenceKb * perKb }),
    rowOf({ path: '`/v1/openapi.json`', rule: 'large', usd: atEdge + openapiKb * perKb }),
    rowOf({
      path: '`archive/v1/manifest.json` after a year',
      rule: 'large',
      usd: atEdge + sizes.manifestKb * perKb,
    }),
    rowOf({ path: '`/v1/status`, `/robots.txt`', rule: 'address', usd: atEdge + sizes.statusKb * perKb }),
    rowOf({ path: '`/llms.txt`, `/sitemap.xml`', rule: 'large', usd: atEdge + sizes.siteMapKb * perKb }),
    rowOf({
      path: 'made-up keys, missing keys',
      rule: 'address',
      // The edge looks whether its store is whole, too.
      usd: atEdge + prices.edgeKeyRead + perKb,
      behind: { usd: prices.lambdaRequest + prices.tableReadUnit, ...strangers },
    }),
    rowOf({ path: 'documents with the pages’ key', rule: 'site', usd: atEdge + sizes.documentKb * perKb }),
    {
      path: 'API answers with the pages’ key',
      bound: `${tiers.site.limitPerHour} an hour and network`,
      oneAddress: site * (atEdge + apiCall(stage) + prices.tableWriteUnit),
      inAll: null,
    },
    rowOf({
      path: 'API with free keys, of many accounts',
      rule: 'address',
      usd: atEdge + perKb * assumptions.apiKb,
      behind: {
        usd: apiCall(stage) + prices.tableWriteUnit,
        perSecond: api.requestsPerSecond,
        bound: '`requestsPerSecond`',
      },
    }),
    archiveRow(),
    keysRow(accounts.requestsPerSecond),
    ...(stage.stream ? [streamRow(stage)] : []),
  ]
}

/** Files of the archive with free keys: the bytes of a network, and what comes until it is refused. */
function archiveRow(): AbuseRow {
  const late = sizes.refusedAfterSeconds * sizes.linkBytesPerSecond
  const usd = (bytes: number) => (bytes / 1e3) * perKb
  return {
    path: 'files of the archive with free keys',
    bound: 'bytes a day of a network, and of all who do not pay',
    oneAddress: usd(freeArchiveBytes.ofNetwork + late),
    inAll: usd(freeArchiveBytes.inAll + ADDRESSES * late),
  }
}

/** The account page: its requests, and keys that are made and ended. */
function keysRow(perSecond: number): AbuseRow {
  const { changesOfNetwork, keysOfNewInAll, keysOfOlderInAll } = accountLimits
  const request =
    call(ACCOUNT_MEMORY_MB, assumptions.accountSeconds) +
    assumptions.accountReadUnits * prices.tableReadUnit +
    assumptions.accountWriteUnits * prices.tableWriteUnit
  const requests = daily('account')
  const keys = (count: number) => count * sizes.callsPerKey * prices.edgeKeyWrite
  return {
    path: 'account page, keys made and ended',
    bound: `${ruleText('account')}, changes of a network; in all keys a day and \`accounts.requestsPerSecond\``,
    oneAddress: requests * (atEdge + request) + keys(changesOfNetwork),
    inAll:
      ADDRESSES * requests * atEdge +
      Math.min(ADDRESSES * requests, perSecond * DAY_SECONDS) * request +
      keys(keysOfNewInAll + keysOfOlderInAll),
  }
}

/** The stream, at the swaps a day that the stage expects. */
function streamRow({ abuse }: Stage): AbuseRow {
  return {
    path: `\`/stream/swaps\` at ${abuse.swapsPerDay.toLocaleString('en-US')} swaps a day`,
    bound: `${sizes.streamConnections} connections of an address`,
    oneAddress: sizes.streamConnections * abuse.swapsPerDay * sizes.eventKb * perKb,
    inAll: null,
  }
}

/** Dollars a day from many addresses, and from everybody: as far as a common bound lets them, else as from many addresses. */
export const fromMany = ({
  oneAddress,
  inAll,
}: AbuseRow): { readonly many: number; readonly all: number } => {
  const many = ADDRESSES * oneAddress
  return { many, all: inAll === null ? many : Math.min(many, inAll) }
}

/** What is too dear in a stage: rows above its bounds, which a path may raise by its name. */
export function tooDear(stage: Stage): readonly string[] {
  const { oneAddressUsd, inAllUsd, raised } = stage.abuse
  return abuseRows(stage).flatMap((row) => {
    const most = raised[row.path] ?? inAllUsd
    const { all } = fromMany(row)
    return [
      ...(row.oneAddress > oneAddressUsd
        ? [`${row.path}: $${row.oneAddress.toFixed(2)} from one address`]
        : []),
      ...(all > most ? [`${row.path}: $${all.toFixed(2)} in all`] : []),
    ]
  })
}

/** The table in Markdown. */
export function abuseTable(stage: Stage): string {
  const dollars = (usd: number) => usd.toFixed(2)
  const rows = abuseRows(stage).map((row) => {
    const { many, all } = fromMany(row)
    return `| ${[row.path, row.bound, dollars(row.oneAddress), dollars(many), dollars(all)].join(' | ')} |`
  })
  return [
    `| Path | Bound | one address | ${ADDRESSES} addresses | in all |`,
    '| --- | --- | ---: | ---: | ---: |',
    ...rows,
  ].join('\n')
}
