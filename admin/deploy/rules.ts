import { setTimeout as sleep } from 'node:timers/promises'
import { chainNamed } from '../../ingest/client/chains.ts'
import { readEnv } from '../../schemas/deployment/env.ts'
import { isoTime } from '../../schemas/values/kinds.ts'
import { OWN_PUBLISHER, secondsLeft } from '../../snapshot/publish/role.ts'
import { openBucket } from '../../store/aws/bucket.ts'
import { openTable } from '../../store/aws/table.ts'
import { inLog, type Live, type Logs, openLogs, type PublisherProgress } from '../../store/log/logs.ts'
import { openDocuments } from '../../store/published/documents.ts'
import { openManifests } from '../../store/published/manifests.ts'
import {
  type CommandCall,
  type CommandGroup,
  commandOf,
  type ExitCode,
  sayResult,
  sayRows,
} from '../base/command.ts'
import { openIngestView } from '../base/ingest-view.ts'
import { OperatorFault } from '../base/terminal.ts'
import { runBeside } from './beside.ts'

/** `admin rules`: shows the versions of the rules that are stored, or goes over to one. */
const rulesCommand = commandOf<object>({
  usage: 'rules [version]',
  description:
    'Shows which rules are live and which are catching up or kept; with a version, readers go over to it. A version is that of the first column, or its beginning.',
  run: (call) => {
    const [version] = call.args as readonly (string | undefined)[]
    return version === undefined ? show(call) : goOver(call, version)
  },
})

async function openRegister(call: CommandCall<object>) {
  const { MARKET_TABLE, PUBLISHED_BUCKET } = readEnv('adminProofs', (await call.deployment()).env)
  const table = openTable(MARKET_TABLE)
  return { table, logs: openLogs(table), manifests: openManifests(openBucket(PUBLISHED_BUCKET)) }
}

async function show(call: CommandCall<object>): Promise<ExitCode> {
  const { logs, manifests } = await openRegister(call)
  const [live, publishers] = await Promise.all([logs.live(), logs.publishers()])
  const published = (await manifests.newest())?.minute ?? 0
  const rows = publishers.map((progress) => ({
    version: progress.publisher,
    state: stateOf(progress, live),
    'folded to': timeOf(progress.minute),
    'sealed to': timeOf(progress.sealed),
    'seen at': isoTime(progress.at),
    left: leftOf(progress, published),
  }))
  return sayRows(call, ['version', 'state', 'folded to', 'sealed to', 'seen at', 'left'], rows, {
    live,
    publishers,
  })
}

const timeOf = (minute: number | null): string => (minute === null ? '' : isoTime(minute * 60))

function stateOf({ publisher, log }: PublisherProgress, live: Live): string {
  if (live.publisher === publisher && live.log === log) return 'live'
  return live.past.includes(publisher) ? 'kept' : 'catching up'
}

/** Minutes that a publisher is behind the newest published one, and how long they will take; empty: none. */
export function leftOf(progress: PublisherProgress, published: number): string {
  const minutes = Math.max(0, published - (progress.minute ?? published))
  if (minutes === 0) return ''
  const seconds = secondsLeft(progress, minutes)
  return `${minutes} minutes${seconds === null ? '' : `, about ${Math.ceil(seconds / 60)} min`}`
}

/** Documents of a version that runs are put each minute: one of two attempts a minute finds them as new as the published ones. */
const ATTEMPTS = 90
const ATTEMPT_MS = 2_000

/** Readers go over once the version's own documents are as new as the published ones: never to an older time. */
async function goOver(call: CommandCall<object>, version: string): Promise<ExitCode> {
  const { table, logs, manifests } = await openRegister(call)
  const target = await publisherNamed(logs, version)
  const documents = openDocuments(inLog(table, target.log))
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const live = await logs.live()
    const [own, published] = await Promise.all([documents.newest(), manifests.newest()])
    if (own && own.minute >= (published?.minute ?? 0)) {
      const { publisher, log } = target
      const past = [...new Set([...live.past, publisher])]
      if (!(await logs.putLive({ log, publisher, past }, live))) continue
      return sayResult(
        call,
        { live: target.publisher },
        `readers go over to ${target.publisher} within a minute`,
      )
    }
    call.progress.step('waiting for its documents to be as new as the published ones', attempt, ATTEMPTS)
    await sleep(ATTEMPT_MS)
  }
  throw new OperatorFault(
    'NotCaughtUp',
    `${target.publisher} is behind what is published: run its release beside the service (npm run admin -- beside) until it has caught up`,
  )
}

/** The publisher whose name is or begins with this, the one seen last of several. */
async function publisherNamed(logs: Logs, version: string): Promise<PublisherProgress> {
  const named = (await logs.publishers())
    .filter(({ publisher }) => publisher === version || publisher.startsWith(`${version}/`))
    .sort((a, b) => b.at - a.at)
  const [newest] = named
  if (!newest)
    throw new OperatorFault(
      'UnknownRules',
      `no log is of rules ${JSON.stringify(version)}; the command without a version lists those there are`,
    )
  return newest
}

/** `admin beside`: this release's writer of the log and its publisher, without a deployment of it. */
const besideCommand = commandOf<object>({
  usage: 'beside',
  description:
    "Runs this release's rules beside the service, into a log of their own, until interrupted: they catch up, then readers go over to them.",
  run: besideTerminal,
})

async function besideTerminal(call: CommandCall<object>): Promise<ExitCode> {
  const { env, rpcUrls } = await call.deployment()
  const own = readEnv('beside', { ...env, RPC_URLS: rpcUrls.join(',') })
  const stopping = new AbortController()
  const { signal } = stopping
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stopping.abort())
  const view = openIngestView(chainNamed(own.CHAIN), { step: call.progress.step, say: call.warn })
  await runBeside(own, {
    signal,
    onEvent: view.told,
    onRun: () => undefined,
    onLive: () => call.warn(`${OWN_PUBLISHER} is live: deploy this release now`),
  })
  return sayResult(call, view.figures(), view.summary())
}

export const groups: readonly CommandGroup[] = [
  { name: null, description: 'Rules', commands: [rulesCommand, besideCommand] },
]
