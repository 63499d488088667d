/** A run that is ended in every way, again and again, comes up again each time with what it had. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it, vi } from 'vitest'
import { admin } from '../support/admin.ts'
import { readRawHeaders } from '../support/chain/json-rpc.ts'
import { rounds } from '../support/rounds.ts'
import { type Service, startServiceProcess, stillRunning } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const ROUNDS = rounds(6)
const STOPPED_MS = 45_000
const CLOCK_MINUTES = 4
/** Blocks below the head that a reorg of the development chain may replace. */
const REORG_DEPTH = 40
/** Milliseconds within which it has replayed its blocks. */
const REPLAYED = { timeout: 60_000, interval: 1_000 }

const dataDir = tempDir()
let service: Service | undefined
afterAll(async () => {
  await service?.kill()
})

type End = {
  readonly says: string
  readonly jumpMinutes?: number
  readonly end: (run: Service) => Promise<unknown>
}

/** SIGSTOP to a run and all below it, as when a laptop sleeps. */
async function asleep(run: Service): Promise<void> {
  const pids = run.processes().map(({ pid }) => pid)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  await sleep(STOPPED_MS)
  for (const pid of pids) process.kill(pid, 'SIGCONT')
  await sleep(5_000)
}

const interrupt = async (run: Service) => expect(await run.interrupt('group'), run.output()).toBe(0)

const ends: readonly End[] = [
  { says: 'Ctrl-C', end: interrupt },
  { says: 'kill -9 of everything', end: (run) => run.kill() },
  { says: 'asleep for a while, then Ctrl-C', end: (run) => asleep(run).then(() => interrupt(run)) },
  { says: 'a clock that is set forward', jumpMinutes: CLOCK_MINUTES, end: interrupt },
  { says: 'a clock that is set back', jumpMinutes: -CLOCK_MINUTES, end: interrupt },
  { says: 'asleep for a while, then kill -9', end: (run) => asleep(run).then(() => run.kill()) },
]

function start(round: number, { jumpMinutes }: End) {
  const clock = {
    NODE_OPTIONS: `--import=${join(import.meta.dirname, '../support/test-clock.mjs')}`,
    CLOCK_JUMP_MS: String((jumpMinutes ?? 0) * 60_000),
    CLOCK_AFTER_MS: '20000',
  }
  return startServiceProcess({
    dataDir,
    seed: 5,
    flags: round % 2 ? ['--reorgs'] : [],
    ...(jumpMinutes === undefined ? {} : { env: clock }),
  })
}

/** Hashes of the development chain's blocks, at least so many: during a reorg it is replayed, and is shorter or does not answer. */
const hashes = ({ ready }: Service, least: number): Promise<readonly string[]> =>
  vi.waitFor(async () => {
    const headers = await readRawHeaders(ready.rpc_url)
    expect(headers.length).toBeGreaterThanOrEqual(least)
    return headers.map(({ hash }) => hash)
  }, REPLAYED)

async function board({ ready }: Service): Promise<number> {
  const headers = { authorization: `Bearer ${ready.keys.professional}` }
  const response = await fetch(`${ready.base_url}/v1/z100/creators`, { headers })
  expect(response.status).toBe(200)
  return ((await response.json()) as unknown[]).length
}

it(`a run comes up again after ${ROUNDS} ends of ${ends.length} kinds`, async () => {
  let before: readonly string[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const end = ends[round % ends.length] as End
    service = await start(round, end)
    const says = `round ${round}, ${end.says}`
    const firm = before.slice(0, -REORG_DEPTH)
    expect((await hashes(service, firm.length)).slice(0, firm.length), says).toEqual(firm)
    expect(await board(service), says).toBeGreaterThan(10)
    await sleep(end.jumpMinutes === undefined ? 2_000 * (round % 7) : 25_000)
    before = await hashes(service, firm.length)
    const pids = service.processes().map(({ pid }) => pid)
    await end.end(service)
    expect(stillRunning(pids), says).toEqual([])
    expect(service.output(), says).not.toMatch(/cannot be (replayed|made again)|unhandled|another hash/i)
  }
  service = await startServiceProcess({ dataDir, seed: 5 })
  await board(service)
  const { code, out, err } = await admin('verify', '--data-dir', dataDir)
  expect(code, out + err).toBe(0)
})
