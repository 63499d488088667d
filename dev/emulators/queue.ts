/** Runs steps one after another, in call order; each caller gets its own result or error. */
export type Queue = <T>(step: () => Promise<T>) => Promise<T>

/** An empty queue. */
export function openQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve()
  return (step) => {
    const done = last.then(step)
    last = done.catch(() => undefined)
    return done
  }
}
