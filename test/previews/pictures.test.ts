import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BoardRow, Index } from '../../clients/typescript/index.ts'
import examples from '../../schemas/described/openapi-examples.json' with { type: 'json' }
import { PREVIEW_BYTES_MAX, PREVIEW_SIZE } from '../../schemas/pages/previews.ts'
import { shortAddress } from '../../schemas/values/address.ts'
import { glyphsText } from '../../snapshot/previews/build-glyphs.ts'
import { pictures } from '../../snapshot/previews/pictures.ts'
import { pngOf } from '../../snapshot/previews/png.ts'
import { hostileTexts } from '../support/described/hostile-texts.ts'
import { casesOf } from '../support/rounds.ts'
import { differ, pixelsOf } from './png-pixels.ts'

const TIME = '2026-11-26T11:58:00Z'
const [creator, post] = [examples.creators[0], examples.posts[0]] as unknown as [BoardRow, BoardRow]
const index = examples.index as unknown as Index
const hoursOf = (values: readonly number[]) => ({
  hours: values.map((value, at) => ({
    ...examples.indexHours.hours[0],
    index_value: value,
    date: new Date(at * 3_600_000).toISOString(),
  })),
})
const week = hoursOf(Array.from({ length: 168 }, (_, at) => 1_000 + at + 40 * Math.sin(at / 7)))

const board = (name: 'creators' | 'posts', rows: readonly BoardRow[]) =>
  pngOf(pictures[name].draw([rows], TIME))
const indexOf = (changed: Partial<Index>, hours: unknown = week) =>
  pngOf(pictures.index.draw([{ ...index, ...changed }, hours], TIME))
const five = (row: BoardRow) => Array.from({ length: 100 }, (_, at) => ({ ...row, rank: at + 1 }))

const paper = 0x14161a
/** Where the rows of a board have their names, and what is to the right of them. */
const [names, figures] = [
  { left: 180, right: 630, top: 205, bottom: 630 },
  { left: 630, right: 1_200, top: 0, bottom: 630 },
]

describe('a drawn preview', () => {
  it.each([
    ['creators', board('creators', five(creator))],
    ['posts', board('posts', five(post))],
    ['the index', indexOf({})],
    ['a board without rows', board('creators', [])],
    ['an index without a past', indexOf({ index_change_percent: null, active_posts: null }, hoursOf([]))],
    ['an index that does not move', indexOf({ index_change_percent: 0 }, hoursOf([1_000, 1_000, 1_000]))],
    [
      'figures of any size',
      board('posts', [
        {
          ...post,
          rank: 100,
          engagement: Number.MAX_SAFE_INTEGER,
          change_24h: `+${'9'.repeat(40)}%`,
          market_cap_formatted: `$${'9'.repeat(60)}`,
        },
      ]),
    ],
    ['an index of any size', indexOf({ index_value: 1e15, index_change_percent: 1e12 })],
  ])('is a PNG of its size, within its bound, with a margin: %s', (_, png) => {
    const { width, height, at } = pixelsOf(png)
    expect({ width, height }).toEqual(PREVIEW_SIZE)
    expect(png.length).toBeLessThan(PREVIEW_BYTES_MAX / 2)
    // Nothing runs into the edge at the right; only the ground of the line reaches the one below.
    for (let y = 0; y < height; y++) expect(at(width - 20, y)).toBe(paper)
    for (let x = 0; x < width; x++) expect(at(x, 20)).toBe(paper)
    expect(at(width / 2, 20)).toBe(paper)
  })

  it('is the same of the same figures, and another one as soon as a shown figure changes', () => {
    const rows = five(creator)
    const before = board('creators', rows)
    expect(board('creators', rows)).toEqual(before)
    const changed = (row: Partial<BoardRow>, at = 4) =>
      board('creators', rows.with(at, { ...creator, rank: at + 1, ...row }))
    for (const row of [
      { rank: 9 },
      { symbol: 'other' },
      { portfolio_value: '$58.4K' },
      { market_cap_formatted: '$1' },
    ])
      expect([row, Buffer.compare(changed(row), before) !== 0]).toEqual([row, true])
    expect(changed({ symbol: 'other' }, 5)).toEqual(before)
    const [up, down] = [
      changed({ change_24h: '1.0%', change_24h_percent: 1 }),
      changed({ change_24h: '1.0%', change_24h_percent: -1 }),
    ]
    expect(differ(pixelsOf(up), pixelsOf(down), figures)).toBe(true)
    expect(indexOf({ index_value: 2_332.21 })).not.toEqual(indexOf({ index_value: 2_332.2 }))
    expect(indexOf({}, hoursOf([1, 2, 3]))).not.toEqual(indexOf({}, hoursOf([1, 3, 2])))
  })

  it('shows a name of any text beside the figures, never over them', () => {
    const plain = pixelsOf(board('posts', five(post)))
    const texts = [
      'W'.repeat(10_000),
      'مرحبا بالعالم',
      '\u202eabc',
      '日本語',
      '👩‍👩‍👧'.repeat(3_000),
      'Z\u0351\u0343'.repeat(5_000),
      '<svg onload=x>&amp;</svg>',
    ]
    const all = [
      ...texts,
      ...casesOf(hostileTexts(400, 'm'), 8).flatMap(({ name, symbol }) => [name, symbol]),
    ]
    for (let at = 0; at < all.length; at += 5) {
      const rows = five(post).map((row, place) => ({
        ...row,
        name: all[at + place] ?? 'x',
        creator_handle: all[at + 4 - place] ?? 'x',
      }))
      const png = board('posts', rows.slice(0, 5))
      expect(png.length).toBeLessThan(PREVIEW_BYTES_MAX / 2)
      expect([all.slice(at, at + 5), differ(pixelsOf(png), plain, figures)]).toEqual([
        all.slice(at, at + 5),
        false,
      ])
    }
  })

  it('has a box for each letter that its font lacks, and the address of what could not be read at all', () => {
    const named = (name: string) => pixelsOf(board('posts', [{ ...post, name, creator_handle: null }]))
    const address = named(shortAddress(post.contract_address as `0x${string}`))
    expect(differ(named('日本語'), address, names)).toBe(false)
    expect(differ(named('🚀🚀'), address, names)).toBe(false)
    expect(differ(named('gm 日'), named('gm'), names)).toBe(true)
    expect(differ(named('gm 日'), named('gm 語'), names)).toBe(false)
    // What is not seen changes nothing, and a form of a letter that the font has is that letter.
    for (const text of ['g\u200bm\u0303\u0303', '\u202egm', 'gḿ', '𝐠𝐦', 'ｇｍ'])
      expect([text, differ(named(text), named('gm'), names)]).toEqual([text, false])
  })

  it('is written in the letters of the font that package.json pins', async () => {
    const room = join(import.meta.dirname, '../../snapshot/previews')
    expect(await glyphsText()).toBe(readFileSync(join(room, 'glyphs.json'), 'utf8'))
    const licence = readFileSync(join(room, '../../node_modules/@fontsource/inter/LICENSE'), 'utf8')
    expect(readFileSync(join(room, 'OFL.txt'), 'utf8')).toBe(licence)
  })
})
