import type { CommandGroup } from './command.ts'

/** Everything that `npm run admin` can do: a new group is a new line here. */
export const commandGroups: readonly CommandGroup[] = []
