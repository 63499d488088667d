/** What two sides of a comparison are called. */
export type Sides = readonly [first: string, second: string]

const PUBLISHED: Sides = ['published', 'rebuilt']
/** What the tables and the bucket hold for later, beside what is rebuilt. */
export const STORED: Sides = ['stored', 'rebuilt']

/** Characters of a value that are shown. */
const SHOWN = 160
/** Fields that name a row: the first one that it has. */
const identities = ['contract_address', 'datetime', 'snapshot_id']

/** The first digits of a digest, for the eye. */
export const shortDigest = (sha256: string): string => sha256.slice(0, 16)

/** A difference for people: where it is, and what each side has there. */
const differenceText = (
  where: string,
  [a = 'nothing', b = 'nothing']: readonly unknown[],
  [first, second]: Sides,
): string => `${where}: ${first} ${cut(a)}, ${second} ${cut(b)}`

/** The fields, of those that are named, in which two records differ. */
export const fieldDifferences = (
  names: readonly string[],
  first: Fields,
  second: Fields,
  sides = PUBLISHED,
): readonly string[] =>
  names
    .filter((name) => first[name] !== second[name])
    .map((name) => differenceText(name, [first[name], second[name]], sides))

/** The first difference of two JSON texts: a row, a field or else a line; null: they are the same byte by byte. */
export function firstDifference(first: string, second: string, sides = PUBLISHED): string | null {
  if (first === second) return null
  const { entered, left, changed } = parsedDiff(first, second) ?? nothing
  if (entered[0]) return differenceText(whereOf(entered[0]), [undefined, 'a row'], sides)
  if (left[0]) return differenceText(whereOf(left[0]), ['a row', undefined], sides)
  const [
    {
      row,
      fields: [change],
    } = { row: null, fields: [] },
  ] = changed
  if (!change) return firstLine(first, second, sides)
  const { field, before, after } = change
  const where = [...(row ? [whereOf(row)] : []), field || 'the whole'].join(', ')
  const texts = [before, after].map((value) => JSON.stringify(value))
  return differenceText(where, texts, sides)
}

const nothing = { entered: [], left: [], changed: [] }

function parsedDiff(first: string, second: string): DocumentDiff | null {
  try {
    return diffDocuments('', first, second)
  } catch {
    return null // no JSON any more: the lines tell where
  }
}

const whereOf = ({ list, name, place }: RowName): string => `${list ? `${list}, ` : ''}row ${place} (${name})`

function firstLine(first: string, second: string, sides: Sides): string {
  const [before, after] = [first.split('\n'), second.split('\n')]
  const line = after.findIndex((text, at) => text !== before[at])
  const at = line < 0 ? after.length : line
  return differenceText(`line ${at + 1}`, [before[at], after[at]], sides)
}

function cut(value: unknown): string {
  const text = String(value)
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}

/** How a document's rows and fields changed from one snapshot to another. */
export type DocumentDiff = {
  readonly document: string
  /** Rows that only the second, or only the first, has. */
  readonly entered: readonly RowName[]
  readonly left: readonly RowName[]
  readonly changed: readonly RowChange[]
}

/** A row: its list within the document (empty: the document is the list), what names it, and its place from 1. */
export type RowName = { readonly list: string; readonly name: string; readonly place: number }

/** Fields of one row; of the document itself, `row` is null. Fields of objects within it have dots. */
export type RowChange = { readonly row: RowName | null; readonly fields: readonly FieldChange[] }

export type FieldChange = { readonly field: string; readonly before: unknown; readonly after: unknown }

type Fields = Readonly<Record<string, unknown>>
type Row = { readonly name: RowName; readonly fields: ReadonlyMap<string, unknown> }
type Flat = { readonly fields: Map<string, unknown>; readonly rows: Map<string, Row> }

/** Compares two versions of a document; null: nothing changed. An absent version has neither rows nor fields. */
export function diffDocuments(
  document: string,
  before: string | undefined,
  after: string | undefined,
): DocumentDiff | null {
  if (before === after) return null
  const [old, young] = [flatOf(before), flatOf(after)]
  const only = (some: Flat, others: Flat) =>
    [...some.rows].filter(([id]) => !others.rows.has(id)).map(([, { name }]) => name)
  const own = changesOf(old.fields, young.fields)
  const rows = [...young.rows].flatMap(([id, { name, fields }]): RowChange[] => {
    const was = old.rows.get(id)
    if (!was) return []
    const changes = changesOf(was.fields, fields)
    if (changes.length > 0) return [{ row: name, fields: changes }]
    const [before, after] = [was.name.place, name.place]
    return before === after ? [] : [{ row: name, fields: [{ field: 'place', before, after }] }]
  })
  return {
    document,
    entered: only(young, old),
    left: only(old, young),
    changed: [...(own.length > 0 ? [{ row: null, fields: own }] : []), ...rows],
  }
}

function changesOf(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): readonly FieldChange[] {
  const fields = [...new Set([...after.keys(), ...before.keys()])]
  return fields
    .map((field) => ({ field, before: before.get(field), after: after.get(field) }))
    .filter((one) => !Object.is(one.before, one.after))
}

/** A document as its own fields and the rows of its lists. A list of plain values is a field of its own. */
function flatOf(text: string | undefined): Flat {
  const flat: Flat = { fields: new Map(), rows: new Map() }
  if (text !== undefined) flatten(JSON.parse(text) as unknown, '', flat)
  return flat
}

function flatten(value: unknown, path: string, into: Flat): void {
  if (Array.isArray(value) && value.every((one) => identityOf(one) !== undefined)) {
    for (const [at, row] of value.entries()) {
      const name: RowName = { list: path, name: identityOf(row) ?? '', place: at + 1 }
      into.rows.set(`${path} ${name.name}`, { name, fields: fieldsOf(row) })
    }
  } else if (isObject(value)) {
    for (const [key, below] of Object.entries(value)) flatten(below, path ? `${path}.${key}` : key, into)
  } else into.fields.set(path, Array.isArray(value) ? JSON.stringify(value) : value)
}

function fieldsOf(row: unknown): ReadonlyMap<string, unknown> {
  const flat: Flat = { fields: new Map(), rows: new Map() }
  if (isObject(row)) for (const [key, value] of Object.entries(row)) flatten(value, key, flat)
  return flat.fields
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function identityOf(row: unknown): string | undefined {
  if (!isObject(row)) return undefined
  const key = identities.find((identity) => row[identity] !== undefined)
  return key && String(row[key])
}
