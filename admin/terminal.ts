/** What the person at the keyboard sees: steps with a bar while they last, one line each when done. */
export type Terminal = {
  /** A step's state; `done` of `total` draws a bar, a note stands behind it. The same text again replaces the line. */
  step(text: string, done?: number, total?: number, note?: string): void
  /** A line that stays. */
  say(text: string): void
  /** Ends the step: what comes next on the screen begins a line of its own. */
  end(): void
}

const BAR_WIDTH = 24
/** Without a terminal, a bar is a line every so often (milliseconds). */
const PLAIN_INTERVAL_MS = 2_000

/** Writes to a stream: in place on a terminal, as plain lines elsewhere. */
export function openTerminal(output: NodeJS.WriteStream): Terminal {
  // Bound at once: what else is printed may be led elsewhere.
  const write = output.write.bind(output)
  let open = ''
  let lastPlain = { text: '', at: 0 }
  const end = () => {
    if (open) write('\n')
    open = ''
  }
  return {
    step(text, done, total, note) {
      const line = [text, total ? barOf(done ?? 0, total) : '', note].filter(Boolean).join(' ')
      if (!output.isTTY) {
        const isDue = text !== lastPlain.text || Date.now() - lastPlain.at > PLAIN_INTERVAL_MS
        if (isDue) {
          write(`${line}\n`)
          lastPlain = { text, at: Date.now() }
        }
        return
      }
      if (open && open !== text) end()
      // What is longer than the terminal is wide could not be replaced.
      write(`\r\x1b[2K${line.slice(0, Math.max(20, (output.columns ?? 200) - 1))}`)
      open = text
    },
    say(text) {
      end()
      write(`${text}\n`)
    },
    end,
  }
}

function barOf(done: number, total: number): string {
  const filled = Math.min(BAR_WIDTH, Math.round((done / total) * BAR_WIDTH))
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${done}/${total}`
}

/** A command, or a run on this machine, cannot do what it was asked to; the name says why in one word, the message in a sentence for the operator. */
export class OperatorFault extends Error {
  constructor(name: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = name
  }
}

/** An error with a name of its own says all in its message; of any other the stack is needed. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isNamed = !['Error', 'TypeError', 'RangeError'].includes(error.name)
  const own = isNamed ? `${error.name}: ${error.message}` : (error.stack ?? error.message)
  return error.cause === undefined ? own : `${own}\n  caused by ${errorText(error.cause)}`
}
