import { accessCommands, accountCommands } from './account-commands.ts'
import type { CommandGroup } from './command.ts'
import { diffCommand } from './diff-command.ts'
import { doctorCommand } from './doctor-command.ts'
import { keyCommands } from './key-commands.ts'
import { purgeCommand } from './purge-command.ts'
import { rebuildCommand } from './rebuild-command.ts'
import { reprojectCommand } from './reproject-command.ts'
import { siteKeyCommand } from './site-key-command.ts'
import { verifyCommand } from './verify-command.ts'

/** Everything that `npm run admin` can do: a new group is a new line here. */
export const commandGroups: readonly CommandGroup[] = [
  {
    name: null,
    says: 'Proof and repair of what is published',
    commands: [verifyCommand, rebuildCommand, reprojectCommand, purgeCommand],
  },
  { name: null, says: 'What accounts used, and what operators did', commands: accessCommands },
  { name: 'account', says: 'Who may read', commands: accountCommands },
  { name: null, says: 'The pages, and the account on AWS', commands: [siteKeyCommand, doctorCommand] },
  { name: 'key', says: 'Keys of accounts', commands: keyCommands },
  { name: 'snapshot', says: 'Published snapshots', commands: [diffCommand] },
]
