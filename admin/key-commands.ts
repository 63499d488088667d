import { InvalidArgumentError, Option } from 'commander'
import { chains } from '../ingest/chains.ts'
import { type KeyKind, keyKinds } from '../schemas/access.ts'
import { type AccessKey, isValidAt, keyId } from '../store/access.ts'
import { deskOf } from './account-commands.ts'
import { accountOf } from './accounts.ts'
import {
  type AdminCommand,
  type CommandCall,
  type CommandGroup,
  commandOf,
  type ExitCode,
  tableOf,
} from './command.ts'
import { createKey, type NewKey, revokeKey, rotateKey } from './keys.ts'

type KindOption = { readonly kind?: KeyKind }

const kindOption = (): Option =>
  new Option('--kind <kind>', 'what its text begins with; test on a development chain').choices(keyKinds)

/** Without a word of the operator, keys of a development chain are test keys. */
const kindOf = async ({ options, deployment }: CommandCall<KindOption>): Promise<KeyKind> =>
  options.kind ?? ((await deployment()).env['CHAIN'] === chains.devnet.name ? 'test' : 'live')

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** A length of time such as `7d`, in seconds. */
function durationFrom(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count === undefined)
    throw new InvalidArgumentError('It must be a length of time such as 90m, 12h or 7d.')
  return Number(count) * (UNITS[unit] ?? 1)
}

const isoOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')

/** A key as an operator sees it. */
const shown = (key: AccessKey) => ({
  id: keyId(key),
  prefix: `${key.prefix}…`,
  created_at: isoOf(key.createdAt),
  ends_at: key.endsAt === null ? null : isoOf(key.endsAt),
})

const stateOf = (key: AccessKey): string => {
  if (!key.isComplete) return 'half made'
  if (key.endsAt === null) return 'valid'
  return isValidAt(key, Date.now() / 1_000) ? `valid until ${isoOf(key.endsAt)}` : 'ended'
}

/** The one time that a key's text is said. */
function sayNew(call: CommandCall<unknown>, { text, key }: NewKey, more: object = {}): ExitCode {
  if (call.isJson) call.say(JSON.stringify({ ...shown(key), key: text, ...more }))
  else {
    call.say(text)
    call.warn(`key ${keyId(key)}: it is shown this once and kept nowhere. The edge knows it within seconds.`)
  }
  return 0
}

function sayEnd(call: CommandCall<unknown>, key: AccessKey): void {
  if (call.isJson) call.say(JSON.stringify(shown(key)))
  else call.warn(`key ${keyId(key)} (${key.prefix}…) ends at ${isoOf(key.endsAt ?? 0)}`)
}

async function listKeys(call: CommandCall<unknown>): Promise<ExitCode> {
  const desk = await deskOf(call)
  const { id } = await accountOf(desk, String(call.args[0]))
  const keys = await desk.access.keysOf(id)
  if (call.isJson) call.say(JSON.stringify(keys.map(shown)))
  else {
    const rows = keys.map((key) => ({ ...shown(key), state: stateOf(key) }))
    for (const line of tableOf(['id', 'prefix', 'created_at', 'state'], rows)) call.say(line)
  }
  return 0
}

/** `admin key …`. */
const keyCommands: readonly AdminCommand[] = [
  commandOf<KindOption>({
    usage: 'create <account>',
    says: 'Makes a key, which is shown this once.',
    options: [kindOption()],
    run: async (call) =>
      sayNew(call, await createKey(await deskOf(call), String(call.args[0]), await kindOf(call))),
  }),
  commandOf<object>({ usage: 'list <account>', says: 'The keys of an account.', run: listKeys }),
  commandOf<KindOption & { readonly overlap: number }>({
    usage: 'rotate <key>',
    says: 'Makes a key in place of one (its id, or its text), which stays valid for a while.',
    options: [
      kindOption(),
      new Option('--overlap <time>', 'how long the old key stays valid')
        .argParser(durationFrom)
        .default(durationFrom('7d'), '7d'),
    ],
    run: async (call) => {
      const options = { overlapSeconds: call.options.overlap, kind: await kindOf(call) }
      const made = await rotateKey(await deskOf(call), String(call.args[0]), options)
      if (!call.isJson) sayEnd(call, made.before)
      return sayNew(call, made, { before: shown(made.before) })
    },
  }),
  commandOf<object>({
    usage: 'revoke <key>',
    says: 'Ends a key (its id, or its text): at the edge within seconds, at the API within 30.',
    run: async (call) => {
      sayEnd(call, await revokeKey(await deskOf(call), String(call.args[0])))
      return 0
    },
  }),
]

export const groups: readonly CommandGroup[] = [
  { name: 'key', says: 'Keys of accounts', commands: keyCommands },
]
