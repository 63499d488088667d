import type { Chances } from './random.ts'

/** One process. What it awaits of the world is handed out by the scheduler, or never. */
export type Process = {
  readonly name: string
  /** Until this step its answers are held back; what it has asked for may happen meanwhile. */
  sleepsUntil: number
  isDead: boolean
  readonly heldAnswers: (() => void)[]
}

/** What may befall an operation, as percentages of all. */
export type Weather = {
  /** The process sleeps before it hears the answer, and wakes up with its old memory. */
  readonly sleeps: number
  /** The process ends: half of the time the operation takes effect all the same. */
  readonly dies: number
  /** The answer is lost and the operation sent again. */
  readonly resends: number
}

type Operation = {
  readonly owner: Process
  readonly act: () => unknown
  readonly answer: (outcome: unknown) => void
}

/**
 * Orders everything that processes do to the world. An operation waits until the scheduler picks it, takes effect at
 * once, and its process goes on until all it does is wait again: so a run depends on nothing but the seed.
 */
export type Scheduler = {
  readonly steps: () => number
  open(name: string): Process
  /** Does something to the world when it is picked; of a dead process only what is under way still happens. */
  operate<T>(owner: Process, act: () => T): Promise<Awaited<T>>
  /** Waits until `stir` is called. */
  rest(owner: Process): Promise<void>
  /** Lets those who rest go on. */
  stir(): void
  /** One operation; false: nothing is under way. */
  step(weather: Weather): Promise<boolean>
  /** Wakes all who sleep. */
  wake(): void
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Steps that a process sleeps: for a moment, over some minutes, or until it is woken. */
const sleeps: readonly number[] = [10, 40, 40, 300, 1_000, Number.POSITIVE_INFINITY]

/** Opens a scheduler without processes. `onDeath` is told who died. */
export function openScheduler(random: Chances, onDeath: (process: Process) => void): Scheduler {
  let steps = 0
  const processes: Process[] = []
  let underWay: Operation[] = []
  let resting: Operation[] = []
  const isAwake = ({ owner }: Operation) => !owner.isDead && owner.sleepsUntil <= steps

  const deliver = (): void => {
    for (const { isDead, sleepsUntil, heldAnswers } of processes) {
      if (!isDead && sleepsUntil <= steps) for (const answer of heldAnswers.splice(0)) answer()
    }
  }

  const picked = (): Operation | undefined => {
    for (let tries = 0; tries < 4 && underWay.length > 0; tries++) {
      const at = random.below(underWay.length)
      if (isAwake(underWay[at]!) || random.percent(10)) return underWay.splice(at, 1)[0]
    }
    const at = underWay.findIndex(isAwake)
    return at < 0 ? undefined : underWay.splice(at, 1)[0]
  }

  const die = (process: Process): void => {
    process.isDead = true
    processes.splice(processes.indexOf(process), 1)
    underWay = underWay.filter(({ owner }) => owner !== process || random.percent(50))
    resting = resting.filter(({ owner }) => owner !== process)
    onDeath(process)
  }

  const perform = (operation: Operation, weather: Weather): void => {
    const { owner, act, answer } = operation
    const isUp = isAwake(operation)
    const dies = isUp && random.percent(weather.dies)
    const outcome = dies && random.percent(50) ? undefined : act()
    if (dies) die(owner)
    if (owner.isDead) return
    if (isUp && random.percent(weather.resends)) {
      underWay.push(operation)
      return
    }
    if (isUp && random.percent(weather.sleeps)) owner.sleepsUntil = steps + random.pick(sleeps)
    if (owner.sleepsUntil <= steps) answer(outcome)
    else owner.heldAnswers.push(() => answer(outcome))
  }

  return {
    steps: () => steps,
    open(name) {
      const process: Process = { name, sleepsUntil: 0, isDead: false, heldAnswers: [] }
      processes.push(process)
      return process
    },
    operate: (owner, act) =>
      new Promise((resolve) => {
        if (!owner.isDead) underWay.push({ owner, act, answer: resolve as (outcome: unknown) => void })
      }),
    rest: (owner) =>
      new Promise((resolve) => {
        if (!owner.isDead) resting.push({ owner, act: () => undefined, answer: () => resolve() })
      }),
    stir() {
      underWay.push(...resting)
      resting = []
    },
    async step(weather) {
      steps += 1
      deliver()
      const operation = picked()
      if (operation) perform(operation, weather)
      else if (!processes.some(({ sleepsUntil }) => sleepsUntil > steps && sleepsUntil < Infinity)) {
        await settled()
        return underWay.some(isAwake)
      }
      await settled()
      return true
    },
    wake() {
      for (const process of processes) process.sleepsUntil = 0
    },
  }
}
