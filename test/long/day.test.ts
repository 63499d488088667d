/** Hours of the development market in minutes: what a run holds in memory and on disk stays small. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it, vi } from 'vitest'
import { openBucket } from '../../store/aws/bucket.ts'
import { rounds } from '../support/rounds.ts'
import { type Service, startServiceProcess } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const HOURS = rounds(0.5)
/** Hours of the market after which memory and disk are looked at again. */
const LOOKED_AT_EVERY = 0.5
/** Minutes of the market in a minute of the test. */
const SPEED = 10
/** The run is up by then: its start is at the true pace. */
const FAST_AFTER_MS = 60_000
/** A block every six seconds. */
const BLOCKS_PER_HOUR = 600
const MEMORY_MAX_MB = 500
const DISK_MAX_MB_PER_HOUR = 20
/** What the tables write before they merge it for the first time. */
const DISK_FIRST_MB = 20
/** The archive is counted apart: of the days before the run, and of each hour. */
const ARCHIVE_FIRST_MB = 5
const ARCHIVE_MAX_MB_PER_HOUR = 1

/** Bytes that a file takes on disk are a multiple of it. */
const DISK_BLOCK = 4_096

const dataDir = tempDir()
let service: Service | undefined
afterAll(async () => {
  await service?.kill()
})

/** Of all processes together: what they hold (`RssAnon`), and what the kernel has in memory of the files that they map, which it gives up when it needs room (`RssFile`). */
const memoryMb = (run: Service, kind: 'RssAnon' | 'RssFile') =>
  run.processes().reduce((sum, { pid }) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return sum + Number(new RegExp(`^${kind}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1_024
  }, 0)
/** What the run has on disk: its archive, and all else. */
async function diskMb() {
  const disk = Number(execFileSync('du', ['-sk', dataDir], { encoding: 'utf8' }).split('\t')[0]) / 1_024
  let archive = 0
  for await (const { size } of openBucket('published').list('archive/'))
    archive += Math.ceil(size / DISK_BLOCK) * DISK_BLOCK
  return { archive: archive / 2 ** 20, other: disk - archive / 2 ** 20 }
}

async function status({
  ready,
}: Service): Promise<{ readonly status: string; readonly block_number: number }> {
  return (await fetch(`${ready.base_url}/v1/status`)).json() as never
}

it(`a run holds at most ${MEMORY_MAX_MB} MB after ${HOURS} hours, and keeps at most ${DISK_MAX_MB_PER_HOUR} MB an hour`, async () => {
  service = await startServiceProcess({
    dataDir,
    seed: 6,
    env: {
      NODE_OPTIONS: `--import=${join(import.meta.dirname, '../support/test-clock.mjs')}`,
      CLOCK_AFTER_MS: String(FAST_AFTER_MS),
      CLOCK_SPEED: String(SPEED),
    },
  })
  const run = service
  const block = await vi.waitUntil(async () => (await status(run)).block_number, { timeout: 600_000 })
  Object.assign(process.env, run.ready.env)
  const before = await diskMb()
  for (let hours = LOOKED_AT_EVERY; hours <= HOURS; hours += LOOKED_AT_EVERY) {
    await sleep((LOOKED_AT_EVERY * 3_600_000) / SPEED)
    const [held, mapped] = [memoryMb(run, 'RssAnon'), memoryMb(run, 'RssFile')]
    const { archive, other } = await diskMb()
    const disk = other - before.other
    const memory = `${held.toFixed(0)} MB held, ${mapped.toFixed(0)} MB of mapped files`
    const written = `${disk.toFixed(1)} MB more on disk, and ${archive.toFixed(1)} MB of archive`
    process.stdout.write(`after ${hours} h: ${memory}, ${written}\n`)
    expect(held).toBeLessThan(MEMORY_MAX_MB)
    expect(disk).toBeLessThan(DISK_FIRST_MB + hours * DISK_MAX_MB_PER_HOUR)
    expect(archive).toBeLessThan(ARCHIVE_FIRST_MB + hours * ARCHIVE_MAX_MB_PER_HOUR)
  }
  await expect.poll(async () => (await status(run)).status).toBe('ok')
  await expect
    .poll(async () => (await status(run)).block_number - block)
    .toBeGreaterThan(HOURS * BLOCKS_PER_HOUR * 0.5)
})
