import { expect, it } from 'vitest'
import { type Stage, stages } from '../../cdk/config.ts'
import { abuseRows, abuseTable, measuredSizes, tooDear } from '../../cdk/price/abuse.ts'
import { openMcp } from '../../clients/mcp/http.ts'
import { chains } from '../../ingest/client/chains.ts'
import { BOARD_SIZE } from '../../market/rules.ts'
import { llmsText } from '../../schemas/described/llms.ts'
import examples from '../../schemas/described/openapi-examples.json' with { type: 'json' }
import { TOKEN_PAGES } from '../../schemas/pages/site.ts'
import { defaultCaps } from '../../stream/admission.ts'
import { readUnits } from '../support/aws/answer-costs.ts'

/** Without a firewall there is no bound by address, as cdk/README.md says. */
const all: readonly (readonly [string, Stage])[] = Object.entries(stages).filter(
  ([, { hasFirewall }]) => hasFirewall,
)

it.each(all)('strangers cost %s at most what its settings say, on every path', (_name, stage) => {
  expect(tooDear(stage)).toEqual([])
  expect(abuseTable(stage).split('\n')).toHaveLength(abuseRows(stage).length + 2)
})

it.each(all)('what %s raises are paths that there are, and no more than they cost', (_name, stage) => {
  const { raised, ...rest } = stage.abuse
  const dear = tooDear({ ...stage, abuse: { ...rest, raised: {} } })
  expect(Object.keys(raised).filter((path) => !dear.some((each) => each.startsWith(path)))).toEqual([])
})

it('without a firewall nothing bounds an address, which a stage must allow path by path', () => {
  const open: Stage = { ...stages.dev, hasFirewall: false }
  const paths = abuseRows(open).flatMap(({ path, oneAddress }) => (Number.isFinite(oneAddress) ? [] : [path]))
  expect(paths).toContain('pages and their files')
  expect(paths).not.toContain('API with free keys, of many accounts')
  expect(abuseTable(open)).toContain('| pages and their files | none by address | no bound | no bound |')
  expect(tooDear(open)).toHaveLength(2 * paths.length)
  const raised = { ...open.abuse.raised, ...Object.fromEntries(paths.map((path) => [path, Infinity])) }
  expect(tooDear({ ...open, abuse: { ...open.abuse, raised } })).toEqual([])
})

it('a wider limit is found by its path', () => {
  const api = { ...stages.prod.api, strangersPerSecond: 400 }
  expect(tooDear({ ...stages.prod, api })).toContainEqual(
    expect.stringMatching(/^`\/mcp` without a key: .* in all$/),
  )
})

const kb = (text: string) => text.length / 1e3

/** What is compared here; pages in test/site/build.test.ts. */
const found: Readonly<Record<string, () => number | Promise<number>>> = {
  toolsKb: async () => {
    const serve = openMcp(
      () => 'https://z100.example.org',
      (error) => {
        throw error
      },
    )
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
    const asked = new Request('https://z100.example.org/mcp', { method: 'POST', headers, body })
    return kb(await (await serve(asked)).text())
  },
  answerKb: () => kb(JSON.stringify([...examples.creators, ...examples.posts])) * BOARD_SIZE,
  statusKb: () => {
    const [rate] = examples.status.references
    const references = chains.base.references.map(({ sources }) => ({
      ...rate,
      sources: sources.map(() => rate?.sources[0]),
    }))
    return kb(JSON.stringify({ ...examples.status, references }))
  },
  readUnits: () => Math.max(...readUnits.values()),
  guideKb: () => kb(llmsText()),
  siteMapKb: () => {
    const page = `https://d111111abcdef8.cloudfront.net${TOKEN_PAGES}0x${'0'.repeat(40)}`
    return kb(`<url><loc>${page}</loc></url>\n`.repeat(2 * BOARD_SIZE))
  },
  eventKb: () => kb(`event: swap\nid: 1.1\ndata: ${JSON.stringify(examples.recentSwaps[0])}\n\n`),
  streamConnections: () => defaultCaps.perAddress,
}

it.each(Object.entries(found))(
  '%s of the formulas is what there is, within a quarter',
  async (name, size) => {
    const ratio = (await size()) / measuredSizes[name as keyof typeof measuredSizes]
    expect(ratio).toBeGreaterThan(0.75)
    expect(ratio).toBeLessThan(1.25)
  },
)
