import { shownText } from '../../market/text.ts'

/** Progress on a terminal: each step is one line, with a bar while it lasts. */
export type Terminal = {
  /** Shows a step: its text, a bar where `total` is given, and a note. The same text again replaces the line. */
  step(text: string, done?: number, total?: number, note?: string): void
  /** A line that stays. */
  say(text: string): void
  /** Ends the step: further output begins on a new line. */
  end(): void
}

const BAR_WIDTH = 24
/** A step that does not move is shown again after so long, with how long it has taken. Without a terminal, a bar is a line as often. */
const SHOWN_AGAIN_MS = 1_800

/** Writes to a stream: in place on a terminal, as plain lines elsewhere. */
export function openTerminal(output: NodeJS.WriteStream): Terminal {
  // Bound now: `output.write` may be replaced later.
  const write = output.write.bind(output)
  // Endpoints, archives and tokens have words of their own in what is printed.
  const printed = (text: string): string => text.split('\n').map(shownText).join('\n')
  let current: { readonly text: string; readonly since: number; line: string } | undefined
  let shownAt = 0
  let isOpen = false
  const show = (line: string) => {
    shownAt = Date.now()
    // A line that wraps could not be replaced.
    if (output.isTTY) write(`\r\x1b[2K${line.slice(0, Math.max(20, (output.columns ?? 200) - 1))}`)
    else write(`${line}\n`)
    isOpen = output.isTTY
  }
  const isDue = () => Date.now() - shownAt >= SHOWN_AGAIN_MS
  const again = () => {
    if (current && isDue()) show(`${current.line}, ${Math.round((Date.now() - current.since) / 1_000)} s`)
  }
  setInterval(again, 500).unref()
  const end = () => {
    if (isOpen) write('\n')
    isOpen = false
    current = undefined
  }
  return {
    step(text, done, total, note) {
      const line = shownText([text, total ? barOf(done ?? 0, total) : '', note].filter(Boolean).join(' '))
      const isNext = current?.text !== text
      if (isNext) end()
      current = { text, since: Date.now(), ...(isNext ? {} : current), line }
      if (isNext || output.isTTY || isDue()) show(line)
    },
    say(text) {
      end()
      write(`${printed(text)}\n`)
    },
    end,
  }
}

function barOf(done: number, total: number): string {
  const filled = Math.min(BAR_WIDTH, Math.round((done / total) * BAR_WIDTH))
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${done}/${total}`
}

/** A command or the local run cannot go on: a name for the reason, and a sentence for the operator. */
export class OperatorFault extends Error {
  constructor(name: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = name
  }
}

/** Name and message of an error, with its causes; its stack if these are uninformative. System errors need no stack. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isNamed = !['Error', 'TypeError', 'RangeError'].includes(error.name) || 'syscall' in error
  const own = isNamed ? `${error.name}: ${error.message}` : (error.stack ?? error.message)
  const lines = own.split('\n').map(shownText).join('\n')
  return error.cause === undefined ? lines : `${lines}\n  caused by ${errorText(error.cause)}`
}
