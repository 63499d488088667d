import fc from 'fast-check'
import { decodeEventLog } from 'viem'
import { describe, expect, it } from 'vitest'
import { chains } from '../../../ingest/client/chains.ts'
import type { Log } from '../../../ingest/client/logs.ts'
import { factsOfLog } from '../../../ingest/decode/decode.ts'
import { events } from '../../../ingest/decode/events.ts'
import { fold } from '../../../market/fold/fold.ts'
import type { PriorState } from '../../../market/prior.ts'
import type { Address, Coin } from '../../../market/segment.ts'
import { type Emitted, logOf } from '../../support/chain/raw-logs.ts'
import {
  address,
  block,
  coin,
  known,
  launchedIn,
  ONE_X96,
  prior,
  rate,
  USD,
  ZORA,
} from '../../support/market/facts.ts'

const [NEW_HOOK, OLD_HOOK, DOLLAR, STRANGER] = [0x40, 0x41, 0x22, 0x99].map(address) as [
  Address,
  Address,
  Address,
  Address,
]
const born = (blockNumber: number, creator: number, n: number) => ({
  address: address(0xa0 + n),
  creator: address(creator),
  launchedBy: address(creator),
  launchedAt: launchedIn({ number: blockNumber, timestamp: 60 }, 1, n),
})
const post = { kind: 'post' as const }
const ann = coin({ ...born(1, 0xc1, 0), hook: NEW_HOOK })
const bob = coin({ ...born(2, 0xc2, 1), hook: OLD_HOOK })
/** Of the old creator token, and of the new one; one of a stranger's in it, and one of its creator's in dollars. */
const tokens: readonly Coin[] = [
  ann,
  bob,
  coin({ ...born(3, 0xc1, 2), ...post, quote: ann.address }),
  coin({ ...born(4, 0xc2, 3), ...post, quote: bob.address, hook: OLD_HOOK }),
  coin({ ...born(5, 0x99, 4), ...post, quote: ann.address }),
  coin({ ...born(6, 0xc1, 5), ...post, quote: DOLLAR }),
]
/** USD of a base unit × 1e36, in whole numbers: a ZORA is $3, Ann's token costs two and Bob's seven ZORA. */
const worth = new Map<Address, bigint>([
  [ZORA, 3n * 10n ** 18n],
  [DOLLAR, 10n ** 30n],
  [ann.address, 6n * 10n ** 18n],
  [bob.address, 21n * 10n ** 18n],
])
/** What the fees of each token may be paid in: along its path, as far as they were sold. */
const pathOf = ({ quote, kind }: Coin, own: Address): readonly Address[] =>
  kind === 'creator' ? [own, ZORA] : quote === DOLLAR ? [DOLLAR] : [quote, ZORA]

function start(): PriorState {
  const at = (token: Coin) => {
    // Prices of 2 and 7 quotes: no square root is whole, so the nearest one whose price rounds down to it is taken.
    const root = token === ann ? 2n : token === bob ? 7n : 1n
    return known({ coin: token, state: { sqrtPriceX96: rootOf(root * ONE_X96 * ONE_X96) } })
  }
  const empty = prior(tokens.map(at), 3n * USD)
  return {
    ...empty,
    references: new Map([...empty.references, [DOLLAR, rate(USD, 6)]]),
    owners: new Map([
      [ann.creator, { oldestCreatorToken: ann.address, posts: [] }],
      [bob.creator, { oldestCreatorToken: bob.address, posts: [] }],
    ]),
  }
}

/** The least whole number with at least this square. */
function rootOf(square: bigint): bigint {
  let [low, high] = [0n, square]
  while (low < high) {
    const middle = (low + high) / 2n
    if (middle * middle >= square) high = middle
    else low = middle + 1n
  }
  return low
}

type Paying = { readonly token: number; readonly step: number; readonly amount: bigint; readonly who: number }
const payings: fc.Arbitrary<Paying> = fc.record({
  token: fc.nat(tokens.length - 1),
  step: fc.nat(1),
  amount: fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 10n ** 22n })),
  who: fc.nat(7),
})

/** The logs of one payment as its hook emits them; `who` & 1: a platform, & 2: whoever sent the trader, & 4: it is spoofed. */
function emitted({ token, step, amount, who }: Paying): Emitted[] {
  const coin = tokens[token] as Coin
  const path = pathOf(coin, coin.address)
  const currency = path[step % path.length] as Address
  const from = who & 4 ? STRANGER : coin.hook
  const [nobody, recipient] = [address(0), coin.creator]
  const short = (creatorAmount: bigint, protocolAmount: bigint): Emitted => ({
    from,
    event: 'creatorRewards',
    args: {
      coin: coin.address,
      currency,
      creator: recipient,
      protocol: address(1),
      creatorAmount,
      protocolAmount,
    },
  })
  if (coin.hook === OLD_HOOK && coin.kind === 'creator') return [short(amount / 2n, amount - amount / 2n)]
  const share = (bps: bigint, isPaid = true) => (isPaid ? (amount * bps) / 10_000n : 0n)
  const [creator, platform, referrer, doppler] = [
    share(6_250n),
    share(2_500n, (who & 1) > 0),
    share(500n, (who & 2) > 0),
    share(125n),
  ]
  const protocol = amount - creator - platform - referrer - doppler
  const full: Emitted = {
    from,
    event: 'marketRewards',
    args: {
      coin: coin.address,
      currency,
      payoutRecipient: recipient,
      platformReferrer: who & 1 ? address(2) : nobody,
      tradeReferrer: who & 2 ? address(3) : nobody,
      protocolRewardRecipient: address(1),
      dopplerRecipient: address(4),
      marketRewards: {
        creatorPayoutAmountCurrency: creator,
        creatorPayoutAmountCoin: 0n,
        platformReferrerAmountCurrency: platform,
        platformReferrerAmountCoin: 0n,
        tradeReferrerAmountCurrency: referrer,
        tradeReferrerAmountCoin: 0n,
        protocolAmountCurrency: protocol,
        protocolAmountCoin: 0n,
        dopplerAmountCurrency: doppler,
        dopplerAmountCoin: 0n,
      },
    },
  }
  return coin.kind === 'creator' ? [full, short(creator, protocol)] : [full]
}

const context = {
  chain: chains.devnet,
  tokens: new Set(tokens.map((token) => token.address)),
  pools: new Map(),
  hooks: new Set([NEW_HOOK, OLD_HOOK]),
}

/** Folds minutes of payments, each in a block of its own. */
function folded(minutes: readonly (readonly Paying[])[]) {
  let before = start()
  const logs: Log[] = []
  for (const [at, some] of minutes.entries()) {
    const own = some.flatMap(emitted).map((log, logIndex) => logOf(log, { blockNumber: 100 + at, logIndex }))
    logs.push(...own)
    const header = block(100 + at, 6_000 + 60 * at)
    const facts = own.flatMap((log) => factsOfLog(log, context))
    const blocks = [{ block: header, facts }]
    before = fold(before, { minute: 100 + at, firstBlock: header.number, last: header, blocks }).after
  }
  return { after: before, logs }
}

type Sums = { earned: bigint; ofPosts: bigint; platform: bigint; referrer: bigint; protocol: bigint }

/** A recheck from the logs alone: by viem, each amount at its currency's worth. */
function rechecked(logs: readonly Log[]): ReadonlyMap<Address, Sums> {
  const sums = new Map(
    tokens.map(({ address }) => [
      address,
      { earned: 0n, ofPosts: 0n, platform: 0n, referrer: 0n, protocol: 0n },
    ]),
  )
  const read = (log: Log) => {
    const abi = [log.topics.length === 1 ? events.marketRewards : events.creatorRewards] as const
    return decodeEventLog({ abi, data: log.data, topics: log.topics as [Address] }).args!
  }
  for (const [at, log] of logs.entries()) {
    if (log.address !== NEW_HOOK && log.address !== OLD_HOOK) continue
    const args = read(log)
    const token = tokens.find((each) => each.address === args.coin.toLowerCase()) as Coin
    const usd = (...amounts: bigint[]) =>
      (amounts.reduce((sum, one) => sum + one) * (worth.get(args.currency.toLowerCase() as Address) ?? 0n)) /
      10n ** 30n
    const own = sums.get(token.address) as Sums
    const isAgain =
      !('marketRewards' in args) && log.address === NEW_HOOK && logs[at - 1]?.topics.length === 1
    if (isAgain) continue
    if ('marketRewards' in args) {
      const paid = args.marketRewards
      own.platform += usd(paid.platformReferrerAmountCurrency)
      own.referrer += usd(paid.tradeReferrerAmountCurrency)
      own.protocol += usd(paid.protocolAmountCurrency, paid.dopplerAmountCurrency)
    } else own.protocol += usd(args.protocolAmount)
    const earned = usd(
      'marketRewards' in args ? args.marketRewards.creatorPayoutAmountCurrency : args.creatorAmount,
    )
    own.earned += earned
    // A creator's posts count for the creator's own token as well, a stranger's in it do not.
    const theirs = [ann, bob].find(({ creator }) => creator === token.creator)
    if (token.kind === 'creator' || !theirs) continue
    const ofCreator = sums.get(theirs.address) as Sums
    ofCreator.earned += earned
    ofCreator.ofPosts += earned
  }
  return sums
}

describe('earnings', () => {
  it('equal a recheck of what the hooks of two versions paid, in whatever currency and to whomever', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(payings, { maxLength: 6 }), { minLength: 1, maxLength: 5 }),
        (minutes) => {
          const { after, logs } = folded(minutes)
          for (const [token, sums] of rechecked(logs)) {
            const state = after.tokens.get(token)?.state
            expect({
              earned: state?.cumEarnedMicroUsd,
              ofPosts: state?.cumPostsEarnedMicroUsd,
              platform: state?.cumPlatformFeesMicroUsd,
              referrer: state?.cumReferrerFeesMicroUsd,
              protocol: state?.cumProtocolFeesMicroUsd,
            }).toEqual(sums)
          }
        },
      ),
    )
  })

  it('of a fee of 32 ZORA at $3 are $60 of the creator, said twice and counted once', () => {
    const { after, logs } = folded([[{ token: 0, step: 1, amount: 32n * 10n ** 18n, who: 3 }]])
    expect(logs).toHaveLength(2)
    expect(after.tokens.get(ann.address)?.state).toMatchObject({
      cumEarnedMicroUsd: 60_000_000n,
      cumPostsEarnedMicroUsd: 0n,
      cumPlatformFeesMicroUsd: 24_000_000n,
      cumReferrerFeesMicroUsd: 4_800_000n,
      cumProtocolFeesMicroUsd: 7_200_000n,
    })
  })

  it('are nothing where a stranger says so, or of a token that is not known', () => {
    const spoofed = { token: 0, step: 1, amount: 10n ** 18n, who: 4 }
    expect(folded([[spoofed]]).after.tokens.get(ann.address)?.state.cumEarnedMicroUsd).toBe(0n)
    const [log] = emitted({ ...spoofed, who: 0 }).map((one) => logOf(one))
    expect(factsOfLog(log as Log, { ...context, tokens: new Set() })).toEqual([])
  })
})
