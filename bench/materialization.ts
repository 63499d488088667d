/** How many swaps a second one processor materializes: a minute's items to a table that answers each put after 5 ms. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openMaterializer } from '../ingest/writer/materialize.ts'
import type { Segment } from '../market/segment.ts'
import { openLog } from '../store/log.ts'
import { itemsOf } from '../store/projection.ts'
import { openTable } from '../store/table.ts'
import { memoryBucket } from '../test/support/memory-stores.ts'
import { atLeast, median, say, table, timeOf } from './measuring.ts'
import { START, syntheticMarket } from './synthetic-market.ts'
import { syntheticSegment } from './synthetic-minutes.ts'

const GOAL_SWAPS = 1_000
const ANSWER_MS = 5
const ROUNDS = 5
/** Of a second of so many swaps: each moves the balance of a trader of its own. */
const PER_MINUTE = 60_000
/** What is materialized at once here: a tenth of such a minute, whose tokens' rows weigh more than they do in a whole one. */
const SWAPS = PER_MINUTE / 10

/** A table in a process of its own, so that what is measured is this one. */
const SERVER = `require('node:http').createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume().on('end', () => setTimeout(() => {
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{}')
  }, ${ANSWER_MS}))
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`

/** Measures; the goals missed. */
export async function run(): Promise<readonly string[]> {
  const server = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [port] = (await once(server.stdout, 'data')) as [Buffer]
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${String(port).trim()}`,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    })
    return await measure()
  } finally {
    server.kill()
  }
}

/** The pools' balances are numbers of the tokens: what is put is one of the two of each swap. */
const withTraders = (segment: Segment): Segment => ({
  ...segment,
  balances: segment.balances.filter((_, at) => at % 2 === 0),
})

async function measure(): Promise<readonly string[]> {
  const log = openLog(openTable('market'), memoryBucket())
  const market = syntheticMarket(20_000, 20_000, PER_MINUTE)
  const rows: [string, number, number, number, number][] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const segment = withTraders(syntheticSegment(market, START + round, SWAPS))
    const { minute, firstBlock, last, swaps } = segment
    const reference = { minute, key: 'none', sha256: '' }
    const entry = { n: round + 1, is: 'sealed', minute, firstBlock, last, segment: reference } as const
    const puts = itemsOf(segment).length
    const materializer = openMaterializer(log, () => undefined)
    const { cpuMs, wallMs } = await timeOf(async () => {
      await materializer.add({ entry, segment, previous: null }, 0)
      await materializer.drain()
    })
    const seconds = wallMs / 1_000
    const perCpuSecond = (swaps.length * 1_000) / cpuMs
    // The first one warms up.
    if (round > 0)
      rows.push([String(round), puts / swaps.length, swaps.length / seconds, perCpuSecond, seconds])
  }
  say(table([['round', 'puts a swap', 'swaps/s', 'swaps/s of processor', 'seconds'] as never, ...rows]))
  const reached = median(rows.map(([, , , perCpuSecond]) => perCpuSecond))
  say(`${reached.toFixed(0)} swaps a second of one processor; the goal is ${GOAL_SWAPS}`)
  return atLeast('swaps a second', reached, GOAL_SWAPS)
}
