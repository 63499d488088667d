import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { verifyRow } from '../../clients/mcp/verify-row.ts'
import { createClient } from '../../clients/typescript/index.ts'
import { type Emulator, listen } from '../../dev/emulators/listening.ts'

const board = [
  { contract_address: `0x${'A'.repeat(40)}`, symbol: 'BASED' },
  { contract_address: `0x${'C'.repeat(40)}`, symbol: '$BASED' },
  { contract_address: `0x${'B'.repeat(40)}`, symbol: 'Lisbon' },
]

let server: Emulator
beforeAll(async () => {
  server = await listen(
    'api',
    createServer(({ url = '' }, response) => {
      response.setHeader('content-type', 'application/json')
      response.setHeader('x-snapshot-id', 's')
      response.end(JSON.stringify(url.startsWith('/v1/z100/posts') ? board : { documents: {} }))
    }),
  )
})
afterAll(() => server.stop())

it.each([
  // The sign is part of this symbol.
  ['$BASED', 1],
  ['based', 0],
  ['$lisbon', 2],
  [`0x${'b'.repeat(40)}`, 2],
  ['nobody', -1],
])('the row of %s is found as it is written', async (token, at) => {
  const { body } = await verifyRow(createClient({ baseUrl: server.url }), { board: 'posts', token })
  expect(body.row).toEqual(board[at] ?? null)
})
