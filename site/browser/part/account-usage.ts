/** The limits of an account and what it used of them; who changed it. */
import type { OwnAccount } from '../../../schemas/api/account.ts'
import { type Child, h } from '../base/dom.ts'
import { countLabel, dayAndTime, timeOfDay } from '../base/format.ts'
import { openChart } from './chart.ts'

const HOUR_SECONDS = 3_600
const CHART_HOURS = 7 * 24

/** The section of usage: this hour, and seven days. */
export function usageSection(account: OwnAccount): HTMLElement {
  const { tier, limit, used, reset_at: reset } = account
  return h(
    'section',
    { class: 'panel' },
    h('h2', {}, 'Usage'),
    h(
      'p',
      {},
      h('strong', {}, `${countLabel(used)} of ${countLabel(limit)} requests`),
      ` used in the hour that ends at ${timeOfDay(reset)} UTC. The tier of this account is ${tier}.`,
    ),
    h('meter', { min: 0, max: limit, value: used, 'aria-label': 'Requests used in this hour' }),
    tierNotice(account),
    openChart()(weekOf(account)),
  )
}

function tierNotice({ ended_tier: ended, tier_ends_at: end, tier, state }: OwnAccount): Child {
  if (state === 'suspended')
    return notice(
      'This account is suspended: its keys are refused and nothing can be changed. Ask the operator.',
    )
  if (ended !== null)
    return notice(`The tier ${ended} ended at ${dayAndTime(end ?? '')} UTC. The account is ${tier} again.`)
  return end !== null && h('p', { class: 'quiet' }, `The tier ${tier} lasts until ${dayAndTime(end)} UTC.`)
}

const notice = (text: string): Child => h('div', { class: 'notice' }, h('p', {}, text))

/** Every hour of seven days, also those without a request. */
function weekOf({ hours, reset_at: reset }: OwnAccount) {
  const counts = new Map(hours.map(({ hour, used }) => [Date.parse(hour) / 1_000, used]))
  const end = Date.parse(reset) / 1_000
  const times = Array.from({ length: CHART_HOURS }, (_, n) => end - (CHART_HOURS - n) * HOUR_SECONDS)
  const sum = hours.reduce((all, { used }) => all + used, 0)
  return {
    times,
    description: `Requests of seven days by hour: ${countLabel(sum)} in all.`,
    series: [
      {
        label: 'Requests an hour',
        values: times.map((time) => counts.get(time) ?? 0),
        text: (value: number | null) => countLabel(value ?? 0),
      },
    ],
  }
}

/** The section of changes, newest first. */
export const changesSection = ({ changes }: OwnAccount): HTMLElement =>
  h(
    'section',
    { class: 'panel' },
    h('h2', {}, 'Changes'),
    h('p', {}, 'If you see one that you did not make: revoke the key, and tell the operator.'),
    h(
      'div',
      { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Changes' },
      h(
        'table',
        {},
        h(
          'thead',
          {},
          h(
            'tr',
            {},
            ['Time (UTC)', 'What', 'Of', 'By', 'Network'].map((text) => h('th', { scope: 'col' }, text)),
          ),
        ),
        h(
          'tbody',
          {},
          changes.map(({ at, action, subject, by, network }) =>
            h(
              'tr',
              {},
              [
                dayAndTime(at),
                action,
                subject,
                by.startsWith('0x') ? `${by.slice(0, 10)}…` : by,
                network,
              ].map((text) => h('td', {}, text)),
            ),
          ),
        ),
      ),
    ),
  )
