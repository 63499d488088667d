/** The packed client, installed into a project of its own. */
import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '../../clients/typescript/wire.ts'
import { type Emulator, listen } from '../../dev/emulators/listening.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { hasTools } from './installed.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const compiler = join(root, 'node_modules/typescript/bin/tsc')

/** Uses a method, a list and the stream; the last line names what came. */
const PROGRAM = `
import { ApiError, createClient } from '@z100/client'
const client = createClient({ baseUrl: process.argv[2] ?? '', apiKey: 'k', maxRetries: 0 })
const rows = []
for await (const row of client.boards.creators({ limit: 1 })) rows.push(row.symbol)
const refusal = await client.tokens.get('0x1').then(null, (error) => error instanceof ApiError && error.code)
let swap = ''
for await (const event of client.stream()) {
  if (event.type !== 'swap') continue
  swap = event.swap.token_symbol
  break
}
console.log(JSON.stringify({ rows, refusal, swap }))
`
const RESULT = { rows: ['a', 'b'], refusal: 'RESOURCE_NOT_FOUND', swap: 'c' }

const answers: Readonly<Record<string, readonly [number, string, Readonly<Record<string, string>>]>> = {
  '/v1/z100/creators?limit=1': [
    200,
    '[{"symbol":"a"}]',
    { link: '</v1/z100/creators?offset=1>; rel="next"' },
  ],
  '/v1/z100/creators?offset=1': [200, '[{"symbol":"b"}]', {}],
  '/v1/tokens/0x1': [404, '{"error":{"code":"RESOURCE_NOT_FOUND","message":"no","details":{}}}', {}],
}

describe.runIf(hasTools('the packed client is not tried'))('the packed client', () => {
  let server: Emulator
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'z100-client-'))
    await run('npm', ['pack', '--silent', '--pack-destination', folder], {
      cwd: join(root, 'clients/typescript'),
    })
    await writeFile(join(folder, 'package.json'), '{"type":"module","private":true}')
    await run('npm', ['install', '--offline', '--silent', join(folder, `z100-client-${VERSION}.tgz`)], {
      cwd: folder,
    })
    await writeFile(join(folder, 'program.ts'), PROGRAM)
    server = await listen(
      'api',
      createServer(({ url = '' }, response) => {
        if (url === '/page')
          return void response.setHeader('content-type', 'text/html').end('<!doctype html>')
        if (url.startsWith('/dist/')) {
          response.setHeader('content-type', 'text/javascript')
          return void createReadStream(join(folder, 'node_modules/@z100/client', url)).pipe(response)
        }
        if (url === '/stream/swaps') {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          return void response.write('id: 1.0\ndata: {"token_symbol":"c","block_hash":"0x1"}\n\n')
        }
        const [status, body, headers] = answers[url] ?? [200, '', {}]
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
      }),
      { isForPages: true },
    )
  })
  afterAll(async () => {
    await server.stop()
    await rm(folder, { recursive: true })
  })

  it('compiles in strict mode, and runs in this Node', async () => {
    const strict = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom']
    const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
    await run(process.execPath, [compiler, ...strict, ...types, 'program.ts'], { cwd: folder })
    const { stdout } = await run(process.execPath, ['program.js', server.url], { cwd: folder })
    expect(JSON.parse(stdout)).toEqual(RESULT)
  })

  it('refuses in its types what the API does not have', async () => {
    await writeFile(
      join(folder, 'wrong.ts'),
      "import { createClient } from '@z100/client'\ncreateClient({ baseUrl: 'http://x' }).market.trending({ timeframe: '4h' })\n",
    )
    const compiled = run(
      process.execPath,
      [compiler, '--strict', '--noEmit', '--module', 'nodenext', '--lib', 'es2023,dom', 'wrong.ts'],
      { cwd: folder },
    )
    await expect(compiled).rejects.toMatchObject({
      stdout: expect.stringContaining('\'"4h"\' is not assignable'),
    })
  })

  it.runIf(hasBrowser('the client is not tried in a browser'))('runs in a browser as it is', async () => {
    const browser = await startBrowser()
    try {
      const page = await browser.newPage()
      await page.goto(`${server.url}/page`)
      // As a text: the test runner would rewrite an import.
      const result = await page.evaluate(`(async () => {
        const { createClient } = await import('/dist/index.js')
        const client = createClient({ baseUrl: '${server.url}', apiKey: 'k' })
        const rows = []
        for await (const row of client.boards.creators({ limit: 1 })) rows.push(row.symbol)
        for await (const event of client.stream()) {
          if (event.type === 'swap') return { rows, swap: event.swap.token_symbol }
        }
      })()`)
      expect(result).toEqual({ rows: RESULT.rows, swap: RESULT.swap })
    } finally {
      await browser.close()
    }
  })
})
