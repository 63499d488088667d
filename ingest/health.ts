import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An answering /health. */
export type Health = { readonly port: number; stop(): void }

/** Answers GET /health on a port of this machine: 200 while `isWell`, else 503. Rejects when the port is taken. */
export async function serveHealth(port: number, isWell: () => boolean): Promise<Health> {
  const server = createServer((request, response) => {
    const status = request.url !== '/health' ? 404 : isWell() ? 200 : 503
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
    response.end(JSON.stringify({ status: status === 200 ? 'ok' : 'unavailable' }))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
