import { expect, it } from 'vitest'
import { openNewLog, openOwnLog } from '../../../ingest/writer/own-log.ts'
import { openMemoryTable } from '../../../store/aws/memory.ts'
import { FIRST_LOG, openLogs } from '../../../store/log/logs.ts'
import { memoryBucket } from '../../support/aws/memory-stores.ts'

function world() {
  const table = { ...openMemoryTable(), async *scan() {} }
  return {
    table,
    bulk: table,
    segments: memoryBucket(),
    logs: openLogs(table),
    now: () => 7,
    isBeside: false,
  }
}

it('a log is unknown until it is registered; then readers follow it and ingest continues it', async () => {
  const stores = world()
  const unknown = (await openNewLog(stores)) ?? expect.fail('there is no log')
  expect([await stores.logs.all(), (await stores.logs.live()).log]).toEqual([[], FIRST_LOG])
  expect(await unknown.register()).toBe(true)
  expect(await stores.logs.live()).toMatchObject({ log: unknown.log, publisher: '' })
  expect(await openOwnLog(stores)).toMatchObject({ log: unknown.log, copiedTo: null })
  expect(await openNewLog(stores)).toBeUndefined()
})

it('a registered log does not replace one that ingest has begun meanwhile', async () => {
  const stores = world()
  const unknown = (await openNewLog(stores)) ?? expect.fail('there is no log')
  await openOwnLog(stores)
  expect(await unknown.register()).toBe(false)
  expect((await stores.logs.live()).log).toBe(FIRST_LOG)
  expect(await openOwnLog(stores)).toMatchObject({ log: FIRST_LOG })
})
