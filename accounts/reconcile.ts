import { edgeKeyAccount, edgeKeys, usageHourOf } from '../schemas/api/access.ts'
import { type Account, isValidAt, keyId } from '../store/accounts/access.ts'
import { isShared } from '../store/aws/gateway-keys.ts'
import { chunked, mapParallel } from '../store/aws/parallel.ts'
import { edgeEntriesOf, updateEdge } from './edge-entries.ts'
import { endKey } from './keys.ts'
import { type AccessService, IN_PROGRESS_SECONDS, recordAction } from './service.ts'

/** A difference from the table that has been repaired. */
export type Repair = { readonly subject: string; readonly description: string }

const KEY_ENTRY = edgeKeys.key('')
/** Entries that are put together, and then compared with the table again. */
const PUTS = 50

/** Completes interrupted changes and brings the gateway and the edge in line with the table; reports each repair as it is made. */
export async function reconcile(service: AccessService, report: (repair: Repair) => void): Promise<void> {
  await recordAction(service, { action: 'reconcile', account: '' })
  const wanted = new Map<string, string>()
  const known = await service.gateway.list()
  const plans = new Set(known.map(({ tier, name }) => `${tier} ${name}`))
  for await (const stored of service.access.accounts()) {
    const account = await onItsPlan(service, stored, { plans, report })
    for (const key of await finishedKeys(service, account.id, report)) {
      for (const [entry, value] of Object.entries(edgeEntriesOf(account, [key], service.now()))) {
        wanted.set(entry, value)
      }
    }
  }
  for (const { name, keyId: id } of known.filter((key) => !isShared(key))) {
    await service.gateway.remove(id)
    report({ subject: name, description: 'the gateway had a key of a single account' })
  }
  await reconcileEdge(service, wanted, report)
}

type Plans = { readonly plans: ReadonlySet<string>; readonly report: (repair: Repair) => void }

/** An account with the gateway's key of its tier, which is on its plan. */
async function onItsPlan(
  { access, gateway }: AccessService,
  account: Account,
  { plans, report }: Plans,
): Promise<Account> {
  const { id, tier } = account
  const gatewayKey = gateway.keyOf(account)
  const isHere = account.gatewayKey === gatewayKey
  if (isHere && plans.has(`${tier} ${gatewayKey}`)) return account
  await gateway.put(account)
  report({ subject: id, description: `the gateway has it on the plan ${tier}` })
  return isHere ? account : access.putAccount({ ...account, gatewayKey })
}

/** The keys of an account. One whose creation was interrupted was never shown to anybody, so it is ended. */
async function finishedKeys(service: AccessService, account: string, report: (repair: Repair) => void) {
  const keys = await service.access.keysOf(account)
  const finished = []
  for (const key of keys) {
    if (key.isComplete || key.createdAt > service.now() - IN_PROGRESS_SECONDS) finished.push(key)
    else if (key.endsAt === null) {
      finished.push(await endKey(service, key, service.now()))
      report({ subject: keyId(key), description: 'its creation was cut before anybody saw it: it is ended' })
    }
  }
  return finished
}

/** Brings the edge's entries in line with the table; those of invalid keys and of past hours are removed. */
async function reconcileEdge(
  service: AccessService,
  wanted: ReadonlyMap<string, string>,
  report: (repair: Repair) => void,
): Promise<void> {
  const entries = new Map<string, string>()
  for await (const [key, value] of service.edge.entries()) entries.set(key, value)
  const isWhole = entries.delete(edgeKeys.whole)
  const puts = [...wanted].filter(([key, value]) => entries.get(key) !== value)
  const deletes: string[] = []
  for (const [entry, value] of entries) {
    const isHour = !entry.startsWith(KEY_ENTRY)
    const isStray = isHour
      ? Number.parseInt(value, 10) < usageHourOf(service.now())
      : !wanted.has(entry) && !(await isInTable(service, entry.slice(KEY_ENTRY.length)))
    if (isStray) deletes.push(entry)
    if (isStray && !isHour)
      report({ subject: edgeKeyAccount(value), description: 'the edge knew a key that is not valid' })
  }
  await service.edge.write({ deletes })
  for (const some of chunked(puts, PUTS)) {
    const written = Object.fromEntries(some)
    await service.edge.write({ puts: written })
    // The table may have changed since it was read.
    await mapParallel(some, PUTS, ([entry, value]) =>
      updateEdge(service, {
        account: edgeKeyAccount(value),
        keys: [{ digest: entry.slice(KEY_ENTRY.length) }],
        written: { [entry]: value },
      }),
    )
  }
  if (!isWhole) await service.edge.write({ puts: { [edgeKeys.whole]: 'yes' } })
  for (const [, value] of puts)
    report({ subject: edgeKeyAccount(value), description: 'the edge knows a key anew' })
}

/** Whether the edge may know a key that was not there when its account was read: the table has it by now. */
async function isInTable({ access, now }: AccessService, digest: string): Promise<boolean> {
  const key = await access.key(digest)
  if (!key || !isValidAt(key, now())) return false
  if (!key.isComplete) return key.createdAt > now() - IN_PROGRESS_SECONDS
  return (await access.account(key.account)) !== undefined
}
