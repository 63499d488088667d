/**
 * The journal of the chain, from which the next start reproduces it, hash for hash: a header line, then one line per
 * block, written before the block is mined. A line has its parent's hash, which the replay compares. An empty block in
 * the minute of its parent is only the seconds between them: two bytes, since a day of 200 ms blocks has 432,000.
 */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { Hex } from 'viem'
import { OperatorFault } from '../../admin/base/terminal.ts'
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
 * signed, as raw hex. `parent` is null where the line does not have it.
 */
export type JournalBlock = {
  readonly parent: Hash | null
  readonly timestamp: number
  readonly transactions: readonly (Transaction | Hex)[]
}

/** An open journal. When `append` returns, the line has been passed to the operating system. */
export type Journal = {
  append(block: JournalBlock): void
  /** All blocks; the first is number 1. */
  blocks(): readonly JournalBlock[]
  /** Drops the last `count` blocks. */
  dropLast(count: number): void
  close(): void
}

/** The journal cannot be replayed; `npm start -- --reset` starts another chain. */
export const journalFault = (path: string, reason: string) =>
  new OperatorFault(
    'DevnetJournal',
    `${path} cannot be replayed: ${reason}; start with --reset for a new chain`,
  )

/** A journal as read. `written` counts its block lines, of which the first after `blocks` is not a block. */
export type ReadJournal = {
  readonly header: JournalHeader
  readonly blocks: readonly JournalBlock[]
  readonly written: number
}

/** Reads a journal up to the first line that is no block; undefined if there is no file. Throws DevnetJournal if it has no header. */
export function readJournal(path: string): ReadJournal | undefined {
  if (!existsSync(path)) return undefined
  if (!statSync(path).isFile()) throw journalFault(path, 'it is not a file')
  const [first, ...lines] = completeLines(path)
  const header = first === undefined ? undefined : parsed(first)
  if (!isHeader(header)) throw journalFault(path, 'it does not begin like the journal of a chain')
  const blocks: JournalBlock[] = []
  let before = header.genesis
  for (const line of lines) {
    const block = blockIn(line, before)
    if (!block) break
    blocks.push(block)
    before = block.timestamp
  }
  return { header, blocks, written: lines.length }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function isHeader(value: unknown): value is JournalHeader {
  const { genesis, seed, contracts } = Object(value)
  return [genesis, seed].every(Number.isSafeInteger) && typeof contracts === 'string'
}

/** The block of a line, of which `before` is the parent's timestamp. */
function blockIn(line: string, before: number): JournalBlock | undefined {
  const value = parsed(line)
  if (Number.isSafeInteger(value))
    return { parent: null, timestamp: before + Number(value), transactions: [] }
  const { parent, timestamp, transactions } = Object(value)
  const isBlock = typeof parent === 'string' && Number.isSafeInteger(timestamp) && Array.isArray(transactions)
  return isBlock ? { parent: parent as Hash, timestamp, transactions } : undefined
}

/** The line of a block, of which `before` is the parent's timestamp. */
function lineOf(block: JournalBlock, before: number): string {
  const { timestamp, transactions } = block
  const isShort = transactions.length === 0 && Math.floor(timestamp / 60) === Math.floor(before / 60)
  return JSON.stringify(isShort ? timestamp - before : block)
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

/** Opens a journal at its end, removing an incomplete last line; begins it with `header` if there is none. Throws DevnetJournal. */
export function openJournal(path: string, header: JournalHeader): Journal {
  mkdirSync(dirname(path), { recursive: true })
  const file = openSync(path, 'a')
  const write = (line: string) => writeSync(file, `${line}\n`)
  if (fstatSync(file).size === 0) write(JSON.stringify(header))
  ftruncateSync(file, byteLength(completeLines(path)))
  const blocks = () => readJournal(path)?.blocks ?? []
  const newestTimestamp = () => blocks().at(-1)?.timestamp ?? header.genesis
  let before = newestTimestamp()
  return {
    append: (block) => {
      write(lineOf(block, before))
      before = block.timestamp
    },
    blocks,
    dropLast: (count) => {
      const lines = completeLines(path)
      ftruncateSync(file, byteLength(lines.slice(0, Math.max(1, lines.length - count))))
      before = newestTimestamp()
    },
    close: () => closeSync(file),
  }
}

// An incomplete line was cut off by the end of its process; its block was never mined.
function completeLines(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, -1)
}

const byteLength = (lines: readonly string[]) => Buffer.byteLength(lines.map((line) => `${line}\n`).join(''))
