/** JSON texts of one operation's objects, by the values of its axes: as they stand in the tables. */
export const objectsText = (objects: readonly (readonly [axes: readonly string[], text: string])[]): string =>
  JSON.stringify(Object.fromEntries(objects.map(([axes, text]) => [keyOf(axes), text])))

/** The texts that `objectsText` put together. */
export const objectsFrom = (text: string): Readonly<Record<string, string>> =>
  JSON.parse(text) as Readonly<Record<string, string>>

/** The text of the object that the axes choose; undefined when it is not among them. */
export const objectIn = (text: string, axes: readonly string[]): string | undefined =>
  objectsFrom(text)[keyOf(axes)]

const keyOf = (axes: readonly string[]): string => axes.join('/')
