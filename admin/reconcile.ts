import { usageHourOf } from '../schemas/access.ts'
import { isValidAt, keyId } from '../store/access.ts'
import { type AccessService, completeAccount, edgeEntriesOf, endKey, writeDown } from './accounts.ts'

/** Something that was not as the table says, and is now. */
export type Repair = { readonly subject: string; readonly description: string }

const KEY_ENTRY = 'k:'
/** A creation that is younger may still be under way. */
const UNDER_WAY_SECONDS = 60

/** Finds what was left half done, and makes the gateway and the edge agree with the table; reports each repair as it is made. */
export async function reconcile(service: AccessService, report: (repair: Repair) => void): Promise<void> {
  await writeDown(service, { action: 'reconcile', subject: 'all' })
  const wanted = new Map<string, string>()
  const accounts = new Map<string, string>()
  const known = await service.gateway.list()
  const settled = service.now() - UNDER_WAY_SECONDS
  for await (const account of service.access.accounts()) {
    accounts.set(account.id, account.tier)
    if (!account.isComplete && account.createdAt > settled) continue
    const plans = known.filter((each) => each.account === account.id)
    if (!account.isComplete) {
      await completeAccount(service, account)
      report({ subject: account.id, description: 'its creation is finished' })
    } else if (plans.length !== 1 || plans[0]?.tier !== account.tier) {
      await service.gateway.put(account)
      report({ subject: account.id, description: `the gateway has it on the plan ${account.tier}` })
    }
    for (const key of await finishedKeys(service, account.id, report)) {
      for (const [entry, value] of Object.entries(edgeEntriesOf(account, [key], service.now()))) {
        wanted.set(entry, value)
      }
    }
  }
  for (const stray of known.filter((each) => !accounts.has(each.account))) {
    await service.gateway.remove(stray.keyId)
    report({ subject: stray.account, description: 'the gateway had a key of no account' })
  }
  await reconcileEdge(service, wanted, report)
}

/** The keys of an account. One whose creation was cut was shown to nobody, so the end of its creation is its own. */
async function finishedKeys(service: AccessService, account: string, report: (repair: Repair) => void) {
  const keys = await service.access.keysOf(account)
  const finished = []
  for (const key of keys) {
    if (key.isComplete || key.createdAt > service.now() - UNDER_WAY_SECONDS) finished.push(key)
    else if (key.endsAt === null) {
      finished.push(await endKey(service, key, service.now()))
      report({ subject: keyId(key), description: 'its creation was cut before anybody saw it: it is ended' })
    }
  }
  return finished
}

/** The edge's entries after the table's: those of keys that are not valid, and of hours that are past, go. */
async function reconcileEdge(
  service: AccessService,
  wanted: ReadonlyMap<string, string>,
  report: (repair: Repair) => void,
): Promise<void> {
  const entries = new Map<string, string>()
  for await (const [key, value] of service.edge.entries()) entries.set(key, value)
  const puts = [...wanted].filter(([key, value]) => entries.get(key) !== value)
  const deletes: string[] = []
  for (const [entry, value] of entries) {
    const isHour = !entry.startsWith(KEY_ENTRY)
    const isStray = isHour
      ? Number(value) < usageHourOf(service.now())
      : !(await isOfUse(service, entry, wanted))
    if (isStray) deletes.push(entry)
    if (isStray && !isHour)
      report({ subject: accountIn(value), description: 'the edge knew a key that is not valid' })
  }
  await service.edge.write({ puts: Object.fromEntries(puts), deletes })
  for (const [, value] of puts)
    report({ subject: accountIn(value), description: 'the edge knows a key anew' })
}

/** Whether a key's entry may stay: the table wants it, or has the key since it was asked. */
async function isOfUse(
  service: AccessService,
  entry: string,
  wanted: ReadonlyMap<string, string>,
): Promise<boolean> {
  if (wanted.has(entry)) return true
  const key = await service.access.key(entry.slice(KEY_ENTRY.length))
  return (
    key !== undefined && key.createdAt > service.now() - UNDER_WAY_SECONDS && isValidAt(key, service.now())
  )
}

const accountIn = (value: string): string => value.split('|')[0] ?? ''
