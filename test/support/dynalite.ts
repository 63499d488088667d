import { afterAll, beforeAll } from 'vitest'
import { ensureTables } from '../../store/table.ts'
import { type Running, startDynalite } from './emulators.ts'

/** dynalite with these tables, from before the first test of a file or block until after its last. */
export function useDynalite(...tables: readonly string[]): void {
  let running: Running
  beforeAll(async () => {
    running = await startDynalite()
    await ensureTables(tables)
  })
  afterAll(() => running.stop())
}
