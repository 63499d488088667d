import { afterAll } from 'vitest'
import { ensureTables } from '../../../store/aws/table.ts'
import { startDynalite } from './emulators.ts'

/** Starts dynalite with these tables, for all tests of a file. */
export async function useDynalite(...tables: readonly string[]): Promise<void> {
  const { stop } = await startDynalite()
  afterAll(stop)
  await ensureTables(tables)
}
