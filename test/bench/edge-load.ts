/** A reader of the cached board that costs little itself, and what a server's process has cost meanwhile. */
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { BENCH_KEY } from './edge-key.ts'

export const BENCH_PATH = '/v1/z100/creators'
const CONNECTIONS = 16

/** So many requests for the cached board over kept connections; rejects when one is not answered with it. */
export async function load(port: number, count: number): Promise<void> {
  const left = { requests: count }
  await Promise.all(Array.from({ length: Math.min(CONNECTIONS, count) }, () => readAll(port, left)))
}

/** One request after the other, each after the whole answer to the one before, until none is left. */
async function readAll(port: number, left: { requests: number }): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  const request = `GET ${BENCH_PATH} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${BENCH_KEY}\r\n\r\n`
  let text = ''
  const next = (): void => {
    text = ''
    left.requests -= 1
    if (left.requests >= 0) socket.write(request)
    else socket.end()
  }
  next()
  for await (const part of socket) {
    text += (part as Buffer).toString('latin1')
    const headEnd = text.indexOf('\r\n\r\n')
    if (headEnd < 0) continue
    const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
    if (!text.startsWith('HTTP/1.1 200 ') || length === undefined)
      throw new NotAnsweredError(text.slice(0, 200))
    if (text.length >= headEnd + 4 + Number(length)) next()
  }
}

/** A contestant gave another answer than the board. */
class NotAnsweredError extends Error {
  override readonly name = 'NotAnsweredError'
}

/** Microseconds of CPU of a process until now, all its threads. */
export function cpuOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const nanoseconds = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1_000
}
