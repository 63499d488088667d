/** Starts an anvil and a dynalite, asks each of them once, and ends. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import dynalite from 'dynalite'

const require = createRequire(import.meta.url)
const folder = dirname(
  require.resolve(
    `@foundry-rs/anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}/package.json`,
  ),
)
const port = 20_000 + (process.pid % 20_000)
const anvil = spawn(join(folder, 'bin/anvil'), ['--port', String(port), '--silent'], { stdio: 'ignore' })
const tables = dynalite({ createTableMs: 0 }).listen(0, '127.0.0.1')
await once(tables, 'listening')
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
const headers = { 'content-type': 'application/json' }
const ask = () =>
  fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body }).then(
    ({ ok }) => ok,
    () => false,
  )
while (!(await ask())) await new Promise((resolve) => setTimeout(resolve, 20))
await fetch(`http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (tables.address()).port}`)
anvil.kill()
process.exit()
