import type { AccessService } from '../../accounts/service.ts'
import type { Session } from '../../accounts/sessions.ts'
import { hourEnd, KEYS_MAX, keyMark, tierAt, tiers, usageHourOf } from '../../schemas/api/access.ts'
import type { OwnAccount, OwnChange, OwnKey } from '../../schemas/api/account.ts'
import { isoTime } from '../../schemas/values/kinds.ts'
import { type AccessKey, type AuditEntry, isValidAt, keyId } from '../../store/accounts/access.ts'
import { allOf } from '../../store/aws/parallel.ts'

/** Hours of the chart: seven days. */
const CHART_HOURS = 7 * 24
/** Changes that are shown, and ended keys. */
const CHANGES = 20
const ENDED_KEYS = 5

/** The account of a session as its owner sees it. */
export async function ownAccount(service: AccessService, session: Session): Promise<OwnAccount> {
  const { ticket, account } = session
  const now = service.now()
  const hour = usageHourOf(now)
  const tier = tierAt(account, now)
  const [hours, keys, changes] = await Promise.all([
    service.usage.hours(account.id, hour - CHART_HOURS + 1, hour),
    service.access.keysOf(account.id),
    allOf(service.access.audit(CHANGES, account.id)),
  ])
  return {
    id: account.id,
    name: account.name,
    signed_in_by: ticket.actor,
    session_ends_at: isoTime(ticket.endsAt),
    tier,
    tier_ends_at: account.tierEndsAt === null ? null : isoTime(account.tierEndsAt),
    ended_tier: tier === account.tier ? null : account.tier,
    state: account.state,
    limit: tiers[tier].limitPerHour,
    used: hours.find((each) => each.hour === hour)?.used ?? 0,
    reset_at: isoTime(hourEnd(hour)),
    hours: hours.map((each) => ({ hour: isoTime(each.hour * 3_600), used: each.used })),
    keys: await ownKeys(service, keys, now),
    keys_max: KEYS_MAX,
    changes: changes.map(ownChange),
  }
}

/** Valid keys, newest first, and the keys that ended last. */
function ownKeys(
  { usage }: AccessService,
  keys: readonly AccessKey[],
  now: number,
): Promise<readonly OwnKey[]> {
  const known = keys.filter(({ isComplete }) => isComplete).toReversed()
  const ended = known
    .filter((key) => !isValidAt(key, now))
    .sort((a, b) => (b.endsAt ?? 0) - (a.endsAt ?? 0))
    .slice(0, ENDED_KEYS)
  const shown = [...known.filter((key) => isValidAt(key, now)), ...ended]
  return Promise.all(
    shown.map(async (key) => {
      const usedIn = await usage.lastUse({ account: key.account, mark: keyMark(key.digest) })
      return {
        id: keyId(key),
        prefix: key.prefix,
        label: key.label,
        created_at: isoTime(key.createdAt),
        last_used_at: usedIn === null ? null : isoTime(usedIn * 3_600),
        ends_at: key.endsAt === null ? null : isoTime(key.endsAt),
        state: key.endsAt === null ? 'valid' : isValidAt(key, now) ? 'ending' : 'ended',
      }
    }),
  )
}

/** An operator is not named to a reader. */
const ownChange = ({ at, actor, network, action, subject }: AuditEntry): OwnChange => ({
  at,
  by: network === '' && actor !== 'payments' ? 'operator' : actor,
  network,
  action,
  subject,
})
