/** A map of at most `most` entries; what was put first is let go of first. Costs nothing until it is filled. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #most: number

  constructor(most: number) {
    super()
    this.#most = most
  }

  override set(key: K, value: V): this {
    super.set(key, value)
    if (this.size > this.#most) this.delete(this.keys().next().value as K)
    return this
  }
}
