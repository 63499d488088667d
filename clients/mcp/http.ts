import { createMcpHandler } from '@modelcontextprotocol/server'
import { bearerKey } from '../../schemas/api/access.ts'
import { keyWay } from '../../schemas/api/key-way.ts'
import { budgets } from '../../schemas/deployment/budgets.ts'
import { createClient } from '../typescript/index.ts'
import { mcpServer } from './server.ts'

/** A function has less time than a program: one further attempt, and no long wait. */
const CALL = { timeoutSeconds: 10, maxRetries: 1, maxWaitSeconds: 2 }

const KEY_HELP =
  'This tool reads with an API key: let your client send the header Authorization: Bearer <key>.'

/**
 * Streamable HTTP without sessions: each message is answered by a server of its own, which reads the service at
 * `baseUrlOf` the request with the key that the request came with, so that its requests count as that key's.
 */
export function openMcp(
  baseUrlOf: (request: Request) => string,
  onDefect: (error: Error) => void,
): (request: Request) => Promise<Response> {
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      if (!requestInfo) throw new Error('a message came without its request')
      const key = bearerKey(requestInfo.headers.get('authorization') ?? '')
      const baseUrl = baseUrlOf(requestInfo)
      const client = createClient({ baseUrl, ...CALL, apiKey: key || null })
      return mcpServer({ client, baseUrl, keyHelp: key ? null : `${KEY_HELP} ${keyWay(baseUrl)}` })
    },
    // Nothing changes between two messages, so nobody has to wait for changes.
    { onerror: onDefect, keepAliveMs: 0, maxSubscriptions: 0, maxRequestBodySize: budgets.toolMessage },
  )
  return handler.fetch
}
