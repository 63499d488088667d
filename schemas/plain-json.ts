import type { Json } from './field.ts'

/** JSON whose numbers are plain decimals: what was parsed from an answer is written as it was read. */
export function plainJson(value: Json): string {
  if (typeof value === 'number') return plainNumber(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(plainJson).join(',')}]`
  const entries = Object.entries(value as { readonly [key: string]: Json })
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${plainJson(each)}`).join(',')}}`
}

/** The shortest decimal that is this number, without exponent. */
function plainNumber(value: number): string {
  const text = String(value)
  const [, sign = '', whole = '', fraction = '', exponent] =
    /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? []
  if (exponent === undefined) return text
  const digits = whole + fraction
  const point = 1 + Number(exponent)
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  return sign + digits.padEnd(point, '0')
}
