/** Reads hostile sources in a process of its own, with the heap of `npm start`, and prints what came of each and what it left. */
import { setTimeout as sleep } from 'node:timers/promises'
import { archiveAt } from '../../archive/reader.ts'
import { takeArchive } from '../../archive/take.ts'
import { openRpc } from '../../ingest/client/rpc.ts'
import { openPushes } from '../../ingest/read/pushes.ts'
import type { Hash } from '../../market/segment.ts'
import { allOf } from '../../store/aws/parallel.ts'
import { mockChain } from '../support/chain/mock-chain.ts'

const [, , url = '', socketUrl = ''] = process.argv
const quick = { attempts: 1, pinnedAttempts: 1, backoffMs: 1, refusalPauseMs: 1, timeoutMs: 60_000 }
const range = [{ topics: [], fromBlock: '0x1', toBlock: '0x64' }]

/** The name of what a source's reading ends with. */
async function ending(reading: Promise<unknown>): Promise<string> {
  try {
    await reading
    return 'nothing'
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
}

const endpoint = (path: string, method = 'eth_getLogs', settings = quick) =>
  ending(openRpc([url + path], settings).request(method, range))
function portal(): Promise<string> {
  const urls = [url, `portal+${url}/datasets/base-mainnet`]
  return ending(openRpc(urls, quick).each()[1]?.request('eth_getLogs', range) ?? Promise.resolve())
}
const socket = (path: string): Promise<string> =>
  new Promise((resolve) => {
    const pushes = openPushes([new URL(socketUrl + path)], mockChain, (_, cause) => {
      if (cause === null) return
      pushes.stop()
      resolve(cause)
    })
  })
const hashesOf = async (blocks: readonly number[]) =>
  new Map(blocks.map((block) => [block, `0x${block.toString(16).padStart(64, '0')}` as Hash] as const))
const archive = (path: string) =>
  ending(allOf(takeArchive(archiveAt(url + path), { chain: 'devnet', after: null, hashesOf })))

/** What reads each source, by the budget that bounds it. */
const rows: Readonly<Record<string, () => Promise<string>>> = {
  answer: () => endpoint('/endless'),
  'answer, zipped': () => endpoint('/bomb'),
  'answer, to another call': () => endpoint('/endless', 'eth_getBlockByNumber'),
  'answer, of separators': () => endpoint('/separators'),
  answersTogether: async () => {
    const all = Array.from({ length: 8 }, () =>
      endpoint('/unfinished', 'eth_getLogs', { ...quick, timeoutMs: 5_000 }),
    )
    const [first] = await Promise.all([Promise.race(all), ...all])
    return first
  },
  portalRange: portal,
  socketMessage: () => socket('/message'),
  'socketMessage, all of them subscriptions': () => socket('/subscriptions'),
  pushedBlocks: () => socket('/logs'),
  'pushedBlocks, with ever new parents': () => socket('/parents'),
  'pushedBlocks, with long parents': () => socket('/blocks'),
  archiveManifest: () => archive('/manifest'),
  archiveLog: () => archive('/log'),
  archiveFile: () => archive('/file'),
  segment: () => archive('/segment'),
  'segment, of separators': () => archive('/dense'),
}

async function heldMb(): Promise<number> {
  // Buffers of streams that were ended are freed turns later.
  for (let round = 0; round < 20; round++) {
    await sleep(50)
    gc?.()
  }
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return (heapUsed + external + arrayBuffers) / 1_048_576
}

const rest = await heldMb()
const ended: Record<string, string> = {}
for (const [row, read] of Object.entries(rows)) ended[row] = await read()
const oneByOne = (await heldMb()) - rest
const atOnce = await Promise.all(
  Array.from({ length: 40 }, (_, at) => Object.values(rows)[at % Object.keys(rows).length]?.()),
)
const together = (await heldMb()) - rest
const maxRssMb = process.resourceUsage().maxRSS / 1_024
process.stdout.write(JSON.stringify({ ended, atOnce, oneByOne, together, rest, maxRssMb }))
process.exit()
