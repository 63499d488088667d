import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { StoreFault } from './fault.ts'

/** Values that an item's attribute can hold. */
export type Attribute = string | number | bigint | boolean | Uint8Array

/**
 * A value on the wire: string → S, number and bigint → N, boolean → BOOL, bytes → B. N holds at most 38 digits; the
 * table refuses more, so store larger integers as strings.
 */
export function toAttribute(value: Attribute): AttributeValue {
  if (typeof value === 'string') return { S: value }
  if (typeof value === 'boolean') return { BOOL: value }
  return value instanceof Uint8Array ? { B: value } : { N: String(value) }
}

/** An item on the wire, without its undefined attributes. */
export function toAttributes(item: {
  readonly [name: string]: Attribute | undefined
}): Record<string, AttributeValue> {
  const wire: Record<string, AttributeValue> = {}
  for (const [name, value] of Object.entries(item)) {
    if (value !== undefined) wire[name] = toAttribute(value)
  }
  return wire
}

/** An item read from the wire. N becomes a number if that is exact, else a bigint. */
export function fromAttributes<T extends { readonly [name: string]: Attribute | undefined }>(
  wire: Record<string, AttributeValue>,
): T {
  return Object.fromEntries(
    Object.entries(wire).map(([name, value]) => [name, fromAttribute(name, value)]),
  ) as T
}

function fromAttribute(name: string, { S, N, BOOL, B }: AttributeValue): Attribute {
  const value = S ?? (N === undefined ? undefined : numberFrom(N)) ?? BOOL ?? B
  if (value === undefined)
    throw new StoreFault(
      'UnknownAttributeError',
      `attribute ${name} holds neither text, number, flag nor bytes`,
    )
  return value
}

function numberFrom(text: string): number | bigint {
  const value = Number(text)
  const isExact = Number.isSafeInteger(value) || !/^-?\d+$/.test(text)
  return isExact ? value : BigInt(text)
}
