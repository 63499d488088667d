import { readdir } from 'node:fs/promises'
import { Option } from 'commander'
import type { Minute } from '../market/segment.ts'
import { isoTime } from '../schemas/kinds.ts'
import { type Call, commandOf, type ExitCode } from './command.ts'
import { minuteFrom } from './option-values.ts'
import { entryAt, rebuildAt, unlike } from './rebuild-from-log.ts'
import { saveRebuilt } from './rebuilt.ts'
import { openStores } from './stores.ts'

type RebuildFlags = { readonly at: Minute; readonly into?: string }

/** The directory for the result holds something. */
export class DirectoryNotEmptyError extends Error {
  override readonly name = 'DirectoryNotEmptyError'
  constructor(dir: string) {
    super(`${dir} is not empty: name another with --into`)
  }
}

/** `admin rebuild`: 0 built (and, where the minute was published, with the published digests), 1 with others, 2 it cannot be built. */
export const rebuildCommand = commandOf<RebuildFlags>({
  usage: 'rebuild',
  says: "Builds a minute's documents from the log of minutes into a directory.",
  options: [
    new Option('--at <minute>', 'a time such as 2026-01-31T12:05Z, or the number of a minute')
      .argParser(minuteFrom)
      .makeOptionMandatory(),
    new Option('--into <dir>', "a new or empty directory; else one with the snapshot's name, here"),
  ],
  run: runRebuild,
})

async function runRebuild(call: Call<RebuildFlags>): Promise<ExitCode> {
  const { options, progress, say } = call
  if (options.into !== undefined) await assertEmpty(options.into)
  const stores = openStores(await call.deployment())
  const { n, minute } = await entryAt(stores, options.at)
  const published = await stores.manifests.at(minute)
  const facts = {
    log_position: published?.log_position ?? n,
    chain: stores.chain.name,
    code_version: stores.codeVersion ?? null,
  }
  const rebuilt = await rebuildAt(stores, facts, progress)
  const { snapshot_id: id, documents } = rebuilt.manifest
  const dir = options.into ?? id
  await assertEmpty(dir)
  await saveRebuilt(rebuilt, dir)
  progress.end()
  const isPublished = published?.snapshot_id === id
  const others = isPublished ? unlike(published, rebuilt) : []
  if (call.isJson) {
    const names = Object.keys(documents)
    say(
      JSON.stringify({
        snapshot_id: id,
        directory: dir,
        documents: names,
        is_published: isPublished,
        unlike: others,
      }),
    )
  } else {
    say(`${id}: ${Object.keys(documents).length} documents of minute ${isoTime(minute * 60)} in ${dir}`)
    if (!isPublished) say('no manifest of this snapshot is kept')
    else if (others.length === 0) say('every digest is as published')
    for (const name of others) say(`not as published: ${name}`)
  }
  return others.length > 0 ? 1 : 0
}

async function assertEmpty(dir: string): Promise<void> {
  const held = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  if (held.length > 0) throw new DirectoryNotEmptyError(dir)
}
