/** A generated chain behind endpoints with limits, in a process of its own: what it costs is not the reader's. Run as `generated-endpoints.ts <json of a ChainBehind>` it prints their addresses, and on each line it is sent what they were asked. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { randomFrom } from '../../dev/devnet/random.ts'
import { startFaultyProxy } from '../support/chain/faulty-proxy.ts'
import { type ChainPlan, generateChain } from '../support/chain/generated-chain.ts'
import { openGeneratedNode } from '../support/chain/generated-node.ts'
import { firstBlockFrom } from '../support/chain/paces.ts'
import { type Count, type Limits, limitRate } from '../support/chain/strict-endpoint.ts'

export type ChainBehind = {
  readonly plan: ChainPlan
  readonly endpoints: readonly Limits[]
  /** Minutes by which the chain goes on after the generated ones, without a log. @default 0 */
  readonly quietMinutes?: number
}

export type GeneratedEndpoints = {
  readonly urls: readonly string[]
  /** What each was asked until now. */
  counts(): Promise<readonly Count[]>
  stop(): void
}

/** Starts that process; resolves when its endpoints answer. */
export async function startEndpoints(behind: ChainBehind): Promise<GeneratedEndpoints> {
  const args = ['--import', 'tsx', import.meta.filename, JSON.stringify(behind)]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  const line = async (): Promise<unknown> => JSON.parse(String((await once(lines, 'line'))[0]))
  const urls = (await line()) as readonly string[]
  return {
    urls,
    counts: () => {
      child.stdin.write('\n')
      return line() as Promise<readonly Count[]>
    },
    stop: () => child.kill(),
  }
}

async function serve({ plan, endpoints, quietMinutes = 0 }: ChainBehind): Promise<void> {
  const chain = generateChain(plan)
  const node = openGeneratedNode(chain)
  const quietTo = (chain.timestampOf(chain.last) + 1 + quietMinutes * 60) * 1_000
  node.head = firstBlockFrom(chain.rules.schedule, quietTo) - 1
  const proxies = await Promise.all(endpoints.map(() => startFaultyProxy(node.answer)))
  const random = randomFrom(plan.seed, 5)
  const counts = proxies.map((proxy, at) => limitRate(proxy, endpoints[at] ?? {}, random))
  process.stdout.write(`${JSON.stringify(proxies.map(({ url }) => url))}\n`)
  for await (const _ of createInterface({ input: process.stdin }))
    process.stdout.write(`${JSON.stringify(counts)}\n`)
  process.exit()
}

if (process.argv[1] === import.meta.filename) await serve(JSON.parse(process.argv[2] ?? ''))
