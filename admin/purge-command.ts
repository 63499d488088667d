import { readEnv } from '../schemas/env.ts'
import { invalidate } from '../store/edge.ts'
import { type Call, commandOf, type ExitCode } from './command.ts'

/** `admin purge`: after a correction or a rollback; a new snapshot each minute needs none. 0: the edge has been told. */
export const purgeCommand = commandOf<object>({
  usage: 'purge [paths...]',
  says: "Makes the edge forget what it keeps at these paths ('/v1/z100/*'); without any: everything.",
  run: runPurge,
})

async function runPurge({ args, deployment, isJson, say }: Call<object>): Promise<ExitCode> {
  const given = (args[0] ?? []) as readonly string[]
  const paths = given.length > 0 ? given : ['/*']
  const { DISTRIBUTION_ID } = readEnv('adminPurge', (await deployment()).env)
  const { id, status } = await invalidate(DISTRIBUTION_ID, paths)
  say(
    isJson
      ? JSON.stringify({ id, status, paths })
      : `purged ${paths.join(' ')}: invalidation ${id}, ${status}`,
  )
  return 0
}
