/** The part of opentype.js 2 that is used here; the package carries no types. */
declare module 'opentype.js' {
  export type Command = {
    readonly type: 'M' | 'L' | 'Q' | 'Z'
    readonly x?: number
    readonly y?: number
    readonly x1?: number
    readonly y1?: number
  }

  export type Font = {
    readonly tables: { readonly cmap: { readonly glyphIndexMap: Readonly<Record<number, number>> } }
    charToGlyph(character: string): {
      readonly advanceWidth: number
      readonly path: { readonly commands: readonly Command[] }
    }
  }

  const opentype: { parse(font: ArrayBuffer): Font }
  export default opentype
}
