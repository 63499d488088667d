/** A JSON-RPC endpoint that fails and lies as real ones do, in front of one that does not. */
import { createServer, type ServerResponse } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { listen } from '../../../dev/emulators/listening.ts'
import { hexQuantity, type RpcCall } from './json-rpc.ts'

/** One HTTP exchange: what was asked, and what the endpoint behind says to it. */
export type ProxyExchange = {
  readonly calls: readonly RpcCall[]
  readonly isBatch: boolean
  /** The text that the endpoint behind answers with. */
  passed(): Promise<string>
}
export type ProxyAnswer =
  | { readonly status: number; readonly text: string; readonly headers?: Readonly<Record<string, string>> }
  | 'nothing'
  | 'cut off'

type RpcAnswer = { readonly id: unknown; readonly result?: unknown; readonly error?: unknown }

const ok = (text: string): ProxyAnswer => ({ status: 200, text })

type Answering = (exchange: ProxyExchange) => Promise<ProxyAnswer>

/** The same to each call: an error, a result, or neither. */
export const toEach =
  (said: object, status = 200): Answering =>
  async ({ calls, isBatch }) => {
    const answers = calls.map(({ id }) => ({ jsonrpc: '2.0', id, ...said }))
    return { status, text: JSON.stringify(isBatch ? answers : answers[0]) }
  }
/** An error of JSON-RPC as the answer to each call. */
export const refusal = (code: number, message: string, status = 200): Answering =>
  toEach({ error: { code, message } }, status)
/** The same whatever is asked. */
const always =
  (answer: ProxyAnswer): Answering =>
  async () =>
    answer
const status = (code: number, text: string): Answering => always({ status: code, text })
/** The endpoint's own batch of answers, changed. */
const rebatched =
  (change: (answers: unknown[]) => unknown[]): Answering =>
  async ({ isBatch, passed }) => {
    const text = await passed()
    return ok(isBatch ? JSON.stringify(change(JSON.parse(text) as unknown[])) : text)
  }
/** Refuses the exchanges that are too much asked. */
const refusing =
  (refuse: Answering, isTooMuch: (calls: readonly RpcCall[]) => boolean): Answering =>
  async (exchange) =>
    isTooMuch(exchange.calls) ? refuse(exchange) : ok(await exchange.passed())

/** The endpoint's own answer with some results changed. */
function lying(change: (call: RpcCall, result: unknown) => unknown): Answering {
  return async ({ calls, isBatch, passed }) => {
    const given = JSON.parse(await passed()) as RpcAnswer | readonly RpcAnswer[]
    const answers = (Array.isArray(given) ? given : [given]).map((answer: RpcAnswer) => {
      const call = calls.find(({ id }) => id === answer.id)
      return call && 'result' in answer ? { ...answer, result: change(call, answer.result) } : answer
    })
    return ok(JSON.stringify(isBatch ? answers : answers[0]))
  }
}

const isLogs = ({ method }: RpcCall) => method === 'eth_getLogs'
const hasLogs = (calls: readonly RpcCall[]) => calls.some(isLogs)

/** Endpoints that say that something is wrong, or that leave no doubt about it. */
const loud = {
  'HTTP 500': status(500, 'Internal Server Error'),
  'HTTP 429': status(429, '{"message":"Too Many Requests"}'),
  'HTTP 502 in HTML': status(502, '<html>Bad Gateway</html>'),
  'HTTP 504': status(504, 'Gateway Timeout'),
  'HTTP 403 in HTML': status(403, '<!doctype html><title>Attention Required! | Cloudflare</title>'),
  'a method that is not whitelisted': refusal(-32_601, 'rpc method is not whitelisted', 403),
  silence: always('nothing'),
  'a cut connection': always('cut off'),
  'truncated JSON': async ({ passed }: ProxyExchange) => {
    const text = await passed()
    return ok(text.slice(0, Math.floor(text.length / 2)))
  },
  'no JSON': status(200, '<!doctype html>'),
  'an empty body': status(200, ''),
  'an error of the node': refusal(-32_603, 'internal error'),
  'a rate limit': refusal(-32_005, 'rate limit exceeded, try again later'),
  'no result': toEach({}),
  'fewer answers than calls': rebatched((answers) => answers.slice(1)),
  'answers in another order': rebatched((answers) => answers.reverse()),
  'null results': toEach({ result: null }),
  'results of another kind': toEach({ result: [null, 7, 'soon'] }),
  'objects without fields': toEach({ result: {} }),
  'a batch too large': refusing(
    status(200, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"batch too large"}}'),
    (calls) => calls.length > 3,
  ),
  'a range too large': refusing(
    refusal(-32_011, 'no backend is currently healthy to serve traffic', 503),
    hasLogs,
  ),
  'an unknown block': refusing(refusal(-32_000, 'unknown block'), hasLogs),
} as const

const HEAD_LAG = 3
type RawLog = { readonly blockNumber: string; readonly logIndex: string }

/** Endpoints that say nothing of it. */
const quiet = {
  'no logs of the newest blocks': lying((call, result) => {
    if (!isLogs(call)) return result
    const { toBlock } = call.params[0] as { readonly toBlock: string }
    return (result as RawLog[]).filter(({ blockNumber }) => Number(blockNumber) < Number(toBlock))
  }),
  'one log in five left out': lying((call, result) =>
    isLogs(call)
      ? (result as RawLog[]).filter(
          ({ blockNumber, logIndex }) => (Number(blockNumber) * 7 + Number(logIndex)) % 5 !== 0,
        )
      : result,
  ),
  'another chain': lying(({ method }, result) => (method === 'eth_chainId' ? '0x2105' : result)),
} as const

export const faults = { ...loud, ...quiet }
export type FaultName = keyof typeof faults
export const loudFaults = Object.keys(loud) as (keyof typeof loud)[]

export type FaultyProxy = {
  readonly url: string
  /** Asked before each exchange. */
  fault: (calls: readonly RpcCall[]) => FaultName | Answering | undefined
  /** While true, the head is given as a block some way back: the endpoint lags. */
  isLagging: boolean
  /** Exchanges by what came of them. */
  readonly told: Map<string, number>
  stop(): Promise<void>
}

/** What is behind a proxy: a URL, or what answers the text of a message. */
export type ProxyTarget = string | ((body: string) => Promise<string>)

/** Starts a proxy that passes everything on until told otherwise. */
export async function startFaultyProxy(target: ProxyTarget): Promise<FaultyProxy> {
  const told = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const body = await textOf(request)
    const asked = JSON.parse(body) as RpcCall | readonly RpcCall[]
    const calls = (Array.isArray(asked) ? asked : [asked]) as readonly RpcCall[]
    const fault = proxy.fault(calls)
    const name = typeof fault === 'string' ? fault : fault ? 'another' : 'passed'
    told.set(name, (told.get(name) ?? 0) + 1)
    const passed = async () => {
      const sent = proxy.isLagging ? await lagging(target, body, calls) : body
      return send(target, sent)
    }
    const exchange: ProxyExchange = { calls, isBatch: Array.isArray(asked), passed }
    const answering = typeof fault === 'string' ? faults[fault] : (fault ?? (async () => ok(await passed())))
    reply(response, await answering(exchange).catch(() => 'cut off' as const))
  })
  const { url, stop } = await listen('rpc', server)
  const proxy: FaultyProxy = { url, fault: () => undefined, isLagging: false, told, stop }
  return proxy
}

function reply(response: ServerResponse, answer: ProxyAnswer): void {
  if (answer === 'nothing') return
  if (answer === 'cut off') {
    response.writeHead(200, { 'content-length': 1_000 })
    response.write('{"jsonrpc"', () => response.destroy())
    return
  }
  response
    .writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    .end(answer.text)
}

/** The same question of an endpoint that is a few blocks behind. */
async function lagging(target: ProxyTarget, body: string, calls: readonly RpcCall[]): Promise<string> {
  if (!calls.some(({ params }) => params[0] === 'latest')) return body
  const head = JSON.parse(
    await send(target, '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'),
  )
  return body.replace('"latest"', `"${hexQuantity(Math.max(0, Number(head.result) - HEAD_LAG))}"`)
}

async function send(target: ProxyTarget, body: string): Promise<string> {
  if (typeof target !== 'string') return target(body)
  const response = await fetch(target, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  return response.text()
}
