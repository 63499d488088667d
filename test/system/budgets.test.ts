import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { openMcp } from '../../clients/mcp/http.ts'
import { openAccountApi } from '../../lambdas/account/api.ts'
import type { AccountApiOptions } from '../../lambdas/account/visit.ts'
import { HOST_HEADER } from '../../schemas/api/access.ts'
import { ACCOUNT_API } from '../../schemas/api/account.ts'
import { budgets } from '../../schemas/deployment/budgets.ts'
import { startHostileSources } from './hostile-sources.ts'

/** The heap that `npm start` gives its process. */
const HEAP = ['--max-old-space-size=768', '--expose-gc', '--import', 'tsx']

type Read = {
  readonly ended: Readonly<Record<string, string>>
  readonly atOnce: readonly string[]
  readonly oneByOne: number
  readonly together: number
  readonly maxRssMb: number
}

async function readAll(): Promise<Read> {
  const sources = await startHostileSources()
  const args = [...HEAP, 'test/system/hostile-readers.ts', sources.url, sources.socketUrl]
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1_000_000 })
    return JSON.parse(stdout) as Read
  } finally {
    await sources.stop()
  }
}

/** What a hostile source's reading ends with, by the budget that bounds it. */
const endings: Readonly<Record<string, RegExp>> = {
  answer: /^BlockRangeTooLargeError: .*127\.0\.0\.1:\d+: eth_getLogs: an answer above 33554432 bytes/,
  'answer, zipped':
    /^BlockRangeTooLargeError: .*127\.0\.0\.1:\d+: eth_getLogs: an answer above 33554432 bytes/,
  'answer, to another call': /^BatchTooLargeError: .*127\.0\.0\.1:\d+: eth_getBlockByNumber: an answer above/,
  'answer, of separators': /^BlockRangeTooLargeError: .*made of separators/,
  answersTogether: /^BlockRangeTooLargeError: .*above 67108864 bytes/,
  portalRange: /^BlockRangeTooLargeError: .*above 33554432 bytes of blocks/,
  socketMessage: /Max payload size exceeded/,
  'socketMessage, all of them subscriptions': /answered a subscription/,
  pushedBlocks: /more than 33554432 bytes of blocks were pushed/,
  'pushedBlocks, with ever new parents': /a block was pushed with two parents/,
  'pushedBlocks, with long parents': /a header was pushed without content/,
  archiveManifest: /^ArchiveTooLargeError: archive\/v1\/manifest.json/,
  archiveLog: /^ArchiveTooLargeError: archive\/v1\/log\//,
  archiveFile: /^ArchiveTooLargeError: archive\/v1\/segments\//,
  segment: /^ArchiveSegmentError: .*more than 33554432 bytes/,
  'segment, of separators': /^ArchiveSegmentError: .*made of separators/,
}

/** Budgets of what a request brings, tested below. */
const ofRequests = ['accountRequest', 'toolMessage']
/** A budget of honest sources: minutes beyond it are handed over in several steps. */
const ofHonest = ['archiveMinutes']

describe('a source that exceeds its budget', async () => {
  const read = await readAll()

  it.each(Object.entries(endings))('is at fault, by name, and the process goes on: %s', (row, ending) => {
    expect(read.ended[row]).toMatch(ending)
  })

  it('leaves nothing: forty at once, in the heap of a run, leave less than 100 MB', () => {
    // Those that do not end are given up.
    const known = [...Object.values(endings), /no answer within 5000 ms/]
    expect(read.atOnce).toHaveLength(40)
    for (const cause of read.atOnce)
      expect(
        known.map((ending) => ending.test(cause)),
        cause,
      ).toContain(true)
    expect(read.oneByOne).toBeLessThan(100)
    expect(read.together).toBeLessThan(100)
  })

  it('is tested for every budget', () => {
    const tested = Object.keys(endings).map((row) => row.split(',')[0])
    expect([...new Set([...tested, ...ofRequests, ...ofHonest])].sort()).toEqual(Object.keys(budgets).sort())
  })
})

describe('a request that exceeds its budget is refused', () => {
  it('by the account page', async () => {
    const api = openAccountApi({ scheme: 'https', service: {} } as AccountApiOptions)
    const answer = await api({
      httpMethod: 'POST',
      path: `${ACCOUNT_API}challenge`,
      multiValueHeaders: { [HOST_HEADER]: ['z100.example'], origin: ['https://z100.example'] },
      multiValueQueryStringParameters: null,
      body: 'x'.repeat(budgets.accountRequest + 1),
      isBase64Encoded: false,
      requestContext: { requestId: 'r', authorizer: null },
    })
    expect(answer.statusCode).toBe(413)
  })

  it('by the tools for agents', async () => {
    const answer = openMcp(
      () => 'http://127.0.0.1:1',
      () => {},
    )
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(budgets.toolMessage) })
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const request = new Request('http://z100.example/mcp', { method: 'POST', headers, body: message })
    expect((await answer(request)).status).toBe(413)
  })
})
