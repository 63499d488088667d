/**
 * `npm run mcp`: the MCP server on stdin and stdout. Z100_URL and Z100_API_KEY name a service and a key; without an address it
 * is the run in the data directory (Z100_DATA_DIR, .z100).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { keyWay } from '../../schemas/api/key-way.ts'
import { createClient } from '../typescript/index.ts'
import { mcpServer } from './server.ts'

type Ready = { readonly base_url: string; readonly keys: { readonly professional: string } }

/** The service of the environment, else the run on this machine. Throws if there is neither. */
function serviceOf(env: NodeJS.ProcessEnv): { readonly baseUrl: string; readonly apiKey: string | null } {
  const { Z100_URL: url, Z100_API_KEY: key, Z100_DATA_DIR: dir = '.z100' } = env
  if (url) return { baseUrl: url, apiKey: key || null }
  const ready = JSON.parse(readFileSync(join(dir, 'ready.json'), 'utf8')) as Ready
  return { baseUrl: ready.base_url, apiKey: key ?? ready.keys.professional }
}

try {
  const service = serviceOf(process.env)
  const client = createClient(service)
  const help = 'This tool reads with an API key: set the environment variable Z100_API_KEY of this server.'
  const keyHelp = service.apiKey ? null : `${help} ${keyWay(service.baseUrl)}`
  serveStdio(() => mcpServer({ client, baseUrl: service.baseUrl, keyHelp }), {
    onerror: (error) => process.stderr.write(`${error.message}\n`),
  })
} catch (error) {
  process.stderr.write(
    `There is no service to read from: set Z100_URL and Z100_API_KEY, or start one here with npm start. (${(error as Error).message})\n`,
  )
  process.exitCode = 1
}
