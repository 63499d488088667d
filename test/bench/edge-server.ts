/** The local edge with one board behind it, in a process of its own; the first line of its output says at which ports. */
import { createServer } from 'node:http'
import { distribution, edgeAccess } from '../../lambdas/edge/distribution.ts'
import { startCloudfront } from '../../local/aws/cloudfront.ts'
import { listen } from '../../local/aws/listening.ts'
import { edgeTable } from '../../schemas/operations.ts'
import { benchEntries } from './edge-key.ts'

/** Of a board: 6 KB. */
const board = JSON.stringify(
  Array.from({ length: 100 }, (_, at) => ({ rank: at, handle: `creator${at}`.padEnd(32) })),
)

const origin = await listen(
  'origin',
  createServer((_request, response) => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(board),
      'cache-control': 'public, max-age=3600',
      'x-amz-meta-snapshot': '7',
      'x-amz-meta-total': '100',
    })
    response.end(board)
  }),
)
const edge = await startCloudfront({
  ...distribution(edgeTable, edgeAccess()),
  origins: { published: origin.url },
  keyValueStore: { get: (key) => benchEntries.get(key) },
  onFunctionLog: () => undefined,
})
const portOf = (url: string): number => Number(new URL(url).port)
process.stdout.write(`${JSON.stringify({ port: portOf(edge.url), originPort: portOf(origin.url) })}\n`)
