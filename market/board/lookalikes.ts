/**
 * Detects lookalike names by the skeleton of UTS 39 (https://www.unicode.org/reports/tr39/), with a table of the
 * characters that look like Latin letters and digits. The table is fixed, because names must be judged the same way
 * forever; test/market/lookalikes checks it against a package with Unicode's data. Characters that NFKC maps to Latin
 * are not in it.
 */

import { isVerified, partyOf } from '../authorship.ts'
import { isUnlettered } from '../character-table.ts'
import { memoized } from '../memoized.ts'
import type { Address, Token } from '../segment.ts'
import { foldText } from '../text.ts'

/** A visible character, then the code points in hex that look like it. */
export const LATIN_LOOKALIKES =
  '2 1a7 3e8 14bf a644 a6ef a75a;3 1b7 21c 417 4e0 2ccc a76a a7ab 118ca 16f3b 1d206;4 13ce 118af;5 1bc ' +
  '118bb;6 431 13ee 2cd2 118d5;7 104d2 118c6 1d212;8 222 223 9ea a6a b03 1031a 1e8cb;9 9ed a67 b68 d6d ' +
  '2cca a76e 118ac 118cc 118d6;A 391 410 13aa 15c5 a4ee 102a0 16f40;AA a732;AE c6 4d4;AO a734;AR ' +
  '1f707;AU a736;AV a738 a73a;AY a73c;B 392 412 13f4 15f7 a4d0 a7b4 10282 102a1 10301;C 421 13df 2ca4 ' +
  'a4da 102a2 10302 10415 1051c 118e9 118f2 1f74c;D 13a0 15de 15ea a4d3;E 395 415 13ac 22ff 2d39 a4f0 ' +
  '10286 118a6 118ae;F 3dc 15b4 a4dd a798 10287 102a5 10525 118a2 118c2 1d213;G 50c 13c0 13f3 a4d6;H ' +
  '397 41d 13bb 157c 2c8e a4e7 102cf;J 37f 408 13ab 148d a4d9 a7b2;K 39a 41a 13e6 16d5 2c94 a4d7 ' +
  '10518;L 13de 14aa 2cd0 a4e1 1041b 10526 118a3 118b2 16f16 1d22a;M 39c 3fa 41c 13b7 15f0 16d6 2c98 ' +
  'a4df 102b0 10311;MB 1f76b;N 39d 2c9a a4e0 10513;O 39f 41e 555 7c0 9e6 b20 b66 12d0 2c9e 2d54 3007 ' +
  'a4f3 10292 102ab 10404 104c2 10516 114d0 118b5 118e0;OE 152;OO a698 a74e;P 3a1 420 13e2 146d 2ca2 ' +
  'a4d1 10295;Q 2d55;QE 1f700;R 1a6 13a1 13d2 1587 a4e3 104b4 16f35 1d216;S 405 54f 13d5 13da a4e2 ' +
  '10296 10420 16f3a;T 3a4 422 13a2 22a4 27d9 2ca6 a4d4 10297 102b1 10315 118bc 16f0a 1f768;T3 a728;U ' +
  '54d 1200 144c 222a 22c3 a4f4 104ce 118b8 16f42;V 474 667 6f7 13d9 142f 2d38 a4e6 a6df 1051d 118a0 ' +
  '16f08 1d20d;VB 1f76c;W 51c 13b3 13d4 a4ea 118e6 118ef;X 3a7 425 166d 16b7 2573 2cac 2d5d a4eb a7b3 ' +
  '10290 102b4 10317 10322 10527 118ec;Y 3a5 423 4ae 13a9 13bd 2ca8 a4ec 102b2 118a4 16f43;Z 396 13c3 ' +
  'a4dc 102f5 118a9 118e5;a 251 3b1 430 237a;aa a733;ae e6 4d5;ao a735;au a737;av a739 a73b;ay a73d;b ' +
  '184 42c 13cf 1472 15af;bl 42b;c 441 1d04 2ca5 abaf 1043d;d 501 13e7 146f a4d2;dz 2a3;e 435 4bd 212e ' +
  'ab32;f 584 1e9d a799 ab35;g 18d 261 581 1d83;h 4bb 570 13c2;i 131 269 26a 3b9 456 4cf 13a5 2373 a647 ' +
  'ab75 118c3;j 3f3 458;l 196 1c0 399 406 4c0 5c0 5d5 5df 627 661 6f1 7ca 16c1 2223 23fd 2c92 2d4f a4f2 ' +
  '1028a 10309 10320 16f28 1e8c7;lO 42e;ll 1c1 5f0 2016 2225;ls 2aa;lt 20b6;lz 2ab;n 578 57c;o 3bf 3c3 ' +
  '43e 585 5e1 647 665 6be 6c1 6d5 6f5 966 a66 ae6 be6 c02 c66 c82 ce6 d02 d20 d66 d82 e50 ed0 101d ' +
  '1040 10ff 1d0f 1d11 2c9f ab3d 1042c 104ea 118c8 118d7;oe 153;oo 221e a699 a74f;p 3c1 440 2374 2ca3;q ' +
  '51b 563 566;r 433 1d26 2c85 ab47 ab48 ab81;rn 11700 118e3;s 1bd 455 a731 abaa 10448 118c1;tf a777;ts ' +
  '2a6;u 28b 3c5 57d 1d1c a79f ab4e ab52 104f6 118d8;ue 1d6b;uo ab63;v 3bd 475 5d8 1d20 2228 22c1 aba9 ' +
  '11706 118c0;w 26f 461 51d 561 1d21 ab83 1170a 1170e 1170f;x d7 445 1541 157d 166e 292b 292c 2a2f;y ' +
  '263 28f 3b3 443 4af 10e7 1d8c 1eff ab5a 118dc;z 1d22 ab93 118c4'

/** Lookalikes among the Latin letters themselves, as in UTS 39. */
const LATIN = { 0: 'O', 1: 'l', I: 'l', '|': 'l', m: 'rn' } as const

const seenAs: ReadonlyMap<string, string> = new Map([
  ...Object.entries(LATIN),
  ...LATIN_LOOKALIKES.split(';').flatMap((line) => {
    const [seen = '', ...hexes] = line.trim().split(/ +/)
    return hexes.map((hex) => [String.fromCodePoint(Number.parseInt(hex, 16)), seen] as const)
  }),
])

/** Letters A to Z that Unicode has as symbols: negative circled, negative squared, regional indicators. */
const ENCLOSED_ALPHABETS = [0x1f150, 0x1f170, 0x1f1e6] as const

function letterIn(symbol: string): string {
  const codePoint = symbol.codePointAt(0) ?? 0
  const first = ENCLOSED_ALPHABETS.find((start) => codePoint >= start && codePoint < start + 26)
  return first === undefined ? symbol : String.fromCodePoint(0x41 + codePoint - first)
}

/** A text without case, in which characters that look alike are the same. */
function seenText(text: string): string {
  const plain = Array.from(text.normalize('NFKD'), letterIn)
  return foldText(plain.map((letter) => seenAs.get(letter) ?? letter).join('')).normalize('NFKD')
}

/**
 * The skeleton of a seen text: texts that look the same have the same skeleton. Only letters and digits count, without
 * accents, unless there are none.
 */
const skeletonOf = (seen: string): string =>
  Array.from(seen)
    .filter((letter) => !isUnlettered(letter.codePointAt(0) ?? 0))
    .join('') || seen

/** Words around a name that claim to be whoever has it, or stand for the same money; `.eth` is one with its dot only. */
const CLAIM = /^(?:the|real|official|w)|(?:real|official)$/u
const DOMAIN = /[^\p{L}\p{N}]eth$/u
/** What is left of a name without them has at least this many letters. */
const CORE_MIN = 3

/** The skeleton of a seen text without claims around it. */
function coreOf(seen: string): string {
  let core = skeletonOf(seen.replace(DOMAIN, ''))
  for (let next = core.replace(CLAIM, ''); next !== core && next.length >= CORE_MIN; ) {
    core = next
    next = core.replace(CLAIM, '')
  }
  return core
}

/** How a text looks in both cases (I looks like l, but i does not): as it is, and without claims around it. */
function looksOf(text: string): { readonly whole: readonly string[]; readonly core: readonly string[] } {
  const seen = [...new Set([text, foldText(text)].map(seenText))]
  const looks = (look: (seen: string) => string) => [...new Set(seen.map(look))].filter((each) => each !== '')
  return { whole: looks(skeletonOf), core: looks(coreOf) }
}

/** Scripts with letters that look alike. Names that mix Han, Kana or Hangul with Latin are common and honest. */
const scripts = [
  /[a-zªºß-öø-ʸᴀ-ᴥᵢ-ᵥᵫ-ᵷᵹ-ᶾḀ-ỿⅎↄⱠ-ⱿꜢ-ꞇꞋ-ꟊꟲ-ꟿꬰ-ꭚ]/iu,
  /[\u0370-\u0373\u0376-\u0377\u037b-\u037d\u037f\u0386\u0388-\u03e1\u03f0-\u03ff\u1f00-\u1ffc]/u,
  /[\u0400-\u052f\u1c80-\u1c88\u1d2b\ua640-\ua69f]/u,
  /[\u0531-\u0556\u0561-\u0587]/u,
  /[\u13a0-\u13fd\uab70-\uabbf]/u,
  /[\u03e2-\u03ef\u2c80-\u2cff]/u,
  /[\u{10400}-\u{1044f}\ua4d0-\ua4ff]/u,
]

/** Whether a text has letters of more than one of these scripts. */
export const isMixedScript = (text: string): boolean =>
  scripts.filter((script) => script.test(text.normalize('NFKC'))).length > 1

/** A token's attributes in comparisons of names. `since`: how old its symbol is, Unix seconds; null: older than the log. */
export type NamedToken = Pick<Token, 'address' | 'kind' | 'creator' | 'launchedBy' | 'symbol'> & {
  readonly since: number | null
}

/** A token as its symbol is judged. */
export const namedToken = (token: Token): NamedToken => ({ ...token, since: token.symbolSince })

/** Warnings about a token's names. */
export type NameFlags = {
  readonly isMixedScript: boolean
  /** A reference currency or a token on a board that this one's symbol or name looks like, though it is another's. */
  readonly lookalikeOf: Address | null
}

/** What people call a currency besides its symbol and name. */
const alsoCalled: ReadonlyMap<string, string> = new Map([
  ['ETH', 'Ethereum'],
  ['WETH', 'Wrapped Ethereum'],
])

/** The tokens that names are compared with: the boards' tokens, creators by rank, then posts, and the reference currencies. */
type KnownNames = { readonly listed: readonly NamedToken[]; readonly currencies: Iterable<NamedCurrency> }

/** A reference currency and its names. */
export type NamedCurrency = {
  readonly address: Address
  readonly symbol: string | null
  readonly name: string | null
}

/**
 * Compares names with the symbols of the boards' tokens (a creator's handle is its token's symbol) and with the names of
 * reference currencies, creator tokens and currencies also without the words that claim to be them. Titles of posts
 * repeat: no post is taken for another one.
 */
export function nameFlagsBeside({ listed, currencies }: KnownNames): (token: Token) => NameFlags {
  const protectedNames = new Map<string, Address>()
  for (const { address, symbol, name } of currencies)
    for (const text of [symbol ?? '', name ?? '', alsoCalled.get(symbol ?? '') ?? ''])
      for (const look of allLooks(text)) protectedNames.set(look, address)
  const alike = new Map<string, NamedToken[]>()
  for (const token of listed) {
    const looks = token.kind === 'creator' ? allLooks(token.symbol) : looksOf(token.symbol).whole
    for (const look of looks) alike.set(look, [...(alike.get(look) ?? []), token])
  }
  const originalOf = (token: NamedToken, look: string): Address | null => {
    const others = alike.get(look) ?? []
    const original = token.kind === 'post' ? others.filter(({ kind }) => kind === 'creator') : others
    return protectedNames.get(look) ?? originalAmong(original, token)
  }
  // A token is in several lists.
  return memoized((token) => {
    const texts = [
      { text: token.symbol, since: token.symbolSince },
      { text: token.name, since: token.nameSince },
    ]
    const found = texts.flatMap(({ text, since }) =>
      allLooks(text).flatMap((look) => originalOf({ ...token, since }, look) ?? []),
    )
    return { isMixedScript: texts.some(({ text }) => isMixedScript(text)), lookalikeOf: found[0] ?? null }
  })
}

function allLooks(text: string): readonly string[] {
  const { whole, core } = looksOf(text)
  return [...new Set([...whole, ...core])]
}

/**
 * The token among these that looks like `token` and that it must not be taken for; null: none, or it is the original. That
 * is the oldest that was launched by its creator; if there is none, the oldest. A name that is older than the log is
 * older than all in it, but never the original of a token whose creator is known to have launched it. A party's own
 * tokens are not taken for each other.
 */
function originalAmong(listed: readonly NamedToken[], token: NamedToken): Address | null {
  // Of equal age the first on the boards.
  const all = [...listed.filter(({ address }) => address !== token.address)]
  const at = listed.findIndex(({ address }) => address === token.address)
  all.splice(at < 0 ? all.length : at, 0, token)
  const verified = all.filter(isVerified)
  const candidates = verified.length > 0 ? verified : all
  const original = candidates.reduce((oldest, each) => (ageOf(each) < ageOf(oldest) ? each : oldest))
  const isSpared = isVerified(token) === null && ageOf(token) < ageOf(original)
  return original === token || isSpared || partyOf(original) === partyOf(token) ? null : original.address
}

const ageOf = ({ since }: NamedToken): number => since ?? Number.NEGATIVE_INFINITY
