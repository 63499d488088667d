import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Emulator, listen } from '../../emulators/listening.ts'
import { openapiDocument } from '../../schemas/openapi.ts'
import { knownOf } from '../openapi/examples.ts'
import { startApiEdge } from '../support/api-edge.ts'
import type { ApiStack } from '../support/api-stack.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { startDevnetApi } from '../support/devnet-api.ts'
import { hasTools, TOOLS } from './installed.ts'

const moment = {
  seed: 2,
  now: Date.UTC(2026, 0, 31, 12, 0, 30) / 1_000,
  history: { blocks: 12, days: 3, trades: 30, creators: 4, posts: 5 },
}
const canRun = hasTools('no form of Swagger UI is sent') && hasBrowser('no form of Swagger UI is sent')

type Sent = { readonly url: string; readonly status: number; readonly text: string }
type Choice = { readonly operation: string; readonly name: string; readonly value: string }

describe.runIf(canRun)('Swagger UI, from another origin', { timeout: 240_000 }, () => {
  let api: ApiStack
  let edge: Emulator
  let page: Emulator
  let document: ReturnType<typeof openapiDocument>
  let known: Awaited<ReturnType<typeof knownOf>>
  beforeAll(async () => {
    api = await startDevnetApi(moment)
    edge = await startApiEdge(api, { now: Date.now(), onLog: () => {} })
    known = await knownOf(api)
    document = openapiDocument(edge.url)
    page = await listen(
      'page',
      createServer(({ url = '' }, response) => {
        const file = /^\/(swagger-ui[\w.-]*)$/.exec(url)?.[1]
        if (url === '/openapi.json')
          return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
        if (file)
          return response
            .writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' })
            .end(readFileSync(`${TOOLS}node_modules/swagger-ui-dist/${file}`))
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        return response.end('<div id="ui"></div><script src="/swagger-ui-bundle.js"></script>')
      }),
    )
  })
  afterAll(async () => {
    await page.stop()
    await edge.stop()
    await api.stop()
  })

  /** Executes every form as it is filled in, but for a choice and the ids; gives what was sent and answered, by operation. */
  async function execute(description: object, choice?: Choice): Promise<Readonly<Record<string, Sent>>> {
    document = description as typeof document
    const browser = await startBrowser()
    try {
      const tab = await browser.newPage()
      await tab.goto(page.url)
      return await tab.evaluate(
        async ({ key, token, snapshot, choice: chosen }) => {
          const at = globalThis as unknown as Record<string, unknown> & { fetch: typeof fetch }
          const bundle = at['SwaggerUIBundle'] as (options: object) => { getSystem(): never }
          const ui = await new Promise<{ getSystem(): unknown }>((resolve) => {
            const made = bundle({
              url: '/openapi.json',
              dom_id: '#ui',
              docExpansion: 'full',
              tryItOutEnabled: true,
              onComplete: () => resolve(made),
            })
          })
          type System = { authActions: { authorize(value: object): void } }
          const system = ui.getSystem() as unknown as System
          const [scheme] = Object.keys(
            ((await (await at.fetch('/openapi.json')).json()) as { components: { securitySchemes: object } })
              .components.securitySchemes,
          )
          system.authActions.authorize({
            [scheme!]: { name: scheme, schema: { type: 'http', scheme: 'bearer' }, value: key },
          })
          const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
          const dom = at['document'] as unknown as { querySelectorAll(selector: string): ArrayLike<Block> }
          type Block = {
            id: string
            value: string
            click(): void
            dispatchEvent(event: unknown): void
            querySelector(selector: string): Block | null
            querySelectorAll(selector: string): ArrayLike<Block>
            getAttribute(name: string): string | null
            textContent: string
            tagName: string
          }
          const fill = (field: Block, value: string) => {
            const prototype = field.tagName === 'SELECT' ? at['HTMLSelectElement'] : at['HTMLInputElement']
            const { set } = Object.getOwnPropertyDescriptor(
              (prototype as { prototype: object }).prototype,
              'value',
            )!
            set!.call(field, value)
            const event = at['Event'] as new (name: string, options: object) => unknown
            field.dispatchEvent(new event(field.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }))
          }
          const sent: Record<string, { url: string; status: number; text: string }> = {}
          const asked = at.fetch.bind(globalThis)
          const blocks = Array.from(dom.querySelectorAll('.opblock'))
          for (const block of blocks) {
            const name = block.id.replace(/^operations-[^-]+-/, '')
            if (chosen && chosen.operation !== name) continue
            const row = (named: string) => block.querySelector(`tr[data-param-name="${named}"]`)
            const id = row('id')?.querySelector('input')
            if (id) fill(id, name.startsWith('snapshot') ? snapshot : token)
            const field = chosen && row(chosen.name)?.querySelector('select, input')
            if (chosen && !field) throw new Error(`no field ${chosen.name}`)
            if (field) fill(field, chosen.value)
            await wait(50)
            at.fetch = (async (input: Request | string, init?: RequestInit) => {
              const response = await asked(input as string, init)
              const url = typeof input === 'string' ? input : input.url
              sent[name] = { url, status: response.status, text: await response.clone().text() }
              return response
            }) as typeof fetch
            block.querySelector('.execute')!.click()
            for (let tries = 0; tries < 200 && !sent[name]; tries++) await wait(50)
          }
          return sent
        },
        { key: api.key, token: known.token, snapshot: known.snapshot, choice },
      )
    } finally {
      await browser.close()
    }
  }

  const plain = (url: string, needed: readonly string[]) => {
    const { pathname, searchParams } = new URL(url)
    const kept = [...searchParams].filter(([name]) => needed.includes(name))
    return api.ask(`${pathname}?${new URLSearchParams(kept)}`)
  }

  it('gets from every form, as it is filled in, the answer of the request without parameters', async () => {
    const sent = await execute(openapiDocument(edge.url))
    const names = Object.values(
      openapiDocument()['paths'] as Record<string, { get: { operationId: string } }>,
    )
    expect(Object.keys(sent).sort()).toEqual(names.map(({ get }) => get.operationId).sort())
    for (const [name, { url, status, text }] of Object.entries(sent)) {
      expect([url, status, text.slice(0, 200 * Number(status !== 200))]).toEqual([url, 200, ''])
      if (name !== 'usage')
        expect([url, text]).toEqual([url, (await plain(url, ['q', 'field', 'value'])).text])
    }
  })

  it.each([
    ['the shorter name', { name: 'sort', value: 'holders' }],
    ['the longer name', { name: 'sort_by', value: 'holders' }],
  ])('gets what is chosen under %s, though the other one is filled in', async (_, choice) => {
    // As a description that states its default under every name.
    const everywhere = JSON.parse(JSON.stringify(openapiDocument(edge.url)), (_key, value) =>
      value?.in === 'query' && ['sort_by', 'sort'].includes(value.name)
        ? { ...value, schema: { ...value.schema, default: 'rank' } }
        : value,
    )
    const { creators } = await execute(everywhere, { operation: 'creators', ...choice })
    expect(new URL(creators!.url).searchParams.getAll('sort_by')).toHaveLength(1)
    expect(new URL(creators!.url).searchParams.getAll('sort')).toHaveLength(1)
    expect(JSON.parse(creators!.text)).toEqual((await api.ask('/v1/z100/creators?sort=holders')).body)
  })
})
