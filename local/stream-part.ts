import { type RunningStream, runStream } from '../stream/main.ts'
import { names } from './aws-parts.ts'
import type { Parts } from './parts.ts'

/** Readers of a run on one machine are let go within so many ms: there is no other task to go to. */
const DRAIN_MS = 1_000

/** The stream, in this process, behind the edge. */
export function startStream({ terminal }: Parts, chain: string): Promise<RunningStream> {
  const env = { MARKET_TABLE: names.MARKET_TABLE, CHAIN: chain, PORT: '0', TRUSTED_PROXIES: '1' }
  const report = (event: string, facts: object) => {
    if (event === 'stream.fault') terminal.say(`stream: ${JSON.stringify(facts)}`)
  }
  return runStream(env, { host: '127.0.0.1', drainMs: DRAIN_MS, report })
}
