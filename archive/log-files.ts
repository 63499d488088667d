/** The two files of a day or hour from which another deployment takes the log over: its entries, and their segments. */
import type { Segment } from '../market/segment.ts'
import type { SetFile } from './span.ts'

/** One line of JSON for each sealed minute. */
export const logFile: SetFile = { name: 'log', extension: 'jsonl' }
/** The gzipped segments of these minutes, one after the other. */
export const segmentsFile: SetFile = { name: 'segments', extension: 'bin' }

/** A sealed minute as published: its blocks, the digest of its segment, and the length of that in the file. */
export type LogLine = {
  readonly minute: number
  readonly first_block: number
  readonly last_block: number
  readonly last_hash: `0x${string}`
  readonly last_timestamp: number
  /** FOLD_VERSION that it was folded by. */
  readonly rules: number
  readonly sha256: string
  readonly bytes: number
}

/** The line of a minute; `sha256`, `bytes`: of its segment, and of that in the file. */
export const logLine = (
  { minute, firstBlock, last, rules }: Segment,
  { sha256, bytes }: Pick<LogLine, 'sha256' | 'bytes'>,
): LogLine => ({
  minute,
  first_block: firstBlock,
  last_block: last.number,
  last_hash: last.hash,
  last_timestamp: last.timestamp,
  rules,
  sha256,
  bytes,
})

export const linesText = (lines: readonly LogLine[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('')

const isWhole = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0

/** The lines of a file; undefined: it is none. */
export function linesFrom(text: string): readonly LogLine[] | undefined {
  const lines: LogLine[] = []
  for (const part of text.split('\n').slice(0, -1)) {
    const line = lineFrom(part)
    if (!line) return undefined
    lines.push(line)
  }
  return lines
}

function lineFrom(text: string): LogLine | undefined {
  let value: Partial<LogLine> | null
  try {
    value = JSON.parse(text) as Partial<LogLine> | null
  } catch {
    return undefined
  }
  const { minute, first_block, last_block, last_timestamp, rules, bytes, last_hash, sha256 } = value ?? {}
  const numbers = [minute, first_block, last_block, last_timestamp, rules, bytes]
  const isLine =
    numbers.every(isWhole) &&
    /^0x[0-9a-f]{64}$/.test(String(last_hash)) &&
    /^[0-9a-f]{64}$/.test(String(sha256))
  return isLine ? (value as LogLine) : undefined
}
