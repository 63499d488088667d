import { createParser } from 'eventsource-parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openEventParser, type ParsedEvent } from '../../client/event-parser.ts'

function inChunks(chunks: readonly string[]): ParsedEvent[] {
  const parser = openEventParser()
  return chunks.flatMap((chunk) => parser.push(chunk))
}

/** Texts of streams, also malformed ones. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'data: a',
        'data:b',
        'data',
        'id: 7.0',
        'id',
        'event: retract',
        'retry: 12',
        ': note',
        'x: y',
        '',
      ),
      fc.string({ maxLength: 8 }).map((text) => text.replace(/[\r\n\0]/g, '')),
    ),
  )
  .chain((lines) =>
    fc
      .array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: lines.length, maxLength: lines.length })
      .map((ends) => `${lines.map((line, at) => line + ends[at]).join('')}\n\n`),
  )

describe('the parser of the event stream', () => {
  it('finds the same events wherever the chunks end', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat()), (text, cuts) => {
        const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b)
        const chunks = [0, ...at].map((from, each) => text.slice(from, at[each] ?? text.length))
        expect(inChunks(chunks)).toEqual(inChunks([text]))
      }),
    )
  })

  it('finds the events that eventsource-parser finds', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const theirs: { name: string; data: string }[] = []
        createParser({ onEvent: ({ event, data }) => theirs.push({ name: event ?? 'message', data }) }).feed(
          text,
        )
        expect(inChunks([text]).map(({ name, data }) => ({ name, data }))).toEqual(theirs)
      }),
    )
  })

  it('keeps the id for events without one of their own, and reads the pause before a reconnection', () => {
    const parser = openEventParser()
    expect(
      parser.push('id: 3.1\ndata: a\n\ndata: b\n\nid: 4\u00004\nretry: 250\nretry: soon\ndata: c\n\n'),
    ).toEqual([
      { name: 'message', data: 'a', id: '3.1' },
      { name: 'message', data: 'b', id: '3.1' },
      { name: 'message', data: 'c', id: '3.1' },
    ])
    expect(parser.retryMs).toBe(250)
  })
})
