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

/** Requests of manifests that find none yet. */
let unpublished = 0
let server: Emulator
beforeAll(async () => {
  server = await listen(
    'api',
    createServer(({ url = '' }, response) => {
      response.setHeader('content-type', 'application/json')
      response.setHeader('x-snapshot-id', 's')
      if (url.startsWith('/v1/snapshots') && unpublished > 0) {
        unpublished -= 1
        response.statusCode = 404
      }
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

it.each([0, 1, 3])('a manifest that is missing %i times is waited for', async (missing) => {
  unpublished = missing
  const given = { board: 'Posts', token: 'lisbon' }
  const waits: number[] = []
  const wait = async (milliseconds: number) => waits.push(milliseconds)
  const verified = verifyRow(createClient({ baseUrl: server.url }), given, wait)
  if (missing < 3) expect((await verified).body.row).toEqual(board[2])
  else await expect(verified).rejects.toThrow(/being published/)
  expect(waits.length).toBe(missing)
})
