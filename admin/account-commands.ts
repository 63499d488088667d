import { userInfo } from 'node:os'
import { InvalidArgumentError, Option } from 'commander'
import { chains } from '../ingest/chains.ts'
import {
  isTier,
  type KeyKind,
  keyKinds,
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
  type AccessService,
  accountOf,
  createAccount,
  createKey,
  createSiteKey,
  type NewKey,
  openAccessService,
  revokeKey,
  rotateKey,
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
  sayResult,
  sayRows,
} from './command.ts'
import { type Repair, reconcile } from './reconcile.ts'

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
  const service = await accessServiceOf(call)
  const { id } = await accountOf(service, String(call.args[0]))
  const keys = await service.access.keysOf(id)
  const rows = keys.map((key) => ({ ...shownKey(key), state: stateOf(key) }))
  return sayRows(call, ['id', 'prefix', 'created_at', 'state'], rows, keys.map(shownKey))
}

/** `admin key …`. */
const keyCommands: readonly AdminCommand[] = [
  commandOf<KindOption>({
    usage: 'create <account>',
    description: 'Makes a key, which is shown this once.',
    options: [kindOption()],
    run: async (call) =>
      sayNew(call, await createKey(await accessServiceOf(call), String(call.args[0]), await kindOf(call))),
  }),
  commandOf<object>({ usage: 'list <account>', description: 'The keys of an account.', run: listKeys }),
  commandOf<KindOption & { readonly overlap: number }>({
    usage: 'rotate <key>',
    description: 'Makes a key in place of one (its id, or its text), which stays valid for a while.',
    options: [
      kindOption(),
      new Option('--overlap <time>', 'how long the old key stays valid')
        .argParser(durationFrom)
        .default(durationFrom('7d'), '7d'),
    ],
    run: async (call) => {
      const options = { overlapSeconds: call.options.overlap, kind: await kindOf(call) }
      const made = await rotateKey(await accessServiceOf(call), String(call.args[0]), options)
      if (!call.isJson) sayEnd(call, made.before)
      return sayNew(call, made, { before: shownKey(made.before) })
    },
  }),
  commandOf<object>({
    usage: 'revoke <key>',
    description: 'Ends a key (its id, or its text): at the edge within seconds, at the API within 30.',
    run: async (call) => {
      sayEnd(call, await revokeKey(await accessServiceOf(call), String(call.args[0])))
      return 0
    },
  }),
]

/** Opens what accounts and keys are written to, for the person at the keyboard. */
export const accessServiceOf = async ({ deployment }: CommandCall<unknown>): Promise<AccessService> =>
  openAccessService((await deployment()).env, userInfo().username)

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
  const all = await allOf((await accessServiceOf(call)).access.accounts())
  return sayRows(call, headings, all.map(shown))
}

/** `admin account …`. */
const accountCommands: readonly AdminCommand[] = [
  commandOf<{ readonly tier: Tier }>({
    usage: 'create <name>',
    description: 'Makes an account; key create gives it keys.',
    options: [new Option('--tier <tier>', tierNames.join(', ')).argParser(tierFrom).default('basic')],
    run: async (call) =>
      sayAccount(
        call,
        await createAccount(await accessServiceOf(call), {
          name: String(call.args[0]),
          tier: call.options.tier,
        }),
      ),
  }),
  commandOf<object>({ usage: 'list', description: 'All accounts.', run: listAccounts }),
  commandOf<object>({
    usage: 'suspend <account>',
    description: 'Answers nothing more to it: the edge within seconds, the API within 30.',
    run: async (call) =>
      sayAccount(call, await setState(await accessServiceOf(call), String(call.args[0]), 'suspended')),
  }),
  commandOf<object>({
    usage: 'resume <account>',
    description: 'Ends a suspension.',
    run: async (call) =>
      sayAccount(call, await setState(await accessServiceOf(call), String(call.args[0]), 'active')),
  }),
  commandOf<object>({
    usage: 'tier <account> <tier>',
    description: `Moves it to another tier: ${tierNames.join(', ')}.`,
    run: async (call) => {
      const [id, tier] = call.args.map(String)
      if (id !== undefined && tier !== undefined && isTier(tier)) {
        return sayAccount(call, await setTier(await accessServiceOf(call), id, tier))
      }
      call.warn(`a tier is one of ${tierNames.join(', ')}`)
      return 2
    },
  }),
]

async function showUsage(call: CommandCall<{ readonly hours: number }>): Promise<ExitCode> {
  const service = await accessServiceOf(call)
  const { id, tier } = await accountOf(service, String(call.args[0]))
  const hour = usageHourOf(service.now())
  const limit = tiers[tier].limitPerHour
  const hours = (await service.usage.hours(id, hour - call.options.hours + 1, hour)).map((each) => ({
    hour: new Date(each.hour * 3_600_000).toISOString().slice(0, 16),
    used: each.used,
  }))
  const rows = hours.map(({ hour, used }) => ({ hour: `${hour}Z`, used: `${used} of ${limit}` }))
  return sayRows(call, ['hour', 'used'], rows, { account: id, limit, hours })
}

async function showAudit(call: CommandCall<{ readonly limit: number }>): Promise<ExitCode> {
  const { access } = await accessServiceOf(call)
  const entries = await allOf(access.audit(call.options.limit))
  return sayRows(call, ['at', 'actor', 'action', 'subject', 'details'], entries)
}

async function runReconcile(call: CommandCall<unknown>): Promise<ExitCode> {
  const repairs: Repair[] = []
  await reconcile(await accessServiceOf(call), (repair) => {
    repairs.push(repair)
    if (!call.isJson) call.say(`${repair.subject}: ${repair.description}`)
  })
  return sayResult(call, repairs, ...(repairs.length === 0 ? ['table, gateway and edge agree'] : []))
}

/** Commands about accounts that stand under no word. */
const accessCommands: readonly AdminCommand[] = [
  commandOf<{ readonly hours: number }>({
    usage: 'usage <account>',
    description: 'What an account (its id, or its name) used, by UTC hour.',
    options: [new Option('--hours <n>', 'the last hours').argParser(countFrom).default(24)],
    run: showUsage,
  }),
  commandOf<{ readonly limit: number }>({
    usage: 'audit',
    description: 'What operators did to accounts and keys, newest first.',
    options: [new Option('--limit <n>', 'how many').argParser(countFrom).default(50)],
    run: showAudit,
  }),
  commandOf<object>({
    usage: 'reconcile',
    description: 'Finishes what was cut half way: makes the gateway and the edge agree with the table.',
    run: runReconcile,
  }),
]

/** Makes the key of the pages and publishes it to them; the one before stays valid for pages that are open. */
const siteKeyCommand = commandOf<object>({
  usage: 'site-key',
  description: 'Gives the pages a key of their own, bounded for each visitor.',
  run: async (call) => {
    const { env } = await call.deployment()
    const { PAGES_BUCKET } = readEnv('adminSite', env)
    const service = await accessServiceOf(call)
    const { text, key } = await createSiteKey(service)
    const file = siteFiles.find(({ prefix }) => prefix === SITE_CONFIG_OBJECT)
    await openBucket(PAGES_BUCKET).put(SITE_CONFIG_OBJECT, Buffer.from(JSON.stringify({ key: text })), {
      contentType: file?.contentType ?? 'application/json',
      cacheControl: file?.cacheControl ?? 'no-cache',
    })
    return sayResult(call, { account: key.account }, `the pages have a key of account ${key.account}`)
  },
})

export const groups: readonly CommandGroup[] = [
  { name: 'account', description: 'Who may read', commands: accountCommands },
  { name: 'key', description: 'Keys of accounts', commands: keyCommands },
  {
    name: null,
    description: 'What accounts used, what operators did, and the key of the pages',
    commands: [...accessCommands, siteKeyCommand],
  },
]
