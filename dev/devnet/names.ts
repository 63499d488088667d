/** Names for launches, including hostile ones. */
import type { Random } from './random.ts'

export type Naming = { readonly name: string; readonly symbol: string }

const openings = 'lu ka mi no ze ra so vi ta el jo be ny ori dan pix'.split(' ')
const endings = 'na ro lia ko max sun wave fox moon lab art eth beat ink'.split(' ')
const subjects = 'sunset, rooftop, first light, studio, rain, market day, mirror, skatepark, garden'.split(
  ', ',
)
const places = 'lisbon lagos osaka berlin seoul austin accra oslo porto jakarta lima'.split(' ')

/** A creator: the symbol is a user name. */
export function creatorNaming(random: Random): Naming {
  const symbol = `${random.pick(openings)}${random.pick(openings)}${random.pick(endings)}${random.below(100)}`
  return { name: symbol.charAt(0).toUpperCase() + symbol.slice(1), symbol }
}

/** A post: its title. The number keeps titles and symbols apart. */
export function postNaming(random: Random): Naming {
  const [subject, place, number] = [random.pick(subjects), random.pick(places), random.below(10_000)]
  const symbol = `${subject.replaceAll(' ', '').toUpperCase()}${number}`
  return { name: `${subject} in ${place} #${number}`, symbol }
}

const OVERRIDE = '\u202e' // right-to-left override
const ISOLATE = '\u2066'

/** Each of these has been seen, or can be expected, on a public chain. */
export const hostileNamings: readonly Naming[] = [
  { name: '<img src=x onerror=alert(1)>', symbol: '<script>' },
  { name: `safe${OVERRIDE}gpj.exe`, symbol: `${ISOLATE}USD\u200f` },
  { name: 'line\nbreak\u0000and\u001b[31mred', symbol: 'NUL\u0000TAB\t' },
  { name: 'x'.repeat(4_096), symbol: 'L'.repeat(300) },
  { name: 'constructor', symbol: '__proto__' },
  { name: '🦊🔥 fox', symbol: '🦊' },
  { name: '', symbol: '' },
  { name: 'US\u200bD Coin\u2028', symbol: 'U\u2060SDC\u{e0041}' },
  { name: '\u3164', symbol: '\u200b\u3164' },
  { name: '=HYPERLINK("http://example.invalid")', symbol: "'; DROP TABLE" },
]
