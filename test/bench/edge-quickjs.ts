/**
 * The viewer-request function in QuickJS, an interpreter without a compiler as CloudFront's is. What is the host's work there,
 * sha256 and the reads of the store, is looked up in a table here; the event of a call is made before its time begins.
 */
import { keyDigest } from '../../schemas/access.ts'
import { BENCH_KEY, benchEntries } from './edge-key.ts'

const json = (value: unknown): string => JSON.stringify(value)

/** Spellings of one board, most of them with parameters. */
const queries = [
  {},
  { period: '7D' },
  { timeframe: '24h', limit: '100', offset: '0' },
  { sort: 'rank', order: 'desc', utm: 'x' },
]
const eventOf = (query: Readonly<Record<string, string>>) => ({
  context: { requestId: 'b7e3f1c2-0000-4000-8000-000000000000' },
  request: {
    method: 'GET',
    uri: '/v1/z100/creators',
    querystring: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, { value }])),
    headers: {
      authorization: { value: `Bearer ${BENCH_KEY}` },
      host: { value: 'localhost' },
      accept: { value: '*/*' },
    },
  },
})

const host = `
const lacking = new Error('KeyNotFound')
const entries = ${json(Object.fromEntries(benchEntries))}
const digests = ${json({ [BENCH_KEY]: keyDigest(BENCH_KEY) })}
globalThis.cloudfront = {
  kvs: () => ({ get: (key) => entries[key] === undefined ? Promise.reject(lacking) : Promise.resolve(entries[key]) }),
  selectRequestOriginById() {}, createRequestOriginGroup() {},
}
globalThis.crypto = { createHash: () => ({ update(text) { this.text = text; return this }, digest() { return digests[this.text] } }) }
globalThis.console = { log() {} }
`
/** `nothing` is called as the function is, and does nothing: what the measurement itself costs. */
const calls = `
const texts = ${json(queries.map((query) => json(eventOf(query))))}
let event, made
const nothing = async (event) => event.request
globalThis.prepare = (at) => { event = JSON.parse(texts[at % texts.length]); made = null }
globalThis.callFunction = () => { handler(event).then((value) => { made = value }) }
globalThis.callNothing = () => { nothing(event).then((value) => { made = value }) }
globalThis.madeUri = () => made.uri
`

/** Microseconds of CPU of each call, in ascending order. */
export type QuickjsCalls = { readonly function: readonly number[]; readonly nothing: readonly number[] }

/** So many calls of the function and of nothing, in turn, after as many that are not counted; null: QuickJS is not installed. */
export async function callsInQuickjs(code: string, count: number): Promise<QuickjsCalls | null> {
  const quickjs = await import('quickjs-emscripten').catch(() => null)
  if (quickjs === null) return null
  const vm = (await quickjs.getQuickJS()).newContext()
  const source = code.replace(/import ([\w$]+) from ?["'](\w+)["'];?/g, 'const $1 = globalThis.$2;')
  vm.unwrapResult(vm.evalCode(`${host};${source};${calls}`)).dispose()
  const named = (name: string) => vm.getProp(vm.global, name)
  const [prepare, callFunction, callNothing, madeUri] = [
    named('prepare'),
    named('callFunction'),
    named('callNothing'),
    named('madeUri'),
  ]
  const timed = (at: number, call: typeof prepare): number => {
    const number = vm.newNumber(at)
    vm.unwrapResult(vm.callFunction(prepare, vm.undefined, number)).dispose()
    number.dispose()
    const started = process.cpuUsage()
    const result = vm.callFunction(call, vm.undefined)
    vm.unwrapResult(vm.runtime.executePendingJobs())
    const { user, system } = process.cpuUsage(started)
    vm.unwrapResult(result).dispose()
    return user + system
  }
  const times = { function: [] as number[], nothing: [] as number[] }
  for (let at = -count; at < count; at += 1) {
    const [nothing, own] = [timed(at + count, callNothing), timed(at + count, callFunction)]
    const told = vm.unwrapResult(vm.callFunction(madeUri, vm.undefined))
    if (!vm.getString(told).startsWith('/v1/z100/creators/')) throw new WrongOutcomeError(vm.getString(told))
    told.dispose()
    if (at < 0) continue
    times.function.push(own)
    times.nothing.push(nothing)
  }
  for (const handle of [prepare, callFunction, callNothing, madeUri]) handle.dispose()
  vm.dispose()
  return times
}

/** The function did in QuickJS what it does not do elsewhere. */
class WrongOutcomeError extends Error {
  override readonly name = 'WrongOutcomeError'
}
