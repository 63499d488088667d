import fc from 'fast-check'

/** Any text without half a surrogate pair. `fc.string({ unit: 'binary' })` gives the same, but lists a million characters before it can shorten a text. */
export const anyText = (maxLength?: number): fc.Arbitrary<string> =>
  fc
    .array(
      fc.integer({ min: 0, max: 0x10_f7_ff }).map((at) => (at < 0xd800 ? at : at + 0x800)),
      maxLength === undefined ? {} : { maxLength },
    )
    .map((codes) => String.fromCodePoint(...codes))
