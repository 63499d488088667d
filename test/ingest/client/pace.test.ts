import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { RateLimitedError } from '../../../ingest/client/faults.ts'
import { type Clock, openPace, openPacing, type Wait } from '../../../ingest/client/pacing.ts'

/** A clock that moves only when somebody waits for it. */
function openClock(): Clock {
  let time = 0
  return {
    now: () => time,
    sleep: async (ms) => {
      time += ms
    },
  }
}

/** What providers do: a bucket that holds a second's worth, of calls or of requests. */
function openProvider({ now }: Clock, rate: number, costOf: (calls: number) => number) {
  const told = { granted: 0, refused: 0 }
  let tokens = rate
  let at = now()
  const ask = async (calls: number) => {
    tokens = Math.min(rate, tokens + ((now() - at) * rate) / 1_000)
    at = now()
    const cost = costOf(calls)
    if (tokens < cost) {
      told.refused += 1
      throw new RateLimitedError('here', 'too many requests')
    }
    tokens -= cost
    told.granted += cost
  }
  return { told, ask }
}

/** Asks for so many seconds without a pause, in batches as large as the pacing has them, between single calls. */
async function askFor(seconds: number, clock: Clock, provider: ReturnType<typeof openProvider>) {
  const waits: Wait[] = []
  const pacing = openPacing('here', { onRequest: () => {}, onWait: (wait) => waits.push(wait) }, clock)
  while (clock.now() < seconds * 1_000) {
    for (const calls of [1, Math.min(33, pacing.batchSize()), 1, 1]) {
      await pacing.run({ calls, isOfLogs: false }, () => provider.ask(calls)).catch(() => {})
      await clock.sleep(5)
    }
  }
  return waits
}

describe('an adapted rate', () => {
  it.each<[string, number, (calls: number) => number]>([
    ['25 calls', 25, (calls) => calls],
    ['100 calls', 100, (calls) => calls],
    ['5 requests', 5, () => 1],
    ['10 requests', 10, () => 1],
  ])('of %s a second is used to 70 %% and more, with few refusals', async (_what, rate, costOf) => {
    const clock = openClock()
    const provider = openProvider(clock, rate, costOf)
    const waits = await askFor(120, clock, provider)
    expect(provider.told.granted / (rate * 120)).toBeGreaterThan(0.7)
    expect(provider.told.refused).toBeLessThan(60)
    expect(waits.filter((wait) => wait.for === 'rate')).toHaveLength(provider.told.refused)
    // Every turn that is waited for is told, with the refusal that it is due to.
    const turns = waits.filter((wait) => wait.for === 'turn')
    expect(turns.length).toBeGreaterThan(rate)
    for (const turn of turns) expect(turn.cause).toContain('too many requests')
  })

  it('is unlimited before the first refusal', async () => {
    const pace = openPace()
    for (let calls = 0; calls < 10_000; calls += 1) expect(pace.take(1)).toBe(0)
    expect(pace.perSecond()).toBe(Number.POSITIVE_INFINITY)
  })

  it('is cut once for requests sent together', async () => {
    const clock = openClock()
    const pace = openPace(clock)
    pace.granted(100)
    for (let refusals = 0; refusals < 5; refusals += 1) pace.refused(false)
    expect(pace.perSecond()).toBe(100)
    await clock.sleep(1_000)
    pace.granted(100)
    pace.refused(false)
    expect(pace.perSecond()).toBe(80)
  })

  it('is not cut for a single refusal below it, but for a second one', async () => {
    const clock = openClock()
    const pace = openPace(clock)
    pace.granted(100)
    pace.refused(false)
    await clock.sleep(5_000)
    pace.granted(10)
    pace.refused(false)
    expect(pace.perSecond()).toBe(100)
    pace.refused(true)
    expect(pace.perSecond()).toBe(80)
  })

  it('fails at once, without a request, during a long pause', async () => {
    const clock = openClock()
    const pacing = openPacing('here', { onRequest: () => {}, onWait: () => {} }, clock)
    let asked = 0
    const ask = async () => {
      asked += 1
      if (clock.now() < 3_600_000) throw new RateLimitedError('here', 'quota exceeded', 3_600_000)
    }
    const request = () => pacing.run({ calls: 1, isOfLogs: true }, ask)
    await expect(request()).rejects.toThrow(RateLimitedError)
    await expect(request()).rejects.toThrow(RateLimitedError)
    expect([asked, clock.now()]).toEqual([1, 0])
    await clock.sleep(3_590_000)
    await request()
    expect(clock.now()).toBeGreaterThanOrEqual(3_600_000)
  })

  it('never takes a refused rate for too many blocks, unless other calls are answered meanwhile', async () => {
    const clock = openClock()
    const pacing = openPacing('here', { onRequest: () => {}, onWait: () => {} }, clock)
    const slow = async () => {
      throw new RateLimitedError('here', 'slow down')
    }
    const ask = (isOfLogs: boolean, answer: () => Promise<unknown>) =>
      pacing.run({ calls: 1, isOfLogs }, answer)
    for (let times = 0; times < 5; times += 1) await expect(ask(true, slow)).rejects.toThrow(RateLimitedError)
    await ask(false, async () => {})
    await expect(ask(true, slow)).rejects.toMatchObject({ name: 'BlockRangeTooLargeError', isCertain: false })
    await ask(true, async () => {})
    await expect(ask(true, slow)).rejects.toThrow(RateLimitedError)
  })

  it('fails after 20 seconds, with pauses of any length', async () => {
    for (const retryAfterMs of [undefined, 1_000, 20_000]) {
      const clock = openClock()
      const pacing = openPacing('here', { onRequest: () => {}, onWait: () => {} }, clock)
      const refused = pacing.run({ calls: 1, isOfLogs: false }, async () => {
        throw new RateLimitedError('here', 'slow down', retryAfterMs)
      })
      await expect(refused).rejects.toThrow(RateLimitedError)
      expect(clock.now()).toBeLessThan(40_000)
    }
  })

  it('pauses all callers as long as the endpoint requires', async () => {
    const waits: Wait[] = []
    const pacing = openPacing('here', { onRequest: () => {}, onWait: (wait) => waits.push(wait) })
    const asked: number[] = []
    const from = performance.now()
    const ask = async () => {
      asked.push(performance.now() - from)
      if (asked.length === 1) throw new RateLimitedError('here', 'slow down', 300)
    }
    await Promise.all([
      pacing.run({ calls: 1, isOfLogs: false }, ask),
      sleep(10).then(() => pacing.run({ calls: 1, isOfLogs: false }, ask)),
    ])
    expect(asked).toHaveLength(3)
    expect(Math.min(...asked.slice(1))).toBeGreaterThanOrEqual(299)
    expect(waits[0]).toMatchObject({ for: 'rate', endpoint: 'here', times: 1 })
  })
})
