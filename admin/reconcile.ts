import { hourOf } from '../schemas/access.ts'
import { keyId } from '../store/access.ts'
import { type AccessDesk, writeDown } from './access-desk.ts'
import { completeAccount, edgeEntriesOf } from './accounts.ts'
import { endKey } from './keys.ts'

/** Something that was not as the table says, and is now. */
export type Repair = { readonly subject: string; readonly says: string }

const KEY_ENTRY = 'k:'

/** Finds what was left half done, and makes the gateway and the edge agree with the table; reports each repair as it is made. */
export async function reconcile(desk: AccessDesk, report: (repair: Repair) => void): Promise<void> {
  await writeDown(desk, { action: 'reconcile', subject: 'all' })
  const wanted = new Map<string, string>()
  const accounts = new Map<string, string>()
  const known = await desk.gateway.list()
  for await (const account of desk.access.accounts()) {
    accounts.set(account.id, account.tier)
    const plans = known.filter((each) => each.account === account.id)
    if (!account.isComplete) {
      await completeAccount(desk, account)
      report({ subject: account.id, says: 'its creation is finished' })
    } else if (plans.length !== 1 || plans[0]?.tier !== account.tier) {
      await desk.gateway.put(account)
      report({ subject: account.id, says: `the gateway has it on the plan ${account.tier}` })
    }
    for (const key of await finishedKeys(desk, account.id, report)) {
      for (const [entry, value] of Object.entries(edgeEntriesOf(account, [key], desk.now()))) {
        wanted.set(entry, value)
      }
    }
  }
  for (const stray of known.filter((each) => !accounts.has(each.account))) {
    await desk.gateway.remove(stray.keyId)
    report({ subject: stray.account, says: 'the gateway had a key of no account' })
  }
  await reconcileEdge(desk, wanted, report)
}

/** The keys of an account. One whose creation was cut was shown to nobody, so the end of its creation is its own. */
async function finishedKeys(desk: AccessDesk, account: string, report: (repair: Repair) => void) {
  const keys = await desk.access.keysOf(account)
  const finished = []
  for (const key of keys) {
    if (key.isComplete) finished.push(key)
    else if (key.endsAt === null) {
      finished.push(await endKey(desk, key, desk.now()))
      report({ subject: keyId(key), says: 'its creation was cut before anybody saw it: it is ended' })
    }
  }
  return finished
}

/** One pass over the edge's entries: those of other keys, and of hours that are past, go. */
async function reconcileEdge(
  desk: AccessDesk,
  wanted: ReadonlyMap<string, string>,
  report: (repair: Repair) => void,
): Promise<void> {
  const standing = new Map<string, string>()
  for await (const [key, value] of desk.edge.entries()) standing.set(key, value)
  const hour = hourOf(desk.now())
  const isStray = ([key, value]: readonly [string, string]) =>
    key.startsWith(KEY_ENTRY) ? !wanted.has(key) : Number(value) < hour
  const deletes = [...standing].filter(isStray).map(([key]) => key)
  const puts = [...wanted].filter(([key, value]) => standing.get(key) !== value)
  await desk.edge.write({ puts: Object.fromEntries(puts), deletes })
  for (const [, value] of puts)
    report({ subject: value.split('|')[0] ?? '', says: 'the edge knows a key anew' })
  for (const key of deletes.filter((each) => each.startsWith(KEY_ENTRY))) {
    report({ subject: standing.get(key)?.split('|')[0] ?? '', says: 'the edge knew a key that is not valid' })
  }
}
