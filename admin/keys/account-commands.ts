import { InvalidArgumentError, Option } from 'commander'
import {
  accountOf,
  createAccount,
  deleteAccount,
  renameAccount,
  setState,
  setTier,
  signOutAll,
} from '../../accounts/accounts.ts'
import { createCode } from '../../accounts/codes.ts'
import { createKey, labelKey, type NewKey, revokeKey, rotateKey } from '../../accounts/keys.ts'
import { type Repair, reconcile } from '../../accounts/reconcile.ts'
import { createSiteKey } from '../../accounts/site-key.ts'
import {
  isTier,
  type KeyKind,
  keyKindOf,
  keyKinds,
  type Tier,
  tierAt,
  tierNames,
  tiers,
  usageHourOf,
} from '../../schemas/api/access.ts'
import { readEnv } from '../../schemas/deployment/env.ts'
import { SITE_CONFIG_OBJECT, siteFileOf } from '../../schemas/pages/site.ts'
import { isoTime } from '../../schemas/values/kinds.ts'
import { type AccessKey, keyId } from '../../store/accounts/access.ts'
import { openBucket } from '../../store/aws/bucket.ts'
import { allOf } from '../../store/aws/parallel.ts'
import {
  type AdminCommand,
  type CommandCall,
  type CommandGroup,
  commandOf,
  countFrom,
  type ExitCode,
  sayResult,
  sayRows,
} from '../base/command.ts'
import { OperatorFault } from '../base/terminal.ts'
import { accessServiceOf, headings, keyFrom, sayAccount, shown, shownKey, stateOf } from './access-output.ts'

type KindOption = { readonly kind?: KeyKind }

const kindOption = (): Option =>
  new Option('--kind <kind>', 'what its text begins with; test on a development chain').choices(keyKinds)

/** By default, test on a development chain and live elsewhere. */
const kindOf = async ({ options, deployment }: CommandCall<KindOption>): Promise<KeyKind> =>
  options.kind ?? keyKindOf((await deployment()).env['CHAIN'] ?? '')

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }

/** A length of time such as `7d`, in seconds. */
function durationFrom(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count === undefined)
    throw new InvalidArgumentError('It must be a length of time such as 90m, 12h or 7d.')
  return Number(count) * (UNITS[unit] ?? 1)
}

/** Prints a new key: the only time that its text is shown. */
function sayNew(call: CommandCall<unknown>, { text, key }: NewKey, more: object = {}): ExitCode {
  if (call.isJson) call.say(JSON.stringify({ ...shownKey(key), key: text, ...more }))
  else {
    call.say(text)
    call.warn(`key ${keyId(key)}: shown only now and stored nowhere. The edge knows it within seconds.`)
  }
  return 0
}

const endOf = (key: AccessKey): string =>
  `key ${keyId(key)} (${key.prefix}…) ends at ${isoTime(key.endsAt ?? 0)}`

async function listKeys(call: CommandCall<unknown>): Promise<ExitCode> {
  const service = await accessServiceOf(call)
  const { id } = await accountOf(service, String(call.args[0]))
  const keys = await service.access.keysOf(id)
  const rows = keys.map((key) => ({ ...shownKey(key), state: stateOf(key) }))
  return sayRows(call, ['id', 'prefix', 'label', 'created_at', 'state'], rows, keys.map(shownKey))
}

/** `admin key …`. */
const keyCommands: readonly AdminCommand[] = [
  commandOf<KindOption & { readonly label: string }>({
    usage: 'create <account>',
    description: 'Creates a key and prints it, this once.',
    options: [kindOption(), new Option('--label <text>', 'what the key is called in lists').default('')],
    run: async (call) => {
      const { label } = call.options
      const service = await accessServiceOf(call)
      const account = await accountOf(service, String(call.args[0]))
      return sayNew(call, await createKey(service, account, { kind: await kindOf(call), label }))
    },
  }),
  commandOf<object>({
    usage: 'label <key> <text>',
    description: 'Calls a key (its id or its text) something; an empty text: nothing.',
    run: async (call) => {
      const service = await accessServiceOf(call)
      const labelled = await labelKey(service, await keyFrom(call, service), String(call.args[1] ?? ''))
      return sayResult(call, shownKey(labelled), `key ${keyId(labelled)}: ${labelled.label || 'no label'}`)
    },
  }),
  commandOf<object>({ usage: 'list <account>', description: 'The keys of an account.', run: listKeys }),
  commandOf<KindOption & { readonly overlap: number }>({
    usage: 'rotate <key>',
    description: 'Replaces a key (its id or its text), which stays valid for a while.',
    options: [
      kindOption(),
      new Option('--overlap <time>', 'how long the old key stays valid')
        .argParser(durationFrom)
        .default(durationFrom('7d'), '7d'),
    ],
    run: async (call) => {
      const options = { overlapSeconds: call.options.overlap, kind: await kindOf(call) }
      const service = await accessServiceOf(call)
      const made = await rotateKey(service, await keyFrom(call, service), options)
      if (!call.isJson) call.warn(endOf(made.before))
      return sayNew(call, made, { before: shownKey(made.before) })
    },
  }),
  commandOf<object>({
    usage: 'revoke <key>',
    description: 'Ends a key (its id or its text): at the edge within seconds, at the API within 30.',
    run: async (call) => {
      const service = await accessServiceOf(call)
      const key = await revokeKey(service, await keyFrom(call, service))
      return sayResult(call, shownKey(key), endOf(key))
    },
  }),
]

function tierFrom(text: string): Tier {
  if (!isTier(text)) throw new InvalidArgumentError(`It must be one of ${tierNames.join(', ')}.`)
  return text
}

async function listAccounts(call: CommandCall<unknown>): Promise<ExitCode> {
  const all = await allOf((await accessServiceOf(call)).access.accounts())
  return sayRows(call, headings, all.map(shown))
}

/** `admin account …`. */
const accountCommands: readonly AdminCommand[] = [
  commandOf<{ readonly tier: Tier }>({
    usage: 'create <name>',
    description: 'Creates an account; key create gives it keys.',
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
    description: 'Suspends an account: the edge refuses it within seconds, the API within 30.',
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
    usage: 'rename <account> <name>',
    description: 'Gives an account another name; its keys and its id stay.',
    run: async (call) => {
      const [account = '', name = ''] = call.args.map(String)
      return sayAccount(call, await renameAccount(await accessServiceOf(call), account, name))
    },
  }),
  commandOf<object>({
    usage: 'delete <account>',
    description: 'Deletes a suspended account and its keys; its usage and the audit log stay.',
    run: async (call) => {
      const gone = await deleteAccount(await accessServiceOf(call), String(call.args[0]))
      return sayResult(call, shown(gone), `account ${gone.id} (${gone.name}) is deleted`)
    },
  }),
  commandOf<object>({
    usage: 'code <account>',
    description: 'Prints a code that signs in to the account page of an account, once and without a wallet.',
    run: async (call) => {
      const service = await accessServiceOf(call)
      const account = await accountOf(service, String(call.args[0]))
      const { text, endsAt } = await createCode(service, account)
      return sayResult(
        call,
        { account: account.id, code: text, ends_at: isoTime(endsAt) },
        `${text}\nworks once, until ${isoTime(endsAt)}, at /account`,
      )
    },
  }),
  commandOf<object>({
    usage: 'sign-out <account>',
    description: 'Ends every session of an account at once; its keys stay valid.',
    run: async (call) =>
      sayAccount(call, await signOutAll(await accessServiceOf(call), String(call.args[0]))),
  }),
  commandOf<object>({
    usage: 'tier <account> <tier>',
    description: `Moves an account to another tier: ${tierNames.join(', ')}.`,
    run: async (call) => {
      const [id = '', tier = ''] = call.args.map(String)
      if (!isTier(tier)) throw new OperatorFault('UnknownTier', `a tier is one of ${tierNames.join(', ')}`)
      return sayAccount(call, await setTier(await accessServiceOf(call), id, tier))
    },
  }),
]

async function showUsage(call: CommandCall<{ readonly hours: number }>): Promise<ExitCode> {
  const service = await accessServiceOf(call)
  const account = await accountOf(service, String(call.args[0]))
  const { id } = account
  const hour = usageHourOf(service.now())
  const limit = tiers[tierAt(account, service.now())].limitPerHour
  const hours = (await service.usage.hours(id, hour - call.options.hours + 1, hour)).map((each) => ({
    hour: isoTime(each.hour * 3_600).slice(0, 16),
    used: each.used,
  }))
  const rows = hours.map(({ hour, used }) => ({ hour: `${hour}Z`, used: `${used} of ${limit}` }))
  return sayRows(call, ['hour', 'used'], rows, { account: id, limit, hours })
}

async function showAudit(call: CommandCall<{ readonly limit: number }>): Promise<ExitCode> {
  const { access } = await accessServiceOf(call)
  const entries = await allOf(access.audit(call.options.limit))
  return sayRows(call, ['at', 'actor', 'network', 'action', 'subject', 'details'], entries)
}

async function runReconcile(call: CommandCall<unknown>): Promise<ExitCode> {
  const repairs: Repair[] = []
  await reconcile(await accessServiceOf(call), (repair) => {
    repairs.push(repair)
    if (!call.isJson) call.say(`${repair.subject}: ${repair.description}`)
  })
  return sayResult(call, repairs, ...(repairs.length === 0 ? ['table, gateway and edge agree'] : []))
}

/** Commands about accounts without a word before them. */
const accessCommands: readonly AdminCommand[] = [
  commandOf<{ readonly hours: number }>({
    usage: 'usage <account>',
    description: 'Requests of an account (its id or its name) by UTC hour.',
    options: [new Option('--hours <n>', 'the last hours').argParser(countFrom).default(24)],
    run: showUsage,
  }),
  commandOf<{ readonly limit: number }>({
    usage: 'audit',
    description: 'The audit log of accounts and keys, newest first.',
    options: [new Option('--limit <n>', 'how many').argParser(countFrom).default(50)],
    run: showAudit,
  }),
  commandOf<object>({
    usage: 'reconcile',
    description: 'Completes interrupted changes: brings the gateway and the edge in line with the table.',
    run: runReconcile,
  }),
]

/** Creates a key for the pages and publishes it to them; the one before stays valid for pages that are open. */
const siteKeyCommand = commandOf<object>({
  usage: 'site-key',
  description: 'Creates a key for the pages, limited for each visitor.',
  run: async (call) => {
    const { env } = await call.deployment()
    const { PAGES_BUCKET } = readEnv('adminSite', env)
    const service = await accessServiceOf(call)
    const { text, key } = await createSiteKey(service)
    const file = siteFileOf(SITE_CONFIG_OBJECT)
    await openBucket(PAGES_BUCKET).put(SITE_CONFIG_OBJECT, Buffer.from(JSON.stringify({ key: text })), {
      contentType: file?.contentType ?? 'application/json',
      cacheControl: file?.cacheControl ?? 'no-cache',
    })
    return sayResult(call, { account: key.account }, `the pages have a key of account ${key.account}`)
  },
})

export const groups: readonly CommandGroup[] = [
  { name: 'account', description: 'Accounts of readers', commands: accountCommands },
  { name: 'key', description: 'Keys of accounts', commands: keyCommands },
  {
    name: null,
    description: 'Usage, audit log and the key of the pages',
    commands: [...accessCommands, siteKeyCommand],
  },
]
