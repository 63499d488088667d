import { afterEach, describe, expect, it } from 'vitest'
import { openIngestView } from '../../../admin/base/ingest-view.ts'
import { chains } from '../../../ingest/client/chains.ts'
import { type NarrowEndpoint, narrowEndpoints } from '../../../ingest/read/narrow-endpoints.ts'
import { readingSourcesAfter } from '../../../ingest/read/reading.ts'
import { lineOf } from '../../../ingest/report.ts'
import { refusal } from '../../support/chain/faulty-proxy.ts'
import { generateChain } from '../../support/chain/generated-chain.ts'
import { openGeneratedNode } from '../../support/chain/generated-node.ts'
import { type Limits, startProxies } from '../../support/chain/strict-endpoint.ts'

/** Endpoints that allow so few blocks a call that they span seconds, beside others and alone. */
const chain = generateChain({ seed: 3, minutes: 60, creations: 10, swapsAMinute: 1 })
const rules = { ...chain.rules, publicEndpoints: { callsASecond: 25, microUsdACall: 27 } }
const { answer } = openGeneratedNode(chain)

let stop = async () => {}
afterEach(() => stop())

/** Endpoints with these limits, and what each counts. */
async function startEndpoints(limits: readonly Limits[]) {
  const started = await startProxies(
    limits.map(() => answer),
    { limits, backoffMs: 1 },
  )
  stop = started.stop
  return { ...started, names: started.rpc.each().map(({ endpoint }) => endpoint.name) }
}

describe('a narrow endpoint', () => {
  it('is detected before the first read, with the cost of a day through it and a wider endpoint', async () => {
    const { rpc, names, counts } = await startEndpoints([{ span: 10, saysSpan: true }, {}])
    const found = await narrowEndpoints(rpc, rules)
    // Blocks of two seconds: 4,320 ranges a day.
    expect(found).toEqual([
      {
        endpoint: names[0],
        blocks: 10,
        seconds: 20,
        wider: names[1],
        callsADay: 4_320 * 22,
        hoursADay: (4_320 * 22) / 25 / 3_600,
      },
    ])
    for (const { calls } of counts) expect(calls).toBeLessThanOrEqual(4)
  })

  it.each<[string, Limits, number]>([
    ['in words that are not known', { span: 10, says: { code: 15, message: 'not for you' } }, 10],
    ['with a page and HTTP 500', { span: 5, says: { code: 15, message: 'oops', status: 500 } }, 5],
    ['to queries by topic alone', { span: 8, saysSpan: true, wantsAddresses: true }, 8],
  ])('is found out too if it refuses %s', async (_what, limits, most) => {
    const { rpc } = await startEndpoints([limits])
    const [found] = await narrowEndpoints(rpc, rules)
    expect(found?.blocks).toBeLessThanOrEqual(most)
    expect(found).not.toHaveProperty('wider')
  })

  it('is neither an endpoint that allows a minute of the chain, nor one that does not answer', async () => {
    const { rpc } = await startEndpoints([
      { span: 30, saysSpan: true },
      {},
      { closed: { from: 1, requests: 99 } },
    ])
    expect(await narrowEndpoints(rpc, rules)).toEqual([])
  })

  it.each([
    ['says that it is busy', refusal(30, 'Request timeout on the free tier', 408)],
    ['fails', refusal(-32_603, 'internal error', 500)],
  ])('is not one that %s for every range, whatever its width', async (_what, answering) => {
    const { rpc, proxies } = await startEndpoints([{}])
    const [proxy] = proxies
    if (proxy)
      proxy.fault = (calls) => (calls.some(({ method }) => method === 'eth_getLogs') ? answering : undefined)
    expect(await narrowEndpoints(rpc, rules)).toEqual([])
  })

  it('is not preferred to a wide one for history while its speed is unknown', async () => {
    const { rpc, names } = await startEndpoints([{ span: 10, saysSpan: true }, {}])
    expect(rpc.endpoint.name).toBe(names[0])
    await narrowEndpoints(rpc, rules)
    expect(rpc.fastest().endpoint.name).toBe(names[1])
  })

  it('confirms ranges that it can read in a few calls; the others are read from the wide one in another mode', async () => {
    const { rpc, names } = await startEndpoints([{}, { span: 10, saysSpan: true }])
    await narrowEndpoints(rpc, rules)
    const readingSources = (blocks: number) =>
      readingSourcesAfter(rpc, new Set([names[0] ?? '']), { from: 1, to: blocks }).map(
        ({ rpc, mode }) => `${rpc.endpoint.name === names[0] ? 'wide' : 'narrow'} ${mode}`,
      )
    expect(readingSources(100)).toEqual(['narrow usual', 'wide other', 'narrow other', 'wide usual'])
    expect(readingSources(101)).toEqual(['wide other', 'wide usual', 'narrow usual', 'narrow other'])
  })

  it('is reported in one sentence, and in the process’s log', () => {
    const narrow: NarrowEndpoint = {
      endpoint: 'a.example',
      blocks: 10,
      seconds: 2,
      callsADay: 950_400,
      hoursADay: 10.6,
    }
    const lines: string[] = []
    const { told } = openIngestView(chains.base, { step: () => {}, say: (line) => lines.push(line) })
    told({ is: 'narrow endpoint', ...narrow })
    told({ is: 'narrow endpoint', ...narrow, wider: 'b.example' })
    const found =
      'ingest finds that a.example allows 10 blocks a call, 2 s of the chain: a day of history through it takes about 950,000 calls and 11 h; '
    expect(lines).toEqual([
      `${found}give one that allows 1,000 blocks or more with another --rpc-url (dev/local/README.md lists kinds that work).`,
      `${found}history is read through b.example, and this one serves only the head and what little it can confirm.`,
    ])
    expect(JSON.parse(lineOf({ is: 'narrow endpoint', ...narrow }) ?? '')).toEqual({
      event: 'ingest.narrow_endpoint',
      ...narrow,
    })
  })
})
