/** Values that are made once an owner and key, and kept as long as the owner lives. */
export function rememberedIn<Owner extends object, Key, Value extends object>() {
  const known = new WeakMap<Owner, Map<Key, Value>>()
  return (owner: Owner, key: Key, make: () => Value): Value => {
    let values = known.get(owner)
    if (!values) {
      values = new Map()
      known.set(owner, values)
    }
    const standing = values.get(key)
    if (standing) return standing
    const value = make()
    values.set(key, value)
    return value
  }
}

/** A function whose value for an owner is made once, and kept as long as the owner lives. */
export function onceEach<Owner extends object, Value extends object>(
  make: (owner: Owner) => Value,
): (owner: Owner) => Value {
  const known = new WeakMap<Owner, Value>()
  return (owner) => {
    const standing = known.get(owner)
    if (standing) return standing
    const value = make(owner)
    known.set(owner, value)
    return value
  }
}
