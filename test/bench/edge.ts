/** What the edge's function costs in an interpreter without a compiler, as CloudFront's is. */
import { distribution, edgeAccess } from '../../lambdas/edge/distribution.ts'
import { edgeTable } from '../../schemas/documents.ts'
import { callsInQuickjs } from './edge-quickjs.ts'
import { at, median, say, table } from './rounds.ts'

const GOALS = { p99Micros: 100 }
const CALLS = 10_000
const ROUNDS = 5

/** The goals missed. */
export async function run(): Promise<readonly string[]> {
  const { viewerRequest, viewerResponse } = distribution(edgeTable, edgeAccess()).functions
  const bytes = Buffer.byteLength(viewerRequest)
  say(`viewer-request ${bytes} bytes, viewer-response ${Buffer.byteLength(viewerResponse)} bytes of 10,240`)
  return inQuickjs(viewerRequest)
}

/**
 * The least p99 of the rounds, as whoever else uses the machine makes a p99 longer, never shorter; what a call of nothing mostly
 * takes is the measurement's own and taken off.
 */
async function inQuickjs(code: string): Promise<string[]> {
  const rounds = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const calls = await callsInQuickjs(code, CALLS / ROUNDS)
    if (calls === null) {
      say('skipped: quickjs-emscripten is not installed; npm install --prefix test/bench')
      return []
    }
    rounds.push(calls)
  }
  const lineOf = (name: string, which: 'function' | 'nothing') => {
    const shares = [0.01, 0.5, 0.99].map((share) => median(rounds.map((calls) => at(calls[which], share))))
    return [name, ...shares.map((share) => share.toFixed(0)), leastP99(which).toFixed(0)]
  }
  const leastP99 = (which: 'function' | 'nothing') =>
    Math.min(...rounds.map((calls) => at(calls[which], 0.99)))
  say(
    table([
      ['µs of CPU a call in QuickJS', 'p1', 'p50', 'p99', 'least p99'],
      lineOf('viewer-request', 'function'),
      lineOf('a call of nothing', 'nothing'),
    ]),
  )
  const net = leastP99('function') - median(rounds.map(({ nothing }) => at(nothing, 0.5)))
  say(`least p99 without the measurement: ${net.toFixed(0)} µs`)
  return net > GOALS.p99Micros ? [`viewer-request p99 ≤ ${GOALS.p99Micros} µs in QuickJS`] : []
}
