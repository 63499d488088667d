/** Where two documents differ first, and what each says there. */
export type Difference = { readonly where: string; readonly published: string; readonly rebuilt: string }

/** Characters of a value that are shown. */
const SHOWN = 160
/** Fields that name a row, the first that it has. */
export const identities = ['contract_address', 'datetime', 'snapshot_id']

type Fields = Readonly<Record<string, unknown>>
type Step = { readonly published: unknown; readonly rebuilt: unknown }
type Found = Step & { readonly path: readonly string[] }

/** The first digits of a digest, for the eye. */
export const short = (sha256: string): string => sha256.slice(0, 16)

/** The first difference of two JSON texts, in the order of their rows: null when they are the same byte by byte. */
export function firstDifference(published: string, rebuilt: string): Difference | null {
  if (published === rebuilt) return null
  const pair = { published: parsed(published), rebuilt: parsed(rebuilt) }
  const found = Object.values(pair).includes(undefined) ? null : descend(pair, [])
  if (!found) return firstLine(published, rebuilt)
  const where = found.path.join(', ') || 'the whole'
  return { where, published: shown(found.published), rebuilt: shown(found.rebuilt) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined // no JSON any more: the lines tell where
  }
}

/** The first place below two values where they are not the same; null: there is none. */
function descend(pair: Step, path: readonly string[]): Found | null {
  const { published, rebuilt } = pair
  if (
    !isContainer(published) ||
    !isContainer(rebuilt) ||
    Array.isArray(published) !== Array.isArray(rebuilt)
  ) {
    return Object.is(published, rebuilt) ? null : { ...pair, path }
  }
  for (const key of keysOf(published, rebuilt)) {
    const below = { published: published[key], rebuilt: rebuilt[key] }
    const found = descend(below, [...path, Array.isArray(rebuilt) ? rowName(key, below) : key])
    if (found) return found
  }
  return null
}

const isContainer = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** What names a row comes first: a row in another's place differs in all else, too. */
function keysOf(a: Fields, b: Fields): readonly string[] {
  const keys = [...new Set([...Object.keys(b), ...Object.keys(a)])]
  return [
    ...keys.filter((key) => identities.includes(key)),
    ...keys.filter((key) => !identities.includes(key)),
  ]
}

function rowName(index: string, { published, rebuilt }: Step): string {
  const row = isContainer(rebuilt) ? rebuilt : published
  const name = isContainer(row) && identities.map((key) => row[key]).find((value) => value !== undefined)
  return `row ${Number(index) + 1}${name ? ` (${String(name)})` : ''}`
}

function firstLine(published: string, rebuilt: string): Difference {
  const [before, after] = [published.split('\n'), rebuilt.split('\n')]
  const line = after.findIndex((text, at) => text !== before[at])
  const at = line < 0 ? after.length : line
  return { where: `line ${at + 1}`, published: cut(before[at]), rebuilt: cut(after[at]) }
}

const shown = (value: unknown): string => cut(value === undefined ? undefined : JSON.stringify(value))

const cut = (text: string | undefined): string => {
  if (text === undefined) return 'nothing'
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}
