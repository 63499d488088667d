import { InvalidParameterError } from '../../schemas/api/errors.ts'

/** A request's body: an object of JSON. */
export type Body = Readonly<Record<string, unknown>>

/** Throws InvalidParameterError unless it is an object of JSON; no form of another site can say so. Empty: no fields. */
export function bodyFrom(text: string, headers: Readonly<Record<string, string>>): Body {
  if (text === '') return {}
  const isJson = /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')
  const value: unknown = isJson ? parsed(text) : undefined
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new InvalidParameterError({ parameter: 'body', provided: null, allowed: 'an object of JSON' })
  return value as Body
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A text of a body's field. Throws InvalidParameterError unless it has the form. */
export function fieldText(
  body: Body,
  name: string,
  { form, allowed }: { form: RegExp; allowed: string },
): string {
  const value = body[name]
  if (typeof value === 'string' && form.test(value)) return value
  const provided = typeof value === 'string' || typeof value === 'number' ? value : null
  throw new InvalidParameterError({
    parameter: name,
    provided: typeof provided === 'string' ? provided.slice(0, 128) : provided,
    allowed,
  })
}

/** A whole number of a body's field, from 0 to `most`; absent: `fallback`. Throws InvalidParameterError. */
export function fieldCount(
  body: Body,
  name: string,
  { most, fallback }: { readonly most: number; readonly fallback: number },
): number {
  const value = body[name] ?? fallback
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) return value
  const allowed = `a whole number from 0 to ${most}`
  throw new InvalidParameterError({
    parameter: name,
    provided: typeof value === 'number' ? value : String(value).slice(0, 128),
    allowed,
  })
}
