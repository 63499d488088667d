// @ts-check
/**
 * One cold process of the API's benchmark, in plain JavaScript so that nothing else is loaded: what it costs to load a bundle
 * and give a first answer, and each further one. Arguments: the bundle's first module, how many further calls, the event.
 * Prints one line of JSON.
 */
import { pathToFileURL } from 'node:url'

const [, , module = '', calls = '0', eventText = '{}'] = process.argv
const event = JSON.parse(eventText)
const count = Number(calls)

/** @param {NodeJS.CpuUsage} since */
const cpuMs = (since) => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1_000
}

const before = process.cpuUsage()
const start = performance.now()
const { handler } = await import(pathToFileURL(module).href)
const { statusCode, body } = await handler(event)
const cold = { wallMs: performance.now() - start, cpuMs: cpuMs(before) }

/** Calls until the code is compiled. */
const WARM_UP = 100
for (let call = 0; call < Math.min(WARM_UP, count); call++) await handler(event)
const warm = process.cpuUsage()
for (let call = 0; call < count; call++) await handler(event)
const perCallUs = count > 0 ? (cpuMs(warm) * 1_000) / count : null
process.stdout.write(`${JSON.stringify({ cold, perCallUs, statusCode, body })}\n`)
process.exit()
