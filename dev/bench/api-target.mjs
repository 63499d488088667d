// @ts-check
/**
 * One process of the API's benchmark, in plain JavaScript so that nothing else is loaded: what an answer of a bundle costs once its
 * code is compiled. Arguments: the bundle's first module, how many calls are measured, the event. Prints one line of JSON.
 */
import { pathToFileURL } from 'node:url'

const [, , module = '', calls = '0', eventText = '{}'] = process.argv
const event = JSON.parse(eventText)
const count = Number(calls)
const { handler } = await import(pathToFileURL(module).href)
const { statusCode, body } = await handler(event)

/** Calls until the code is compiled. */
const WARM_UP = 100
if (count > 0) for (let call = 0; call < WARM_UP; call++) await handler(event)
const warm = process.cpuUsage()
for (let call = 0; call < count; call++) await handler(event)
const { user, system } = process.cpuUsage(warm)
process.stdout.write(`\n${JSON.stringify({ perCallUs: (user + system) / count, statusCode, body })}\n`)
process.exit()
