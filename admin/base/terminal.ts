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
/** Without a terminal, a bar is a line every so often (milliseconds). */
const PLAIN_INTERVAL_MS = 2_000

/** Writes to a stream: in place on a terminal, as plain lines elsewhere. */
export function openTerminal(output: NodeJS.WriteStream): Terminal {
  // Bound now: `output.write` may be replaced later.
  const write = output.write.bind(output)
  // Endpoints, archives and tokens have words of their own in what is printed.
  const printed = (text: string): string => text.split('\n').map(shownText).join('\n')
  let open = ''
  let lastPlain = { text: '', at: 0 }
  const end = () => {
    if (open) write('\n')
    open = ''
  }
  return {
    step(text, done, total, note) {
      const line = shownText([text, total ? barOf(done ?? 0, total) : '', note].filter(Boolean).join(' '))
      if (!output.isTTY) {
        const isDue = text !== lastPlain.text || Date.now() - lastPlain.at > PLAIN_INTERVAL_MS
        if (isDue) {
          write(`${line}\n`)
          lastPlain = { text, at: Date.now() }
        }
        return
      }
      if (open && open !== text) end()
      // A line that wraps could not be replaced.
      write(`\r\x1b[2K${line.slice(0, Math.max(20, (output.columns ?? 200) - 1))}`)
      open = text
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
