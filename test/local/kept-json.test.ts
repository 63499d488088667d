import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openKept } from '../../dev/emulators/kept-json.ts'
import { tempDir } from '../support/temp-dir.ts'

describe('a value kept in a file', () => {
  it('is there for the next start, and the initial one before', async () => {
    const file = join(tempDir(), 'kept.json')
    const kept = await openKept(file, { n: 0 })
    expect(kept.value).toEqual({ n: 0 })
    await kept.keep({ n: 1 })
    expect((await openKept(file, { n: 0 })).value).toEqual({ n: 1 })
  })

  it('is refused by the name of its file if that is empty, cut off, or of another kind', async () => {
    const file = join(tempDir(), 'kept.json')
    for (const text of ['', '{"n":', 'null', '[]', '1']) {
      writeFileSync(file, text)
      await expect(openKept(file, {})).rejects.toThrow(
        `${file} is not the JSON that was written there; remove it, or start with --reset`,
      )
    }
  })
})
