/** What a delivery of the stream costs, beside nchan (nginx) and better-sse: CPU at a steady rate and in a burst, memory of a connection at rest. */
import { atMost, inTurns, median, ratios, say, table } from '../measuring.ts'
import { type Measured, measure, rssKb, withReaders } from './stream-measure.ts'
import { type Peer, peersHere, type Server, startNode } from './stream-peers.ts'
import type { StreamLoad } from './stream-rate.ts'
import { textOfASwap } from './stream-swaps.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 3)
/** Readers of the memory measurement; a system that lets a process open fewer files measures fewer. */
const IDLE = 10_000

/** An event of the size that peers were measured with before: 417 bytes with its fields. */
const TEXT = `{"transaction_hash":"0x${'5e'.repeat(32)}","rest":"${'x'.repeat(290)}"}`

const burst = {
  readers: 1_000,
  rate: 400,
  seconds: 3,
  isEven: false,
  ours: 'task',
  goals: { nchan: 0.08 },
} as const

const KB_GOAL = 11

/** A load, who of ours bears it, and the largest allowed ratio of its CPU to a peer's. */
type Match = StreamLoad & { readonly ours: 'ours' | 'task'; readonly goals: Readonly<Record<string, number>> }
/** The peers are sent the text of one swap again and again, a task sends those that it finds in the feed; they are as long. */
async function matches(): Promise<readonly Match[]> {
  const text = await textOfASwap()
  return [
    {
      name: '2,000 readers, 20 events/s',
      readers: 2_000,
      rate: 20,
      seconds: 4,
      isEven: true,
      text: TEXT,
      coding: 'identity',
      ours: 'ours',
      goals: { nchan: 0.85, 'better-sse': 0.55 },
    },
    { name: '1,000 readers, 400 swaps/s', text, coding: 'identity', ...burst },
    { name: '1,000 browsers, 400 swaps/s', text, coding: 'gzip', ...burst },
  ]
}

/** Measures every load and the memory of idle connections; the goals missed. */
export async function run(): Promise<readonly string[]> {
  const peers = await peersHere()
  const missed: string[] = []
  for (const match of await matches()) {
    const starts = new Map<string, Peer[1]>([['ours', () => startNode(match.ours)], ...peers])
    const results = await inTurns([...starts.keys()], { rounds: ROUNDS }, async (name) => {
      const server = await starts.get(name)?.()
      try {
        return await measure(server as Server, match)
      } finally {
        await server?.stop()
      }
    })
    missed.push(...report(match, results))
  }
  const contestants: readonly Peer[] = [['ours', () => startNode('ours')], ...peers]
  missed.push(...(await idleMemory(contestants)))
  return missed
}

function report(load: Match, results: Readonly<Record<string, readonly Measured[]>>): readonly string[] {
  const missed: string[] = []
  const cpuOf = (name: string) => (results[name] ?? []).map(({ cpu }) => cpu)
  const lostOf = (name: string) => (results[name] ?? []).map(({ lost }) => 100 * lost)
  const rows: (string | number)[][] = [[load.name, 'CPU s per million', 'not delivered, %', 'ours / it']]
  for (const name of Object.keys(results)) {
    const ratio = median(ratios(cpuOf('ours'), cpuOf(name)))
    rows.push([name, median(cpuOf(name)), median(lostOf(name)), ratio])
    missed.push(...atMost(`${load.name}, as a share of ${name}`, ratio, load.goals[name] ?? Infinity))
  }
  say(table(rows))
  return [...missed, ...atMost(`${load.name}, not delivered of ours`, Math.max(...lostOf('ours')), 0, ' %')]
}

async function idleMemory(contestants: readonly Peer[]): Promise<readonly string[]> {
  const rows: (readonly (string | number)[])[] = [['a connection at rest', 'connections', 'KB each']]
  const missed: string[] = []
  for (const [name, start] of contestants) {
    const server = await start()
    // Once before: what a first connection loads is no connection's.
    await withReaders(server, { readers: 50, coding: 'identity' }, async () => {})
    const before = rssKb(server.pid)
    const idle = { readers: IDLE, coding: 'identity' } as const
    const [connected, each] = await withReaders(server, idle, async (_, open) => {
      return [open, (rssKb(server.pid) - before) / open] as const
    })
    await server.stop()
    rows.push([name, String(connected), each])
    if (name === 'ours') missed.push(...atMost('a connection at rest', each, KB_GOAL, ' KB'))
  }
  say(table(rows))
  return missed
}
