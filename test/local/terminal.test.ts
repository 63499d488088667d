import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openTerminal } from '../../admin/base/terminal.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function opened(isTTY: boolean) {
  const written: string[] = []
  const output = { isTTY, columns: 80, write: (text: string) => written.push(text) > 0 }
  return { written, terminal: openTerminal(output as unknown as NodeJS.WriteStream) }
}

it.each([true, false])(
  'a step without news is shown again within two seconds, with its time (terminal: %s)',
  (isTTY) => {
    const { written, terminal } = opened(isTTY)
    terminal.step('building the first snapshot', 3, 10)
    for (const seconds of [2, 4, 6]) {
      const before = written.length
      vi.advanceTimersByTime(2_000)
      expect(written.length).toBeGreaterThan(before)
      expect(written.at(-1)).toMatch(
        new RegExp(`building the first snapshot \\[#+\\.+\\] 3/10, ${seconds} s`),
      )
    }
    terminal.say('ready')
    const said = written.length
    vi.advanceTimersByTime(60_000)
    expect(written.length).toBe(said)
  },
)

it('without a terminal a bar is a line every two seconds at most, and the next step a line at once', () => {
  const { written, terminal } = opened(false)
  for (let done = 1; done <= 1_000; done += 1) terminal.step('writing', done, 1_000)
  expect(written.length).toBe(1)
  terminal.step('building')
  expect(written.at(-1)).toBe('building\n')
})
