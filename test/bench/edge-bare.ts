/** A server of node:http and nothing else, which says to everyone what the edge at the port given said once; the first line of its output is its own port. */
import { createServer } from 'node:http'
import { listen } from '../../local/aws/listening.ts'
import { BENCH_KEY } from './edge-key.ts'
import { BENCH_PATH } from './edge-load.ts'

const headers = { authorization: `Bearer ${BENCH_KEY}`, 'accept-encoding': 'identity' }
const said = await fetch(`http://127.0.0.1:${process.argv[2]}${BENCH_PATH}`, { headers })
const body = Buffer.from(await said.arrayBuffer())
// What belongs to the connection is said by each server itself.
const kept = [...said.headers].filter(([name]) => name !== 'connection' && name !== 'keep-alive')
const server = createServer((_request, response) => {
  response.writeHead(said.status, kept.flat())
  response.end(body)
})
const { url } = await listen('bare', server)
process.stdout.write(`${JSON.stringify({ port: Number(new URL(url).port) })}\n`)
