/** The edge before the API and a bucket of what the API's stack has published. */
import { createServer } from 'node:http'
import { startCloudfront } from '../../../dev/emulators/cloudfront.ts'
import { type Emulator, listen } from '../../../dev/emulators/listening.ts'
import { distribution, type EdgeRateRule, MISSING_PATH } from '../../../lambdas/edge/distribution.ts'
import type { ApiStack } from './api-stack.ts'

type Options = {
  /** Unix ms. */
  readonly now: () => number
  readonly rateRules?: readonly EdgeRateRule[]
  /** Called when a function looks into the store of keys. */
  readonly onKeyRead?: () => void
  /** The way to an origin, by which the edge asks it. @default directly */
  readonly way?: (origin: string, url: string) => Promise<string>
  /** Whether every tier is counted exactly. */
  readonly isCounted?: boolean
  /** Whether the bucket lacks an object of this name. */
  readonly lacks?: (name: string) => boolean
  readonly onLog: (line: string) => void
}

/** Starts both. */
export async function startApiEdge(
  stack: ApiStack,
  { now, isCounted, lacks, onLog, rateRules = [], onKeyRead, way = async (_, url) => url }: Options,
): Promise<Emulator> {
  const bucket = await listen(
    'published',
    createServer(async ({ url = '' }, response) => {
      const name = url.slice(1)
      const object = lacks?.(name) ? null : await stack.published.read(name)
      const type = name.endsWith('.md') ? 'text/markdown' : 'application/json'
      const headers = { 'content-type': type, 'cache-control': 'public, max-age=20' }
      const facts = Object.entries(object?.metadata ?? {}).map(([key, value]) => [`x-amz-meta-${key}`, value])
      response.writeHead(object ? 200 : 403, { ...headers, ...Object.fromEntries(facts) }).end(object?.bytes)
    }),
  )
  const edge = await startCloudfront({
    ...distribution({ isCounted }),
    origins: {
      published: await way('published', bucket.url),
      api: await way('api', stack.url),
      site: await way('site', bucket.url),
      missing: (await way('missing', stack.url)) + MISSING_PATH,
    },
    keyValueStore: {
      get(key) {
        onKeyRead?.()
        return stack.access.keyValueStore.get(key)
      },
    },
    rateRules,
    onFunctionLog: onLog,
    now,
  })
  const stop = async () => {
    await edge.stop()
    await bucket.stop()
  }
  return { ...edge, stop }
}
