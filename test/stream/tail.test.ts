import { once } from 'node:events'
import { EventEmitter } from 'node:stream'
import { expect, it } from 'vitest'
import type { FeedEntry } from '../../market/feed-entry.ts'
import type { Feed } from '../../store/log/feed.ts'
import { Tail } from '../../stream/tail.ts'

it('the first reader of an idle task ends its pause: the feed is polled at once', async () => {
  const polls = new EventEmitter()
  async function* none(): AsyncGenerator<FeedEntry> {
    polls.emit('poll')
    yield* []
  }
  const feed: Feed = {
    tail: async () => 0,
    append: async () => true,
    read: async () => undefined,
    after: none,
    before: none,
  }
  const onFault = (error: unknown) => {
    throw error
  }
  const tail = await Tail.open(
    { feed, currencies: { read: async () => () => expect.unreachable() }, applied: async () => undefined },
    // No poll but the first comes by itself while this test runs.
    { pollMs: 3_600_000, isIdle: () => true, onEntries: () => {}, onFault },
  )
  const ending = new AbortController()
  const first = once(polls, 'poll')
  const following = tail.follow(ending.signal)
  await first
  for (let reader = 0; reader < 3; reader++) {
    // The pause begins after the poll.
    await new Promise((resolve) => setImmediate(resolve))
    const next = once(polls, 'poll')
    tail.wake()
    await next
  }
  ending.abort()
  await following
})
