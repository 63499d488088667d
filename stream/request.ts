import type { IncomingMessage } from 'node:http'
import { InvalidParameterError } from '../schemas/errors.ts'
import type { Parameter } from '../schemas/parameters.ts'
import { lastEventId } from '../schemas/stream.ts'
import { swapFilters } from '../schemas/swap.ts'
import { acceptsGzip } from './accept-gzip.ts'
import type { Wish } from './reader.ts'

/** What a reader asks for. `lastId` null: it begins at the head. `ignored`: names that nobody knows. */
export type Asked = {
  readonly wish: Wish
  readonly lastId: string | null
  readonly ignored: readonly string[]
}

/** Longest part of a value that is repeated to its sender, in UTF-16 units. */
const ECHO_LENGTH = 128

/** Reads the parameters of a request for the stream. Throws InvalidParameterError for the first that is not allowed. */
export function askedOf({ headers }: Pick<IncomingMessage, 'headers'>, query: URLSearchParams): Asked {
  const given = swapFilters.flatMap(({ parameter, admits }) => {
    const value = sentValue(parameter, query)
    return value === null || value === parameter.fallback ? [] : [{ name: parameter.names[0], value, admits }]
  })
  const known = [lastEventId, ...swapFilters.map(({ parameter }) => parameter)].flatMap(({ names }) => names)
  const header = headers['last-event-id']
  return {
    wish: wishOf(given, acceptsGzip(headers['accept-encoding'])),
    lastId: (typeof header === 'string' && header.trim()) || sentValue(lastEventId, query),
    ignored: [...new Set(query.keys())].filter((name) => !known.includes(name)).sort(),
  }
}

type Given = {
  readonly name: string
  readonly value: string
  readonly admits: (typeof swapFilters)[number]['admits']
}

const ALL: Wish = { key: '', admits: null, isZipped: false }
const ALL_ZIPPED: Wish = { key: 'gzip', admits: null, isZipped: true }

/** Parameters are in one order, so that equal wishes have equal keys. */
function wishOf(given: readonly Given[], isGzipAccepted: boolean): Wish {
  if (given.length === 0) return isGzipAccepted ? ALL_ZIPPED : ALL
  const tests = given.map(({ admits, value }) => admits(value))
  return {
    key: given.map(({ name, value }) => `${name}=${value}`).join('&'),
    isZipped: false,
    admits: ({ line, symbol }) =>
      line !== null && tests.every((admits) => admits(line.swap, (_, folded) => folded === symbol)),
  }
}

/** The one value sent, in the spelling of its list; null: none was, or an empty one. */
function sentValue(parameter: Parameter, query: URLSearchParams): string | null {
  const { names, values, form } = parameter
  const sent = names.flatMap((name) => query.getAll(name))
  if (sent.every((text) => text === '')) return null
  const refused = (allowed: string) => {
    const provided = sent.join(', ').slice(0, ECHO_LENGTH)
    return new InvalidParameterError({ parameter: names[0], provided, allowed })
  }
  const [text = ''] = sent
  if (sent.length > 1) throw refused('one value')
  const value = values ? text.toLowerCase() : text
  if (values && !values.includes(value)) throw refused(values.join(', '))
  if (form && !form.admits(value)) throw refused(form.allowed)
  return value
}
