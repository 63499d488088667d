import { Option } from 'commander'
import { chainNamed } from '../../ingest/client/chains.ts'
import type { IngestEvent } from '../../ingest/report.ts'
import { runIngest } from '../../ingest/run.ts'
import { readEnv } from '../../schemas/deployment/env.ts'
import {
  archiveFrom,
  type CommandCall,
  type CommandGroup,
  commandOf,
  type ExitCode,
  fromArchive,
  sayResult,
  urlsFrom,
} from '../base/command.ts'
import { openIngestView, startFrom } from '../base/ingest-view.ts'
import { takeLogOver } from './take-over.ts'

type BackfillFlags = {
  readonly rpcUrl?: readonly string[]
  readonly since?: string
  readonly fromArchive?: string
}

/** `admin backfill`: the service's own writer may run at the same time, since the log of minutes takes any number of writers. */
const backfillCommand = commandOf<BackfillFlags>({
  usage: 'backfill',
  description: "Runs the catch-up on this machine into the service's tables, up to the head of the chain.",
  options: [
    new Option('--rpc-url <url>', "another endpoint than the service's own (repeatable)").argParser(urlsFrom),
    new Option(
      '--since <start>',
      'where an empty log begins: 24h, 7d, 30d, a block number, or all',
    ).argParser(startFrom),
    new Option(...fromArchive).argParser(archiveFrom),
  ],
  run: runBackfill,
})

async function runBackfill(call: CommandCall<BackfillFlags>): Promise<ExitCode> {
  const { options, progress, warn } = call
  const { env, rpcUrls } = await call.deployment()
  const { rpcUrl = rpcUrls, since, fromArchive: url } = options
  const RPC_URLS = rpcUrl.length > 0 ? rpcUrl.join(',') : undefined
  const own = readEnv('ingest', { ...env, RPC_URLS, ...(since && { START_BLOCK: since }) })
  const taken = url === undefined ? 0 : await takeLogOver({ env: own, url, terminal: progress })
  const atHead = new AbortController()
  const view = openIngestView(chainNamed(own.CHAIN), { step: progress.step, say: warn })
  const onEvent = (event: IngestEvent): void => {
    view.told(event)
    if (view.isCaughtUp()) atHead.abort()
  }
  await runIngest(own, { signal: atHead.signal, onEvent })
  const figures = { ...view.figures(), taken_over: taken }
  const before = taken > 0 ? [`${taken} minutes were taken over from the archive`] : []
  return sayResult(call, figures, ...before, `${view.summary()}; the log is at the head of the chain`)
}

export const groups: readonly CommandGroup[] = [
  { name: null, description: 'The past', commands: [backfillCommand] },
]
