/** What a delivery of the stream costs, beside nchan (nginx) and better-sse: CPU at a steady rate and in a burst, memory of a connection at rest. */
import { median, say, table } from './rounds.ts'
import { measure, rssKb, type StreamLoad, withReaders } from './stream-measure.ts'
import { type Peer, peersHere, startNode } from './stream-peers.ts'
import { textOfASwap } from './stream-swaps.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 3)
/** Readers of the memory measurement; a system that lets a process open fewer files measures fewer. */
const IDLE = 10_000

/** An event of the size that peers were measured with before: 417 bytes with its fields. */
const TEXT = `{"transaction_hash":"0x${'5e'.repeat(32)}","rest":"${'x'.repeat(290)}"}`

const burst = { readers: 1_000, rate: 400, seconds: 3, ours: 'task', goals: { nchan: 0.15 } } as const

const KB_GOAL = 11

/** A load, who of ours bears it, and the largest allowed ratio of its CPU to a peer's. */
type Match = StreamLoad & { readonly ours: 'ours' | 'task'; readonly goals: Readonly<Record<string, number>> }
/** The peers are sent the text of one swap again and again, a task sends those that it finds in the feed; they are as long. */
const matches = async (): Promise<readonly Match[]> => {
  const text = await textOfASwap()
  return [
    {
      ...{ name: '2,000 readers, 20 events/s', readers: 2_000, rate: 20, seconds: 4, text: TEXT },
      ...{ coding: 'identity', ours: 'ours', goals: { nchan: 0.95, 'better-sse': 0.6 } },
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
    const contestants: readonly Peer[] = [['ours', () => startNode(match.ours)], ...peers]
    const results = new Map(
      contestants.map(([name]) => [name, { cpu: [] as number[], lost: [] as number[] }]),
    )
    for (let round = 0; round < ROUNDS; round++) {
      // Each is first in turn.
      const order = contestants.map((_, at) => contestants[(at + round) % contestants.length] as Peer)
      for (const [name, start] of order) {
        const server = await start()
        const { cpu, lost } = await measure(server, match)
        await server.stop()
        results.get(name)?.cpu.push(cpu)
        results.get(name)?.lost.push(lost)
      }
    }
    missed.push(...reported(match, results))
  }
  const contestants: readonly Peer[] = [['ours', () => startNode('ours')], ...peers]
  missed.push(...(await idleMemory(contestants)))
  return missed
}

type Results = ReadonlyMap<string, { readonly cpu: readonly number[]; readonly lost: readonly number[] }>

function reported(load: Match, results: Results): readonly string[] {
  const missed: string[] = []
  const own = results.get('ours') ?? { cpu: [], lost: [] }
  const rows: (readonly (string | number)[])[] = [
    [load.name, 'CPU s per million', 'not delivered, %', 'ours / it'],
  ]
  for (const [name, { cpu, lost }] of results) {
    const ratio = median(own.cpu.map((value, at) => value / (cpu[at] ?? Number.NaN)))
    rows.push([name, median(cpu), 100 * median(lost), ratio])
    const goal = load.goals[name] ?? Number.POSITIVE_INFINITY
    if (ratio > goal) missed.push(`${load.name}: ${ratio.toFixed(2)} of ${name}, at most ${goal}`)
  }
  if (Math.max(...own.lost) > 0) missed.push(`${load.name}: events of ours were not delivered`)
  say(table(rows))
  return missed
}

async function idleMemory(contestants: readonly Peer[]): Promise<readonly string[]> {
  const rows: (readonly (string | number)[])[] = [['a connection at rest', 'connections', 'KB each']]
  const missed: string[] = []
  for (const [name, start] of contestants) {
    const server = await start()
    // Once before: what a first connection loads is no connection's.
    await withReaders(server, { readers: 50, coding: 'identity' }, async () => {})
    const before = rssKb(server.pid)
    const [connected, each] = await withReaders(
      server,
      { readers: IDLE, coding: 'identity' },
      async (_, open) => {
        return [open, (rssKb(server.pid) - before) / open] as const
      },
    )
    await server.stop()
    rows.push([name, String(connected), each])
    if (name === 'ours' && each > KB_GOAL)
      missed.push(`${name}: ${each.toFixed(1)} KB a connection, at most ${KB_GOAL}`)
  }
  say(table(rows))
  return missed
}
