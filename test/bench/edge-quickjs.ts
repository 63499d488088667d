/** The viewer-request function in QuickJS, an interpreter without a compiler as CloudFront's is; its sha256 is the host's, as there. */
import { createHash } from 'node:crypto'
import { BENCH_KEY, benchEntries } from './edge-key.ts'

const modules = `
globalThis.cloudfront = { kvs: () => ({ get: async (key) => { const value = entryOf(key); if (value === null) throw new Error('KeyNotFound'); return value } }),
  selectRequestOriginById() {}, createRequestOriginGroup() {} }
globalThis.crypto = { createHash: () => ({ text: '', update(text) { this.text += text; return this }, digest() { return sha256(this.text) } }) }
globalThis.console = { log() {} }
`
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

/** Milliseconds of CPU of each call, the call into the interpreter included; null: QuickJS is not installed. */
export async function callsInQuickjs(code: string, count: number): Promise<readonly number[] | null> {
  const quickjs = await import('quickjs-emscripten').catch(() => null)
  if (quickjs === null) return null
  const vm = (await quickjs.getQuickJS()).newContext()
  const define = (name: string, answer: (text: string) => string | null) => {
    const made = vm.newFunction(name, (text) => {
      const value = answer(vm.getString(text))
      return value === null ? vm.null : vm.newString(value)
    })
    vm.setProp(vm.global, name, made)
    made.dispose()
  }
  define('sha256', (text) => createHash('sha256').update(text).digest('base64url'))
  define('entryOf', (key) => benchEntries.get(key) ?? null)
  const source = code.replace(/import ([\w$]+) from ?["'](\w+)["'];?/g, 'const $1 = globalThis.$2;')
  const events = queries.map(eventOf)
  const evaluate = (text: string) => vm.unwrapResult(vm.evalCode(text)).dispose()
  evaluate(`${modules}${source};let made;const events=${JSON.stringify(events)};
    globalThis.call = (at) => { const event = events[at]; handler({ context: event.context, request: Object.assign({}, event.request, { headers: Object.assign({}, event.request.headers), querystring: Object.assign({}, event.request.querystring) }) }).then((value) => { made = value }) }
    globalThis.madeUri = () => made.uri`)
  const [call, uri] = [vm.getProp(vm.global, 'call'), vm.getProp(vm.global, 'madeUri')]
  const numbers = events.map((_, at) => vm.newNumber(at))
  const times: number[] = []
  for (let at = 0; at < count; at += 1) {
    const started = process.cpuUsage()
    const result = vm.callFunction(call, vm.undefined, numbers[at % numbers.length] ?? vm.undefined)
    vm.unwrapResult(vm.runtime.executePendingJobs())
    const { user, system } = process.cpuUsage(started)
    times.push((user + system) / 1_000)
    vm.unwrapResult(result).dispose()
  }
  const told = vm.unwrapResult(vm.callFunction(uri, vm.undefined))
  if (!vm.getString(told).startsWith('/v1/z100/creators/')) throw new WrongOutcomeError(vm.getString(told))
  for (const handle of [told, call, uri, ...numbers]) handle.dispose()
  vm.dispose()
  return times
}

/** The function did in QuickJS what it does not do elsewhere. */
class WrongOutcomeError extends Error {
  override readonly name = 'WrongOutcomeError'
}
