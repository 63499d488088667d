/**
 * The journal of the chain, from which the next start reproduces it, hash for hash: a header line, then one line per
 * block, written before the block is mined. Each line has its parent's hash, which the replay compares.
 */
import {
  closeSync,
  copyFileSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { Hex } from 'viem'
import { OperatorFault } from '../../admin/terminal.ts'
import type { Address, Hash } from '../../market/segment.ts'

/** Parameters of a chain: its first timestamp (Unix seconds), the seed of its market, and the digest of its contracts. */
export type JournalHeader = { readonly genesis: number; readonly seed: number; readonly contracts: Hash }

/** A transaction that anvil signs for one of its accounts. No `to`: a creation. */
export type Transaction = {
  readonly from: Address
  readonly to?: Address
  readonly data: Hex
  readonly nonce: number
  readonly gas: number
}

/**
 * A block with its transactions in order. `timestamp` is Unix seconds. If it includes transactions of others, all are
 * signed, as raw hex.
 */
export type JournalBlock = {
  readonly parent: Hash
  readonly timestamp: number
  readonly transactions: readonly (Transaction | Hex)[]
}

/** An open journal. When `append` returns, the line has been passed to the operating system. */
export type Journal = {
  append(line: JournalHeader | JournalBlock): void
  /** All blocks; the first is number 1. */
  blocks(): readonly JournalBlock[]
  /** Drops the last `count` blocks. */
  dropLast(count: number): void
  close(): void
}

/** The journal cannot be replayed; `npm start -- --reset` starts another chain. */
export const devnetReplay = (path: string, reason: string) =>
  new OperatorFault(
    'DevnetReplay',
    `${path} cannot be replayed: ${reason}; start with --reset for a new chain`,
  )

/** A journal as read. `written` counts its block lines, of which those after `blocks` are not JSON. */
export type ReadJournal = {
  readonly header: JournalHeader
  readonly blocks: readonly JournalBlock[]
  readonly written: number
}

/** Reads a journal up to the first line that is not JSON; undefined if there is none. Throws DevnetReplay if it has no header. */
export function readJournal(path: string): ReadJournal | undefined {
  const lines = existsSync(path) ? completeLines(path) : []
  if (lines.length === 0) return undefined
  const values: unknown[] = []
  try {
    for (const line of lines) values.push(JSON.parse(line))
  } catch {
    if (values.length === 0) throw devnetReplay(path, 'its first line is not JSON')
  }
  const [header, ...blocks] = values
  return { header: header as JournalHeader, blocks: blocks as JournalBlock[], written: lines.length - 1 }
}

/** Where the complete copy of a journal is kept when the journal is cut. */
export const unreplayableOf = (path: string): string => `${path}.unreplayable`

/** Cuts a journal after this many blocks, because later ones cannot be replayed. Keeps a complete copy and returns its path. */
export function cutJournal(path: string, blocks: number): string {
  const whole = unreplayableOf(path)
  copyFileSync(path, whole)
  truncateSync(path, byteLength(completeLines(path).slice(0, 1 + blocks)))
  return whole
}

/** Opens a journal at its end, removing an incomplete last line. */
export function openJournal(path: string): Journal {
  mkdirSync(dirname(path), { recursive: true })
  const file = openSync(path, 'a')
  ftruncateSync(file, byteLength(completeLines(path)))
  return {
    append: (line) => {
      writeSync(file, `${JSON.stringify(line)}\n`)
    },
    blocks: () => readJournal(path)?.blocks ?? [],
    dropLast: (count) => {
      const lines = completeLines(path)
      ftruncateSync(file, byteLength(lines.slice(0, Math.max(1, lines.length - count))))
    },
    close: () => closeSync(file),
  }
}

// An incomplete line was cut off by the end of its process; its block was never mined.
function completeLines(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, -1)
}

const byteLength = (lines: readonly string[]) => Buffer.byteLength(lines.map((line) => `${line}\n`).join(''))
