import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { cutJournal } from '../../dev/devnet/journal.ts'
import { clearData, closeDataDir, openDataDir, writeReady } from '../../dev/local/data-dir.ts'
import { tempDir } from '../support/temp-dir.ts'

let dir: string
beforeEach(() => {
  dir = tempDir()
})

describe('data directory', () => {
  it('is made accessible to its owner only; one that is there keeps its rights', async () => {
    chmodSync(dir, 0o755)
    const own = join(dir, 'own')
    for (const path of [dir, own]) await writeReady(await openDataDir(path), {})
    expect([dir, own].map((path) => statSync(path).mode & 0o777)).toEqual([0o755, 0o700])
    expect(statSync(join(dir, 'ready.json')).mode & 0o777).toBe(0o600)
  })

  it('is refused while another running process uses it, whose ready file stays', async () => {
    const paths = await openDataDir(dir)
    await writeReady(paths, { base_url: 'x' })
    writeFileSync(paths.lock, String(process.ppid))
    await expect(openDataDir(dir)).rejects.toMatchObject({ name: 'DataDirInUse' })
    await expect(clearData(dir)).rejects.toMatchObject({ name: 'DataDirInUse' })
    expect(JSON.parse(readFileSync(paths.ready, 'utf8'))).toEqual({ base_url: 'x' })
  })

  it('is refused in a sentence where it cannot be made', async () => {
    const file = join(dir, 'a file')
    writeFileSync(file, '')
    for (const path of [file, join(file, 'below')]) {
      await expect(openDataDir(path)).rejects.toMatchObject({
        name: 'DataDirUnusable',
        message: expect.stringContaining(`${path} cannot hold a run's data (E`),
      })
    }
  })

  it.runIf(process.platform === 'linux')(
    'is refused below /proc too, where a recursive mkdir would never return',
    async () => {
      for (const path of ['/proc/x', '/proc/x/y'])
        await expect(openDataDir(path)).rejects.toMatchObject({
          name: 'DataDirUnusable',
          message: expect.stringContaining(`${path} cannot hold a run's data (ENOENT`),
        })
    },
  )

  it('is made with the folders that it is in', async () => {
    const deep = join(dir, 'a', 'b', 'c')
    await openDataDir(deep)
    expect(statSync(join(dir, 'a')).mode & 0o777).toBe(0o700)
    expect(existsSync(join(deep, 'run.pid'))).toBe(true)
  })

  it('is taken over from a killed run, whose ready file is removed', async () => {
    const paths = await openDataDir(dir)
    await writeReady(paths, {})
    writeFileSync(paths.lock, '999999999')
    await openDataDir(dir)
    expect(existsSync(paths.ready)).toBe(false)
    expect(readFileSync(paths.lock, 'utf8')).toBe(String(process.pid))
  })

  it('clears the files of earlier runs and nothing else', async () => {
    const paths = await openDataDir(dir)
    writeFileSync(paths.journal, 'not JSON\n')
    cutJournal(paths.journal, 0)
    writeFileSync(join(dir, 'mine.txt'), 'mine')
    await clearData(dir)
    expect(readdirSync(dir)).toEqual(['mine.txt'])
  })

  it('is unlocked when its run has ended', async () => {
    const paths = await openDataDir(dir)
    await closeDataDir(paths)
    expect(existsSync(paths.lock)).toBe(false)
  })
})
