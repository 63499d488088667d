/** What readers notice while the stream's tasks are replaced. */
import { describe, expect, it } from 'vitest'
import { drainSeconds } from '../../cdk/config.ts'
import { defaults } from '../../stream/main.ts'
import { drain, lifetime, retryAfterCut } from '../../stream/reader.ts'

/** Steps of the virtual time, in ms. */
const STEP_MS = 100

type SimulatedReader = {
  task: SimulatedTask | null
  /** End of the connection, or when the next one begins; ms. */
  at: number
  isClosed: boolean
  end(retryMs: number): void
}
type SimulatedTask = { isInService: boolean; readonly readers: Set<SimulatedReader> }

/** What happens to readers while tasks come and go. */
class StreamFleet {
  readonly #all: SimulatedReader[] = []
  readonly #tasks: SimulatedTask[] = []
  readonly #pauses: { readonly at: number; readonly resolve: () => void }[] = []
  /** Connections that began in each second. */
  readonly #connects = new Map<number, number>()
  #now = 0

  constructor({ tasks, readers }: { readonly tasks: number; readonly readers: number }) {
    for (let n = 0; n < tasks; n++) this.start()
    for (let n = 0; n < readers; n++) {
      const reader: SimulatedReader = {
        task: null,
        at: 0,
        isClosed: true,
        end: (retryMs) => this.#leave(reader, retryMs),
      }
      this.#all.push(reader)
      this.#connect(reader)
      // Some have been connected for long.
      reader.at *= Math.random()
    }
    this.#connects.clear()
  }

  /** Starts a task; the balancer sends it readers. */
  start(): SimulatedTask {
    const task = { isInService: true, readers: new Set<SimulatedReader>() }
    this.#tasks.push(task)
    return task
  }

  /** The tasks of before, out of service: the balancer leaves them the readers that they have. */
  deregister(): readonly SimulatedTask[] {
    const old = this.#tasks.splice(0)
    for (const task of old) task.isInService = false
    return old
  }

  /** The balancer, or the end of a process, cuts all connections of a task at once. */
  cut({ readers }: SimulatedTask): void {
    for (const reader of readers) this.#leave(reader, retryAfterCut(defaults))
  }

  /** A task gets SIGTERM. */
  terminate({ readers }: SimulatedTask): Promise<void> {
    return drain(readers, defaults.drainMs, (ms) => this.#pause(ms))
  }

  readersOf = (tasks: readonly SimulatedTask[]): number =>
    tasks.reduce((sum, { readers }) => sum + readers.size, 0)

  async pass(seconds: number): Promise<void> {
    for (const end = this.#now + seconds * 1_000; this.#now < end; ) {
      this.#now += STEP_MS
      for (const reader of this.#all) {
        if (reader.at > this.#now) continue
        if (reader.isClosed) this.#connect(reader)
        else this.#leave(reader, defaults.retryMs)
      }
      const due = this.#pauses.filter(({ at }) => at <= this.#now)
      if (due.length === 0) continue
      for (const each of due) this.#pauses.splice(this.#pauses.indexOf(each), 1)
      for (const { resolve } of due) resolve()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  /** The largest share of readers that connected within one second. */
  get busiestSecond(): number {
    return Math.max(0, ...this.#connects.values()) / this.#all.length
  }

  #connect(reader: SimulatedReader): void {
    const [task] = this.#tasks.slice().sort((a, b) => a.readers.size - b.readers.size)
    if (!task) throw new RangeError('no task is in service')
    task.readers.add(reader)
    const at = this.#now + lifetime(defaults.connectionMs)
    Object.assign(reader, { task, at, isClosed: false })
    const second = Math.floor(this.#now / 1_000)
    this.#connects.set(second, (this.#connects.get(second) ?? 0) + 1)
  }

  #leave(reader: SimulatedReader, retryMs: number): void {
    reader.task?.readers.delete(reader)
    Object.assign(reader, { task: null, at: this.#now + retryMs, isClosed: true })
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.#pauses.push({ at: this.#now + ms, resolve }))
  }
}

/** The share of readers that may reconnect within one second. */
const MOST_IN_A_SECOND = 0.05
const size = { tasks: 2, readers: 1_500 }

describe('while a deployment replaces all tasks of the stream', () => {
  it('readers leave at their own time: the balancer has nothing left to cut when ECS sends SIGTERM', async () => {
    const fleet = new StreamFleet(size)
    const old = fleet.deregister()
    for (let n = 0; n < size.tasks; n++) fleet.start()
    await fleet.pass(drainSeconds.deregistration)
    expect(fleet.readersOf(old)).toBe(0)
    for (const task of old) fleet.cut(task)
    const ended = old.map((task) => fleet.terminate(task))
    await fleet.pass(drainSeconds.stop)
    await Promise.all(ended)
    expect(fleet.busiestSecond).toBeLessThanOrEqual(MOST_IN_A_SECOND)
  })

  it('readers of tasks that get SIGTERM at once are drained before the balancer cuts and before SIGKILL', async () => {
    const fleet = new StreamFleet(size)
    const old = fleet.deregister()
    for (let n = 0; n < size.tasks; n++) fleet.start()
    const ended = old.map((task) => fleet.terminate(task))
    await fleet.pass(Math.min(drainSeconds.deregistration, drainSeconds.stop))
    await Promise.all(ended)
    expect(fleet.readersOf(old)).toBe(0)
    await fleet.pass(60)
    expect(fleet.busiestSecond).toBeLessThanOrEqual(MOST_IN_A_SECOND)
  })

  it('and where one of two tasks crashes, its readers come back one after the other', async () => {
    const fleet = new StreamFleet(size)
    const [crashed, other] = fleet.deregister()
    for (let n = 0; n < size.tasks; n++) fleet.start()
    fleet.cut(crashed!)
    await fleet.pass(30)
    expect(fleet.readersOf([crashed!])).toBe(0)
    expect(fleet.readersOf([other!])).toBeGreaterThan(0)
    expect(fleet.busiestSecond).toBeLessThanOrEqual(MOST_IN_A_SECOND)
  })
})
