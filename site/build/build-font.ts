/**
 * `npm run build:font`: the part of Inter that the pages are written in, with weights from 400 to 700. A change of it
 * gets another name: `SITE_FONT` in schemas/pages/site.ts, and the style sheet that loads it.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import subsetFont from 'subset-font'
import { SITE_FONT, SITE_IMAGES } from '../../schemas/pages/site.ts'

const FILE = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'

/** ASCII, letters of western languages, and the signs of the pages; other letters are of the system's font. */
const ascii = Array.from({ length: 0x7f - 0x20 }, (_, n) => String.fromCharCode(0x20 + n)).join('')
const others = '–—…‘’“”·×−±≥≤≈→←↑↓▲▼₀₁₂₃₄₅₆₇₈₉Δ•‹›©®°éèêëáàâäãåçíìîïñóòôöõøúùûüýßÉÈÀÁÄÅÇÍÑÓÖØÚÜ¿¡€£'

const whole = await readFile(createRequire(import.meta.url).resolve(FILE))
const variationAxes = { wght: { min: 400, max: 700, default: 400 } }
const part = await subsetFont(whole, ascii + others, { targetFormat: 'woff2', variationAxes })
await writeFile(join(import.meta.dirname, '../browser/share', SITE_FONT.slice(SITE_IMAGES.length)), part)
