import { createServer, type ServerResponse } from 'node:http'
import {
  CloudFrontClient,
  CreateInvalidationCommand,
  GetInvalidationCommand,
} from '@aws-sdk/client-cloudfront'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { behaviours, edgeErrorBody } from '../../lambdas/edge/distribution.ts'
import { startCloudfront } from '../../local/aws/cloudfront.ts'
import { startCloudfrontControl } from '../../local/aws/cloudfront-control.ts'
import type { StandIn } from '../../local/aws/listening.ts'
import { listen } from '../../local/aws/listening.ts'

const DistributionId = 'LOCAL'
const passing = 'function handler(event) { return event.response || event.request }'

let site: StandIn
let edge: Awaited<ReturnType<typeof startCloudfront>>
let control: StandIn
let client: CloudFrontClient
let count = 0
/** When set, answers of the site wait for it. */
let held: ServerResponse[] | null = null

beforeAll(async () => {
  site = await listen(
    'site',
    createServer((_request, response) => {
      count += 1
      response.writeHead(200, { 'cache-control': 'max-age=1000' })
      response.write(String(count))
      if (held) held.push(response)
      else response.end()
    }),
  )
  edge = await startCloudfront({
    functions: { viewerRequest: passing, viewerResponse: passing },
    behaviours,
    errorBody: edgeErrorBody,
    origins: { site: site.url },
  })
  control = await startCloudfrontControl({ distributionId: DistributionId, distribution: edge })
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local-secret' }
  client = new CloudFrontClient({ endpoint: control.url, region: 'us-east-1', credentials })
})
afterAll(() => Promise.all([site, edge, control].map((standIn) => standIn.stop())))

const page = async (path: string) => (await fetch(edge.url + path)).text()
const purge = (Items: string[], CallerReference: string, Quantity = Items.length) =>
  client.send(
    new CreateInvalidationCommand({
      DistributionId,
      InvalidationBatch: { CallerReference, Paths: { Quantity, Items } },
    }),
  )

it('drops what the paths name, and nothing else', async () => {
  const before = [await page('/a/1'), await page('/a/2'), await page('/b'), await page('/b?x=1')]
  const { Invalidation, Location } = await purge(['/a/*', '/b&<'], 'one')
  expect(Invalidation).toMatchObject({ Status: 'Completed', InvalidationBatch: { CallerReference: 'one' } })
  expect(Invalidation!.InvalidationBatch!.Paths).toEqual({ Quantity: 2, Items: ['/a/*', '/b&<'] })
  expect(Location).toContain(Invalidation!.Id)
  const after = [await page('/a/1'), await page('/a/2'), await page('/b'), await page('/b?x=1')]
  expect(after.slice(2)).toEqual(before.slice(2))
  expect(after.slice(0, 2).filter((text) => before.includes(text))).toEqual([])

  const told = await client.send(new GetInvalidationCommand({ DistributionId, Id: Invalidation!.Id }))
  expect(told.Invalidation).toEqual(Invalidation)
  await purge(['/b'], 'two')
  expect(before).not.toContain(await page('/b'))
  expect(before).not.toContain(await page('/b?x=1'))
})

it('does the same thing once, by its reference', async () => {
  const first = await purge(['/c'], 'again')
  const text = await page('/c')
  const second = await purge(['/c'], 'again')
  expect(second.Invalidation!.Id).toBe(first.Invalidation!.Id)
  expect(await page('/c')).toBe(text)
})

it('keeps nothing that was asked for before', async () => {
  held = []
  const slow = page('/slow')
  await expect.poll(() => held!.length).toBe(1)
  await purge(['/*'], 'meanwhile')
  const [response] = held
  held = null
  response!.end()
  const early = await slow
  expect(await page('/slow')).not.toBe(early)
})

it('refuses as CloudFront does', async () => {
  await expect(purge(['a'], 'r1')).rejects.toMatchObject({ name: 'InvalidArgument' })
  await expect(purge(['/a*b'], 'r2')).rejects.toMatchObject({ name: 'InvalidArgument' })
  await expect(purge(['/a'], 'r3', 2)).rejects.toMatchObject({ name: 'InconsistentQuantities' })
  const other = new GetInvalidationCommand({ DistributionId: 'OTHER', Id: 'I' })
  await expect(client.send(other)).rejects.toMatchObject({ name: 'NoSuchDistribution' })
  const unknown = new GetInvalidationCommand({ DistributionId, Id: 'I' })
  await expect(client.send(unknown)).rejects.toMatchObject({ name: 'NoSuchInvalidation' })
  const unsigned = await fetch(`${control.url}/2020-05-31/distribution/${DistributionId}/invalidation`)
  expect(unsigned.status).toBe(403)
})
