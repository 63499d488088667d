/** Script of the status page: the state now, and the last 24 hours by the snapshots that were published. */
import type { BodyOf } from '../../../clients/typescript/index.ts'
import { ask } from '../base/ask.ts'
import { type Child, h, main } from '../base/dom.ts'
import { countLabel, dayAndTime, duration, fixed, timeOfDay } from '../base/format.ts'
import { openPanel } from '../part/panel.ts'
import { openPage } from '../part/shell.ts'

type Day = BodyOf<'/v1/status/day'>
type Now = { readonly status: BodyOf<'/v1/status'>; readonly day: Day }

const share = (part: number, whole: number): string => `${fixed((100 * part) / Math.max(1, whole), 2)}%`

/** An hour as a bar: full where every minute was published. */
function bar({ from, minutes, published }: Day['hours'][number]): HTMLElement {
  const words = `${timeOfDay(from)} UTC: ${published} of ${minutes} minutes published`
  return h(
    'li',
    { title: words, 'data-whole': published === minutes },
    h('span', { class: 'unseen' }, words),
    h('span', { class: 'fill', style: { height: `${(100 * published) / Math.max(1, minutes)}%` } }),
  )
}

const gapLine = ({ from, to, minutes }: Day['gaps'][number]): HTMLElement =>
  h(
    'li',
    {},
    h('time', { datetime: from }, dayAndTime(from)),
    ` to ${dayAndTime(to)} UTC: ${duration(minutes * 60)} without a snapshot of its own`,
  )

function shown({ status, day }: Now): Child {
  const { from, minutes, published, hours, gaps } = day
  return [
    status.status === 'ok'
      ? h(
          'p',
          {},
          h('strong', { class: 'up' }, 'All is well.'),
          ` Figures of ${dayAndTime(status.as_of)} UTC.`,
        )
      : h('p', { class: 'notice', role: 'alert' }, `Degraded: ${status.reasons.join('; ')}`),
    status.gap &&
      h('p', { class: 'notice' }, `Block ${countLabel(status.gap.block_number)}: ${status.gap.missing}`),
    h('h2', {}, 'The last 24 hours'),
    h(
      'p',
      {},
      `${countLabel(published)} of ${countLabel(minutes)} minutes since ${dayAndTime(from)} UTC were published: ${share(published, minutes)}.`,
    ),
    h('ol', { class: 'hours', 'aria-label': 'Published minutes by hour' }, hours.map(bar)),
    gaps.length === 0
      ? h('p', { class: 'quiet' }, 'No minute is missing.')
      : h('ul', {}, [...gaps].reverse().map(gapLine)),
  ]
}

openPage()
main().append(
  openPanel<Now>({
    load: async (signal) => {
      const [status, day] = await Promise.all([
        ask('/v1/status', {}, signal),
        ask('/v1/status/day', {}, signal),
      ])
      return { status: status.body, day: day.body }
    },
    show: shown,
    everySeconds: 60,
  }).element,
)
