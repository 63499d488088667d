import { Presets, SingleBar } from 'cli-progress'

/** How long work says how far it is. */
export type Progress = {
  /** `done` of `total` of a named step; another name begins another bar. */
  step(name: string, done: number, total: number): void
  /** Ends the bar: what comes next on the screen begins a line of its own. */
  end(): void
}

/** Without a terminal, a bar is a line every so often (milliseconds). */
const PLAIN_INTERVAL_MS = 5_000

/** Progress on a stream: a bar on a terminal, plain lines now and then elsewhere. */
export function openProgress(output: NodeJS.WriteStream): Progress {
  return output.isTTY ? barsOn(output) : linesOn(output)
}

function barsOn(output: NodeJS.WriteStream): Progress {
  let bar: { readonly name: string; readonly drawn: SingleBar } | undefined
  const end = () => {
    bar?.drawn.stop()
    bar = undefined
  }
  return {
    step(name, done, total) {
      if (bar?.name !== name) {
        end()
        const format = `${name} [{bar}] {value}/{total}`
        const drawn = new SingleBar({ stream: output, format, hideCursor: true }, Presets.shades_classic)
        drawn.start(total, done)
        bar = { name, drawn }
      }
      bar.drawn.setTotal(total)
      bar.drawn.update(done)
    },
    end,
  }
}

function linesOn(output: NodeJS.WriteStream): Progress {
  let last = { name: '', at: 0 }
  return {
    step(name, done, total) {
      if (name === last.name && Date.now() - last.at < PLAIN_INTERVAL_MS) return
      output.write(`${name} ${done}/${total}\n`)
      last = { name, at: Date.now() }
    },
    end() {},
  }
}
