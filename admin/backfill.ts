import { Option } from 'commander'
import { forecast, openCatchUp, type ToRead } from '../ingest/catch-up.ts'
import { chainNamed } from '../ingest/chains.ts'
import { sinceFrom } from '../ingest/log-start.ts'
import { runIngest } from '../ingest/main.ts'
import type { Wait } from '../ingest/pacing.ts'
import type { Progress as Step } from '../ingest/writer.ts'
import { readEnv } from '../schemas/env.ts'
import { type CommandCall, type CommandGroup, commandOf, type ExitCode, urlsFrom } from './command.ts'

type BackfillFlags = { readonly rpcUrl?: readonly string[]; readonly since?: string }

const start = (text: string): string => {
  sinceFrom(text)
  return text
}

/** `admin backfill`: 0 the log has reached the head. The service's own writer may run beside it: the log of minutes takes any number. */
const backfillCommand = commandOf<BackfillFlags>({
  usage: 'backfill',
  says: 'Reads the past on this machine, into the tables of the service, and ends at the head of the chain.',
  options: [
    new Option('--rpc-url <url>', "another endpoint than the service's own (repeatable)").argParser(urlsFrom),
    new Option(
      '--since <start>',
      'where an empty log begins: 24h, 7d, 30d, a block number, or all',
    ).argParser(start),
  ],
  run: runBackfill,
})

async function runBackfill({
  options,
  deployment,
  progress,
  say,
  warn,
}: CommandCall<BackfillFlags>): Promise<ExitCode> {
  const { env, rpcUrls } = await deployment()
  const { rpcUrl = rpcUrls, since } = options
  const RPC_URLS = rpcUrl.length > 0 ? rpcUrl.join(',') : undefined
  const own = readEnv('ingest', { ...env, RPC_URLS, ...(since && { START_BLOCK: since }) })
  const atHead = new AbortController()
  const chain = chainNamed(own.CHAIN)
  const catchUp = openCatchUp(chain)
  const onProgress = (step: Step): void => {
    if (step.is === 'idle') atHead.abort()
    if (catchUp.progressed(step)) progress.step('reading', catchUp.done, catchUp.total, catchUp.note())
  }
  // A pause now and then is how a rate is kept; what lasts is said ever more rarely.
  const onWait = ({ endpoint, cause, times }: Wait): void => {
    if (times > 1 && Number.isInteger(Math.log2(times)))
      warn(`waiting for ${endpoint}: ${cause.slice(0, 140)}`)
  }
  const onBegin = (blocks: ToRead, blocksACall: number): void => warn(forecast(chain, blocks, blocksACall))
  const rpc = { onRequest: catchUp.asked }
  await runIngest(own, { signal: atHead.signal, report: () => {}, onBegin, onProgress, onWait, rpc })
  const { minutes, calls } = catchUp
  say(`${minutes} minutes were sealed with ${calls} calls; the log is at the head of the chain`)
  return 0
}

export const groups: readonly CommandGroup[] = [{ name: null, says: 'The past', commands: [backfillCommand] }]
