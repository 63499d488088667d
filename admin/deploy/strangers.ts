/** The checks that need nothing but a service's address, and what is wrong with its answers. */
import { staleAfter } from '../../schemas/api/service.ts'
import { type Fault, fault } from './findings.ts'

/** Makes an HTTP request: resolves with the status and the text of its answer, or with the first part of a stream. */
export type AskHttp = (
  url: string,
  sent?: { readonly body?: string; readonly key?: string },
) => Promise<{ readonly status: number; readonly text: string }>

/** A service as a stranger sees it. `address`: without a slash at the end; `now`: Unix seconds. */
export type SeenService = { readonly http: AskHttp; readonly address: string; readonly now: number }

type Question = (seen: SeenService) => Promise<Fault | null>

/** Timeout of an answer. */
const TIMEOUT_MS = 10_000

/** Asks over the network, without following redirects. */
export async function askHttp(
  url: string,
  { body, key }: { readonly body?: string; readonly key?: string } = {},
) {
  const response = await fetch(url, {
    ...(body === undefined ? {} : { method: 'POST', body }),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  const text = isStream ? await beginningOf(response) : await response.text()
  return { status: response.status, text }
}

async function beginningOf({ body }: Response): Promise<string> {
  for await (const bytes of body ?? []) return new TextDecoder().decode(bytes)
  return ''
}

/** The least often that a stage publishes, in seconds. */
const SELDOM_SECONDS = 300

/** The fault of figures that are too old; `time` in ISO 8601. */
function ageFault(
  what: string,
  time: string,
  { now, every }: { readonly now: number; readonly every: number },
): Fault | null {
  const age = Math.round(now - Date.parse(time) / 1_000)
  return age <= staleAfter(every) ? null : fault(`${what} is ${age} s old`, 'see "The snapshot is old"')
}

/** The key that the pages publish; null: they have none. */
async function pagesKey({ http, address }: SeenService): Promise<string | null> {
  const { status, text } = await http(`${address}/config.json`)
  return status === 200 ? (JSON.parse(text) as { readonly key: string }).key : null
}

export const questions: Readonly<Record<string, Question>> = {
  async snapshot({ http, address, now }) {
    const { status, text } = await http(`${address}/v1/status`)
    if (status !== 200)
      return fault(
        `/v1/status answers ${status}`,
        'wait until ingest has sealed a minute; then see "The snapshot is old"',
      )
    const told = JSON.parse(text) as { readonly as_of: string; readonly rebuild_every_seconds?: number }
    return ageFault('the snapshot', told.as_of, { now, every: told.rebuild_every_seconds ?? SELDOM_SECONDS })
  },
  async boards(seen) {
    const key = await pagesKey(seen)
    if (key === null) return fault('the pages have no key', 'npm run admin -- --aws site-key')
    const { status, text } = await seen.http(`${seen.address}/v1/all`, { key })
    if (status === 200) {
      const { last_updated } = JSON.parse(text) as { readonly last_updated: string }
      return ageFault('what the boards show', last_updated, { now: seen.now, every: SELDOM_SECONDS })
    }
    return fault(
      `the boards answer ${status} to the key of the pages`,
      'see "Readers are refused"; a new key of the pages: npm run admin -- --aws site-key',
    )
  },
  async 'keys at the edge'({ http, address }) {
    const { status } = await http(`${address}/v1/z100/creators`)
    return status === 401
      ? null
      : fault(`a board without a key answers ${status}`, 'look at the log of Edge/ViewerRequest')
  },
  async stream({ http, address }) {
    const { status, text } = await http(`${address}/stream/swaps`)
    if (status === 200 && text !== '') return null
    return fault(
      status === 200 ? '/stream/swaps sends nothing' : `/stream/swaps answers ${status}`,
      '504: CloudFront does not reach the balancer, compare its security group with the prefix list',
    )
  },
  async openapi({ http, address }) {
    const { status, text } = await http(`${address}/v1/openapi.json`)
    return status === 200 && text.startsWith('{"openapi":')
      ? null
      : fault(`/v1/openapi.json answers ${status}`, 'look at the log of ReadApi/Api')
  },
  async pages({ http, address }) {
    const { status, text } = await http(`${address}/`)
    return status === 200 && /^<!doctype html>/i.test(text)
      ? null
      : fault(
          `the first page answers ${status}`,
          'deploy again: its files are not in the bucket of the pages',
        )
  },
  async 'plain http'({ http, address }) {
    if (address.startsWith('http:')) return null
    const { status } = await http(`${address.replace('https:', 'http:')}/v1/status`)
    return status === 403
      ? null
      : fault(`/v1 over plain http answers ${status}`, 'deploy again: keys would be sent unencrypted')
  },
}
