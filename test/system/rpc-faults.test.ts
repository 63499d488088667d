import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import type { IngestEvent } from '../../ingest/report.ts'
import { type IngestOptions, runIngest } from '../../ingest/run.ts'
import { allOf } from '../../store/aws/parallel.ts'
import { openChainTroubleStore } from '../../store/published/stored-status.ts'
import {
  digestsOf,
  documentsOf,
  memoryStores,
  startStores,
  startWriter,
  untilIdle,
} from '../support/aws/ingest-stores.ts'
import { type DevnetMarket, startDevnetMarket } from '../support/chain/devnet-market.ts'
import { type FaultName, loudFaults, refusal, startFaultyProxy } from '../support/chain/faulty-proxy.ts'
import { rpc } from '../support/chain/json-rpc.ts'
import { expectAsFromZero } from '../support/from-zero.ts'
import { isLong, isWhole, rounds } from '../support/rounds.ts'

/** The ingest process in front of endpoints that fail and lie: it recovers, or ends with a name, and publishes nothing wrong. */

type Stores = Awaited<ReturnType<typeof startStores>>

type Patience = NonNullable<IngestOptions['patience']>
const patient: Patience = { backoffMs: 2, refusalPauseMs: 20, retryMs: 2 }
/** A silent endpoint is left after a third of a second, and so is one that a busy machine holds up. */
const impatient: Patience = { ...patient, timeoutMs: 300 }
/** Of faults that are met in the same way, the first; all of them in a long run. */
const inTurn = (...faults: readonly [FaultName, ...FaultName[]]) => (isLong ? faults : faults.slice(0, 1))
const ROUNDS = rounds(2, 10)

const market = await startDevnetMarket(11, { blocks: 6, trades: 10, creators: 2, posts: 3 })
const proxies = [await startFaultyProxy(market.rpcUrl), await startFaultyProxy(market.rpcUrl)] as const
let stores: Stores
let ingest: Ingest | undefined

afterAll(async () => {
  for (const proxy of proxies) await proxy.stop()
  await market.stop()
})
afterEach(async () => {
  await ingest?.stop()
  await stores.stop()
  for (const proxy of proxies) Object.assign(proxy, { fault: () => undefined, isLagging: false })
})

type Ingest = {
  readonly seen: IngestEvent[]
  readonly reported: string[]
  /** The error it ended with. */
  readonly ended: Promise<unknown>
  /** Resolves when this is so; throws what it ended with before. */
  until(holds: () => boolean): Promise<void>
  /** Resolves when it has read and sealed all that this chain has. */
  caughtUp(url?: string): Promise<void>
  stop(): Promise<void>
}

function startIngest(urls: readonly string[], patience: Patience): Ingest {
  const stopping = new AbortController()
  const seen: IngestEvent[] = []
  const reported: string[] = []
  const ended = runIngest(
    {
      MARKET_TABLE: 'market',
      SEGMENT_BUCKET: 'segments',
      CHAIN: 'devnet',
      RPC_URLS: urls.join(','),
      POLL_MS: '200',
    },
    {
      signal: stopping.signal,
      patience,
      onEvent: (event) => {
        seen.push(event)
        if (!['asked', 'begins', 'read', 'sealed', 'idle'].includes(event.is)) reported.push(event.is)
      },
    },
  ).catch((error: unknown) => error)
  const until = async (holds: () => boolean) => {
    while (!holds()) {
      const error = await Promise.race([ended, sleep(20)])
      if (error) throw error
    }
  }
  return {
    seen,
    reported,
    ended,
    until,
    caughtUp: async (url = market.rpcUrl) => {
      const { hash } = await headOf(url)
      const from = seen.length
      await until(() => seen.slice(from).some((event) => event.is === 'idle' && event.head.hash === hash))
    },
    stop: async () => {
      stopping.abort()
      await ended
    },
  }
}

const headOf = (url: string) =>
  rpc<{ readonly hash: string; readonly number: string }>(url, 'eth_getBlockByNumber', ['latest', false])
async function start(urls: readonly string[], patience = patient) {
  stores = await startStores()
  ingest = startIngest(urls, patience)
  return ingest
}
/** Every board is a function of the log up to an entry: no entry ever was another than a faultless reader's. */
async function expectNothingWrongEverSealed() {
  const anew = memoryStores()
  await untilIdle(startWriter(anew, market.rpcUrl))
  const digests = await digestsOf(stores)
  expect(digests.filter((each) => each.startsWith('rewound'))).toEqual([])
  expect(digests).toEqual(await digestsOf(anew))
}

/** A chance of so many in a hundred, from the market's seed. */
const chance = (percent: number) => market.random.below(100) < percent

/** A fork that is shorter than what was read looks like an endpoint that lags, and is waited for. */
async function outgrow(longer: DevnetMarket, shorter: DevnetMarket) {
  const { number } = await headOf(shorter.rpcUrl)
  while (Number((await headOf(longer.rpcUrl)).number) <= Number(number)) await longer.mine(25, 1)
}

describe.runIf(isLong)('endpoints on different forks', () => {
  test('are followed one at a time, whole: what is published is one of the two', async () => {
    const other = await startDevnetMarket(12, { blocks: 4, trades: 8, creators: 2, posts: 3 })
    const otherProxy = await startFaultyProxy(other.rpcUrl)
    const [proxy] = proxies
    try {
      const running = await start([proxy.url, otherProxy.url])
      await running.caughtUp()
      await expectAsFromZero(stores, market)
      proxy.fault = () => 'HTTP 500'
      await outgrow(other, market)
      await running.caughtUp(other.rpcUrl)
      expect(running.seen.some(({ is }) => is === 'rewound')).toBe(true)
      await expectAsFromZero(stores, other)
      proxy.fault = () => undefined
      otherProxy.fault = () => 'a cut connection'
      await outgrow(market, other)
      await running.caughtUp()
      await expectAsFromZero(stores, market)
    } finally {
      await otherProxy.stop()
      await other.stop()
    }
  })
})

describe('an endpoint that fails', () => {
  test.runIf(isLong)(
    'in every way, at random moments: what is sealed is what a faultless reader seals',
    async () => {
      let turn = 0
      for (const proxy of proxies) {
        proxy.fault = () => (chance(25) ? loudFaults[turn++ % loudFaults.length] : undefined)
      }
      const running = await start(
        proxies.map(({ url }) => url),
        impatient,
      )
      for (let round = 0; round < ROUNDS || turn < loudFaults.length; round += 1) {
        await market.mine(20, 2)
        for (const proxy of proxies) proxy.isLagging = chance(20)
        await sleep(50)
      }
      for (const proxy of proxies) Object.assign(proxy, { fault: () => undefined, isLagging: false })
      await running.caughtUp()
      await expectNothingWrongEverSealed()
      await expectAsFromZero(stores, market)
    },
    120_000 + ROUNDS * 1_000,
  )

  test.runIf(isLong)(
    'serves another chain: at the start ingest ends, by name; later the endpoint is put aside and told',
    async () => {
      const [right, wrong] = proxies
      wrong.fault = () => 'another chain'
      expect(await (await start([wrong.url])).ended).toMatchObject({
        name: 'WrongChainError',
        message: expect.stringContaining('serves chain 8453'),
      })
      expect(await stores.log.tail()).toBeUndefined()
      await stores.stop()
      const running = await start([right.url, wrong.url])
      await running.caughtUp()
      right.fault = () => 'HTTP 500'
      await running.until(() =>
        running.seen.some((event) => 'wait' in event && event.wait.cause.includes('expected 31337')),
      )
      await market.mine(10, 1)
      right.fault = () => undefined
      await running.caughtUp()
      await expectNothingWrongEverSealed()
    },
  )
})

describe('an endpoint that refuses during a run', () => {
  test.runIf(isLong).each(['HTTP 403 in HTML', 'a method that is not whitelisted'] as const)(
    'with %s, alone: its cause is told, and ingest goes on when it answers again',
    async (fault) => {
      const [proxy] = proxies
      const running = await start([proxy.url])
      await running.caughtUp()
      proxy.fault = () => fault
      const refusals = () =>
        running.seen.filter((event) => event.is === 'wait' && event.wait.cause.includes('refused'))
      await running.until(() => refusals().length >= 2)
      await market.mine(10, 1)
      proxy.fault = () => undefined
      await running.caughtUp()
      await expectNothingWrongEverSealed()
    },
  )

  test.runIf(isWhole)('is not needed where another one answers', async () => {
    const [closed, open] = proxies
    const running = await start([closed.url, open.url])
    await running.caughtUp()
    closed.fault = () => 'HTTP 403 in HTML'
    await market.mine(10, 2)
    await running.caughtUp()
    expect(running.reported).toContain('wait')
    await expectNothingWrongEverSealed()
  })

  test('whose quota is used up, alone, is named for v1/status, and hardly asked', async () => {
    const [proxy] = proxies
    const running = await start([proxy.url])
    await running.caughtUp()
    proxy.fault = () => refusal(-32_600, 'Monthly capacity limit exceeded', 429)
    await running.until(() => running.reported.includes('retry'))
    const { read } = openChainTroubleStore(stores.table)
    let trouble = await read()
    for (; !trouble?.quota; trouble = await read()) await sleep(20)
    expect(trouble.quota.endpoint).toBe(new URL(proxy.url).host)
    expect(trouble.quota.until).toBeGreaterThan(Date.now() / 1_000)
    expect(proxy.told.get('another')).toBeLessThan(5)
    expect(running.seen).toContainEqual({
      is: 'wait',
      wait: expect.objectContaining({ for: 'quota', times: 1 }),
    })
  })

  test('with HTTP 403 from the start ends it in a sentence', async () => {
    const [proxy] = proxies
    proxy.fault = () => 'HTTP 403 in HTML'
    expect(await (await start([proxy.url])).ended).toMatchObject({
      name: 'RpcRefusedError',
      message: expect.stringMatching(
        /^127\.0\.0\.1:\d+ refused: \w+: Attention Required! \| Cloudflare \(403\); check its URL, key and plan, or give another endpoint$/,
      ),
    })
  })
})

test.each(inTurn('results of another kind', 'null results'))(
  'a preferred endpoint whose answers are of no use with %s does not hide another one, at the start or later',
  async (fault) => {
    const [useless, good] = proxies
    useless.fault = () => fault
    const running = await start([useless.url, good.url])
    await running.caughtUp()
    useless.fault = () => undefined
    await market.mine(10, 1)
    await running.caughtUp()
    useless.fault = () => fault
    await market.mine(10, 1)
    await running.caughtUp()
    await expectNothingWrongEverSealed()
  },
)

/** Mines until whatever was left out must have been found: five minutes and what lies between two blocks. */
async function mineMinutes(count: number, running: Ingest) {
  for (let minute = 0; minute < count; minute += 1) {
    await market.mineMinute(25)
    await running.caughtUp()
  }
}

describe.runIf(isLong)('an endpoint that lies', () => {
  test.each<[FaultName]>([['no logs of the newest blocks'], ['one log in five left out']])(
    'with %s is found out within five minutes, corrected and counted',
    async (fault) => {
      const [liar, honest] = proxies
      const running = await start([liar.url, honest.url])
      await running.caughtUp()
      liar.fault = () => fault
      await mineMinutes(3, running)
      liar.fault = () => undefined
      await mineMinutes(5, running)
      await expectAsFromZero(stores, market)
      const corrections = (await allOf(stores.log.entriesAfter(0))).filter(
        (entry) => entry.is === 'rewound' && entry.cause === 'omission',
      ).length
      await documentsOf(stores)
      const status = JSON.parse(Buffer.from((await stores.published.read('v1/status'))!.bytes).toString())
      expect(status.corrections).toBe(corrections)
      expect(corrections + running.reported.length).toBeGreaterThan(0)
      expect(corrections).toBeLessThan(6)
    },
  )
})
