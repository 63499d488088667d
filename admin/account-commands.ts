import { userInfo } from 'node:os'
import { InvalidArgumentError, Option } from 'commander'
import { chains } from '../ingest/chains.ts'
import {
  isTier,
  type KeyKind,
  keyKinds,
  SITE_TIER,
  type Tier,
  tierNames,
  tiers,
  usageHourOf,
} from '../schemas/access.ts'
import { readEnv } from '../schemas/env.ts'
import { SITE_CONFIG_OBJECT, siteFiles } from '../schemas/site.ts'
import { type AccessKey, type Account, isValidAt, keyId } from '../store/access.ts'
import { openBucket } from '../store/bucket.ts'
import { allOf } from '../store/parallel.ts'
import {
  type AccessDesk,
  accountNamed,
  accountOf,
  createAccount,
  createKey,
  type NewKey,
  openAccessDesk,
  revokeKey,
  rotateKey,
  SITE_ACCOUNT,
  setState,
  setTier,
} from './accounts.ts'
import {
  type AdminCommand,
  type CommandCall,
  type CommandGroup,
  commandOf,
  countFrom,
  type ExitCode,
  sayRows,
} from './command.ts'
import { reconcile } from './reconcile.ts'

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
const shownKey = (key: AccessKey) => ({
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
  if (call.isJson) call.say(JSON.stringify({ ...shownKey(key), key: text, ...more }))
  else {
    call.say(text)
    call.warn(`key ${keyId(key)}: it is shown this once and kept nowhere. The edge knows it within seconds.`)
  }
  return 0
}

function sayEnd(call: CommandCall<unknown>, key: AccessKey): void {
  if (call.isJson) call.say(JSON.stringify(shownKey(key)))
  else call.warn(`key ${keyId(key)} (${key.prefix}…) ends at ${isoOf(key.endsAt ?? 0)}`)
}

async function listKeys(call: CommandCall<unknown>): Promise<ExitCode> {
  const desk = await deskOf(call)
  const { id } = await accountOf(desk, String(call.args[0]))
  const keys = await desk.access.keysOf(id)
  const rows = keys.map((key) => ({ ...shownKey(key), state: stateOf(key) }))
  return sayRows(call, ['id', 'prefix', 'created_at', 'state'], rows, keys.map(shownKey))
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
      return sayNew(call, made, { before: shownKey(made.before) })
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

/** Opens what accounts and keys are written to, for the person at the keyboard. */
export const deskOf = async ({ deployment }: CommandCall<unknown>): Promise<AccessDesk> =>
  openAccessDesk((await deployment()).env, userInfo().username)

const tierFrom = (text: string): Tier => {
  if (!isTier(text)) throw new InvalidArgumentError(`It must be one of ${tierNames.join(', ')}.`)
  return text
}

/** An account as an operator sees it: its hidden key is nobody's to see. */
function shown({ id, name, tier, state, createdAt, isComplete }: Account) {
  return { id, name, tier, state: isComplete ? state : 'half made', created_at: isoOf(createdAt) }
}

const headings = ['id', 'name', 'tier', 'state', 'created_at'] as const

const sayAccount = (call: CommandCall<unknown>, account: Account): ExitCode =>
  sayRows(call, headings, [shown(account)], shown(account))

async function listAccounts(call: CommandCall<unknown>): Promise<ExitCode> {
  const all = await allOf((await deskOf(call)).access.accounts())
  return sayRows(call, headings, all.map(shown))
}

/** `admin account …`. */
const accountCommands: readonly AdminCommand[] = [
  commandOf<{ readonly tier: Tier }>({
    usage: 'create <name>',
    says: 'Makes an account; key create gives it keys.',
    options: [new Option('--tier <tier>', tierNames.join(', ')).argParser(tierFrom).default('basic')],
    run: async (call) =>
      sayAccount(
        call,
        await createAccount(await deskOf(call), { name: String(call.args[0]), tier: call.options.tier }),
      ),
  }),
  commandOf<object>({ usage: 'list', says: 'All accounts.', run: listAccounts }),
  commandOf<object>({
    usage: 'suspend <account>',
    says: 'Answers nothing more to it: the edge within seconds, the API within 30.',
    run: async (call) =>
      sayAccount(call, await setState(await deskOf(call), String(call.args[0]), 'suspended')),
  }),
  commandOf<object>({
    usage: 'resume <account>',
    says: 'Ends a suspension.',
    run: async (call) => sayAccount(call, await setState(await deskOf(call), String(call.args[0]), 'active')),
  }),
  commandOf<object>({
    usage: 'tier <account> <tier>',
    says: `Moves it to another tier: ${tierNames.join(', ')}.`,
    run: async (call) => {
      const [id, tier] = call.args.map(String)
      if (id !== undefined && tier !== undefined && isTier(tier)) {
        return sayAccount(call, await setTier(await deskOf(call), id, tier))
      }
      call.warn(`a tier is one of ${tierNames.join(', ')}`)
      return 2
    },
  }),
]

async function showUsage(call: CommandCall<{ readonly hours: number }>): Promise<ExitCode> {
  const desk = await deskOf(call)
  const { id, tier } = await accountOf(desk, String(call.args[0]))
  const hour = usageHourOf(desk.now())
  const limit = tiers[tier].limitPerHour
  const hours = (await desk.usage.hours(id, hour - call.options.hours + 1, hour)).map((each) => ({
    hour: new Date(each.hour * 3_600_000).toISOString().slice(0, 16),
    used: each.used,
  }))
  const rows = hours.map(({ hour, used }) => ({ hour: `${hour}Z`, used: `${used} of ${limit}` }))
  return sayRows(call, ['hour', 'used'], rows, { account: id, limit, hours })
}

async function showAudit(call: CommandCall<{ readonly limit: number }>): Promise<ExitCode> {
  const { access } = await deskOf(call)
  const entries = await allOf(access.audit(call.options.limit))
  if (!call.isJson) return sayRows(call, ['at', 'actor', 'action', 'subject', 'details'], entries)
  for (const entry of entries) call.say(JSON.stringify(entry))
  return 0
}

async function runReconcile(call: CommandCall<unknown>): Promise<ExitCode> {
  let repairs = 0
  await reconcile(await deskOf(call), ({ subject, says }) => {
    repairs++
    call.say(call.isJson ? JSON.stringify({ subject, says }) : `${subject}: ${says}`)
  })
  if (repairs === 0 && !call.isJson) call.say('table, gateway and edge agree')
  return 0
}

/** Commands about accounts that stand under no word. */
const accessCommands: readonly AdminCommand[] = [
  commandOf<{ readonly hours: number }>({
    usage: 'usage <account>',
    says: 'What an account (its id, or its name) used, by UTC hour.',
    options: [new Option('--hours <n>', 'the last hours').argParser(countFrom).default(24)],
    run: showUsage,
  }),
  commandOf<{ readonly limit: number }>({
    usage: 'audit',
    says: 'What operators did to accounts and keys, newest first.',
    options: [new Option('--limit <n>', 'how many').argParser(countFrom).default(50)],
    run: showAudit,
  }),
  commandOf<object>({
    usage: 'reconcile',
    says: 'Finishes what was cut half way: makes the gateway and the edge agree with the table.',
    run: runReconcile,
  }),
]

/** Makes the key of the pages and publishes it to them; the one before stays valid for pages that are open. */
const siteKeyCommand = commandOf<object>({
  usage: 'site-key',
  says: 'Gives the pages a key of their own, bounded for each visitor.',
  run: async (call) => {
    const { env } = await call.deployment()
    const { PAGES_BUCKET } = readEnv('adminSite', env)
    const desk = await deskOf(call)
    const account = await accountNamed(desk, { name: SITE_ACCOUNT, tier: SITE_TIER })
    const { text } = await createKey(desk, account.id, 'site')
    const file = siteFiles.find(({ prefix }) => prefix === SITE_CONFIG_OBJECT)
    await openBucket(PAGES_BUCKET).put(SITE_CONFIG_OBJECT, Buffer.from(JSON.stringify({ key: text })), {
      contentType: file?.contentType ?? 'application/json',
      cacheControl: file?.cacheControl ?? 'no-cache',
    })
    call.say(
      call.isJson ? JSON.stringify({ account: account.id }) : `the pages have a key of account ${account.id}`,
    )
    return 0
  },
})

export const groups: readonly CommandGroup[] = [
  { name: 'account', says: 'Who may read', commands: accountCommands },
  { name: 'key', says: 'Keys of accounts', commands: keyCommands },
  {
    name: null,
    says: 'What accounts used, what operators did, and the key of the pages',
    commands: [...accessCommands, siteKeyCommand],
  },
]
