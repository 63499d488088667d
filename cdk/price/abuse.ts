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
  /** The page of a token. */
  tokenPageKb: 3.2,
  /** The list of the tools. */
  toolsKb: 20,
  /** The largest answer: both boards (`/v1/all`). */
  answerKb: 435,
  /** The status with the sources of Base's reference rates. */
  statusKb: 2.5,
  /** The guide for language models, and the map of the site with two whole boards. */
  guideKb: 16,
  siteMapKb: 24,
  /** An event of the stream. */
  eventKb: 1.4,
  streamConnections: 50,
  /** Read units of the dearest answers. */
  readUnits: 60,
} as const

/** Guesses: no test has what they depend on. */
const guesses = {
  /** What the archive's manifest grows by in a day, kilobytes: a span with the files of its sets, their sizes and digests. */
  manifestKbPerDay: 3,
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

/** A kilobyte to a reader. */
export const kilobyteUsd = (prices.edgeGbTiers[1].perGb * 1e3) / GB
/** A request that ends at the edge: a function before and one after the cache, and two look-ups, of the key and of its account. */
const atEdge = prices.edgeRequest + 2 * (prices.edgeFunction + prices.edgeKeyRead) + prices.firewallRequest
const call = (memoryMb: number, seconds: number): number =>
  prices.gatewayRequest +
  prices.lambdaRequest +
  seconds * (memoryMb / 1_024) * prices.lambdaGbSecond +
  (assumptions.apiLogBytes / GB) * prices.logGb
/** A call of a function behind the gateway, without what it reads. */
export const callUsd = {
  api: ({ api }: Stage): number => call(api.memoryMb, assumptions.apiSeconds),
  tools: call(TOOLS_MEMORY_MB, assumptions.messageGbSeconds / (TOOLS_MEMORY_MB / 1_024)),
} as const
const apiCall = (stage: Stage, readUnits: number): number =>
  callUsd.api(stage) + readUnits * prices.tableReadUnit

/** Requests a day that a rate rule lets one address make; without a firewall nothing bounds them. */
function daily({ hasFirewall }: Stage, rule: string): number {
  if (!hasFirewall) return Number.POSITIVE_INFINITY
  const found = rateRules.find(({ name }) => name === rule)
  if (!found) throw new RangeError(`there is no rate rule ${rule}`)
  return (found.limit / found.windowSeconds) * DAY_SECONDS
}
const ruleText = ({ hasFirewall }: Stage, rule: string): string =>
  hasFirewall ? `rate rule \`${rule}\`` : 'none by address'

type Path = {
  readonly path: string
  readonly rule: string
  /** Of one request. */
  readonly usd: number
  /** Of a request beyond the edge, and how many a second are let through for all. */
  readonly behind?: { readonly usd: number; readonly perSecond: number; readonly bound: string }
}

function rowOf(stage: Stage, { path, rule, usd, behind }: Path): AbuseRow {
  const requests = daily(stage, rule)
  const { usd: each = 0, perSecond = 0, bound } = behind ?? {}
  const most = perSecond * DAY_SECONDS
  return {
    path,
    bound: bound === undefined ? ruleText(stage, rule) : `${ruleText(stage, rule)}; in all ${bound}`,
    oneAddress: requests * usd + Math.min(requests, most) * each,
    inAll: behind ? ADDRESSES * requests * usd + Math.min(ADDRESSES * requests, most) * each : null,
  }
}

/** Every path that needs no key or a free one. */
export function abuseRows(stage: Stage): readonly AbuseRow[] {
  const { api } = stage
  const strangers = { perSecond: api.strangersPerSecond, bound: '`strangersPerSecond` of its method' }
  const openapiKb = Buffer.byteLength(JSON.stringify(openapiDocument())) / 1e3
  const row = (path: Path) => rowOf(stage, path)
  /** Answers with a key, which one network has so many of in an hour: the largest, and as dear to read as any. */
  const counted = (path: string, anHour: number, writes: number): AbuseRow => ({
    path,
    bound: `${anHour.toLocaleString('en-US')} an hour and network`,
    oneAddress:
      anHour *
      24 *
      (atEdge +
        sizes.answerKb * kilobyteUsd +
        apiCall(stage, sizes.readUnits) +
        writes * prices.tableWriteUnit),
    inAll: null,
  })
  return [
    row({ path: 'pages and their files', rule: 'open', usd: atEdge + sizes.pageKb * kilobyteUsd }),
    row({
      path: 'pages that do not exist, missing pictures',
      rule: 'open',
      usd: atEdge + prices.objectGet,
      behind: { usd: apiCall(stage, 0), ...strangers },
    }),
    row({
      path: '`/token/…` of ever new tokens',
      rule: 'open',
      usd: atEdge + sizes.tokenPageKb * kilobyteUsd,
      behind: { usd: apiCall(stage, assumptions.readUnitsPerApiRead), ...strangers },
    }),
    row({
      path: '`/mcp` without a key',
      rule: 'open',
      usd: atEdge,
      behind: { usd: callUsd.tools + sizes.toolsKb * kilobyteUsd, ...strangers },
    }),
    row({ path: '`/docs/api`', rule: 'large', usd: atEdge + sizes.referenceKb * kilobyteUsd }),
    row({ path: '`/v1/openapi.json`', rule: 'large', usd: atEdge + openapiKb * kilobyteUsd }),
    row({
      path: '`archive/v1/manifest.json` after a year',
      rule: 'large',
      usd: atEdge + 365 * sizes.manifestKbPerDay * kilobyteUsd,
    }),
    row({ path: '`/v1/status`, `/robots.txt`', rule: 'address', usd: atEdge + sizes.statusKb * kilobyteUsd }),
    row({ path: '`/llms.txt`, `/sitemap.xml`', rule: 'large', usd: atEdge + sizes.siteMapKb * kilobyteUsd }),
    row({
      path: 'made-up keys, missing keys',
      rule: 'address',
      usd: atEdge + kilobyteUsd,
      behind: { usd: prices.lambdaRequest + prices.tableReadUnit, ...strangers },
    }),
    row({ path: 'documents with the pages’ key', rule: 'site', usd: atEdge + sizes.answerKb * kilobyteUsd }),
    counted('API answers with the pages’ key', tiers.site.limitPerHour, 1),
    // Counted by account, too.
    counted('API with free keys, of many accounts', tiers.basic.limitOfNetwork, 2),
    archiveRow(),
    keysRow(stage),
    ...(stage.stream ? [streamRow(stage)] : []),
  ]
}

/** Files of the archive with free keys: the bytes of a network, and what comes until it is refused. */
function archiveRow(): AbuseRow {
  const late = sizes.refusedAfterSeconds * sizes.linkBytesPerSecond
  const usd = (bytes: number) => (bytes / 1e3) * kilobyteUsd
  return {
    path: 'files of the archive with free keys',
    bound: 'bytes a day of a network, and of all who do not pay',
    oneAddress: usd(freeArchiveBytes.ofNetwork + late),
    inAll: usd(freeArchiveBytes.inAll + ADDRESSES * late),
  }
}

/** The account page: its requests, and keys that are made and ended. */
function keysRow(stage: Stage): AbuseRow {
  const { changesOfNetwork, keysOfNewInAll, keysOfOlderInAll } = accountLimits
  const request =
    call(ACCOUNT_MEMORY_MB, assumptions.accountSeconds) +
    assumptions.accountReadUnits * prices.tableReadUnit +
    assumptions.accountWriteUnits * prices.tableWriteUnit
  const perSecond = stage.accounts.requestsPerSecond
  const requests = daily(stage, 'account')
  const keys = (count: number) => count * sizes.callsPerKey * prices.edgeKeyWrite
  return {
    path: 'account page, keys made and ended',
    bound: `${ruleText(stage, 'account')}, changes of a network; in all keys a day and \`accounts.requestsPerSecond\``,
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
    oneAddress: sizes.streamConnections * abuse.swapsPerDay * sizes.eventKb * kilobyteUsd,
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

/** What is too dear in a stage: rows above its bounds, which a path may raise by its name; Infinity allows what nothing bounds. */
export function tooDear(stage: Stage): readonly string[] {
  const { oneAddressUsd, inAllUsd, raised } = stage.abuse
  return abuseRows(stage).flatMap((row) => {
    const most = raised[row.path] ?? inAllUsd
    const { all } = fromMany(row)
    return [
      ...(row.oneAddress > (most === Number.POSITIVE_INFINITY ? most : oneAddressUsd)
        ? [`${row.path}: $${row.oneAddress.toFixed(2)} from one address`]
        : []),
      ...(all > most ? [`${row.path}: $${all.toFixed(2)} in all`] : []),
    ]
  })
}

/** The table in Markdown. */
export function abuseTable(stage: Stage): string {
  const dollars = (usd: number) => (Number.isFinite(usd) ? usd.toFixed(2) : 'no bound')
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
