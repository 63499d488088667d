/** How long a new run needs until it has the boards of another one, whose archive it takes over: `npm start` twice. */
import { setTimeout as sleep } from 'node:timers/promises'
import { bearer } from '../../test/support/aws/access.ts'
import { startServiceProcess } from '../../test/support/service.ts'
import { tempDir } from '../../test/support/temp-dir.ts'
import type { Ready } from '../local/service.ts'
import { atMost, say } from './measuring.ts'

/** A month of the development market: the past that `npm start` makes of eight days, four times as long. */
const history = { days: 30, blocks: 1_000, trades: 3_000, creators: 440, posts: 500 }
const GOAL_SECONDS = 60
const SEED = 6
/** The source archives an hour within a minute of its end, and a copy may be a snapshot behind it, or before it. */
const WAITS_MS = 300_000
const BOARDS = ['/v1/z100/creators', '/v1/z100/posts']

/** Measures from the start of the second run until it has published a snapshot of the first; the goals missed. */
export async function run(): Promise<readonly string[]> {
  const source = await startServiceProcess({ dataDir: tempDir(), seed: SEED, history })
  try {
    await archivedUpToNow(source.ready.base_url)
    const flags = ['--rpc-url', source.ready.rpc_url, '--from-archive', source.ready.base_url]
    const before = performance.now()
    const copy = await startServiceProcess({ dataDir: tempDir(), seed: SEED, flags })
    const seconds = (performance.now() - before) / 1_000
    try {
      await boardsAreEqual(source.ready, copy.ready)
      say(`${history.days} days: boards after ${seconds.toFixed(1)} s, and equal to the source's`)
      return atMost('until there are boards', seconds, GOAL_SECONDS, ' s')
    } finally {
      await copy.interrupt('group')
    }
  } finally {
    await source.interrupt('group')
  }
}

/** Waits until the source has archived the hours that are over. Throws when it does not. */
async function archivedUpToNow(url: string): Promise<void> {
  const over = Date.now() - (Date.now() % 3_600_000)
  const deadline = performance.now() + WAITS_MS
  for (;;) {
    const answer = await fetch(`${url}/archive/v1/manifest.json`)
    const { sealed_until: until = '' } = answer.ok ? ((await answer.json()) as { sealed_until?: string }) : {}
    if (Date.parse(until) >= over) return
    if (performance.now() > deadline) throw new RangeError(`archived until ${until || 'nothing'} only`)
    await sleep(1_000)
  }
}

/** Boards of one snapshot must have the same bytes in both. Throws when there is no such snapshot for minutes. */
async function boardsAreEqual(...runs: readonly [Ready, Ready]): Promise<void> {
  const deadline = performance.now() + WAITS_MS
  for (const board of BOARDS) {
    for (;;) {
      const [one, other] = await Promise.all(runs.map((ready) => boardOf(ready, board)))
      if (one?.id === other?.id) {
        if (one?.text !== other?.text) throw new RangeError(`${board} differs in ${one?.id}`)
        break
      }
      if (performance.now() > deadline) throw new RangeError(`${board}: ${one?.id} and ${other?.id}`)
      await sleep(1_000)
    }
  }
}

/** A board, and the id of its snapshot. Throws where there is none. */
async function boardOf({ base_url: url, keys }: Ready, board: string) {
  const answer = await fetch(url + board, { headers: bearer(keys.enterprise) })
  const id = answer.headers.get('x-snapshot-id')
  if (!answer.ok || !id) throw new RangeError(`${board}: ${answer.status}`)
  return { id, text: await answer.text() }
}
