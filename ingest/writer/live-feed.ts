import type { Feed } from '../../store/log/feed.ts'
import { type FeedWriter, openFeedWriter } from './feed-writer.ts'

/**
 * The feed for a writer whose log may not be the live one: it changes the feed only while it is. When its log becomes
 * live it continues what the writer before it has published, and does not compare older minutes, which were folded by
 * other rules.
 */
export async function openLiveFeed(feed: Feed, isLive: () => Promise<boolean>): Promise<FeedWriter> {
  let writer = (await isLive()) ? await openFeedWriter(feed) : undefined
  return {
    async bring(seen) {
      if (!(await isLive())) {
        writer = undefined
        return
      }
      writer ??= await openFeedWriter(feed, seen.pendingFrom)
      await writer.bring(seen)
    },
    markUnverified: (blockNumber) => writer?.markUnverified(blockNumber),
    isUnverifiedBefore: (blockNumber) => writer?.isUnverifiedBefore(blockNumber) ?? false,
    async retractAbove(blockNumber) {
      if (await isLive()) await writer?.retractAbove(blockNumber)
    },
  }
}
