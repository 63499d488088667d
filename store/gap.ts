import type { StatusGap } from '../schemas/service.ts'
import type { Table } from './table.ts'
import { marketKeys } from './tables.ts'

/** The gap at which sealing stands still now, if there is one. */
export type GapStore = {
  read(): Promise<StatusGap | undefined>
  /** null: there is none any more. `now` in Unix ms: the newest put is in force. */
  put(gap: StatusGap | null, now: number): Promise<void>
}

/** Opens the gap of a Market table. */
export const openGapStore = (table: Pick<Table, 'read' | 'put'>): GapStore => ({
  async read() {
    const item = await table.read(marketKeys.gap)
    return item?.['gap'] === undefined ? undefined : (JSON.parse(String(item['gap'])) as StatusGap)
  },
  async put(gap, now) {
    const content = gap ? { gap: JSON.stringify(gap) } : { tomb: true }
    await table.put({ ...marketKeys.gap, pos: now, ...content }, { olderThan: now })
  },
})
