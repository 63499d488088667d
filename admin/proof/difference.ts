/** The first difference of two texts, and what each has there. */
export type Difference = { readonly where: string; readonly published: string; readonly rebuilt: string }

/** Characters of a value that are shown. */
const SHOWN = 160
/** Fields that name a row: the first one that it has. */
const identities = ['contract_address', 'datetime', 'snapshot_id']

/** The first digits of a digest, for the eye. */
export const shortDigest = (sha256: string): string => sha256.slice(0, 16)

/** The first difference of two JSON texts: a row, a field or else a line; null: they are the same byte by byte. */
export function firstDifference(published: string, rebuilt: string): Difference | null {
  if (published === rebuilt) return null
  const { entered, left, changed } = parsedDiff(published, rebuilt) ?? nothing
  if (entered[0]) return { where: whereOf(entered[0]), published: 'nothing', rebuilt: 'a row' }
  if (left[0]) return { where: whereOf(left[0]), published: 'a row', rebuilt: 'nothing' }
  const [
    {
      row,
      fields: [first],
    } = { row: null, fields: [] },
  ] = changed
  if (!first) return firstLine(published, rebuilt)
  const { field, before, after } = first
  const where = [...(row ? [whereOf(row)] : []), field || 'the whole'].join(', ')
  return { where, published: shown(before), rebuilt: shown(after) }
}

const nothing = { entered: [], left: [], changed: [] }

function parsedDiff(published: string, rebuilt: string): DocumentDiff | null {
  try {
    return diffDocuments('', published, rebuilt)
  } catch {
    return null // no JSON any more: the lines tell where
  }
}

const whereOf = ({ list, name, place }: RowName): string => `${list ? `${list}, ` : ''}row ${place} (${name})`

function firstLine(published: string, rebuilt: string): Difference {
  const [before, after] = [published.split('\n'), rebuilt.split('\n')]
  const line = after.findIndex((text, at) => text !== before[at])
  const at = line < 0 ? after.length : line
  return { where: `line ${at + 1}`, published: cut(before[at]), rebuilt: cut(after[at]) }
}

const shown = (value: unknown): string => cut(value === undefined ? undefined : JSON.stringify(value))

function cut(text: string | undefined): string {
  if (text === undefined) return 'nothing'
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
