import { createServer, type ServerResponse } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { startCloudfront } from '../../dev/emulators/cloudfront.ts'
import { startCloudfrontControl } from '../../dev/emulators/cloudfront-control.ts'
import { listen } from '../../dev/emulators/listening.ts'
import { distribution } from '../../lambdas/edge/distribution.ts'
import { admin, readyDir } from '../support/admin.ts'
import { sdkVariables } from '../support/aws/emulators.ts'
import { tempDir } from '../support/temp-dir.ts'

const dir = tempDir()
const passing = 'function handler(event) { return event.response || event.request }'
let asked = 0
/** When set, answers of the site wait for it. */
let held: ServerResponse[] | null = null

const site = await listen(
  'site',
  createServer((_request, response) => {
    asked += 1
    response.writeHead(200, { 'cache-control': 'max-age=1000' })
    response.write(String(asked))
    if (held) held.push(response)
    else response.end()
  }),
)
const edge = await startCloudfront({
  ...distribution(),
  functions: { api: { request: passing, response: passing } },
  origins: { site: site.url },
})
const control = await startCloudfrontControl({ distributionId: 'LOCAL', distribution: edge })
const env = { ...sdkVariables, DISTRIBUTION_ID: 'LOCAL', AWS_ENDPOINT_URL_CLOUDFRONT: control.url }
Object.assign(process.env, env)
readyDir(dir, env)
afterAll(() => Promise.all([site, edge, control].map((emulator) => emulator.stop())))

const page = async (path: string) => (await fetch(edge.url + path)).text()
const purge = (...paths: string[]) => admin('purge', ...paths, '--data-dir', dir)

test('purged documents are requested again, and no others', async () => {
  const before = [await page('/a/1'), await page('/b')]
  expect([await page('/a/1'), await page('/b')]).toEqual(before)
  expect(await purge('/a/*')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^purged \/a\/\*: .* I\w+/),
  })
  expect(await page('/a/1')).not.toBe(before[0])
  expect(await page('/b')).toBe(before[1])
  expect((await purge()).code).toBe(0)
  expect(await page('/b')).not.toBe(before[1])
})

test('earlier requests are not cached', async () => {
  held = []
  const slow = page('/slow')
  await expect.poll(() => held?.length).toBe(1)
  await purge('/*')
  const [response] = held
  held = null
  response?.end()
  expect(await page('/slow')).not.toBe(await slow)
})

test('another distribution is not this one’s to purge', async () => {
  const other = readyDir(tempDir(), { DISTRIBUTION_ID: 'OTHER' })
  const { code, err } = await admin('purge', '/b', '--data-dir', other)
  expect([code, err]).toEqual([2, expect.stringContaining('NoSuchDistribution')])
})

test.each(['a', '/a?period=1h', '/a*b', '/a b'])('%s is no path of the edge', async (path) => {
  expect(await purge(path)).toMatchObject({ code: 2, err: expect.stringContaining('InvalidPathError') })
})
