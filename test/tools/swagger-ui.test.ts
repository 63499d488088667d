import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type Emulator, listen } from '../../dev/emulators/listening.ts'
import { openapiDocument } from '../../schemas/described/openapi.ts'
import type { ApiStack } from '../support/aws/api-stack.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { expectAnswersOfDefaults, operationCount, startFormsApi } from './filled-in.ts'
import { hasTools, requireTool } from './installed.ts'

const page = `<!doctype html><div id="ui"></div><script src="/bundle.js"></script><script>
  window.asked = []
  SwaggerUIBundle({
    url: '/openapi.json', domNode: document.getElementById('ui'),
    tryItOutEnabled: true, syntaxHighlight: { activated: false }, defaultModelsExpandDepth: -1,
    requestInterceptor(request) {
      if (!request.loadSpec) { window.asked.push(request.url); request.url = '/nothing' }
      return request
    },
  })
</script>`

/** Swagger UI over a document; what it asks for is noted there and never sent. */
function startPage(document: object): Promise<Emulator> {
  const files: Readonly<Record<string, readonly [type: string, body: string | Buffer]>> = {
    '/': ['text/html; charset=utf-8', page],
    '/bundle.js': [
      'text/javascript',
      readFileSync(requireTool.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
    ],
    '/openapi.json': ['application/json', JSON.stringify(document)],
  }
  const server = createServer(({ url = '/' }, response) => {
    const [type, body] = files[url] ?? ['application/json', '{}']
    response.writeHead(200, { 'content-type': type }).end(body)
  })
  return listen('swagger ui', server)
}

/** The requests of all its buttons, with what stands in its fields when it opens. */
async function requestsOf(document: object): Promise<readonly string[]> {
  const [browser, server] = await Promise.all([startBrowser(), startPage(document)])
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(0)
    await page.goto(server.url)
    await page.waitForSelector('.opblock')
    const operations = page.locator('.opblock-summary-control')
    const execute = page.locator('button.execute')
    // One is open at a time: to lay out all of them takes minutes.
    for (let at = 0; at < operationCount; at++) {
      await operations.nth(at).click()
      await execute.click()
      await page.waitForFunction(`asked.length > ${at}`)
      await operations.nth(at).click()
      await execute.waitFor({ state: 'detached' })
    }
    return await page.evaluate<string[]>('asked')
  } finally {
    await browser.close()
    await server.stop()
  }
}

const canRun = hasTools('Swagger UI is not opened') && hasBrowser('Swagger UI is not opened')

describe.runIf(canRun)('Swagger UI', () => {
  let api: ApiStack
  beforeAll(async () => {
    api = await startFormsApi()
  })
  afterAll(() => api?.stop())

  it('asks with the fields as it fills them in, and gets the answer of the request without them', async () => {
    const urls = await requestsOf(openapiDocument(api.url))
    await expectAnswersOfDefaults(
      api,
      urls.map((url) => url.slice(api.url.length)),
    )
  })
})
