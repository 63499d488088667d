import type { Prices, Slot } from '../../market/board/candles.ts'
import { TOKEN_DECIMALS } from '../../market/rules.ts'
import { type FieldTable, fieldsOf, orNull } from '../values/field.ts'
import * as kind from '../values/kinds.ts'

const slot = fieldsOf<Slot>()
const price = orNull(kind.price)

/** Prices of a slot in a currency. */
const pricesIn = (currency: 'usd' | 'quote', pricesOf: (row: Slot) => Prices): FieldTable<Slot> => ({
  ...(currency === 'usd'
    ? { price_usd: slot(price, closeUsd, { description: CLOSE, aliases: ['price', 'close'] }) }
    : {
        price_usd: slot(price, closeUsd, CLOSE),
        price: slot(price, (row) => pricesOf(row).close, {
          description: 'Pool price at the end of the slot, in the currency of the answer',
          aliases: ['close'],
        }),
      }),
  open: slot(price, (row) => pricesOf(row).open, {
    description:
      'The close of the slot before; in the slot of the launch, the launch price; null, like high, low and volume, if the slot begins before the token’s coverage_from',
  }),
  high: slot(price, (row) => pricesOf(row).high, 'Highest price, open and close included'),
  low: slot(price, (row) => pricesOf(row).low, 'Lowest price, open and close included'),
})

const closeUsd = ({ usd }: Slot): bigint | null => usd.close
const CLOSE = 'Pool price at the end of the slot, in USD at the quote’s rate then'

const fieldsIn = (currency: 'usd' | 'quote'): FieldTable<Slot> => ({
  timestamp: slot(kind.count, (row) => row.start, 'Start of the slot, Unix seconds'),
  datetime: slot(kind.time, (row) => row.start, 'The same as text'),
  ...pricesIn(currency, (row) => row[currency]),
  volume_usd: slot(orNull(kind.usd), (row) => row.volume, {
    description: 'Volume of the slot, USD; null if it begins before the token’s coverage_from',
  }),
  trades: slot(orNull(kind.count), (row) => row.trades, 'Swaps of the slot'),
  market_cap: slot(orNull(kind.usd), (row) => row.marketCap, 'Close in USD × total supply'),
  filled: slot(orNull(kind.flag), (row) => row.isFilled, 'The token’s own price was not set in the slot'),
  partial: slot(kind.flag, (row) => row.isPartial, 'The slot is not over yet'),
})

const flows: FieldTable<Slot> = {
  buys: slot(orNull(kind.count), (row) => row.buys, 'Swaps that bought the token'),
  buy_volume: slot(orNull(kind.usd), (row) => row.buyVolume, 'Their part of the volume, USD'),
  volume_quote: slot(orNull(kind.amount), inWholeQuotes, {
    description: 'Volume in the quote currency, whole units, floored to 6 decimals',
  }),
}

/** Steps of a price history, in time. */
export const priceStepFields: FieldTable<Slot> = { ...fieldsIn('usd'), ...flows }

function inWholeQuotes({ volumeQuote, quoteDecimals }: Slot): bigint | null {
  if (volumeQuote === null) return null
  const missing = TOKEN_DECIMALS - quoteDecimals
  return missing < 0 ? volumeQuote / 10n ** BigInt(-missing) : volumeQuote * 10n ** BigInt(missing)
}

/** Candles with prices in USD or in the quote currency: the same keys. */
export const candleFields: Readonly<Record<'usd' | 'quote', FieldTable<Slot>>> = {
  usd: { ...fieldsIn('usd'), ...flows },
  quote: { ...fieldsIn('quote'), ...flows },
}
