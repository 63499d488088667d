/** Clients that other people’s generators make of the description. openapi-generator is not among them: its npm package fetches the generator itself from Maven Central when it runs. */
import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openapiDocument } from '../../schemas/described/openapi.ts'
import { knownOf } from '../openapi/examples.ts'
import type { ApiStack } from '../support/aws/api-stack.ts'
import { startDevnetApi } from '../support/aws/devnet-api.ts'
import { GENERATED, hasTools, program } from './installed.ts'

const run = promisify(execFile)
const NOW = Date.UTC(2026, 0, 31, 12, 0, 30) / 1_000
const history = { blocks: 12, days: 3, trades: 30, creators: 4, posts: 5 }
const TSC = new URL('../../node_modules/.bin/tsc', import.meta.url).pathname
const TSX = new URL('../../node_modules/.bin/tsx', import.meta.url).pathname

type Document = ReturnType<typeof openapiDocument>

/** Writes files, then compiles all of a folder; the compiler's complaints, empty: none. */
async function compile(dir: string): Promise<string> {
  const options = {
    compilerOptions: {
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2022', 'dom', 'dom.iterable'],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      types: [],
    },
    include: ['**/*.ts'],
  }
  await writeFile(`${dir}/tsconfig.json`, JSON.stringify(options))
  return run(TSC, ['-p', dir]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  )
}

/** Every operation with what it needs, as each main.ts calls it. */
const CALLS = `
const facts = JSON.parse(process.env['FACTS'] ?? '{}')
export const base: string = facts.base
export const key = { Authorization: 'Bearer ' + facts.key }
type Call = { readonly name: string; readonly path: { id?: string }; readonly query: Record<string, string> }
export const calls: Call[] = facts.calls
export { check }
function check(name: string, isWell: boolean) {
  if (!isWell) throw new Error(name + ': no answer')
}
`

type Generator = {
  readonly name: string
  /** Writes the client of a document's file. */
  readonly generate: (file: string, dir: string) => Promise<unknown>
  /** Calls every operation of it and parses every answer. */
  readonly main: string
}

const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript and openapi-fetch',
    generate: (file, dir) => run(program('openapi-typescript'), [file, '-o', `${dir}/wire.ts`]),
    main: `
import createClient from 'openapi-fetch'
import type { paths } from './wire.ts'
import { base, calls, check, key } from './calls.ts'
const client = createClient<paths>({ baseUrl: base, headers: key })
const { data = [] } = await client.GET('/v1/z100/creators', { params: { query: { period: '1h', timeframe: '24h' } } })
for (const row of data) check('creators', row.contract_address.startsWith('0x') && row.rank > 0)
const { data: swaps = [] } = await client.GET('/v1/market/recent-swaps')
for (const swap of swaps) check('recentSwaps', swap.volume_usd >= 0)
for (const { name, path, query } of calls) {
  const route = facts()[name] as '/v1/status'
  const answer = await client.GET(route, { params: { path, query }, parseAs: 'text' } as never)
  check(name, answer.response.ok)
}
function facts(): Record<string, string> { return JSON.parse(process.env['FACTS'] ?? '{}').paths }
`,
  },
  {
    name: 'orval: fetch and zod',
    generate: async (file, dir) => {
      const config = `module.exports = {
        fetch: { input: '${file}', output: { target: '${dir}/fetch.ts', client: 'fetch', baseUrl: process.env.BASE, override: { fetch: { includeHttpResponseReturnType: true } } } },
        zod: { input: '${file}', output: { target: '${dir}/zod.ts', client: 'zod' } },
      }`
      await writeFile(`${dir}/orval.config.cjs`, config)
      await run(program('orval'), ['--config', `${dir}/orval.config.cjs`], {
        cwd: dir,
        env: { ...process.env, BASE: 'http://api.invalid' },
      })
    },
    main: `
import * as api from './fetch.ts'
import * as zod from './zod.ts'
import { base, calls, check, key } from './calls.ts'
const asked = globalThis.fetch
globalThis.fetch = (url, init) => asked(String(url).replace('http://api.invalid', base), init)
for (const { name, path, query } of calls) {
  const call = (api as never as Record<string, (...a: unknown[]) => Promise<{ status: number; data: unknown }>>)[name]
  if (!call) throw new Error(name + ' is not generated')
  const answer = await call(...(path.id ? [path.id] : []), query, { headers: key })
  check(name, answer.status === 200)
  const parser = (zod as never as Record<string, { parse(value: unknown): unknown }>)[name + 'Response']
  if (parser && answer.data !== null) parser.parse(answer.data)
}
`,
  },
  {
    name: 'hey-api',
    generate: (file, dir) =>
      run(program('openapi-ts'), ['-i', file, '-o', `${dir}/client`, '-c', '@hey-api/client-fetch'], {
        cwd: dir,
      }),
    main: `
import * as sdk from './client/sdk.gen'
import { client } from './client/client.gen'
import { base, calls, check, key } from './calls.ts'
client.setConfig({ baseUrl: base, headers: key })
for (const { name, path, query } of calls) {
  const call = (sdk as never as Record<string, (asked: object) => Promise<{ response: Response; data?: unknown; error?: unknown }>>)[name]
  if (!call) throw new Error(name + ' is not generated')
  const { response, error } = await call({ path, query })
  check(name + JSON.stringify(error ?? ''), response.ok)
}
`,
  },
  {
    name: 'swagger-typescript-api',
    generate: (file, dir) =>
      run(program('swagger-typescript-api'), ['generate', '-p', file, '-o', dir, '-n', 'api.ts'], {
        cwd: dir,
      }),
    main: `
import { Api } from './api'
import { base, calls, check, key } from './calls.ts'
const { v1 } = new Api({ baseUrl: base, baseApiParams: { headers: key } })
for (const { name, path, query } of calls) {
  const call = (v1 as never as Record<string, (...a: unknown[]) => Promise<Response>>)[name]
  if (!call) throw new Error(name + ' is not generated')
  const answer = await call(...(path.id ? [path.id] : []), query)
  check(name, answer.ok)
}
`,
  },
]

/** A fault in the description, and the tool that stumbles over it. */
function withDigitAsName(document: Document): object {
  const text = JSON.stringify(document)
  return JSON.parse(
    text
      .replaceAll('responses/InvalidParameter"', 'responses/400"')
      .replace('"InvalidParameter":{', '"400":{'),
  )
}

describe.runIf(hasTools('no client is generated'))('a client generated by', () => {
  let api: ApiStack
  let facts: object
  beforeAll(async () => {
    api = await startDevnetApi({ seed: 2, now: NOW, history })
    const { token, symbol, snapshot } = await knownOf(api)
    const paths = openapiDocument()['paths'] as Record<string, { get: { operationId: string } }>
    const needed: Record<string, Record<string, string>> = {
      tokens: { field: 'symbol', value: symbol },
      search: { q: symbol },
    }
    // This market has not seen the end of a week: there is no recap yet.
    const asked = Object.entries(paths).filter(([, { get }]) => get.operationId !== 'recap')
    const calls = asked.map(
      ([
        path,
        {
          get: { operationId: name },
        },
      ]) => ({
        name,
        path: path.includes('{id}') ? { id: path.startsWith('/v1/snapshots') ? snapshot : token } : {},
        query: needed[name] ?? {},
      }),
    )
    const byName = Object.entries(paths).map(([path, { get }]) => [get.operationId, path])
    facts = { base: api.url, key: api.key, calls, paths: Object.fromEntries(byName) }
  })
  afterAll(() => api.stop())

  const write = async ({ name, generate, main }: Generator, document: object, variant: string) => {
    const dir = `${GENERATED}/${variant}-${name.replace(/\W+/g, '-')}`
    await rm(dir, { recursive: true, force: true })
    await mkdir(dir, { recursive: true })
    await writeFile(`${dir}/package.json`, '{"type":"module"}')
    await writeFile(`${dir}/openapi.json`, JSON.stringify(document))
    await generate(`${dir}/openapi.json`, dir)
    await writeFile(
      `${dir}/calls.ts`,
      `declare const process: { env: Record<string, string | undefined> }\n${CALLS}`,
    )
    await writeFile(
      `${dir}/main.ts`,
      `declare const process: { env: Record<string, string | undefined> }\n${main}`,
    )
    return dir
  }

  it.each(generators)('$name compiles, and reads every operation', async (generator) => {
    const dir = await write(generator, openapiDocument(api.url), 'whole')
    expect(await compile(dir)).toBe('')
    await run(TSX, [`${dir}/main.ts`], { env: { ...process.env, FACTS: JSON.stringify(facts) } })
    expect(api.state.defects).toEqual([])
  })

  it('orval does not compile where a component is named by a digit', async () => {
    const dir = await write(generators[1]!, withDigitAsName(openapiDocument(api.url)), 'faulty')
    expect(await compile(dir)).toContain('fetch.ts')
  })
})
