/**
 * The journal: what made the chain, so that the next start can make it again, hash for hash. A header line, then a
 * line per block, written before the block is mined: a chain that somebody has read is always in the journal.
 * Each line carries its parent's hash, which the replay compares.
 */
import { closeSync, existsSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Hex } from 'viem'
import type { Address, Hash } from '../../market/segment.ts'

/** Makes a chain: its first timestamp (Unix seconds), the seed of its market, and what its contracts are (a digest). */
export type JournalHeader = { readonly genesis: number; readonly seed: number; readonly contracts: Hash }

/** A transaction that anvil signs for one of its accounts. No `to`: a creation. */
export type Transaction = {
  readonly from: Address
  readonly to?: Address
  readonly data: Hex
  readonly nonce: number
  readonly gas: number
}

/** A block in the order of its transactions. `timestamp` is Unix seconds. */
export type JournalBlock = {
  readonly parent: Hash
  readonly timestamp: number
  readonly transactions: readonly Transaction[]
}

/** An open journal. A line is with the operating system when `append` returns. */
export type Journal = {
  append(line: JournalHeader | JournalBlock): void
  /** Takes back the last `count` blocks, a reorg made on purpose; those that are left. */
  dropLast(count: number): readonly JournalBlock[]
  close(): void
}

/** The journal cannot be replayed; `npm start -- --reset` begins another chain. */
export class DevnetReplayError extends Error {
  override readonly name = 'DevnetReplayError'
  constructor(path: string, reason: string) {
    super(`${path} cannot be replayed: ${reason}; start with --reset for a new chain`)
  }
}

/** What a journal holds; undefined where there is none. Throws DevnetReplayError. */
export function readJournal(
  path: string,
): { readonly header: JournalHeader; readonly blocks: readonly JournalBlock[] } | undefined {
  if (!existsSync(path)) return undefined
  const [header, ...blocks] = completeLines(path).map((line, n) => parsed(path, line, n))
  if (header === undefined) return undefined
  return { header: header as JournalHeader, blocks: blocks as JournalBlock[] }
}

/** Opens a journal at its end, cutting off a line that was torn. */
export function openJournal(path: string): Journal {
  mkdirSync(dirname(path), { recursive: true })
  const file = openSync(path, 'a')
  ftruncateSync(file, byteLength(completeLines(path)))
  return {
    append: (line) => {
      writeSync(file, `${JSON.stringify(line)}\n`)
    },
    dropLast: (count) => {
      const lines = completeLines(path)
      ftruncateSync(file, byteLength(lines.slice(0, Math.max(1, lines.length - count))))
      return readJournal(path)?.blocks ?? []
    },
    close: () => closeSync(file),
  }
}

// A line without its end was torn by the end of the process that wrote it; its block was never mined.
function completeLines(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, -1)
}

const byteLength = (lines: readonly string[]) => Buffer.byteLength(lines.map((line) => `${line}\n`).join(''))

function parsed(path: string, line: string, n: number): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new DevnetReplayError(path, `line ${n + 1} is not JSON`)
  }
}
