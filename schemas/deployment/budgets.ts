/**
 * What a source from outside may send at once, and may leave in memory, in bytes. A source that exceeds it is at fault, by name,
 * and the process goes on. test/system/budgets.test.ts has the smallest hostile source for each.
 */

const KB = 1_024
const MB = 1_024 * KB

export const budgets = {
  /**
   * An answer of an endpoint or a portal over HTTP, as unpacked. The receipt of one transaction can have 19 MB: 16.7M gas
   * (EIP-7825) pay for 44,000 logs.
   */
  answer: 32 * MB,
  /** All such answers of a process that are still being received. */
  answersTogether: 64 * MB,
  /** All blocks that a portal gives for one range, as text. */
  portalRange: 32 * MB,
  /** A message of a WebSocket, as unpacked. */
  socketMessage: MB,
  /** All blocks that WebSockets have pushed and that wait to be confirmed. */
  pushedBlocks: 32 * MB,
  /** The manifest of somebody's archive. A day takes some 3 KB. */
  archiveManifest: 8 * MB,
  /** The list of minutes of a day or hour in it: 1,440 lines of some 330 bytes. */
  archiveLog: MB,
  /** A file with segments: it ends with the segment that makes it 8 MB. */
  archiveFile: 16 * MB,
  /** A segment of it as unpacked: ten thousand swaps in a minute have some 20 MB. */
  segment: 32 * MB,
  /** The minutes of it that wait to be written, as unpacked. */
  archiveMinutes: 32 * MB,
  /** A request of the account page. A signature of a wallet that is not deployed yet carries its creation. */
  accountRequest: 32 * KB,
  /** A message to the tools for agents. */
  toolMessage: 16 * KB,
} as const

/** Every n-th byte is looked at, beginning anywhere, so that nobody knows which. */
const STEP = 61
/** Texts below it take little memory whatever they are. */
const LOOKED_AT = MB
/** The highest share of separators among the bytes of JSON. In logs and segments it is a twentieth to a tenth. */
const SEPARATORS = 1 / 5
const separators: ReadonlySet<number> = new Set(Buffer.from(',[{'))

/**
 * Whether JSON consists of tiny values, such as `[[],[],…`, which take twenty times its length in memory. Logs, blocks and
 * segments are mostly hex.
 */
export function isTooDense(text: Uint8Array): boolean {
  if (text.length < LOOKED_AT) return false
  let [seen, found] = [0, 0]
  for (let at = Math.floor(Math.random() * STEP); at < text.length; at += STEP) {
    seen += 1
    if (separators.has(text[at] ?? 0)) found += 1
  }
  return found > SEPARATORS * seen
}
