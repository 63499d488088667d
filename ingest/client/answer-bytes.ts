/** Receives answers within the budgets: of one answer, and of all that are being received at the same time. */
import type { Readable } from 'node:stream'
import { budgets, isTooDense } from '../../schemas/budgets.ts'
import { BatchTooLargeError, BlockRangeTooLargeError, type IngestError } from './faults.ts'

/** An answer that is being received. */
type Receiving = { bytes: number; fail(most: number): void }

const receiving = new Set<Receiving>()
let together = 0

/** The largest answers fail until all of them are within the budget. */
function keepTogether(): void {
  while (together > budgets.answersTogether) {
    const [largest] = [...receiving].sort((a, b) => b.bytes - a.bytes)
    if (!largest) return
    largest.fail(budgets.answersTogether)
  }
}

/** `name`: of the endpoint. `maxBytes`: of this answer. */
export type AnswerAsked = { readonly name: string; readonly method: string; readonly maxBytes: number }

/** The text of an answer. The stream ends with the IngestError that a larger one is. */
export function gatherAnswer(
  incoming: Readable,
  { name, method, maxBytes }: AnswerAsked,
  done: (bytes: Buffer) => void,
): void {
  const chunks: Buffer[] = []
  const own: Receiving = {
    bytes: 0,
    fail(most) {
      forget()
      incoming.destroy(tooLarge(name, method, `an answer above ${most} bytes`))
    },
  }
  const forget = (): void => {
    if (receiving.delete(own)) together -= own.bytes
    chunks.length = 0
  }
  receiving.add(own)
  incoming.on('data', (chunk: Buffer) => {
    if (!receiving.has(own)) return
    own.bytes += chunk.length
    together += chunk.length
    chunks.push(chunk)
    if (own.bytes > maxBytes) own.fail(maxBytes)
    else keepTogether()
  })
  incoming.on('close', forget)
  incoming.on('end', () => {
    const bytes = Buffer.concat(chunks, own.bytes)
    forget()
    if (isTooDense(bytes)) incoming.destroy(tooLarge(name, method, 'an answer made of separators'))
    else done(bytes)
  })
}

/** Fewer blocks, or fewer calls, have a smaller answer. */
function tooLarge(name: string, method: string, what: string): IngestError {
  const said = `${name}: ${method}: ${what}`
  return method === 'eth_getLogs' ? new BlockRangeTooLargeError(said) : new BatchTooLargeError(said)
}
