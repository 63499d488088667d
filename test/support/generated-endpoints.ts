/** A generated chain behind endpoints with limits, in a process of its own: `catch-up-endpoint.ts <json of a ChainBehind>`. Prints their addresses, and on each line it is sent what they were asked. */
import { createInterface } from 'node:readline'
import { startFaultyProxy } from '../support/faulty-proxy.ts'
import { generateChain, type Plan } from '../support/generated-chain.ts'
import { openNode } from '../support/generated-node.ts'
import { type Limits, limit } from '../support/strict-endpoint.ts'

export type ChainBehind = {
  readonly plan: Plan
  readonly endpoints: readonly Limits[]
  /** Minutes by which the chain goes on after the generated ones, without a log. */
  readonly quietMinutes: number
}

const { plan, endpoints, quietMinutes } = JSON.parse(process.argv[2] ?? '') as ChainBehind
const chain = generateChain(plan)
const node = openNode(chain)
node.head = chain.last + quietMinutes * 30
const withState = (limits: Limits): Limits =>
  limits.stateReach === undefined ? limits : { ...limits, stateFrom: node.head - limits.stateReach }
const proxies = await Promise.all(endpoints.map(() => startFaultyProxy(node.answer)))
const counts = proxies.map((proxy, at) => limit(proxy, withState(endpoints[at] ?? {}), () => false))
process.stdout.write(`${JSON.stringify(proxies.map(({ url }) => url))}\n`)
for await (const _ of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify({ counts, asked: Object.fromEntries(node.asked) })}\n`)
}
process.exit()
