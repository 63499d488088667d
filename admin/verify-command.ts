import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Option } from 'commander'
import { openRpc } from '../ingest/rpc.ts'
import { exitCodeOf, type Finding } from './check.ts'
import {
  type CommandCall,
  type CommandGroup,
  commandOf,
  countFrom,
  type ExitCode,
  sayResult,
  urlsFrom,
} from './command.ts'
import { openStores } from './deployment.ts'
import { manifestOf, newestManifests } from './published.ts'
import { OperatorFault } from './terminal.ts'
import { type SnapshotVerdict, type Verdict, verify } from './verify.ts'

type VerifyFlags = {
  readonly last: number
  readonly rpcUrl?: readonly string[]
  readonly checkpoint?: string
  readonly into?: string
}

/** Findings that are printed in full; the rest are counted. */
const SHOWN = 8

const verifyCommand = commandOf<VerifyFlags>({
  usage: 'verify [snapshot-ids...]',
  description:
    "Rebuilds published snapshots from the chain's own logs, and compares every segment and every document.",
  options: [
    new Option('--last <count>', 'without ids: the newest so many snapshots').argParser(countFrom).default(5),
    new Option(
      '--rpc-url <url>',
      "the chain's endpoint (repeatable: a fallback); else the service's own",
    ).argParser(urlsFrom),
    new Option(
      '--checkpoint <key>',
      "begin from this checkpoint of the engine, or from the 'newest', instead of the chain's first block",
    ),
    new Option(
      '--into <dir>',
      'where the rebuilt documents are written; default: a temporary directory, and only those of a snapshot that differs',
    ),
  ],
  run: runVerify,
})

async function runVerify(call: CommandCall<VerifyFlags>): Promise<ExitCode> {
  const { options, progress } = call
  const ids = (call.args[0] ?? []) as readonly string[]
  const deployment = await call.deployment()
  const stores = openStores(deployment)
  const urls = options.rpcUrl ?? deployment.rpcUrls
  if (urls.length === 0)
    throw new OperatorFault(
      'NoRpcUrl',
      "the chain's endpoint is not known: name it with --rpc-url or, with --aws, in RPC_URLS",
    )
  const rpc = openRpc(urls, { chainId: stores.chain.id })
  let into = options.into
  const verdict = await verify(stores, {
    ...{ rpc, progress, checkpoint: options.checkpoint },
    select: async (published) =>
      ids.length === 0
        ? newestManifests(published, options.last, stores)
        : Promise.all([...new Set(ids)].map((id) => manifestOf(id, published.manifest, stores))),
    directoryFor: async (id, isEqual) => {
      if (isEqual && options.into === undefined) return null
      into ??= await mkdtemp(join(tmpdir(), 'z100-verify-'))
      return join(into, id)
    },
  })
  const code = exitCodeOf([...verdict.findings, ...verdict.snapshots.flatMap(({ findings }) => findings)])
  const lines = [...linesOf(verdict, code), ...(into === undefined ? [] : [`rebuilt documents: ${into}`])]
  sayResult(call, { result: resultOf[code], ...verdict, into: into ?? null }, ...lines)
  return code
}

const resultOf: Readonly<Record<ExitCode, string>> = { 0: 'equal', 1: 'different', 2: 'unknown' }

function* linesOf({ snapshots, minutes, findings, unverified }: Verdict, code: ExitCode): Generator<string> {
  if (minutes > 0)
    yield `${minutes} minutes of the chain read again; the log and its segments: ${wordOf(findings)}`
  yield* shown(findings)
  if (unverified > 0)
    yield `${unverified} tokens are older than the log; their state at its start is taken from the service, as no endpoint keeps state that old`
  for (const snapshot of snapshots) {
    yield `${snapshot.id}: ${wordOf(snapshot.findings)}${countsOf(snapshot)}`
    yield* shown(snapshot.findings)
  }
  yield resultOf[code]
}

const wordOf = (findings: readonly Finding[]): string => resultOf[exitCodeOf(findings)] ?? ''

const countsOf = ({ documents, tableDocuments }: SnapshotVerdict): string =>
  documents === 0 ? '' : ` (${documents} documents, ${tableDocuments} of the tables)`

function* shown(findings: readonly Finding[]): Generator<string> {
  for (const { is, subject, description } of findings.slice(0, SHOWN))
    yield `  ${is}: ${subject}: ${description}`
  if (findings.length > SHOWN) yield `  and ${findings.length - SHOWN} more`
}

export const groups: readonly CommandGroup[] = [
  { name: null, description: 'Proof of what is published', commands: [verifyCommand] },
]
