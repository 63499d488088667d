/** One event of a text/event-stream. */
export type ParsedEvent = { readonly name: string; readonly data: string; readonly id: string }

/** Parser of a text/event-stream, as the HTML Standard has it (§9.2.6): chunks in, complete events out. */
export type EventParser = {
  /** The events that the chunk completes. */
  push(chunk: string): ParsedEvent[]
  /** The pause before a reconnection that the server asked for, in milliseconds; null: none. */
  readonly retryMs: number | null
}

/** A parser for one connection. */
export function openEventParser(): EventParser {
  let rest = ''
  let retryMs: number | null = null
  let id = ''
  let name = ''
  let data: string[] = []
  const fields: Readonly<Record<string, (value: string) => void>> = {
    data: (value) => data.push(value),
    event: (value) => {
      name = value
    },
    id: (value) => {
      if (!value.includes('\0')) id = value
    },
    retry: (value) => {
      if (/^\d+$/.test(value)) retryMs = Number(value)
    },
  }
  const read = (line: string) => {
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    fields[field]?.(colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, ''))
  }
  const dispatch = (events: ParsedEvent[]) => {
    if (data.length > 0) events.push({ name: name || 'message', data: data.join('\n'), id })
    name = ''
    data = []
  }
  return {
    push: (chunk) => {
      const events: ParsedEvent[] = []
      // A carriage return at the end may be the first half of a line end.
      const text = rest + chunk
      const end = text.endsWith('\r') ? text.length - 1 : text.length
      const lines = text.slice(0, end).split(/\r\n|\n|\r/)
      rest = (lines.pop() ?? '') + text.slice(end)
      for (const line of lines) line === '' ? dispatch(events) : read(line)
      return events
    },
    get retryMs() {
      return retryMs
    },
  }
}
