import dynalite from 'dynalite'
import type { StandIn } from './listening.ts'
import { listen } from './listening.ts'

/**
 * DynamoDB on this machine (dynalite 4). With a `path` the tables are kept there and survive `kill -9`; else they live in memory.
 * It knows no transactions, TTL, Streams, PartiQL or new indexes on a live table, and never deletes an expired item.
 */
export function startDynamodb(options: { path?: string; port?: number } = {}): Promise<StandIn> {
  const immediately = { createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 }
  const server = dynalite({ ...immediately, ...(options.path === undefined ? {} : { path: options.path }) })
  return listen('dynamodb', server, options.port)
}
