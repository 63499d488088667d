/** Numbers and periods in the texts of providers' refusals. */

const numberIn = (digits: string | undefined, isThousands = false): number | undefined =>
  digits === undefined ? undefined : Number(digits.replaceAll(',', '')) * (isThousands ? 1_000 : 1)

type NumberReader = (message: string) => number | undefined

/** The number that a pattern finds, in thousands if a `k` follows it. */
const found =
  (pattern: RegExp): NumberReader =>
  (message) => {
    const named = pattern.exec(message)
    return numberIn(named?.[1], Boolean(named?.[2]))
  }

/** The range that a message proposes, in blocks. */
function proposed(message: string): number | undefined {
  const span = /\[\s*(0x[0-9a-f]+)\s*,\s*(0x[0-9a-f]+)\s*\]/i.exec(message)
  return span ? Number(span[2]) - Number(span[1]) + 1 : undefined
}

/** A message that counts logs names no number of blocks. */
const unlessOfLogs =
  (read: NumberReader): NumberReader =>
  (message) =>
    /\b(logs|results)\b/i.test(message) ? undefined : read(message)

/** The number of blocks that a message allows: the first of these that finds one. */
const allowances: readonly NumberReader[] = [
  proposed,
  found(/exceeds the range allowed for your plan \(\d+ > (\d+)()\)/i),
  unlessOfLogs(
    found(
      /(?:at most|up to an?|limited to(?: an?)?|ranges over|exceeds (?:the )?limit(?: of)?|must not exceed|range limit|narrow your filter:|maximum allowed is|requested blocks is|max(?:imum)?(?: block)? range(?::| =)?|maximum is set to|max is|limit is|distance:?|beyond the range:?|smaller than size|\(maximum)\s+([\d,]+)(k?)\b/i,
    ),
  ),
]

/** A number of blocks or of a range in a text that is not known. */
const hints: readonly NumberReader[] = [
  found(/\b([\d,]+)(k?)[ -]?blocks?\b/i),
  found(/\b(?:range|span|distance|blocks?)\b[^\d]{0,20}\b([\d,]+)(k?)\b/i),
]

/** The number of calls that a refusal of a batch allows. */
const batches: readonly NumberReader[] = [
  found(/\b([\d,]+)() (?:rpc )?(?:calls|requests|items)\b/i),
  found(/batch size[^\d]{0,20}\b([\d,]+)()\b/i),
]

function firstNumber(readers: readonly NumberReader[], message: string): number | undefined {
  for (const read of readers) {
    const number = read(message)
    if (number !== undefined && number >= 1 && Number.isSafeInteger(number)) return number
  }
  return undefined
}

/** The number of blocks that a refusal of a range allows; undefined: it names none. */
export const allowedBlocks = (message: string): number | undefined => firstNumber(allowances, message)

/** The number of blocks that an unknown message may allow: only a hint. */
export const hintedBlocks = (message: string): number | undefined =>
  firstNumber([...allowances, ...hints], message)

/** The number of calls that a refusal of a batch allows; undefined: it names none. */
export const allowedCalls = (message: string): number | undefined => firstNumber(batches, message)

/** The period whose quota a message says is used up; undefined: it names none. */
export const periodIn = (message: string): 'day' | 'month' | undefined =>
  /month/i.test(message) ? 'month' : /dail|\bday\b/i.test(message) ? 'day' : undefined
