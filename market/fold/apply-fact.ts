import { minuteOfBlock } from '../calendar.ts'
import { isImported } from '../coverage.ts'
import { microUsdOf, paidUsdE36 } from '../pool.ts'
import { priceAlong, quoteAlong } from '../route.ts'
import type { BalanceChange, Block, Hash, Swap } from '../segment.ts'
import { applyPayment } from './earnings.ts'
import { stepWallet } from './engagement.ts'
import type { Fact, FactOf } from './fact.ts'
import { type Folding, routeOf, type Transfer } from './folding.ts'
import { holdersDelta, NOBODY, sidesOf } from './holders.ts'
import { figuresOfSources } from './references.ts'
import { drawCandle, noteMigration, poolOf, provide, setPrice, type TokenMinute } from './token-minute.ts'

type Applier<Name extends Fact['is']> = (
  folding: Folding,
  token: TokenMinute,
  fact: FactOf<Name>,
  block: Block,
) => void

/** How each kind of fact changes its token. */
const appliers: { readonly [Name in Exclude<Fact['is'], 'rated'>]: Applier<Name> } = {
  launched: (folding, token) => {
    const { initialSqrtPriceX96 } = poolOf(token, token.coin.poolId)
    const { pools, rate } = routeOf(folding, folding.inForce, token)
    const atLaunch = pools.map((pool, at) =>
      at === 0 ? { ...pool, sqrtPriceX96: initialSqrtPriceX96 } : pool,
    )
    const price = priceAlong({ pools: atLaunch, rate })
    token.launch = { priceUsdE36: price === 0n ? null : price, supply: token.state.supply }
  },
  renamed: (_folding, token, { name, symbol }, { timestamp }) => {
    const { coin } = token
    const nameSince = name === coin.name ? coin.nameSince : timestamp
    const symbolSince = symbol === coin.symbol ? coin.symbolSince : timestamp
    token.coin = { ...coin, name, symbol, nameSince, symbolSince }
  },
  uriUpdated: (_folding, token, { uri }) => {
    token.coin = { ...token.coin, uri }
  },
  migrated: (folding, token, { poolId, hook, quote, isCurrency0 }, block) => {
    noteMigration(token, poolId, block)
    token.coin = { ...token.coin, poolId, hook, quote, isCurrency0 }
    setOwnPrice(folding, token, poolId, poolOf(token, poolId).sqrtPriceX96)
  },
  initialized: (folding, token, { poolId, sqrtPriceX96 }) => {
    poolOf(token, poolId).initialSqrtPriceX96 = sqrtPriceX96
    setOwnPrice(folding, token, poolId, sqrtPriceX96)
  },
  moved: (folding, token, { poolId, sqrtPriceX96 }) => setOwnPrice(folding, token, poolId, sqrtPriceX96),
  provided: (_folding, token, fact) => provide(token, fact),
  paid: applyPayment,
  swapped: (folding, token, fact, block) => {
    // A hook sells the fees of its own tokens through other pools. It may be first seen later in the minute.
    if (folding.uncounted.has(fact.sender)) setOwnPrice(folding, token, fact.poolId, fact.sqrtPriceX96)
    else applySwap(folding, token, fact, block)
  },
  transferred: applyTransfer,
}

/** Applies one fact; facts of unknown tokens are skipped. */
export function applyFact(folding: Folding, fact: Fact, block: Block): void {
  if (fact.is === 'rated') {
    applyRate(folding, fact, block)
    return
  }
  const token = folding.tokens.get(fact.is === 'launched' ? fact.coin.address : fact.token)
  if (!token) return
  token.isTouched = true
  const apply = appliers[fact.is] as Applier<typeof fact.is>
  apply(folding, token, fact as never, block)
}

/** Until a currency has had a close, its last swap is the rate in force. */
function applyRate({ prior, inForce, rated }: Folding, fact: FactOf<'rated'>, block: Block): void {
  const { pool, sqrtPriceX96, liquidity } = fact
  const swap = { sqrtPriceX96, liquidity, swappedAt: block.timestamp }
  rated.set(pool, swap)
  for (const [currency, rate] of prior.references) {
    const source = rate.heldUsdE36 === 0n && rate.sources.find((one) => one.pool === pool)
    if (!source) continue
    const now = { ...rate, sources: [{ ...source, ...swap }] }
    const [figures] = figuresOfSources(now, (quote) => inForce.get(quote), minuteOfBlock(block))
    const { priceUsdE36 = 0n } = figures ?? {}
    if (priceUsdE36 > 0n) inForce.set(currency, { ...rate, heldUsdE36: priceUsdE36 })
  }
}

function setOwnPrice(folding: Folding, token: TokenMinute, poolId: Hash, sqrtPriceX96: bigint): void {
  if (setPrice(token, poolId, sqrtPriceX96))
    drawCandle(token, priceAlong(routeOf(folding, folding.inForce, token)))
}

function applySwap(folding: Folding, token: TokenMinute, fact: FactOf<'swapped'>, block: Block): void {
  const { coin, state } = token
  if (fact.poolId !== coin.poolId) return
  const { amountToken, amountQuote, isBuy, poolId, blockNumber, logIndex, transactionHash } = fact
  const { usdE36: quoteUsdE36, decimals: quoteDecimals } = quoteAlong(
    routeOf(folding, folding.inForce, token),
  )
  const volumeMicroUsd = microUsdOf(amountQuote, quoteUsdE36, quoteDecimals)
  const { trader, from, to } = partiesOf(folding, fact)
  const step = stepWallet(token.wallets.get(trader), { isBuy, volumeMicroUsd })
  token.wallets.set(trader, step.wallet)
  state.cumVolumeMicroUsd += volumeMicroUsd
  state.cumTrades += 1
  state.lastSwapMinute = Math.floor(block.timestamp / 60)
  state.cumRankVolumeMicroUsd += step.rankMicroUsd
  if (step.counts) state.cumEngagement += 1
  if (isBuy) {
    state.cumBuyVolumeMicroUsd += volumeMicroUsd
    state.cumBuys += 1
  }
  setOwnPrice(folding, token, poolId, fact.sqrtPriceX96)
  // No spreads: this runs for every trade.
  folding.swaps.push({
    blockNumber,
    logIndex,
    transactionHash,
    blockHash: block.hash,
    timestamp: block.timestamp,
    token: coin.address,
    poolId,
    quote: coin.quote,
    isBuy,
    amountToken,
    amountQuote,
    trader,
    from,
    to,
    volumeMicroUsd,
    paidUsdE36: paidUsdE36({ amountToken, amountQuote, quoteDecimals }, quoteUsdE36),
    timestampMs: folding.timestampMs,
  })
}

/**
 * The trader: the swapSender of a router that the hook trusts; if that names none, the counterparty of the token's last
 * transfer in the transaction; else tx.from, because an untrusted router can pay anyone, whether it names them or not.
 */
function partiesOf(
  { lastTransfers }: Folding,
  fact: FactOf<'swapped'>,
): Pick<Swap, 'trader' | 'from' | 'to'> {
  const transfer = lastTransfers.get(fact.transactionHash + fact.token)
  const counterparty = fact.isBuy ? transfer?.to : transfer?.from
  const named = fact.swapSender === 'untrusted' ? undefined : (fact.swapSender ?? counterparty)
  const trader = named ?? fact.transactionFrom ?? NOBODY
  return { trader, from: transfer?.from ?? null, to: transfer?.to ?? null }
}

function applyTransfer(folding: Folding, { state, coin }: TokenMinute, fact: Transfer): void {
  const { from, to, amount, fromBalance, toBalance } = fact
  const { poolManager } = folding.prior
  if (from === NOBODY) state.supply += amount
  if (to === NOBODY) state.supply -= amount
  if (from === coin.address) state.selfHeld = fromBalance
  if (to === coin.address) state.selfHeld = toBalance
  if (from === poolManager) state.pooled = fromBalance
  if (to === poolManager) state.pooled = toBalance
  if (!isImported(coin)) state.holders += holdersDelta(fact, folding.uncounted)
  for (const side of sidesOf(fact)) noteBalance(folding, { token: coin.address, ...side })
}

function noteBalance({ balances, prior }: Folding, change: BalanceChange): void {
  const { token, holder, after } = change
  if (holder === prior.poolManager) return
  const noted = balances.get(token + holder)
  balances.set(token + holder, noted ? { ...noted, after } : change)
}
