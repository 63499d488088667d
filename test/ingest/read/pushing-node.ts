/** A node's WebSocket: takes eth_subscribe for newHeads and logs, and pushes blocks when it is told to. */
import { once } from 'node:events'
import { type WebSocket, WebSocketServer } from 'ws'
import type { ChainNode, Filter, RpcCall } from '../../support/chain/json-rpc.ts'

export type RawPush = {
  readonly kind: 'newHeads' | 'logs'
  readonly result: Readonly<Record<string, unknown>>
}

export type PushingNode = {
  readonly url: string
  /** Calls that have been answered, other than subscriptions. */
  answered: number
  /** Sockets that have been accepted so far. */
  accepted: number
  /** Sockets that have subscribed to both and are open. */
  subscribed(): number
  /** While true, calls are not answered and nothing is pushed: the connection stays open. */
  isSilent: boolean
  /** While true, calls are answered and nothing is pushed. */
  isDeaf: boolean
  /** Changes what is pushed of a block. */
  lie: (pushes: readonly RawPush[]) => readonly RawPush[]
  /** Pushes a block's logs and its header. */
  push(block: number): void
  /** Resolves when all that was pushed so far has arrived, or its connection has ended. */
  delivered(): Promise<unknown>
  /** Cuts all connections. */
  cut(): void
  stop(): Promise<void>
}

type Reader = { readonly socket: WebSocket; filter?: Filter; isOfHeads: boolean }

const ponged = (socket: WebSocket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.readyState !== socket.OPEN) return resolve()
    socket.once('pong', () => resolve())
    socket.once('close', () => resolve())
    socket.ping()
  })

/** Starts the WebSocket of a node; `node.head` does not limit what is pushed. */
export async function startPushingNode(node: ChainNode): Promise<PushingNode> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const readers = new Set<Reader>()
  server.on('connection', (socket) => {
    pushing.accepted += 1
    const reader: Reader = { socket, isOfHeads: false }
    readers.add(reader)
    socket.on('close', () => readers.delete(reader))
    socket.on('message', (data) => {
      const { id, method, params } = JSON.parse(String(data)) as RpcCall
      const [kind, filter] = params as [string, Filter]
      if (method === 'eth_subscribe' && kind === 'newHeads') reader.isOfHeads = true
      if (method === 'eth_subscribe' && kind === 'logs') reader.filter = filter
      const result = method === 'eth_subscribe' ? kind : node.ask({ method, params })
      if (method !== 'eth_subscribe') pushing.answered += 1
      if (!pushing.isSilent) socket.send(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })
  })
  const send = ({ socket }: Reader, { kind, result }: RawPush): void =>
    socket.send(
      JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params: { subscription: kind, result } }),
    )
  const pushesOf = (block: number, filter: Filter): readonly RawPush[] => {
    const at = `0x${block.toString(16)}`
    const head = node.head
    node.head = Math.max(head, block)
    const logs = node.ask({ method: 'eth_getLogs', params: [{ ...filter, fromBlock: at, toBlock: at }] })
    const header = node.ask({ method: 'eth_getBlockByNumber', params: [at, false] })
    node.head = head
    return [
      ...(logs as RawPush['result'][]).map((result) => ({ kind: 'logs' as const, result })),
      { kind: 'newHeads', result: header as RawPush['result'] },
    ]
  }
  const pushing: PushingNode = {
    url: `ws://127.0.0.1:${port}`,
    accepted: 0,
    answered: 0,
    subscribed: () => [...readers].filter(({ isOfHeads, filter }) => isOfHeads && filter).length,
    isSilent: false,
    isDeaf: false,
    lie: (pushes) => pushes,
    push(block) {
      if (pushing.isSilent || pushing.isDeaf) return
      for (const reader of readers) {
        if (!reader.filter) continue
        for (const push of pushing.lie(pushesOf(block, reader.filter))) send(reader, push)
      }
    },
    // A pong comes after whatever was sent before the ping.
    delivered: () => Promise.all([...readers].map(({ socket }) => ponged(socket))),
    cut() {
      for (const { socket } of readers) socket.terminate()
    },
    async stop() {
      pushing.cut()
      server.close()
      await once(server, 'close')
    },
  }
  return pushing
}
