/** The value about an object: what stands there, or else made and kept as long as the object lives. */
export function kept<About extends object, Value>(
  known: WeakMap<About, Value>,
  about: About,
  make: () => Value,
): Value {
  const standing = known.get(about)
  if (standing !== undefined) return standing
  const value = make()
  known.set(about, value)
  return value
}

/** Values that are made once an owner and key, and kept as long as the owner lives. */
export function rememberedIn<Owner extends object, Key, Value extends object>() {
  const known = new WeakMap<Owner, Map<Key, Value>>()
  return (owner: Owner, key: Key, make: () => Value): Value => {
    const values = kept(known, owner, () => new Map<Key, Value>())
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
  return (owner) => kept(known, owner, () => make(owner))
}
