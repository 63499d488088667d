import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A service of AWS standing in on this machine: reachable at `url` (http, no slash at the end) until `stop` resolves. */
export type StandIn = { readonly name: string; readonly url: string; stop(): Promise<void> }

/** Only this machine can reach a stand-in. The IP form also makes S3 clients use path-style addresses by themselves. */
const HOST = '127.0.0.1'

/** Starts `server` on 127.0.0.1 at `port` (0 or absent: any free one). Rejects with the system's error when the port is taken. */
export async function listen(name: string, server: Server, port = 0): Promise<StandIn> {
  server.listen(port, HOST)
  await once(server, 'listening')
  const { port: bound } = server.address() as AddressInfo
  return { name, url: `http://${HOST}:${bound}`, stop: () => close(server) }
}

/** Lets no connection outlive the server: kept-alive and streaming readers would hold `close` for ever. */
function close(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()))
    server.closeAllConnections()
  })
}
