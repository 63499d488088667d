import type { Block } from '../../market/segment.ts'
import type { TokenStore } from '../../store/items/tokens.ts'
import type { Feed } from '../../store/log/feed.ts'
import type { LogStore } from '../../store/log/log.ts'
import type { ChainClock } from '../client/chain-clock.ts'
import type { Chain } from '../client/chains.ts'
import type { Rpc } from '../client/rpc.ts'
import type { OldTokens } from '../decode/old-tokens.ts'
import type { Registry } from '../decode/registry.ts'
import type { Head } from '../read/head.ts'
import type { Pushes } from '../read/pushes.ts'
import type { RangeReader } from '../read/range.ts'
import type { HolderViews } from './holder-views.ts'
import type { Verification } from './verifying.ts'

/** Everything the writer reads from and writes to. */
export type WriterDeps = {
  readonly rpc: Rpc
  readonly chain: Chain
  readonly registry: Registry
  readonly ranges: RangeReader
  /** Agreement of headers with the schedule. */
  readonly clock: ChainClock
  readonly head: Pick<Head, 'read' | 'idleMs'>
  /** Blocks pushed by WebSockets between polls of the head. */
  readonly pushes: Pick<Pushes, 'after' | 'polled' | 'refuse'>
  readonly log: LogStore
  readonly tokens: TokenStore
  readonly feed: Feed
  /** Whether readers follow this writer's log: if not, another writer has the feed. */
  readonly isLive: () => Promise<boolean>
  /** If the log is empty: the block before the first one to read; null: the whole chain. */
  readonly start: Block | null
  /** Farther behind the head than this many seconds, the head is not requested and rounds overlap. @default 6_000 */
  readonly farSeconds?: number
  /** Tokens older than `start`. The registry must use the same. */
  readonly oldTokens: OldTokens
  /** Verification of minutes before and after sealing. */
  readonly verification: Verification
  readonly holders: HolderViews
}
