/** What of a log is copied for newer rules: nothing that they fold again at once. */
import { expect, it } from 'vitest'
import { openMemoryBucket, openMemoryTable } from '../../../store/aws/memory.ts'
import { type Key, keyText, lookupPartitions, marketKeys } from '../../../store/aws/tables.ts'
import { copyLog } from '../../../store/log/copy-log.ts'
import { inLog } from '../../../store/log/logs.ts'

const TOKEN = `0x${'ab'.repeat(20)}` as const
const HOUR = 483_336
const KEPT_TO = HOUR * 60 + 30
const { rolledUp, indexBar, feedEntry, live } = marketKeys

/** Keys with a minute, an hour or a day, by which they are copied or not. */
const ofMinute = (minute: number): Key[] => [
  marketKeys.minute(TOKEN, minute),
  marketKeys.swaps(TOKEN, minute, 0),
  marketKeys.swaps(TOKEN, minute, 100),
  marketKeys.reference(TOKEN, minute),
]
const ofHour = (hour: number): Key[] => [
  marketKeys.prices({ token: TOKEN }, 'hour', hour),
  marketKeys.prices({ currency: TOKEN }, 'hour', hour),
  marketKeys.tokenHour(TOKEN, hour),
  marketKeys.holderSample(TOKEN, hour),
  marketKeys.tokenTraders(TOKEN, hour, 1),
  marketKeys.walletHour(TOKEN, hour, 0),
  marketKeys.walletHour(TOKEN, hour, 7),
]
const DAY = Math.floor(HOUR / 24) + 1
const always: readonly Key[] = [
  marketKeys.token(TOKEN),
  marketKeys.now(TOKEN),
  marketKeys.holderView(TOKEN),
  marketKeys.balance(TOKEN, TOKEN),
  marketKeys.postOwner(TOKEN),
  marketKeys.code(TOKEN),
  marketKeys.hook(TOKEN),
  marketKeys.prices({ token: TOKEN }, 'day', DAY),
  marketKeys.prices({ token: TOKEN }, 'days', DAY),
  { pk: lookupPartitions.launches(DAY), sk: '000123456789#00000001#ab' },
  rolledUp('hour', HOUR + 1),
  indexBar('hour', HOUR + 1),
]
const shared: readonly Key[] = [
  live,
  feedEntry(1),
  marketKeys.document('stats', 0),
  marketKeys.boardDay(TOKEN, DAY),
]

it('a copy has what is older and what has no time, and nothing of the minutes that are folded again', async () => {
  const table = openMemoryTable()
  const kept = [...always, ...ofMinute(KEPT_TO), ...ofHour(HOUR - 1), ...ofHour(HOUR)]
  const refolded = [...ofMinute(KEPT_TO + 1), ...ofHour(HOUR + 1)]
  for (const key of [...kept, ...refolded, ...shared]) await table.put({ ...key, pos: 1 }, 'absent')
  const to = '@9.9-1'
  await copyLog({ table, segments: openMemoryBucket(), from: '', keptTo: KEPT_TO, to })
  const copy = inLog(table, to)
  const copied = async (keys: readonly Key[]) => {
    const found = await Promise.all(keys.map(async (key) => ((await copy.read(key)) ? [keyText(key)] : [])))
    return found.flat()
  }
  expect(await copied(kept)).toEqual(kept.map(keyText))
  // The log has balances by token alone.
  expect(await copy.read(marketKeys.holding(TOKEN, TOKEN))).toMatchObject({ pos: 1 })
  expect(await copied([...refolded, ...shared])).toEqual([])
})
