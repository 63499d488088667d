/** Collects an async sequence. */
export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Splits items into batches. */
export const chunked = <T>(items: readonly T[], size: number): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))

/** Results of `work` for each item, in order, with at most `limit` running at once. The first failure rejects. */
export async function mapParallel<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const queue = items.entries()
  const worker = async () => {
    for (const [at, item] of queue) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return results
}

/** The same promise, which is awaited later: if it fails before that, the process does not end for an unhandled rejection. */
export function awaitedLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

/** Results of `work` for each item, in order, each as soon as it is there; up to `limit` run ahead of the reader. */
export async function* mapAhead<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const left = items.values()
  const running: Promise<R>[] = []
  const start = () => {
    const { value, done } = left.next()
    if (done) return
    running.push(awaitedLater(work(value)))
  }
  for (let count = 0; count < limit; count += 1) start()
  for (let next = running.shift(); next; next = running.shift()) {
    const result = await next
    start()
    yield result
  }
}
