import { edgeNames } from '../market/window.ts'
import type { Engine } from './engine.ts'

/** Bytes of the heap that a token takes: its description, and its places in maps and lists. Measured with names of usual length. */
const TOKEN_HEAP_BYTES = 1_000
/** Bytes of the heap that a row of a lag takes beside its columns. */
const ROW_HEAP_BYTES = 50
/** Memory of a process by that of its engine: an image is put together beside it, then compressed. */
const PROCESS_PER_ENGINE = 2.5

/** The market has outgrown the process: give it more memory. Nothing is published until then, and what is published stays. */
export class EngineTooLargeError extends Error {
  readonly tokens: number
  readonly neededBytes: number
  readonly memoryBytes: number
  constructor(tokens: number, neededBytes: number, memoryBytes: number) {
    super(`${tokens} tokens need ${neededBytes} bytes of memory, and there are ${memoryBytes}`)
    this.name = 'EngineTooLargeError'
    this.tokens = tokens
    this.neededBytes = neededBytes
    this.memoryBytes = memoryBytes
  }
}

/** Bytes that an engine takes: its arrays as they are, the rest by the number of tokens and of rows. */
export function engineBytes({ columns, edges, lineage, workspace, numbers }: Engine): number {
  const states = edgeNames.map((name) => edges[name])
  const arrays = [
    columns.arrays,
    lineage,
    workspace,
    workspace.units,
    ...states.flatMap(({ lag, doubles }) => [doubles, lag?.rows.arrays ?? {}]),
  ]
  const rows = states.reduce((sum, { lag }) => sum + (lag?.places.size ?? 0), 0)
  return arrays.reduce(
    (sum, some) => sum + bytesOf(some),
    numbers.size * TOKEN_HEAP_BYTES + rows * ROW_HEAP_BYTES,
  )
}

const bytesOf = (arrays: object): number =>
  Object.values(arrays).reduce((sum, array) => sum + (ArrayBuffer.isView(array) ? array.byteLength : 0), 0)

/** Throws EngineTooLargeError where the engine and what is made of it would not fit the process's memory. */
export function refuseTooLarge(engine: Engine, memoryBytes: number): void {
  const needed = Math.ceil(engineBytes(engine) * PROCESS_PER_ENGINE)
  if (needed > memoryBytes) throw new EngineTooLargeError(engine.numbers.size, needed, memoryBytes)
}
