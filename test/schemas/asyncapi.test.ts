import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, describe, expect, it } from 'vitest'
import { asyncapiDocument, streamParameters } from '../../schemas/api/stream.ts'
import { memoryStores } from '../support/aws/ingest-stores.ts'
import { openFeedChain } from '../support/market/swap-feed.ts'
import { readSocket, startTask, until } from '../support/stream-clients.ts'

type Message = { readonly payload: object; readonly headers: object }
type Described = {
  readonly asyncapi: string
  readonly components: { readonly messages: Readonly<Record<string, Message>> }
  readonly operations: { readonly sendSwaps: { readonly bindings: { readonly http: { query: Query } } } }
}
type Query = { readonly properties: Readonly<Record<string, object>> }

const stores = memoryStores()
const task = await startTask(stores)
afterAll(() => task.stop())

describe('AsyncAPI', () => {
  it('is served with the stream, and every $ref in it resolves', async () => {
    for (const path of ['/stream/asyncapi.json', '/v1/stream/asyncapi.json']) {
      const served = (await (await fetch(`${task.url}${path}`)).json()) as Described
      expect(served).toEqual(JSON.parse(JSON.stringify(asyncapiDocument())))
      const refs = JSON.stringify(served).match(/"#\/[^"]+"/g) ?? []
      expect(refs.length).toBeGreaterThan(4)
      for (const ref of refs) {
        const found = ref.slice(3, -1).split('/')
        const at = found.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], served)
        expect(at, ref).toBeDefined()
      }
    }
  })

  it('describes every event that is sent, its id and its name', async () => {
    const { components, operations } = asyncapiDocument() as unknown as Described
    const ajv = new Ajv2020({ strict: false })
    const chain = await openFeedChain(stores.feed)
    const raw = readSocket(task.url, '/stream/swaps?events=swap,launch', {
      headers: { 'last-event-id': 'lost' },
    })
    await until(() => raw.events().length === 2)
    await chain.trade(3, 1)
    await chain.fork(1)
    await until(() => raw.events().length === 7)
    raw.socket.destroy()
    for (const { event, id, data } of raw.events()) {
      const message = components.messages[event || 'swap']
      expect(ajv.validate(message?.payload ?? false, JSON.parse(data)), ajv.errorsText()).toBe(true)
      expect(ajv.validate(message?.headers ?? false, event ? { id, event } : { id })).toBe(true)
    }
    expect(new Set(raw.events().map(({ event }) => event))).toEqual(
      new Set(['ready', 'resync', '', 'launch', 'retract']),
    )
    const asked = Object.keys(operations.sendSwaps.bindings.http.query.properties)
    expect(asked).toEqual(streamParameters.map(({ names }) => names[0]))
  })
})
