import { createServer } from 'node:http'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listen } from '../../dev/emulators/listening.ts'
import { preflightHeaders, responseHeaders } from '../../schemas/api/headers.ts'
import { openapiDocument } from '../../schemas/described/openapi.ts'
import type { ApiStack } from '../support/aws/api-stack.ts'
import { hasBrowser, startBrowser } from '../support/browser.ts'
import { expectAnswersOfDefaults, startFormsApi } from './filled-in.ts'
import { hasTools, requireTool } from './installed.ts'

type Item = {
  readonly item?: readonly Item[]
  readonly request?: {
    readonly url: {
      readonly path: readonly string[]
      readonly query?: readonly {
        readonly key: string
        readonly value: string
        readonly disabled?: boolean
      }[]
    }
  }
}

/** Requests as Postman's converter fills them in, with every parameter on. */
function filledIn(document: object): Promise<readonly string[]> {
  const options = { requestParametersResolution: 'Example' }
  return new Promise((resolve, reject) => {
    requireTool('openapi-to-postmanv2').convert(
      // It writes into what it is given, and documents share their parts.
      { type: 'json', data: structuredClone(document) },
      options,
      (error: unknown, { output }: { output: readonly { data: Item }[] }) => {
        if (error) return reject(error)
        const walk = ({ item = [], request }: Item): readonly string[] =>
          request ? [addressOf(request.url)] : item.flatMap(walk)
        resolve(walk(output[0]!.data))
      },
    )
  })
}

function addressOf({ path, query = [] }: NonNullable<Item['request']>['url']): string {
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => [key, value])
  return `/${path.join('/')}?${new URLSearchParams(sent as [string, string][])}`
}

describe.runIf(hasTools('no form is filled in'))('a form that fills in every parameter', () => {
  let api: ApiStack
  beforeAll(async () => {
    api = await startFormsApi()
  })
  afterAll(() => api.stop())

  it('gets the answer of the request without them, from an absolute server', async () => {
    const document = openapiDocument(api.url) as { servers: readonly { url: string }[] }
    expect(document.servers[0]!.url).toBe(api.url)
    await expectAnswersOfDefaults(api, await filledIn(document))
  })
})

describe.runIf(hasBrowser('no page of another origin asks'))('a page of another origin', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser?.close())

  it.each([
    ['Sentry', { 'sentry-trace': 'a', baggage: 'b' }],
    ['OpenTelemetry', { traceparent: '00-a-b-01', tracestate: 'c=d' }],
    ['Datadog', { 'x-datadog-trace-id': '1', 'x-datadog-parent-id': '2', 'x-datadog-origin': 'rum' }],
    [
      'an http library',
      { 'Content-Type': 'application/json', 'X-Requested-With': 'x', 'Cache-Control': 'no-cache' },
    ],
  ])('may ask with a key and the headers of %s', async (_, added) => {
    const asked = async (allowed: string): Promise<string> => {
      const server = await listen(
        'api',
        createServer(({ method }, response) => {
          const preflight = { ...preflightHeaders, 'access-control-allow-headers': allowed }
          response.writeHead(
            method === 'OPTIONS' ? 204 : 200,
            method === 'OPTIONS' ? preflight : responseHeaders,
          )
          response.end(method === 'OPTIONS' ? undefined : '[]')
        }),
        { isForPages: true },
      )
      const page = await browser.newPage()
      const answer = await page.evaluate(
        ([url, headers]) => fetch(url, { headers }).then((response) => response.text(), String),
        [server.url, { Authorization: 'Bearer k', ...added }] as const,
      )
      await page.close()
      await server.stop()
      return answer
    }
    expect(await asked(preflightHeaders['access-control-allow-headers'] ?? '')).toBe('[]')
    // The wildcard alone leaves the key out.
    expect(await asked('Authorization, If-None-Match')).toContain('Failed to fetch')
  })
})
