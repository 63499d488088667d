import { InvalidArgumentError } from 'commander'
import { forecast, openCatchUp } from '../../ingest/catch-up.ts'
import type { Chain } from '../../ingest/client/chains.ts'
import type { Wait } from '../../ingest/client/pacing.ts'
import { sinceFrom } from '../../ingest/read/log-start.ts'
import type { NarrowEndpoint } from '../../ingest/read/narrow-endpoints.ts'
import { pollMsFrom } from '../../ingest/read/poll.ts'
import type { IngestEvent } from '../../ingest/report.ts'
import { isAtHead } from '../../ingest/writer/progress.ts'
import type { Terminal } from './terminal.ts'

/** Parses where a log begins. Throws InvalidArgumentError. */
export function startFrom(text: string): string {
  try {
    sinceFrom(text)
    return text
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error))
  }
}

/** Parses the pause between polls, in ms. Throws InvalidArgumentError. */
export function pollFrom(text: string): number {
  try {
    return pollMsFrom(text)
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error))
  }
}

/** Characters shown of an endpoint's message. */
const SHOWN = 140

/** A pause above this (ms) is shown at its first time, as that of a quota. */
const LONG_MS = 10_000

/** A wait that has passed is shown for so long (ms), so that some line shows each. */
const WAIT_SHOWN_MS = 3_000

/** Shows ingest's progress and waits on a terminal; once it has caught up, only long waits. */
export function openIngestView(chain: Chain, { step, say }: Pick<Terminal, 'step' | 'say'>) {
  const from = performance.now()
  const catchUp = openCatchUp(chain)
  let isCaughtUp = false
  let wait: Wait | undefined
  let said: string | undefined
  const show = (): void => {
    if (isCaughtUp) return
    if (wait && wait.until + WAIT_SHOWN_MS < Date.now()) wait = undefined
    const note = [catchUp.note(), wait && textOf(wait)].filter(Boolean).join('; ')
    step('ingesting', catchUp.done, catchUp.total, note)
  }
  const figures = () => ({
    minutes: catchUp.minutes,
    calls: catchUp.calls,
    seconds: Math.round((performance.now() - from) / 1_000),
  })
  const waited = (next: Wait): void => {
    wait = next
    show()
    // Single short pauses only keep the rate. A wait that repeats is shown at its 2nd, 4th, 8th … time.
    const isWorthTelling = next.for !== 'turn' && (next.times > 1 || next.until - Date.now() > LONG_MS)
    if (isCaughtUp && isWorthTelling && Number.isInteger(Math.log2(next.times))) say(`ingest ${textOf(next)}`)
  }
  return {
    told(event: IngestEvent): void {
      if (event.is === 'asked') catchUp.asked(event.calls)
      if (event.is === 'asked' || event.is === 'read') show()
      else if (event.is === 'begins') say(`ingest reads ${forecast(chain, event.blocks, event.blocksACall)}`)
      else if (event.is === 'wait' || event.is === 'retry') waited(event.wait)
      else if (isAtHead(event)) isCaughtUp = true
      else if (event.is === 'sealed' && catchUp.progressed(event)) show()
      const words = wordsOf(event)
      // A gap is reported at each attempt to close it.
      if (words && words !== said) say(`ingest ${words}`)
      said = words ?? said
    },
    isCaughtUp: () => isCaughtUp,
    /** Progress so far. */
    figures,
    summary(): string {
      const { minutes, calls, seconds } = figures()
      return `${minutes} minutes were sealed with ${calls} calls in ${seconds} s`
    },
  }
}

/** The line printed for an event; undefined: none. */
function wordsOf(event: IngestEvent): string | undefined {
  if (event.is === 'start moved')
    return `begins at block ${event.block}, not at ${event.wanted}: no endpoint serves the logs and the state of blocks that old. One with an archive does: give it with another --rpc-url and start over in another --data-dir.`
  if (event.is === 'narrow endpoint') return narrowText(event)
  if (event.is === 'gap') {
    const { block, missing, endpoints } = event.gap
    return `stands still at block ${block}: ${missing} missing at ${endpoints.join(', ')}; it asks again`
  }
  if (event.is === 'socket') {
    const { endpoint, cause } = event
    return cause === null
      ? `hears of new blocks from ${endpoint}`
      : `lost its WebSocket to ${endpoint}: ${cause.slice(0, SHOWN)}; it goes on polling and opens it again`
  }
  if (event.is === 'off schedule' && event.isFirst) {
    const { block, timestamp, guessed } = event
    return `finds block ${block} at ${timestamp}, where the schedule has ${guessed}: figures stay right, but reading costs more calls`
  }
  if (event.is === 'gap closed') return 'goes on: what was missing is there'
  if (event.is === 'resumed' && event.minutes > 0)
    return `goes on with ${event.minutes} minutes that an earlier run sealed`
  if (event.is === 'copying')
    return 'copies the log that an older release folded by other rules, and folds the last 31 days of it again'
  return undefined
}

/** What an endpoint with few blocks a call is good for, and what to use for the rest. */
function narrowText({ endpoint, blocks, seconds, callsADay, hoursADay, wider }: NarrowEndpoint): string {
  const span = `${blocks} ${blocks === 1 ? 'block' : 'blocks'} a call, ${Number(seconds.toPrecision(2))} s of the chain`
  const day = `about ${countText(callsADay)} calls and ${Math.max(1, Math.round(hoursADay))} h`
  const instead = wider
    ? `history is read through ${wider}, and this one serves only the head and what little it can confirm.`
    : 'give one that allows 1,000 blocks or more with another --rpc-url (dev/local/README.md lists kinds that work).'
  return `finds that ${endpoint} allows ${span}: a day of history through it takes ${day}; ${instead}`
}

const countText = (count: number): string => Number(count.toPrecision(2)).toLocaleString('en-US')

function textOf({ for: reason, endpoint, cause, times, until }: Wait): string {
  const time = `${new Date(until).toISOString().slice(11, 19)} UTC`
  return reason === 'quota'
    ? `does not ask ${endpoint} until ${time}, its quota is used up: ${cause.slice(0, SHOWN)}`
    : `waits for ${endpoint} until ${time}, time ${times}: ${cause.slice(0, SHOWN)}`
}
