/** The readers of the stream's benchmark, as a process of its own: many connections that count what comes. */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'

const [port, path, count] = [Number(process.argv[2]), process.argv[3] ?? '/', Number(process.argv[4])]
const coding = process.argv[5] ?? 'identity'
/** Connections that are made at once: a server's backlog is short. */
const AT_ONCE = 100

const bytes = new Float64Array(count)
/** Events of one connection, told apart by their data. */
let events = 0
let connected = 0

const MARK = '"transaction_hash"'
/** The end of what came before: a mark may come in two parts. */
let before = ''
function countEvents(part: Buffer) {
  const text = before + part.toString('latin1')
  events += text.split(MARK).length - 1
  before = text.slice(1 - MARK.length)
}
const gunzip = createGunzip().on('data', countEvents)
/** What takes the body of that connection, as its head says; null before the head has come. */
let take: ((part: Buffer) => unknown) | null = null
function read(part: Buffer) {
  if (take) return take(part)
  const bodyAt = part.indexOf('\r\n\r\n') + 4
  const isZipped = /^content-encoding: gzip\r$/im.test(part.toString('latin1', 0, bodyAt))
  take = isZipped ? (body) => gunzip.write(body) : countEvents
  take(part.subarray(bodyAt))
}

const open = (at: number) =>
  new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nAccept-Encoding: ${coding}\r\n\r\n`,
    )
    socket.once('data', () => {
      connected += 1
      resolve()
    })
    socket.on('data', (part) => {
      bytes[at] = (bytes[at] ?? 0) + part.length
      if (at === 0) read(part)
    })
    socket.on('error', () => resolve())
  })

for (let at = 0; at < count; at += AT_ONCE) {
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - at) }, (_, next) => open(at + next)))
}
await sleep(300)
/** Counts anew. */
function reset() {
  bytes.fill(0)
  events = 0
}
reset()
process.send?.({ connected })
process.on('message', (asked) => {
  if (asked === 'reset') reset()
  process.send?.({ least: Math.min(...bytes), most: Math.max(...bytes), events })
})
