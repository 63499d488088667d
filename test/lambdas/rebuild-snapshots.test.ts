import { afterAll, describe, expect, it, vi } from 'vitest'
import { handler } from '../../lambdas/rebuild-snapshots.ts'
import { InvalidEnvError } from '../../schemas/deployment/env.ts'
import { OWN_RULES, openLogs } from '../../store/log/logs.ts'
import { orderOf } from '../../store/published/documents.ts'
import { startStores } from '../support/aws/ingest-stores.ts'
import { launchOf, segmentOf, tokenAt, tradedState } from '../support/market/facts.ts'
import { seal } from '../support/market/market-history.ts'

const MINUTE = 29_000_000
const { table, log, published, env, stop } = await startStores()

describe('rebuild-snapshots', () => {
  const lines = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  afterAll(() => {
    lines.mockRestore()
    return stop()
  })

  it('names the variable that is missing', async () => {
    delete process.env['PUBLISHED_BUCKET']
    await expect(handler()).rejects.toThrow(InvalidEnvError)
  })

  it('publishes each applied minute and writes a line of JSON', async () => {
    Object.assign(process.env, env, { CHAIN: 'devnet', CODE_VERSION: 'abc' })
    await handler()
    expect(await published.read('manifest.json')).toBeUndefined()
    // As ingest does when it begins.
    await openLogs(table).register({ rules: OWN_RULES, log: '', copiedTo: null, since: 0 })
    const token = tokenAt(1, MINUTE)
    await seal(log, launchOf(token))
    await handler()
    await seal(log, segmentOf(MINUTE + 1, { rows: [[token.address, tradedState({ holders: 9 })]] }))
    await handler()
    const object = await published.read('v1/z100/creators/1h')
    expect(JSON.parse(Buffer.from(object!.bytes).toString())).toMatchObject([{ rank: 1, unique_holders: 9 }])
    expect(object?.metadata).toMatchObject({
      total: '1',
      position: String(orderOf({ switches: 1, n: 2 })),
      'block-hash': expect.stringMatching(/^0x/),
    })
    const written = lines.mock.calls.map(([line]) => JSON.parse(String(line)))
    expect(written.map(({ message, n }) => [message, n])).toEqual([
      ['nothing to publish', undefined],
      ['published', 1],
      ['published', 2],
    ])
  })
})
