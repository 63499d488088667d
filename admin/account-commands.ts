import { userInfo } from 'node:os'
import { InvalidArgumentError, Option } from 'commander'
import { hourOf, isTier, type Tier, tierNames, tiers } from '../schemas/access.ts'
import type { Account } from '../store/access.ts'
import { type AccessDesk, openAccessDesk } from './access-desk.ts'
import { accountOf, createAccount, setState, setTier } from './accounts.ts'
import { type AdminCommand, type Call, commandOf, type ExitCode } from './command.ts'
import { countFrom } from './option-values.ts'
import { reconcile } from './reconcile.ts'

/** Opens what accounts and keys are written to, for the person at the keyboard. */
export const deskOf = async ({ deployment }: Call<unknown>): Promise<AccessDesk> =>
  openAccessDesk((await deployment()).env, userInfo().username)

const tierFrom = (text: string): Tier => {
  if (!isTier(text)) throw new InvalidArgumentError(`It must be one of ${tierNames.join(', ')}.`)
  return text
}

/** An account as an operator sees it: its hidden key is nobody's to see. */
function shown({ id, name, tier, state, createdAt, isComplete }: Account) {
  const created_at = new Date(createdAt * 1_000).toISOString().replace('.000Z', 'Z')
  return { id, name, tier, state: isComplete ? state : 'half made', created_at }
}

const lineOf = (account: Account): string => Object.values(shown(account)).join('  ')

/** Says an account, as JSON where that is asked for. */
function sayAccount(call: Call<unknown>, account: Account): ExitCode {
  call.say(call.isJson ? JSON.stringify(shown(account)) : lineOf(account))
  return 0
}

async function listAccounts(call: Call<unknown>): Promise<ExitCode> {
  const all: Account[] = []
  for await (const account of (await deskOf(call)).access.accounts()) all.push(account)
  if (call.isJson) call.say(JSON.stringify(all.map(shown)))
  else for (const account of all) call.say(lineOf(account))
  return 0
}

/** `admin account …`. */
export const accountCommands: readonly AdminCommand[] = [
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

async function showUsage(call: Call<{ readonly hours: number }>): Promise<ExitCode> {
  const desk = await deskOf(call)
  const { id, tier } = await accountOf(desk, String(call.args[0]))
  const hour = hourOf(desk.now())
  const limit = tiers[tier].limitPerHour
  const hours = (await desk.usage.hours(id, hour - call.options.hours + 1, hour)).map((each) => ({
    hour: new Date(each.hour * 3_600_000).toISOString().slice(0, 16),
    used: each.used,
  }))
  if (call.isJson) call.say(JSON.stringify({ account: id, limit, hours }))
  else for (const each of hours) call.say(`${each.hour}Z  ${each.used} of ${limit}`)
  return 0
}

async function showAudit(call: Call<{ readonly limit: number }>): Promise<ExitCode> {
  const { access } = await deskOf(call)
  for await (const entry of access.audit(call.options.limit)) {
    const { at, actor, action, subject, details } = entry
    call.say(call.isJson ? JSON.stringify(entry) : [at, actor, action, subject, details].join('  ').trim())
  }
  return 0
}

async function runReconcile(call: Call<unknown>): Promise<ExitCode> {
  let repairs = 0
  await reconcile(await deskOf(call), ({ subject, says }) => {
    repairs++
    call.say(call.isJson ? JSON.stringify({ subject, says }) : `${subject}: ${says}`)
  })
  if (repairs === 0 && !call.isJson) call.say('table, gateway and edge agree')
  return 0
}

/** Commands about accounts that stand under no word. */
export const accessCommands: readonly AdminCommand[] = [
  commandOf<{ readonly hours: number }>({
    usage: 'usage <account>',
    says: 'What an account used, by UTC hour.',
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
