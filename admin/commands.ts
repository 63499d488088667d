import type { CommandGroup } from './command.ts'

/** Modules of commands by the first word of a command line: AWS clients and the chain's are slow to load, and no command needs all of them. */
const modules: readonly {
  readonly words: readonly string[]
  readonly load: () => Promise<{ readonly groups: readonly CommandGroup[] }>
}[] = [
  { words: ['backfill'], load: () => import('./backfill.ts') },
  { words: ['verify'], load: () => import('./verify-command.ts') },
  { words: ['rebuild', 'reproject', 'refold', 'purge'], load: () => import('./repair.ts') },
  {
    words: ['account', 'usage', 'audit', 'reconcile', 'site-key'],
    load: () => import('./account-commands.ts'),
  },
  { words: ['key'], load: () => import('./key-commands.ts') },
  { words: ['snapshot'], load: () => import('./snapshot-diff.ts') },
  { words: ['doctor'], load: () => import('./doctor.ts') },
  { words: ['restore'], load: () => import('./restore.ts') },
]

/** The commands that a line may mean; all that `npm run admin` can do where its first word is none of them. */
export async function commandGroups([word = '']: readonly string[]): Promise<readonly CommandGroup[]> {
  const named = modules.filter(({ words }) => words.includes(word))
  const loaded = await Promise.all((named.length > 0 ? named : modules).map(({ load }) => load()))
  return loaded.flatMap(({ groups }) => groups)
}
