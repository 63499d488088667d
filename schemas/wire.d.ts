export interface paths {
  readonly '/v1/z100/creators': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * The 100 creators of the board, with their changes over a period
     * @description The 100 creators of the board, with their changes over a period.
     *
     *     Updated once a minute. Of the canonical request, `Cache-Control: public, max-age=20, stale-while-revalidate=10, stale-if-error=86400`.
     */
    readonly get: operations['creators']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/z100/posts': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * The 100 posts of the board, with their changes over a period
     * @description The 100 posts of the board, with their changes over a period.
     *
     *     Updated once a minute. Of the canonical request, `Cache-Control: public, max-age=20, stale-while-revalidate=10, stale-if-error=86400`.
     */
    readonly get: operations['posts']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/z100/index': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * The Z100 Index with the trading activity of both boards
     * @description The Z100 Index with the trading activity of both boards.
     *
     *     Updated once a minute. Of the canonical request, `Cache-Control: public, max-age=20, stale-while-revalidate=10, stale-if-error=86400`.
     */
    readonly get: operations['index']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/z100/index/hours': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * The Z100 Index of the last seven days, hour by hour
     * @description The Z100 Index of the last seven days, hour by hour.
     *
     *     Updated once a minute. Of the canonical request, `Cache-Control: public, max-age=20, stale-while-revalidate=10, stale-if-error=86400`.
     */
    readonly get: operations['indexHours']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/z100/index/constituents': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * All members of the Z100 Index, heaviest first, with their quantities and weights
     * @description All members of the Z100 Index, heaviest first, with their quantities and weights.
     *
     *     Updated once a minute. Of the canonical request, `Cache-Control: public, max-age=20, stale-while-revalidate=10, stale-if-error=86400`.
     */
    readonly get: operations['constituents']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/all': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Both boards and the index in one response
     * @description Both boards and the index in one response.
     *
     *     Updated once a minute. Of the canonical request, `Cache-Control: public, max-age=20, stale-while-revalidate=10, stale-if-error=86400`.
     */
    readonly get: operations['all']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/market/trending': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * The top 100 tokens traded in a timeframe
     * @description The top 100 tokens traded in a timeframe.
     *
     *     Updated once a minute. Of the canonical request, `Cache-Control: public, max-age=20, stale-while-revalidate=10, stale-if-error=86400`.
     */
    readonly get: operations['trending']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/market/volume': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Market-wide volume in equal steps, with the previous period’s total
     * @description Market-wide volume in equal steps, with the previous period’s total.
     *
     *     Updated once a minute. Of the canonical request, `Cache-Control: public, max-age=20, stale-while-revalidate=10, stale-if-error=86400`.
     */
    readonly get: operations['volume']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/market/stats': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Market-wide statistics
     * @description Market-wide statistics.
     *
     *     Updated once a minute. Of the canonical request, `Cache-Control: public, max-age=20, stale-while-revalidate=10, stale-if-error=86400`.
     */
    readonly get: operations['stats']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/discover/rising': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Tokens that attracted unusually high net buying in the last hour, compared with the day before
     * @description Tokens that attracted unusually high net buying in the last hour, compared with the day before.
     *
     *     Updated once a minute. Of the canonical request, `Cache-Control: public, max-age=20, stale-while-revalidate=10, stale-if-error=86400`.
     */
    readonly get: operations['rising']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/discover/new-launches': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Tokens created in the last 7 days, newest first
     * @description Tokens created in the last 7 days, newest first.
     *
     *     Updated once a minute. Of the canonical request, `Cache-Control: public, max-age=20, stale-while-revalidate=10, stale-if-error=86400`.
     */
    readonly get: operations['launches']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/status': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * The latest snapshot and the health of the service
     * @description The latest snapshot and the health of the service.
     *
     *     Updated once a minute. Of the canonical request, `Cache-Control: public, max-age=20, stale-while-revalidate=10, stale-if-error=86400`.
     *
     *     Needs no key, and is not counted.
     */
    readonly get: operations['status']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/tokens/{id}': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * One token
     * @description One token.
     *
     *     Computed on request as of the newest sealed minute. `Cache-Control: no-store`.
     */
    readonly get: operations['token']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/tokens/{id}/metrics': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Figures of one token
     * @description Figures of one token.
     *
     *     Computed on request as of the newest sealed minute. `Cache-Control: no-store`.
     */
    readonly get: operations['metrics']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/tokens/{id}/price-history': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Price history of a token in equal steps of UTC time
     * @description Price history of a token in equal steps of UTC time.
     *
     *     Computed on request as of the newest sealed minute. `Cache-Control: no-store`.
     */
    readonly get: operations['priceHistory']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/tokens/{id}/candles': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Candles of a token on a grid of UTC time, oldest first: the newest, or those before a time. 1m, 5m and 15m are kept for 8 days, 1h and 4h for 90 days, 1d and 1w for ever
     * @description Candles of a token on a grid of UTC time, oldest first: the newest, or those before a time. 1m, 5m and 15m are kept for 8 days, 1h and 4h for 90 days, 1d and 1w for ever.
     *
     *     Computed on request as of the newest sealed minute. `Cache-Control: no-store`.
     */
    readonly get: operations['candles']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/tokens/{id}/holders': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * The largest holders of a token and its supply distribution
     * @description The largest holders of a token and its supply distribution.
     *
     *     Computed on request as of `last_updated`: at most ten minutes old. `Cache-Control: no-store`.
     */
    readonly get: operations['holders']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/tokens/{id}/swaps': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Swaps of one token: the last 500 before a time within the last 8 days
     * @description Swaps of one token: the last 500 before a time within the last 8 days.
     *
     *     Computed on request as of the newest sealed minute. `Cache-Control: no-store`.
     */
    readonly get: operations['tokenSwaps']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/market/recent-swaps': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Recent swaps of all tokens: the last 10,000 within 24 hours
     * @description Recent swaps of all tokens: the last 10,000 within 24 hours.
     *
     *     Computed on request up to the head of the chain; `confirmed` says which minutes are sealed. `Cache-Control: no-store`.
     */
    readonly get: operations['recentSwaps']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/tokens': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Tokens: all that were ever launched; or by symbol, name, address or creator, those on a board first, then the oldest; or those at some addresses, in their order
     * @description Tokens: all that were ever launched; or by symbol, name, address or creator, those on a board first, then the oldest; or those at some addresses, in their order.
     *
     *     Computed on request as of the newest sealed minute. `Cache-Control: no-store`.
     */
    readonly get: operations['tokens']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/z100/historical': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * The Z100 Index in equal steps of UTC time, oldest first
     * @description The Z100 Index in equal steps of UTC time, oldest first.
     *
     *     Computed on request as of the newest sealed minute. `Cache-Control: no-store`.
     *
     *     Needs the professional tier or a higher one.
     */
    readonly get: operations['historical']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/usage': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Your account’s requests in this hour; this call is not counted
     * @description Your account’s requests in this hour; this call is not counted.
     *
     *     Computed on request. `Cache-Control: no-store`.
     *
     *     Does not count against the hourly limit.
     */
    readonly get: operations['usage']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/snapshots': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Published snapshots, newest first: the last 1,000 up to a time
     * @description Published snapshots, newest first: the last 1,000 up to a time.
     *
     *     Computed on request as of the newest sealed minute. `Cache-Control: no-store`.
     */
    readonly get: operations['snapshots']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/snapshots/{id}': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * A snapshot’s manifest: its documents and their digests, kept for 90 days
     * @description A snapshot’s manifest: its documents and their digests, kept for 90 days.
     *
     *     Computed on request as of the newest sealed minute. `Cache-Control: no-store`.
     */
    readonly get: operations['snapshot']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/search': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Tokens on either board that match a text, best match first
     * @description Tokens on either board that match a text, best match first.
     *
     *     Computed on request as of the newest sealed minute. `Cache-Control: no-store`.
     */
    readonly get: operations['search']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/openapi.json': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * The OpenAPI 3.1 description of this API
     * @description The OpenAPI 3.1 description of this API.
     *
     *     Changes only with a deployment. `Cache-Control: public, max-age=300, stale-while-revalidate=60, stale-if-error=86400`.
     *
     *     Needs no key, and is not counted.
     */
    readonly get: operations['openapi']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/token-pages/{id}': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * The HTML page of a token, also at /token/{id}; title and preview name the token
     * @description The HTML page of a token, also at /token/{id}; title and preview name the token.
     *
     *     Computed on request as of the newest sealed minute. `Cache-Control: public, max-age=0, s-maxage=60, must-revalidate`.
     *
     *     Needs no key, and is not counted.
     */
    readonly get: operations['tokenPage']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/robots.txt': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * Rules for crawlers, also at /robots.txt
     * @description Rules for crawlers, also at /robots.txt.
     *
     *     Changes only with a deployment. `Cache-Control: public, max-age=0, s-maxage=60, must-revalidate`.
     *
     *     Needs no key, and is not counted.
     */
    readonly get: operations['robots']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/sitemap.xml': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * The sitemap of the pages and of the tokens on both boards, also at /sitemap.xml
     * @description The sitemap of the pages and of the tokens on both boards, also at /sitemap.xml.
     *
     *     Computed on request as of the newest sealed minute. `Cache-Control: public, max-age=0, s-maxage=60, must-revalidate`.
     *
     *     Needs no key, and is not counted.
     */
    readonly get: operations['sitemap']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
  readonly '/v1/llms.txt': {
    readonly parameters: {
      readonly query?: never
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    /**
     * A short guide to this API for language models
     * @description A short guide to this API for language models.
     *
     *     Changes only with a deployment. `Cache-Control: public, max-age=300, stale-while-revalidate=60, stale-if-error=86400`.
     *
     *     Needs no key, and is not counted.
     */
    readonly get: operations['llms']
    readonly put?: never
    readonly post?: never
    readonly delete?: never
    readonly options?: never
    readonly head?: never
    readonly patch?: never
    readonly trace?: never
  }
}
export type webhooks = Record<string, never>
export interface components {
  schemas: {
    readonly BoardRow: {
      /** @description Position on the board or list; does not change with the sort order */
      readonly rank: number
      /** @description Position in this answer, starting at 1 */
      readonly position: number
      /**
       * @description creator or post
       * @enum {string}
       */
      readonly type: 'creator' | 'post'
      /** @description Ticker symbol; untrusted on-chain text */
      readonly symbol: string
      /** @description Token name or post title; untrusted text */
      readonly name: string
      /** @description Symbol of the creator token, else a short address; null where neither is known */
      readonly handle: string | null
      /** @description Symbol of the creator token, else a short address; null where neither is known */
      readonly creator_handle: string | null
      /** @description Name of the creator token; null without one */
      readonly creator_name: string | null
      /** @description Warnings about the names, since anyone may call a token anything */
      readonly name_flags: components['schemas']['NameFlags']
      /** @description Payout recipient at creation, whom anyone may name: see creator_verified; null if coverage_from is set */
      readonly creator_address: string | null
      /** @description Whether creator_address launched the token itself; only then is the token joined with others of that address. null: the creation was not read */
      readonly creator_verified: boolean | null
      /** @description creator_address if it called the factory or sent the transaction, else the caller of the factory; null: the creation was not read */
      readonly launched_by: string | null
      /** @description Token contract */
      readonly contract_address: string
      /** @description Token contract */
      readonly token_address: string
      /** @description Primary Uniswap V4 pool */
      readonly pool_id: string
      /** @description Pool price in USD */
      readonly price_usd: number
      /** @description Price × total supply, USD */
      readonly market_cap: number
      /** @description Price × total supply, USD */
      readonly market_cap_raw: number
      /** @description Display text */
      readonly market_cap_formatted: string
      /** @description market_cap, limited to 25 × the least quote-side liquidity on the token’s path to USD */
      readonly effective_market_cap: number | null
      /** @description market_cap exceeds 25 × that liquidity: hardly anyone could sell at this price */
      readonly thin_liquidity: boolean | null
      /** @description Total supply minus the token contract’s own balance */
      readonly circulating_supply: number
      /** @description Price × circulating supply, USD */
      readonly circulating_market_cap: number
      /** @description Minted minus burned, whole tokens */
      readonly total_supply: number
      /** @description Display text of portfolio_value_raw */
      readonly portfolio_value: string
      /** @description Limited market caps of the creator’s token and posts, USD; on posts the market cap */
      readonly portfolio_value_raw: number
      /** @description Parts of a creator’s portfolio; null on posts */
      readonly portfolio: components['schemas']['Portfolio'] | null
      /** @description Volume of the last 24 hours, USD */
      readonly volume_24h: number | null
      /** @description Volume of the last 24 hours, USD */
      readonly volume_24h_raw: number | null
      /** @description Display text */
      readonly volume_24h_formatted: string
      /** @description Volume since launch, USD */
      readonly total_volume: number | null
      /** @description Volume since launch, USD */
      readonly total_volume_raw: number | null
      /** @description Display text */
      readonly total_volume_formatted: string
      /** @description Volume of the period, USD */
      readonly volume_period: number | null
      /** @description Addresses with a balance */
      readonly unique_holders: number | null
      /** @description Addresses with a balance */
      readonly holders_count: number | null
      /** @description (wallet, UTC hour) pairs of the last 24 hours with a swap of at least $0.10 */
      readonly engagement: number | null
      /** @description Swaps of the last 24 hours */
      readonly trades_24h: number | null
      /** @description Swaps of the period */
      readonly trades_period: number | null
      /** @description Both sides of the hook’s liquidity at the current price */
      readonly liquidity_usd: number | null
      /** @description Signed display text of change_24h_percent */
      readonly change_24h: string | null
      /** @description Price change over 24 hours, or since launch if that is later */
      readonly change_24h_percent: number | null
      /** @description The token was not on this board at the start of the period; null, like previous_rank, if that needs history older than this service’s */
      readonly is_new: boolean | null
      /** @description Rank on this board at the start of the period */
      readonly previous_rank: number | null
      /** @description Ranks gained since the start of the period */
      readonly rank_change: number | null
      /** @description The board’s sort key: portfolio_value_raw for creators, engagement for posts */
      readonly score: number | null
      /** @description Time of the creation block; null if coverage_from is set */
      readonly created_at: string | null
      /** @description Set on tokens older than this service’s history, which begins at this time: figures of windows that begin earlier, total volume, extremes, holders and the creator are null */
      readonly coverage_from: string | null
      /** @description Start of the period */
      readonly period_start: string
      /**
       * @description Source of the figures
       * @enum {string}
       */
      readonly data_source: 'onchain'
      /** @description Price change over the period */
      readonly price_change_percent: number | null
      /** @description The price rose */
      readonly price_is_up: boolean | null
      /** @description Market cap change over the period */
      readonly market_cap_change_percent: number | null
      /** @description Market cap now minus at the start, USD */
      readonly market_cap_change_value: number | null
      /** @description The market cap rose */
      readonly market_cap_is_up: boolean | null
      /** @description 24 h volume now compared with 24 h volume at the start */
      readonly volume_change_percent: number | null
      /** @description The 24 h volume rose */
      readonly volume_is_up: boolean | null
      /** @description Holders change over the period; null from 0 holders */
      readonly holders_change_percent: number | null
      /** @description Holders now minus at the start */
      readonly holders_change_value: number | null
      /** @description The number of holders rose */
      readonly holders_is_up: boolean | null
      /** @description USD price at the start */
      readonly historical_price: number | null
      /** @description Market cap at the start, USD */
      readonly historical_market_cap: number | null
      /** @description Volume of the 24 hours before the start, USD */
      readonly historical_volume: number | null
      /** @description Holders at the start */
      readonly historical_holders: number | null
      /**
       * @description The time of comparison: the start of the period, or the launch of a younger token
       * @enum {string|null}
       */
      readonly historical_baseline: 'launch' | 'period' | null
    }
    readonly NameFlags: {
      /** @description Symbol or name mixes letters of similar-looking scripts, such as Latin and Cyrillic */
      readonly mixed_script: boolean
      /** @description The token on a board, or the reference currency, that this one’s symbol or name looks like by its letters and digits (UTS 39), though it is another’s; null: none, or this is the original */
      readonly lookalike_of: string | null
    }
    readonly Portfolio: {
      /** @description Market cap of the creator token */
      readonly token_market_cap: number
      /** @description The part that counts: at most 25 × the quote amount in its pool */
      readonly token_counted: number
      /** @description Sum of the market caps of all posts */
      readonly posts_market_cap: number
      /** @description The part that counts: the token and its posts together count for at most 25 × the quote amount in the token’s pool */
      readonly posts_counted: number
      /** @description Posts of the creator */
      readonly posts_count: number
      /** @description Set if this service’s history begins at this time: older posts without a log since then are not included */
      readonly coverage_from: string | null
    }
    readonly TrendingRow: {
      /** @description Position on the board or list; does not change with the sort order */
      readonly rank: number
      /** @description Position in this answer, starting at 1 */
      readonly position: number
      /** @description Ticker symbol; untrusted on-chain text */
      readonly symbol: string
      /** @description Token name or post title; untrusted text */
      readonly name: string
      /** @description Token contract */
      readonly contract_address: string
      /** @description Token contract */
      readonly token_address: string
      /**
       * @description creator or post
       * @enum {string}
       */
      readonly type: 'creator' | 'post'
      /** @description Pool price in USD; null without a route to USD */
      readonly price_usd: number | null
      /** @description Price × total supply, USD */
      readonly market_cap: number | null
      /** @description market_cap, limited to 25 × the least quote-side liquidity on the token’s path to USD */
      readonly effective_market_cap: number | null
      /** @description market_cap exceeds 25 × that liquidity: hardly anyone could sell at this price */
      readonly thin_liquidity: boolean | null
      /** @description Volume of the last 24 hours, USD */
      readonly volume_24h: number | null
      /** @description Addresses with a balance */
      readonly holders_count: number | null
      /** @description Addresses with a balance */
      readonly unique_holders: number | null
      /** @description Price change over 24 hours, percent, or since launch if that is later */
      readonly change_24h: number | null
      /** @description The same as change_24h, under the name used on every row */
      readonly change_24h_percent: number | null
      /** @description Price change over 7 days, percent, or since launch if that is later */
      readonly change_7d: number | null
      /** @description Symbol of the creator token, else a short address; null where neither is known */
      readonly creator_handle: string | null
      /** @description Name of the creator token; null without one */
      readonly creator_name: string | null
      /** @description Warnings about the names, since anyone may call a token anything */
      readonly name_flags: components['schemas']['NameFlags']
      /** @description Payout recipient at creation, whom anyone may name: see creator_verified; null if coverage_from is set */
      readonly creator_address: string | null
      /** @description Whether creator_address launched the token itself; only then is the token joined with others of that address. null: the creation was not read */
      readonly creator_verified: boolean | null
      /** @description creator_address if it called the factory or sent the transaction, else the caller of the factory; null: the creation was not read */
      readonly launched_by: string | null
      /** @description Swaps of the last 24 hours */
      readonly trades_24h: number | null
      /** @description Both sides of the hook’s liquidity at the current price */
      readonly liquidity_usd: number | null
      /** @description Primary Uniswap V4 pool */
      readonly pool_id: string
      /** @description Time of the creation block; null if coverage_from is set */
      readonly created_at: string | null
      /** @description Set on tokens older than this service’s history, which begins at this time: figures of windows that begin earlier, total volume, extremes, holders and the creator are null */
      readonly coverage_from: string | null
      /** @description Volume since launch, USD */
      readonly total_volume: number | null
      /** @description Volume of the timeframe, USD */
      readonly volume: number | null
      /** @description Growth of the largest net position of each (wallet, UTC hour) in the timeframe, USD; buying and selling again adds nothing */
      readonly rank_volume: number | null
      /** @description Price change over the timeframe, percent, or since launch if that is later; in the lists ordered by it, since an hour after launch */
      readonly change: number | null
      /** @description Swaps of the timeframe */
      readonly trade_count: number | null
    }
    readonly RisingRow: {
      /** @description Position on the board or list; does not change with the sort order */
      readonly rank: number
      /** @description Position in this answer, starting at 1 */
      readonly position: number
      /** @description Ticker symbol; untrusted on-chain text */
      readonly symbol: string
      /** @description Token name or post title; untrusted text */
      readonly name: string
      /** @description Token contract */
      readonly contract_address: string
      /** @description Token contract */
      readonly token_address: string
      /**
       * @description creator or post
       * @enum {string}
       */
      readonly type: 'creator' | 'post'
      /** @description Pool price in USD; null without a route to USD */
      readonly price_usd: number | null
      /** @description Price × total supply, USD */
      readonly market_cap: number | null
      /** @description market_cap, limited to 25 × the least quote-side liquidity on the token’s path to USD */
      readonly effective_market_cap: number | null
      /** @description market_cap exceeds 25 × that liquidity: hardly anyone could sell at this price */
      readonly thin_liquidity: boolean | null
      /** @description Volume of the last 24 hours, USD */
      readonly volume_24h: number | null
      /** @description Addresses with a balance */
      readonly holders_count: number | null
      /** @description Addresses with a balance */
      readonly unique_holders: number | null
      /** @description Price change over 24 hours, percent, or since launch if that is later */
      readonly change_24h: number | null
      /** @description The same as change_24h, under the name used on every row */
      readonly change_24h_percent: number | null
      /** @description Price change over 7 days, percent, or since launch if that is later */
      readonly change_7d: number | null
      /** @description Symbol of the creator token, else a short address; null where neither is known */
      readonly creator_handle: string | null
      /** @description Name of the creator token; null without one */
      readonly creator_name: string | null
      /** @description Warnings about the names, since anyone may call a token anything */
      readonly name_flags: components['schemas']['NameFlags']
      /** @description Payout recipient at creation, whom anyone may name: see creator_verified; null if coverage_from is set */
      readonly creator_address: string | null
      /** @description Whether creator_address launched the token itself; only then is the token joined with others of that address. null: the creation was not read */
      readonly creator_verified: boolean | null
      /** @description creator_address if it called the factory or sent the transaction, else the caller of the factory; null: the creation was not read */
      readonly launched_by: string | null
      /** @description Swaps of the last 24 hours */
      readonly trades_24h: number | null
      /** @description Both sides of the hook’s liquidity at the current price */
      readonly liquidity_usd: number | null
      /** @description Primary Uniswap V4 pool */
      readonly pool_id: string
      /** @description Time of the creation block; null if coverage_from is set */
      readonly created_at: string | null
      /** @description Set on tokens older than this service’s history, which begins at this time: figures of windows that begin earlier, total volume, extremes, holders and the creator are null */
      readonly coverage_from: string | null
      /** @description Volume since launch, USD */
      readonly total_volume: number | null
      /**
       * @description The board that the token is on; null: none
       * @enum {string|null}
       */
      readonly z100_board: 'creators' | 'posts' | null
      /** @description Its rank there */
      readonly z100_rank: number | null
      /** @description (rank_volume_1h + 50) / ((rank_volume_25h - rank_volume_1h) / 24 + 50) */
      readonly rising_score: number
      /** @description Inputs of the score */
      readonly components: components['schemas']['RisingParts']
    }
    readonly RisingParts: {
      /** @description Growth of the largest net position of each (wallet, UTC hour) in the last hour, USD */
      readonly rank_volume_1h: number
      /** @description The same in the last 25 hours */
      readonly rank_volume_25h: number
      /** @description (wallet, UTC hour) pairs counted in the last hour, at least 3 */
      readonly wallet_hours_1h: number
      /** @description Price change over an hour, percent, or since launch if that is later */
      readonly change_1h: number | null
    }
    readonly LaunchRow: {
      /** @description Position on the board or list; does not change with the sort order */
      readonly rank: number
      /** @description Position in this answer, starting at 1 */
      readonly position: number
      /** @description Ticker symbol; untrusted on-chain text */
      readonly symbol: string
      /** @description Token name or post title; untrusted text */
      readonly name: string
      /** @description Token contract */
      readonly contract_address: string
      /** @description Token contract */
      readonly token_address: string
      /**
       * @description creator or post
       * @enum {string}
       */
      readonly type: 'creator' | 'post'
      /** @description Pool price in USD; null without a route to USD */
      readonly price_usd: number | null
      /** @description Price × total supply, USD */
      readonly market_cap: number | null
      /** @description market_cap, limited to 25 × the least quote-side liquidity on the token’s path to USD */
      readonly effective_market_cap: number | null
      /** @description market_cap exceeds 25 × that liquidity: hardly anyone could sell at this price */
      readonly thin_liquidity: boolean | null
      /** @description Volume of the last 24 hours, USD */
      readonly volume_24h: number | null
      /** @description Addresses with a balance */
      readonly holders_count: number | null
      /** @description Addresses with a balance */
      readonly unique_holders: number | null
      /** @description Price change over 24 hours, percent, or since launch if that is later */
      readonly change_24h: number | null
      /** @description The same as change_24h, under the name used on every row */
      readonly change_24h_percent: number | null
      /** @description Price change over 7 days, percent, or since launch if that is later */
      readonly change_7d: number | null
      /** @description Symbol of the creator token, else a short address; null where neither is known */
      readonly creator_handle: string | null
      /** @description Name of the creator token; null without one */
      readonly creator_name: string | null
      /** @description Warnings about the names, since anyone may call a token anything */
      readonly name_flags: components['schemas']['NameFlags']
      /** @description Payout recipient at creation, whom anyone may name: see creator_verified; null if coverage_from is set */
      readonly creator_address: string | null
      /** @description Whether creator_address launched the token itself; only then is the token joined with others of that address. null: the creation was not read */
      readonly creator_verified: boolean | null
      /** @description creator_address if it called the factory or sent the transaction, else the caller of the factory; null: the creation was not read */
      readonly launched_by: string | null
      /** @description Swaps of the last 24 hours */
      readonly trades_24h: number | null
      /** @description Both sides of the hook’s liquidity at the current price */
      readonly liquidity_usd: number | null
      /** @description Primary Uniswap V4 pool */
      readonly pool_id: string
      /** @description Time of the creation block; null if coverage_from is set */
      readonly created_at: string | null
      /** @description Set on tokens older than this service’s history, which begins at this time: figures of windows that begin earlier, total volume, extremes, holders and the creator are null */
      readonly coverage_from: string | null
      /** @description Volume since launch, USD */
      readonly total_volume: number | null
      /**
       * @description The board that the token is on; null: none
       * @enum {string|null}
       */
      readonly z100_board: 'creators' | 'posts' | null
      /** @description Its rank there */
      readonly z100_rank: number | null
      /** @description Seconds since the creation block */
      readonly age_seconds: number
      /** @description The creation block */
      readonly launch_block: number
      /** @description The transaction that created it */
      readonly launch_transaction_hash: string
      /** @description First pool price in USD; null without a route to USD */
      readonly launch_price_usd: number | null
      /** @description Price change since then, percent */
      readonly change_since_launch: number | null
      /** @description Swaps since launch */
      readonly trades: number
    }
    readonly TokenSummary: {
      /** @description Position on the board or list; does not change with the sort order */
      readonly rank: number
      /** @description Position in this answer, starting at 1 */
      readonly position: number
      /** @description Ticker symbol; untrusted on-chain text */
      readonly symbol: string
      /** @description Token name or post title; untrusted text */
      readonly name: string
      /** @description Token contract */
      readonly contract_address: string
      /** @description Token contract */
      readonly token_address: string
      /**
       * @description creator or post
       * @enum {string}
       */
      readonly type: 'creator' | 'post'
      /** @description Pool price in USD; null without a route to USD */
      readonly price_usd: number | null
      /** @description Price × total supply, USD */
      readonly market_cap: number | null
      /** @description market_cap, limited to 25 × the least quote-side liquidity on the token’s path to USD */
      readonly effective_market_cap: number | null
      /** @description market_cap exceeds 25 × that liquidity: hardly anyone could sell at this price */
      readonly thin_liquidity: boolean | null
      /** @description Volume of the last 24 hours, USD */
      readonly volume_24h: number | null
      /** @description Addresses with a balance */
      readonly holders_count: number | null
      /** @description Addresses with a balance */
      readonly unique_holders: number | null
      /** @description Price change over 24 hours, percent, or since launch if that is later */
      readonly change_24h: number | null
      /** @description The same as change_24h, under the name used on every row */
      readonly change_24h_percent: number | null
      /** @description Price change over 7 days, percent, or since launch if that is later */
      readonly change_7d: number | null
      /** @description Symbol of the creator token, else a short address; null where neither is known */
      readonly creator_handle: string | null
      /** @description Name of the creator token; null without one */
      readonly creator_name: string | null
      /** @description Warnings about the names, since anyone may call a token anything */
      readonly name_flags: components['schemas']['NameFlags']
      /** @description Payout recipient at creation, whom anyone may name: see creator_verified; null if coverage_from is set */
      readonly creator_address: string | null
      /** @description Whether creator_address launched the token itself; only then is the token joined with others of that address. null: the creation was not read */
      readonly creator_verified: boolean | null
      /** @description creator_address if it called the factory or sent the transaction, else the caller of the factory; null: the creation was not read */
      readonly launched_by: string | null
      /** @description Swaps of the last 24 hours */
      readonly trades_24h: number | null
      /** @description Both sides of the hook’s liquidity at the current price */
      readonly liquidity_usd: number | null
      /** @description Primary Uniswap V4 pool */
      readonly pool_id: string
      /** @description Time of the creation block; null if coverage_from is set */
      readonly created_at: string | null
      /** @description Set on tokens older than this service’s history, which begins at this time: figures of windows that begin earlier, total volume, extremes, holders and the creator are null */
      readonly coverage_from: string | null
      /** @description Volume since launch, USD */
      readonly total_volume: number | null
      /**
       * @description The board that the token is on; null: none
       * @enum {string|null}
       */
      readonly z100_board: 'creators' | 'posts' | null
      /** @description Its rank there */
      readonly z100_rank: number | null
    }
    readonly FoundToken: {
      /** @description Position on the board or list; does not change with the sort order */
      readonly rank: number
      /** @description Position in this answer, starting at 1 */
      readonly position: number
      /** @description Ticker symbol; untrusted on-chain text */
      readonly symbol: string
      /** @description Token name or post title; untrusted text */
      readonly name: string
      /** @description Token contract */
      readonly contract_address: string
      /** @description Token contract */
      readonly token_address: string
      /**
       * @description creator or post
       * @enum {string}
       */
      readonly type: 'creator' | 'post'
      /** @description Pool price in USD; null without a route to USD */
      readonly price_usd: number | null
      /** @description Price × total supply, USD */
      readonly market_cap: number | null
      /** @description market_cap, limited to 25 × the least quote-side liquidity on the token’s path to USD */
      readonly effective_market_cap: number | null
      /** @description market_cap exceeds 25 × that liquidity: hardly anyone could sell at this price */
      readonly thin_liquidity: boolean | null
      /** @description Volume of the last 24 hours, USD */
      readonly volume_24h: number | null
      /** @description Addresses with a balance */
      readonly holders_count: number | null
      /** @description Addresses with a balance */
      readonly unique_holders: number | null
      /** @description Price change over 24 hours, percent, or since launch if that is later */
      readonly change_24h: number | null
      /** @description The same as change_24h, under the name used on every row */
      readonly change_24h_percent: number | null
      /** @description Price change over 7 days, percent, or since launch if that is later */
      readonly change_7d: number | null
      /** @description Symbol of the creator token, else a short address; null where neither is known */
      readonly creator_handle: string | null
      /** @description Name of the creator token; null without one */
      readonly creator_name: string | null
      /** @description Warnings about the names, since anyone may call a token anything */
      readonly name_flags: components['schemas']['NameFlags']
      /** @description Payout recipient at creation, whom anyone may name: see creator_verified; null if coverage_from is set */
      readonly creator_address: string | null
      /** @description Whether creator_address launched the token itself; only then is the token joined with others of that address. null: the creation was not read */
      readonly creator_verified: boolean | null
      /** @description creator_address if it called the factory or sent the transaction, else the caller of the factory; null: the creation was not read */
      readonly launched_by: string | null
      /** @description Swaps of the last 24 hours */
      readonly trades_24h: number | null
      /** @description Both sides of the hook’s liquidity at the current price */
      readonly liquidity_usd: number | null
      /** @description Primary Uniswap V4 pool */
      readonly pool_id: string
      /** @description Time of the creation block; null if coverage_from is set */
      readonly created_at: string | null
      /** @description Set on tokens older than this service’s history, which begins at this time: figures of windows that begin earlier, total volume, extremes, holders and the creator are null */
      readonly coverage_from: string | null
      /** @description Volume since launch, USD */
      readonly total_volume: number | null
      /**
       * @description The board that the token is on; null: none
       * @enum {string|null}
       */
      readonly z100_board: 'creators' | 'posts' | null
      /** @description Its rank there */
      readonly z100_rank: number | null
      /** @description How the search found the token */
      readonly match: components['schemas']['Match']
    }
    readonly Match: {
      /**
       * @description The field that matches
       * @enum {string}
       */
      readonly field: 'symbol' | 'handle' | 'address' | 'name' | 'creator_address'
      /**
       * @description Kind of match, best first
       * @enum {string}
       */
      readonly kind: 'exact' | 'prefix' | 'word' | 'contains'
    }
    readonly TokenDetail: {
      /** @description Ticker symbol; untrusted on-chain text */
      readonly symbol: string
      /** @description Token name or post title; untrusted text */
      readonly name: string
      /** @description Token contract */
      readonly contract_address: string
      /** @description Token contract */
      readonly token_address: string
      /**
       * @description creator or post
       * @enum {string}
       */
      readonly type: 'creator' | 'post'
      /** @description Pool price in USD; null without a route to USD */
      readonly price_usd: number | null
      /** @description Price × total supply, USD */
      readonly market_cap: number | null
      /** @description market_cap, limited to 25 × the least quote-side liquidity on the token’s path to USD */
      readonly effective_market_cap: number | null
      /** @description market_cap exceeds 25 × that liquidity: hardly anyone could sell at this price */
      readonly thin_liquidity: boolean | null
      /** @description Volume of the last 24 hours, USD */
      readonly volume_24h: number | null
      /** @description Addresses with a balance */
      readonly holders_count: number | null
      /** @description Addresses with a balance */
      readonly unique_holders: number | null
      /** @description Price change over 24 hours, percent, or since launch if that is later */
      readonly change_24h: number | null
      /** @description The same as change_24h, under the name used on every row */
      readonly change_24h_percent: number | null
      /** @description Price change over 7 days, percent, or since launch if that is later */
      readonly change_7d: number | null
      /** @description Symbol of the creator token, else a short address; null where neither is known */
      readonly creator_handle: string | null
      /** @description Name of the creator token; null without one */
      readonly creator_name: string | null
      /** @description Warnings about the names, since anyone may call a token anything */
      readonly name_flags: components['schemas']['NameFlags']
      /** @description Payout recipient at creation, whom anyone may name: see creator_verified; null if coverage_from is set */
      readonly creator_address: string | null
      /** @description Whether creator_address launched the token itself; only then is the token joined with others of that address. null: the creation was not read */
      readonly creator_verified: boolean | null
      /** @description creator_address if it called the factory or sent the transaction, else the caller of the factory; null: the creation was not read */
      readonly launched_by: string | null
      /** @description Swaps of the last 24 hours */
      readonly trades_24h: number | null
      /** @description Both sides of the hook’s liquidity at the current price */
      readonly liquidity_usd: number | null
      /** @description Primary Uniswap V4 pool */
      readonly pool_id: string
      /** @description Time of the creation block; null if coverage_from is set */
      readonly created_at: string | null
      /** @description Set on tokens older than this service’s history, which begins at this time: figures of windows that begin earlier, total volume, extremes, holders and the creator are null */
      readonly coverage_from: string | null
      /** @description Volume since launch, USD */
      readonly total_volume: number | null
      /** @description Minted minus burned, whole tokens */
      readonly total_supply: number
      /** @description Total supply minus the token contract’s own balance */
      readonly circulating_supply: number
      /** @description Price × circulating supply, USD */
      readonly circulating_market_cap: number | null
      /**
       * @description Source of the figures
       * @enum {string}
       */
      readonly data_source: 'onchain'
      /** @description The time of the figures */
      readonly last_updated: string
    }
    readonly TokenMetrics: {
      /** @description The token */
      readonly token: components['schemas']['TokenName']
      /** @description Its figures */
      readonly metrics: components['schemas']['TokenFigures']
      /** @description The time of the figures */
      readonly last_updated: string
    }
    readonly TokenName: {
      /** @description Ticker symbol; untrusted text */
      readonly symbol: string
      /** @description Name; untrusted text */
      readonly name: string
      /** @description Token contract */
      readonly address: string
    }
    readonly TokenFigures: {
      /** @description Pool price in USD; null without a route to USD */
      readonly price_usd: number | null
      /** @description Price × total supply, USD */
      readonly market_cap: number | null
      /** @description Minted minus burned, whole tokens */
      readonly total_supply: number
      /** @description Total supply minus the token contract’s own balance */
      readonly circulating_supply: number
      /** @description Price × circulating supply, USD */
      readonly circulating_market_cap: number | null
      /** @description Addresses with a balance; null if coverage_from is set */
      readonly holders_count: number | null
      /** @description Volume of the last 24 hours, USD */
      readonly volume_24h: number | null
      /** @description Volume since launch, USD; null if coverage_from is set */
      readonly total_volume: number | null
      /** @description Swaps of the last 24 hours */
      readonly trades_24h: number | null
      /** @description Price change over 24 hours, percent, or since launch if that is later */
      readonly price_change_24h: number | null
      /** @description Both sides of the hook’s liquidity at the current price */
      readonly liquidity_usd: number | null
      /** @description Highest close of a minute in which the token’s own price was set; price_usd may exceed it */
      readonly all_time_high: number | null
      /** @description When it was first reached: the end of that minute */
      readonly ath_at: string | null
      /** @description Lowest such close */
      readonly all_time_low: number | null
      /** @description When it was first reached */
      readonly atl_at: string | null
      /** @description Set on tokens older than this service’s history, which begins here */
      readonly coverage_from: string | null
    }
    readonly TokenHolders: {
      /** @description The token */
      readonly token: components['schemas']['TokenName']
      /** @description Addresses with a balance; null if coverage_from is set */
      readonly total_holders: number | null
      /** @description Distribution of the supply among holders, without pools, hooks, burnt and vesting tokens; null if coverage_from is set, and for a token that more than 250,000 addresses have held */
      readonly distribution: components['schemas']['Distribution'] | null
      /** @description Distribution of the supply among holders, without pools, hooks, burnt and vesting tokens; null if coverage_from is set, and for a token that more than 250,000 addresses have held */
      readonly distribution_adjusted: components['schemas']['Distribution'] | null
      /** @description Contracts and other addresses */
      readonly holder_types: components['schemas']['HolderTypes']
      /** @description The largest holders; empty if unknown */
      readonly holders: readonly components['schemas']['Holder'][]
      /** @description Set on tokens older than this service’s history, which begins here */
      readonly coverage_from: string | null
      /**
       * @description Source of the figures
       * @enum {string}
       */
      readonly data_source: 'onchain'
      /** @description The time of the figures */
      readonly last_updated: string
    }
    readonly Distribution: {
      /** @description Share of the total supply of the 10 largest, percent */
      readonly top10_concentration: number
      /** @description Share of the total supply of the 25 largest, percent */
      readonly top25_concentration: number
      /** @description Share of the total supply of the 50 largest, percent */
      readonly top50_concentration: number
      /** @description Share of the total supply of the 100 largest, percent */
      readonly top100_concentration: number
      /** @description Inequality among the holders, 0 to 1 */
      readonly gini_coefficient: number
      /** @description Holders of at least 1 % of the supply */
      readonly whale_count: number
      /** @description Their share of the total supply, percent */
      readonly whale_percentage: number
    }
    readonly HolderTypes: {
      /** @description Holders that had code of their own when first checked; null until all are checked */
      readonly contract_holders: number | null
      /** @description The others, including delegated accounts (EIP-7702); null until all are checked */
      readonly eoa_holders: number | null
      /**
       * @description Which holders are counted: the largest 100
       * @enum {string}
       */
      readonly scope: 'top100'
    }
    readonly Holder: {
      /** @description Rank among the holders */
      readonly rank: number
      /** @description Address of the holder */
      readonly address: string
      /** @description Whole tokens, floored to 6 decimals */
      readonly balance: number
      /** @description Base units, exact */
      readonly balance_raw: string
      /** @description Share of the total supply, percent */
      readonly percentage: number
      /** @description At the current price, USD */
      readonly value_usd: number | null
      /**
       * @description Whether it had code of its own when first checked; null until then
       * @enum {string|null}
       */
      readonly type: 'contract' | 'eoa' | null
      /**
       * @description creator: the payout recipient at creation, if creator_verified. Pools, hooks and the token itself are not listed
       * @enum {string|null}
       */
      readonly label: 'creator' | null
    }
    readonly PriceStep: {
      /** @description Start of the slot, Unix seconds */
      readonly timestamp: number
      /** @description The same as text */
      readonly datetime: string
      /** @description Pool price at the end of the slot, in USD at the quote’s rate then */
      readonly price_usd: number | null
      /** @description Pool price at the end of the slot, in USD at the quote’s rate then */
      readonly price: number | null
      /** @description Pool price at the end of the slot, in USD at the quote’s rate then */
      readonly close: number | null
      /** @description The close of the slot before; in the slot of the launch, the launch price; null, like high, low and volume, if the slot begins before the token’s coverage_from */
      readonly open: number | null
      /** @description Highest price, open and close included */
      readonly high: number | null
      /** @description Lowest price, open and close included */
      readonly low: number | null
      /** @description Volume of the slot, USD; null if it begins before the token’s coverage_from */
      readonly volume_usd: number | null
      /** @description Swaps of the slot */
      readonly trades: number | null
      /** @description Close in USD × total supply */
      readonly market_cap: number | null
      /** @description The token’s own price was not set in the slot */
      readonly filled: boolean | null
      /** @description The slot is not over yet */
      readonly partial: boolean
    }
    readonly Candle: {
      /** @description Start of the slot, Unix seconds */
      readonly timestamp: number
      /** @description The same as text */
      readonly datetime: string
      /** @description Pool price at the end of the slot, in USD at the quote’s rate then */
      readonly price_usd: number | null
      /** @description Pool price at the end of the slot, in USD at the quote’s rate then */
      readonly price: number | null
      /** @description Pool price at the end of the slot, in USD at the quote’s rate then */
      readonly close: number | null
      /** @description The close of the slot before; in the slot of the launch, the launch price; null, like high, low and volume, if the slot begins before the token’s coverage_from */
      readonly open: number | null
      /** @description Highest price, open and close included */
      readonly high: number | null
      /** @description Lowest price, open and close included */
      readonly low: number | null
      /** @description Volume of the slot, USD; null if it begins before the token’s coverage_from */
      readonly volume_usd: number | null
      /** @description Swaps of the slot */
      readonly trades: number | null
      /** @description Close in USD × total supply */
      readonly market_cap: number | null
      /** @description The token’s own price was not set in the slot */
      readonly filled: boolean | null
      /** @description The slot is not over yet */
      readonly partial: boolean
      /** @description Swaps that bought the token */
      readonly buys: number | null
      /** @description Their part of the volume, USD */
      readonly buy_volume: number | null
      /** @description Volume in the quote currency, whole units, floored to 6 decimals */
      readonly volume_quote: number | null
    }
    readonly Swap: {
      /** @description Transaction */
      readonly transaction_hash: string
      /** @description Transaction */
      readonly tx_hash: string
      /** @description Block */
      readonly block_number: number
      /** @description Its hash */
      readonly block_hash: string
      /** @description Index of the log in the block */
      readonly log_index: number
      /** @description Its place, opaque: `before` takes it */
      readonly cursor: string
      /** @description Time of the block, Unix seconds */
      readonly timestamp: number
      /** @description Time of the block, Unix milliseconds; null where it is not proven. Several blocks share a second: the order of swaps is (block_number, log_index) */
      readonly timestamp_ms: number | null
      /** @description The same as text */
      readonly datetime: string
      /** @description Uniswap V4 pool */
      readonly pool_id: string
      /** @description Uniswap V4 pool */
      readonly pool_address: string
      /** @description Ticker symbol of the pool’s token; untrusted text */
      readonly token_symbol: string
      /** @description The pool’s token */
      readonly token_address: string
      /** @description The token was bought */
      readonly is_buy: boolean
      /**
       * @description Whether the token was bought or sold
       * @enum {string}
       */
      readonly type: 'buy' | 'sell'
      /** @description Sender of the token’s last transfer in the transaction; null if there is none */
      readonly from_address: string | null
      /** @description Recipient of that transfer */
      readonly to_address: string | null
      /** @description The trader: as named by a trusted router; if it names none, the counterparty of that transfer; else the sender of the transaction */
      readonly trader: string
      /** @description What went into the pool, whole units of token_in */
      readonly amount_in: number
      /** @description What came out, whole units of token_out */
      readonly amount_out: number
      /** @description Whole tokens, bought or sold */
      readonly amount: number
      /** @description US dollars per whole token, fees included; null without a route to USD */
      readonly price_per_token: number | null
      /** @description Value of the quote side, US dollars to 6 decimals */
      readonly volume_usd: number
      /** @description Value of the quote side, US dollars to 6 decimals */
      readonly usd_value: number
      /** @description What went into the pool */
      readonly token_in: components['schemas']['SwapSide']
      /** @description What came out */
      readonly token_out: components['schemas']['SwapSide']
      /** @description Its minute is sealed; before that a reorganisation of the chain may retract it */
      readonly confirmed: boolean
    }
    readonly SwapSide: {
      /** @description Contract; zero for the chain’s own currency */
      readonly address: string
      /** @description Ticker symbol; untrusted text; null for an unknown currency */
      readonly symbol: string | null
      /** @description Name; untrusted text; null for an unknown currency */
      readonly name: string | null
      /** @description Decimals of the base unit */
      readonly decimals: number
      /** @description Whole units, floored to 6 decimals */
      readonly amount: number
      /** @description Base units, exact */
      readonly amount_raw: string
    }
    readonly Index: {
      /**
       * @description The requested period
       * @enum {string}
       */
      readonly period: '1h' | '4h' | '24h' | '7d'
      /** @description The Z100 Index now */
      readonly index_value: number
      /** @description Volume of both boards in the period, USD; null if that of some row is */
      readonly total_volume: number | null
      /** @description Swaps of both boards in the period */
      readonly total_trades: number | null
      /** @description Volume of the creators board */
      readonly creator_volume: number | null
      /** @description Volume of the posts board */
      readonly post_volume: number | null
      /** @description Rows of the creators board that traded in the period */
      readonly active_creators: number | null
      /** @description Rows of the posts board that traded in the period */
      readonly active_posts: number | null
      /** @description Handles of the top ten of the creators board */
      readonly top_creators: readonly string[]
      /** @description Symbols of the top ten of the posts board */
      readonly top_posts: readonly string[]
      /** @description The time of the figures, Unix seconds */
      readonly timestamp: number
      /** @description Change of the index over the period; null if the index is younger */
      readonly index_change_percent: number | null
      /** @description The index at the start of the period; null if the index is younger */
      readonly index_value_start: number | null
      /** @description Dollars per index point, exact decimal text; null before the first point */
      readonly divisor: string | null
      /** @description Members of the index; 0 before its first point */
      readonly constituents_count: number
      /** @description Set if this service’s history begins later than the platform: at this time. Figures that need older history are null; the index begins there, too */
      readonly coverage_from: string | null
      /** @description The same time, ISO 8601 */
      readonly as_of: string
    }
    readonly IndexBar: {
      /** @description End of the interval, Unix seconds */
      readonly timestamp: number
      /** @description The same, ISO 8601 */
      readonly date: string
      /** @description The index at the end of the interval, or now if it is partial */
      readonly index_value: number
      /** @description The index at the end of the interval, or now if it is partial */
      readonly close: number
      /** @description The index at its first minute */
      readonly open: number
      /** @description The highest value */
      readonly high: number
      /** @description The lowest value */
      readonly low: number
      /** @description Change from open to close */
      readonly change_percent: number | null
      /** @description Volume of the tokens that were members in each minute, USD */
      readonly total_volume: number
      /** @description Their swaps */
      readonly total_trades: number
      /** @description Part of the volume from creator tokens */
      readonly creator_volume: number
      /** @description Part of the volume from post tokens */
      readonly post_volume: number
      /** @description Creator tokens that traded */
      readonly active_creators: number
      /** @description Post tokens that traded */
      readonly active_posts: number
      /** @description The interval is not over yet */
      readonly partial: boolean
    }
    readonly IndexHour: {
      /** @description End of the interval, Unix seconds */
      readonly timestamp: number
      /** @description The same, ISO 8601 */
      readonly date: string
      /** @description The index at the end of the interval, or now if it is partial */
      readonly index_value: number
      /** @description The index at the end of the interval, or now if it is partial */
      readonly close: number
      /** @description The index at its first minute */
      readonly open: number
      /** @description The highest value */
      readonly high: number
      /** @description The lowest value */
      readonly low: number
      /** @description Change from open to close */
      readonly change_percent: number | null
      /** @description The interval is not over yet */
      readonly partial: boolean
    }
    readonly IndexHours: {
      /** @description The last seven days hour by hour, oldest first; an hour without a block keeps the value before */
      readonly hours: readonly components['schemas']['IndexHour'][]
      /** @description Set if this service’s history begins later than the platform: at this time. Figures that need older history are null; the index begins there, too */
      readonly coverage_from: string | null
      /** @description The time of the figures, Unix seconds */
      readonly timestamp: number
      /** @description The same, ISO 8601 */
      readonly last_updated: string
    }
    readonly Constituents: {
      /** @description The Z100 Index now */
      readonly index_value: number
      /** @description Dollars per index point, exact decimal text; null before the first point */
      readonly divisor: string | null
      /** @description Sum of what all members count for, USD; divided by the divisor it is the index */
      readonly counted_usd: number
      /** @description Members of the index; 0 before its first point */
      readonly constituents_count: number
      /** @description Set if this service’s history begins later than the platform: at this time. Figures that need older history are null; the index begins there, too */
      readonly coverage_from: string | null
      /** @description The time of the figures, Unix seconds */
      readonly timestamp: number
      /** @description The same time, ISO 8601 */
      readonly as_of: string
      /** @description All members, the heaviest first */
      readonly constituents: readonly components['schemas']['Constituent'][]
    }
    readonly Constituent: {
      /** @description Rank by weight */
      readonly rank: number
      /**
       * @description creator or post
       * @enum {string}
       */
      readonly type: 'creator' | 'post'
      /** @description Ticker symbol; untrusted on-chain text */
      readonly symbol: string
      /** @description Token name or post title; untrusted text */
      readonly name: string
      /** @description Symbol of the creator token, else a short address; null where neither is known */
      readonly creator_handle: string | null
      /** @description Token contract */
      readonly contract_address: string
      /** @description Token contract */
      readonly token_address: string
      /** @description Quantity in whole tokens, exact: its total supply when last reviewed or seated */
      readonly quantity: string
      /** @description Pool price in USD; null without a route to USD */
      readonly price_usd: number | null
      /** @description Quantity × price, at most 25 × the least quote-side liquidity on its path */
      readonly counted_usd: number
      /** @description Its share of what all members count for, percent */
      readonly weight_percent: number
      /** @description Member without interruption since this time */
      readonly since: string
    }
    readonly Boards: {
      /**
       * @description The requested period
       * @enum {string}
       */
      readonly period: '1h' | '4h' | '24h' | '7d'
      /** @description The time of the figures, Unix seconds */
      readonly timestamp: number
      /** @description The same, ISO 8601 */
      readonly last_updated: string
      /** @description Rows of the creators board */
      readonly total_creators: number
      /** @description Rows of the posts board */
      readonly total_posts: number
      /** @description As v1/z100/index */
      readonly index: components['schemas']['Index']
      /** @description As v1/z100/creators */
      readonly creators: readonly components['schemas']['BoardRow'][]
      /** @description As v1/z100/posts */
      readonly posts: readonly components['schemas']['BoardRow'][]
    }
    readonly MarketStats: {
      /** @description Market cap of all tokens, USD; everything priced through one pool counts for at most 25 × what that pool holds */
      readonly total_market_cap: number
      /** @description Price × total supply, summed over all tokens, USD */
      readonly total_market_cap_plain: number
      /** @description Part of total_market_cap: creator tokens */
      readonly creator_market_cap: number
      /** @description Part of total_market_cap: posts */
      readonly post_market_cap: number
      /** @description Volume of the last 24 hours, USD; null if they begin before coverage_from */
      readonly total_volume_24h: number | null
      /** @description Part of it: buys */
      readonly buy_volume_24h: number | null
      /** @description Part of it: sells */
      readonly sell_volume_24h: number | null
      /** @description Change against the 24 hours before, percent; null if the history does not reach back that far */
      readonly volume_change_24h: number | null
      /** @description Swaps of the last 24 hours */
      readonly total_trades_24h: number | null
      /** @description Part of them: buys */
      readonly buys_24h: number | null
      /** @description Part of them: sells */
      readonly sells_24h: number | null
      /** @description Length of a step */
      readonly bucket_seconds: number
      /** @description Equal steps of these 24 hours, as in v1/market/volume */
      readonly buckets: readonly components['schemas']['VolumeBucket'][]
      /** @description Tokens known to the service */
      readonly total_tokens: number
      /** @description Part of them: creator tokens */
      readonly total_creators: number
      /** @description Part of them: post tokens */
      readonly total_posts: number
      /** @description Tokens with a swap in the last 24 hours; null if these begin before coverage_from */
      readonly active_tokens_24h: number | null
      /** @description Tokens created in the last 24 hours; null if these begin before coverage_from */
      readonly new_tokens_24h: number | null
      /** @description Holders summed over tokens: a wallet is a holder of each token it holds; null if coverage_from is set */
      readonly total_holders: number | null
      /** @description Reference currency (ZORA, ETH, dollars) in the pools of tokens quoted in it, USD */
      readonly total_liquidity_usd: number
      /** @description The Z100 Index now */
      readonly index_value: number
      /** @description Its change over 24 hours, percent; null if the index is younger */
      readonly index_change_24h: number | null
      /** @description Largest price change (`change`) of the tokens traded in the last 24 hours with $100 of liquidity on their path: first of v1/market/trending/24h/change */
      readonly top_gainer: components['schemas']['TrendingRow'] | null
      /** @description Largest volume of the last 24 hours: first of v1/market/trending/24h/volume */
      readonly top_volume: components['schemas']['TrendingRow'] | null
      /** @description Set if this service’s history begins later than the platform: at this time. Figures that need older history are null. Totals are then those of the tokens with a log since */
      readonly coverage_from: string | null
      /** @description The time of the figures, Unix seconds */
      readonly timestamp: number
      /** @description The same, ISO 8601 */
      readonly last_updated: string
    }
    readonly MarketVolume: {
      /**
       * @description The requested period
       * @enum {string}
       */
      readonly period: '1h' | '4h' | '24h' | '7d'
      /** @description Volume of all tokens in the period, USD; null if the period begins before coverage_from */
      readonly total_volume: number | null
      /** @description Volume of all tokens in the period, USD; null if the period begins before coverage_from */
      readonly volume_usd: number | null
      /** @description Part of it: creator tokens */
      readonly creator_volume: number | null
      /** @description Part of it: post tokens */
      readonly post_volume: number | null
      /** @description Part of it: buys */
      readonly buy_volume: number | null
      /** @description Part of it: sells */
      readonly sell_volume: number | null
      /** @description Swaps in the period */
      readonly total_trades: number | null
      /** @description Part of them: buys */
      readonly total_buys: number | null
      /** @description Part of them: sells */
      readonly total_sells: number | null
      /** @description Volume of the previous period, USD; null if the history does not reach back that far */
      readonly previous_volume: number | null
      /** @description Change against the previous period */
      readonly volume_change_percent: number | null
      /** @description Length of a step */
      readonly bucket_seconds: number
      /** @description Equal steps from the period’s start, oldest first; they add up to the totals, each rounded on its own */
      readonly buckets: readonly components['schemas']['VolumeBucket'][]
      /** @description Set if this service’s history begins later than the platform: at this time. Figures that need older history are null */
      readonly coverage_from: string | null
      /** @description The time of the figures, Unix seconds */
      readonly timestamp: number
      /** @description The same, ISO 8601 */
      readonly last_updated: string
    }
    readonly VolumeBucket: {
      /** @description Start of the step, Unix seconds */
      readonly timestamp: number
      /** @description The same, ISO 8601 */
      readonly datetime: string
      /** @description Volume of the step, USD; null before coverage_from */
      readonly volume_usd: number | null
      /** @description Part of it: buys */
      readonly buy_volume: number | null
      /** @description Part of it: sells */
      readonly sell_volume: number | null
      /** @description Swaps of the step */
      readonly trades: number | null
    }
    readonly Status: {
      /**
       * @description degraded: see reasons; boards stay at their last good version
       * @enum {string}
       */
      readonly status: 'ok' | 'degraded'
      /** @description Why the service is degraded */
      readonly reasons: readonly string[]
      /** @description Logs that no endpoint delivers: minutes from this block on wait for them; everything before it is complete */
      readonly gap: {
        /** @description First block of the minutes that are waiting */
        readonly block_number: number
        /** @description Evidence that logs were left out */
        readonly missing: string
        /** @description Hosts that were asked */
        readonly endpoints: readonly string[]
        /** @description When the gap was first seen */
        readonly since: string
      } | null
      /** @description After an update: minutes that were folded by older rules are being folded again, so the figures are as of an earlier time until then */
      readonly refold: {
        /** @description Version of the rules that they are folded by now */
        readonly rules_version: number
        /** @description The figures will reach this time when all are folded again; `as_of` is the progress */
        readonly to: string
        /** @description Minutes left, from `as_of` to then */
        readonly remaining_minutes: number
      } | null
      /** @description Id of the snapshot; its manifest is /v1/snapshots/{id} */
      readonly snapshot_id: string
      /** @description The time of the figures */
      readonly as_of: string
      /** @description When this document was written */
      readonly checked_at: string
      /** @description Age of the figures at that time */
      readonly age_seconds: number
      /** @description Last block of that minute */
      readonly block_number: number
      /** @description Its hash */
      readonly block_hash: string
      /** @description Name of the chain */
      readonly chain: string | null
      /** @description Last entry of the log of minutes */
      readonly log_position: number
      /** @description First minute of the history */
      readonly history_from: string
      /** @description How often minutes were rolled back and read again because an endpoint had left out logs */
      readonly corrections: number
      /** @description Documents of the snapshot */
      readonly documents_count: number
      /** @description Documents that failed; their last good version stays */
      readonly unpublished: readonly string[]
      /** @description Version of the methodology */
      readonly rules_version: number
      /** @description Version of the code that built the snapshot */
      readonly code_version: string | null
    }
    readonly AccountUsage: {
      /** @description Id of the key’s account */
      readonly account: string
      /**
       * @description Its tier
       * @enum {string}
       */
      readonly tier: 'basic' | 'professional' | 'enterprise'
      /** @description Answers allowed per UTC hour, over all keys of the account */
      readonly limit: number
      /** @description Answers counted in this hour; those from the edge’s cache are counted some seconds later */
      readonly used: number
      /** @description Answers left */
      readonly remaining: number
      /** @description End of the hour */
      readonly reset_at: string
    }
    readonly SnapshotRow: {
      /** @description Id of the snapshot; its manifest is /v1/snapshots/{id} */
      readonly snapshot_id: string
      /** @description The time of the figures */
      readonly as_of: string
      /** @description Last block of that minute */
      readonly block_number: number
      /** @description Its hash */
      readonly block_hash: string
      /** @description Last entry of the log of minutes */
      readonly log_position: number
      /** @description Documents of the snapshot */
      readonly documents_count: number
      /** @description Documents that failed; their last good version stays */
      readonly unpublished: readonly string[]
      /** @description Version of the methodology */
      readonly rules_version: number
      /** @description Version of the code that built the snapshot */
      readonly code_version: string | null
    }
    readonly Manifest: {
      /** @description Id of the snapshot */
      readonly snapshot_id: string
      /** @description Entry of the log of minutes; a snapshot with a larger one is newer */
      readonly log_position: number
      /** @description Its newest minute: Unix seconds / 60 */
      readonly minute: number
      /** @description The time of its figures */
      readonly as_of: string
      /** @description Last block of that minute */
      readonly block_number: number
      /** @description Its hash */
      readonly block_hash: string
      /** @description First minute of the history */
      readonly history_from: string
      /** @description How often minutes were rolled back because an endpoint had left out logs */
      readonly corrections: number
      /** @description Name of the chain */
      readonly chain: string | null
      /** @description Version of the methodology */
      readonly rules_version: number
      /** @description Version of the code that built it */
      readonly code_version: string | null
      /** @description Its documents by name: the path without the leading slash, and the parameter values */
      readonly documents: { readonly [key: string]: components['schemas']['ManifestDocument'] }
      /** @description Documents that failed; their last good version stays */
      readonly unpublished: readonly string[]
    }
    readonly ManifestDocument: {
      /** @description SHA-256 of its bytes */
      readonly sha256: string
      /** @description Number of records, as in X-Total-Count */
      readonly total: number
      /** @description The snapshot that last changed its bytes */
      readonly snapshot_id: string
    }
    readonly BoardRowWithoutChanges: {
      /** @description Position on the board or list; does not change with the sort order */
      readonly rank: number
      /** @description Position in this answer, starting at 1 */
      readonly position: number
      /**
       * @description creator or post
       * @enum {string}
       */
      readonly type: 'creator' | 'post'
      /** @description Ticker symbol; untrusted on-chain text */
      readonly symbol: string
      /** @description Token name or post title; untrusted text */
      readonly name: string
      /** @description Symbol of the creator token, else a short address; null where neither is known */
      readonly handle: string | null
      /** @description Symbol of the creator token, else a short address; null where neither is known */
      readonly creator_handle: string | null
      /** @description Name of the creator token; null without one */
      readonly creator_name: string | null
      /** @description Warnings about the names, since anyone may call a token anything */
      readonly name_flags: components['schemas']['NameFlags']
      /** @description Payout recipient at creation, whom anyone may name: see creator_verified; null if coverage_from is set */
      readonly creator_address: string | null
      /** @description Whether creator_address launched the token itself; only then is the token joined with others of that address. null: the creation was not read */
      readonly creator_verified: boolean | null
      /** @description creator_address if it called the factory or sent the transaction, else the caller of the factory; null: the creation was not read */
      readonly launched_by: string | null
      /** @description Token contract */
      readonly contract_address: string
      /** @description Token contract */
      readonly token_address: string
      /** @description Primary Uniswap V4 pool */
      readonly pool_id: string
      /** @description Pool price in USD */
      readonly price_usd: number
      /** @description Price × total supply, USD */
      readonly market_cap: number
      /** @description Price × total supply, USD */
      readonly market_cap_raw: number
      /** @description Display text */
      readonly market_cap_formatted: string
      /** @description market_cap, limited to 25 × the least quote-side liquidity on the token’s path to USD */
      readonly effective_market_cap: number | null
      /** @description market_cap exceeds 25 × that liquidity: hardly anyone could sell at this price */
      readonly thin_liquidity: boolean | null
      /** @description Total supply minus the token contract’s own balance */
      readonly circulating_supply: number
      /** @description Price × circulating supply, USD */
      readonly circulating_market_cap: number
      /** @description Minted minus burned, whole tokens */
      readonly total_supply: number
      /** @description Display text of portfolio_value_raw */
      readonly portfolio_value: string
      /** @description Limited market caps of the creator’s token and posts, USD; on posts the market cap */
      readonly portfolio_value_raw: number
      /** @description Parts of a creator’s portfolio; null on posts */
      readonly portfolio: components['schemas']['Portfolio'] | null
      /** @description Volume of the last 24 hours, USD */
      readonly volume_24h: number | null
      /** @description Volume of the last 24 hours, USD */
      readonly volume_24h_raw: number | null
      /** @description Display text */
      readonly volume_24h_formatted: string
      /** @description Volume since launch, USD */
      readonly total_volume: number | null
      /** @description Volume since launch, USD */
      readonly total_volume_raw: number | null
      /** @description Display text */
      readonly total_volume_formatted: string
      /** @description Volume of the period, USD */
      readonly volume_period: number | null
      /** @description Addresses with a balance */
      readonly unique_holders: number | null
      /** @description Addresses with a balance */
      readonly holders_count: number | null
      /** @description (wallet, UTC hour) pairs of the last 24 hours with a swap of at least $0.10 */
      readonly engagement: number | null
      /** @description Swaps of the last 24 hours */
      readonly trades_24h: number | null
      /** @description Swaps of the period */
      readonly trades_period: number | null
      /** @description Both sides of the hook’s liquidity at the current price */
      readonly liquidity_usd: number | null
      /** @description Signed display text of change_24h_percent */
      readonly change_24h: string | null
      /** @description Price change over 24 hours, or since launch if that is later */
      readonly change_24h_percent: number | null
      /** @description The token was not on this board at the start of the period; null, like previous_rank, if that needs history older than this service’s */
      readonly is_new: boolean | null
      /** @description Rank on this board at the start of the period */
      readonly previous_rank: number | null
      /** @description Ranks gained since the start of the period */
      readonly rank_change: number | null
      /** @description The board’s sort key: portfolio_value_raw for creators, engagement for posts */
      readonly score: number | null
      /** @description Time of the creation block; null if coverage_from is set */
      readonly created_at: string | null
      /** @description Set on tokens older than this service’s history, which begins at this time: figures of windows that begin earlier, total volume, extremes, holders and the creator are null */
      readonly coverage_from: string | null
      /** @description Start of the period */
      readonly period_start: string
      /**
       * @description Source of the figures
       * @enum {string}
       */
      readonly data_source: 'onchain'
    }
    readonly CreatorRowDisplay: {
      /** @description Position on the board or list; does not change with the sort order */
      readonly rank: number
      /** @description Position in this answer, starting at 1 */
      readonly position: number
      /**
       * @description creator or post
       * @enum {string}
       */
      readonly type: 'creator' | 'post'
      /** @description Ticker symbol; untrusted on-chain text */
      readonly symbol: string
      /** @description Token name or post title; untrusted text */
      readonly name: string
      /** @description Symbol of the creator token, else a short address; null where neither is known */
      readonly handle: string | null
      /** @description Symbol of the creator token, else a short address; null where neither is known */
      readonly creator_handle: string | null
      /** @description Name of the creator token; null without one */
      readonly creator_name: string | null
      /** @description Warnings about the names, since anyone may call a token anything */
      readonly name_flags: components['schemas']['NameFlags']
      /** @description Payout recipient at creation, whom anyone may name: see creator_verified; null if coverage_from is set */
      readonly creator_address: string | null
      /** @description Whether creator_address launched the token itself; only then is the token joined with others of that address. null: the creation was not read */
      readonly creator_verified: boolean | null
      /** @description creator_address if it called the factory or sent the transaction, else the caller of the factory; null: the creation was not read */
      readonly launched_by: string | null
      /** @description Token contract */
      readonly contract_address: string
      /** @description Token contract */
      readonly token_address: string
      /** @description Primary Uniswap V4 pool */
      readonly pool_id: string
      /** @description Pool price in USD */
      readonly price_usd: number
      /** @description Price × total supply, USD */
      readonly market_cap: number
      /** @description Price × total supply, USD */
      readonly market_cap_raw: number
      /** @description Display text */
      readonly market_cap_formatted: string
      /** @description market_cap, limited to 25 × the least quote-side liquidity on the token’s path to USD */
      readonly effective_market_cap: number | null
      /** @description market_cap exceeds 25 × that liquidity: hardly anyone could sell at this price */
      readonly thin_liquidity: boolean | null
      /** @description Total supply minus the token contract’s own balance */
      readonly circulating_supply: number
      /** @description Price × circulating supply, USD */
      readonly circulating_market_cap: number
      /** @description Minted minus burned, whole tokens */
      readonly total_supply: number
      /** @description Display text of portfolio_value_raw */
      readonly portfolio_value: string
      /** @description Limited market caps of the creator’s token and posts, USD; on posts the market cap */
      readonly portfolio_value_raw: number
      /** @description Parts of a creator’s portfolio; null on posts */
      readonly portfolio: components['schemas']['Portfolio'] | null
      /** @description Display text */
      readonly volume_24h: string
      /** @description Volume of the last 24 hours, USD */
      readonly volume_24h_raw: number | null
      /** @description Display text */
      readonly volume_24h_formatted: string
      /** @description Display text */
      readonly total_volume: string
      /** @description Volume since launch, USD */
      readonly total_volume_raw: number | null
      /** @description Display text */
      readonly total_volume_formatted: string
      /** @description Volume of the period, USD */
      readonly volume_period: number | null
      /** @description Addresses with a balance */
      readonly unique_holders: number | null
      /** @description Addresses with a balance */
      readonly holders_count: number | null
      /** @description (wallet, UTC hour) pairs of the last 24 hours with a swap of at least $0.10 */
      readonly engagement: number | null
      /** @description Swaps of the last 24 hours */
      readonly trades_24h: number | null
      /** @description Swaps of the period */
      readonly trades_period: number | null
      /** @description Both sides of the hook’s liquidity at the current price */
      readonly liquidity_usd: number | null
      /** @description Signed display text of change_24h_percent */
      readonly change_24h: string | null
      /** @description Price change over 24 hours, or since launch if that is later */
      readonly change_24h_percent: number | null
      /** @description The token was not on this board at the start of the period; null, like previous_rank, if that needs history older than this service’s */
      readonly is_new: boolean | null
      /** @description Rank on this board at the start of the period */
      readonly previous_rank: number | null
      /** @description Ranks gained since the start of the period */
      readonly rank_change: number | null
      /** @description The board’s sort key: portfolio_value_raw for creators, engagement for posts */
      readonly score: number | null
      /** @description Time of the creation block; null if coverage_from is set */
      readonly created_at: string | null
      /** @description Set on tokens older than this service’s history, which begins at this time: figures of windows that begin earlier, total volume, extremes, holders and the creator are null */
      readonly coverage_from: string | null
      /** @description Start of the period */
      readonly period_start: string
      /**
       * @description Source of the figures
       * @enum {string}
       */
      readonly data_source: 'onchain'
      /** @description Price change over the period */
      readonly price_change_percent?: number | null
      /** @description The price rose */
      readonly price_is_up?: boolean | null
      /** @description Market cap change over the period */
      readonly market_cap_change_percent?: number | null
      /** @description Market cap now minus at the start, USD */
      readonly market_cap_change_value?: number | null
      /** @description The market cap rose */
      readonly market_cap_is_up?: boolean | null
      /** @description 24 h volume now compared with 24 h volume at the start */
      readonly volume_change_percent?: number | null
      /** @description The 24 h volume rose */
      readonly volume_is_up?: boolean | null
      /** @description Holders change over the period; null from 0 holders */
      readonly holders_change_percent?: number | null
      /** @description Holders now minus at the start */
      readonly holders_change_value?: number | null
      /** @description The number of holders rose */
      readonly holders_is_up?: boolean | null
      /** @description USD price at the start */
      readonly historical_price?: number | null
      /** @description Market cap at the start, USD */
      readonly historical_market_cap?: number | null
      /** @description Volume of the 24 hours before the start, USD */
      readonly historical_volume?: number | null
      /** @description Holders at the start */
      readonly historical_holders?: number | null
      /**
       * @description The time of comparison: the start of the period, or the launch of a younger token
       * @enum {string|null}
       */
      readonly historical_baseline?: 'launch' | 'period' | null
    }
    readonly PostRowDisplay: {
      /** @description Position on the board or list; does not change with the sort order */
      readonly rank: number
      /** @description Position in this answer, starting at 1 */
      readonly position: number
      /**
       * @description creator or post
       * @enum {string}
       */
      readonly type: 'creator' | 'post'
      /** @description Ticker symbol; untrusted on-chain text */
      readonly symbol: string
      /** @description Token name or post title; untrusted text */
      readonly name: string
      /** @description Symbol of the creator token, else a short address; null where neither is known */
      readonly handle: string | null
      /** @description Symbol of the creator token, else a short address; null where neither is known */
      readonly creator_handle: string | null
      /** @description Name of the creator token; null without one */
      readonly creator_name: string | null
      /** @description Warnings about the names, since anyone may call a token anything */
      readonly name_flags: components['schemas']['NameFlags']
      /** @description Payout recipient at creation, whom anyone may name: see creator_verified; null if coverage_from is set */
      readonly creator_address: string | null
      /** @description Whether creator_address launched the token itself; only then is the token joined with others of that address. null: the creation was not read */
      readonly creator_verified: boolean | null
      /** @description creator_address if it called the factory or sent the transaction, else the caller of the factory; null: the creation was not read */
      readonly launched_by: string | null
      /** @description Token contract */
      readonly contract_address: string
      /** @description Token contract */
      readonly token_address: string
      /** @description Primary Uniswap V4 pool */
      readonly pool_id: string
      /** @description Pool price in USD */
      readonly price_usd: number
      /** @description Display text */
      readonly market_cap: string
      /** @description Price × total supply, USD */
      readonly market_cap_raw: number
      /** @description Display text */
      readonly market_cap_formatted: string
      /** @description market_cap, limited to 25 × the least quote-side liquidity on the token’s path to USD */
      readonly effective_market_cap: number | null
      /** @description market_cap exceeds 25 × that liquidity: hardly anyone could sell at this price */
      readonly thin_liquidity: boolean | null
      /** @description Total supply minus the token contract’s own balance */
      readonly circulating_supply: number
      /** @description Price × circulating supply, USD */
      readonly circulating_market_cap: number
      /** @description Minted minus burned, whole tokens */
      readonly total_supply: number
      /** @description Display text of portfolio_value_raw */
      readonly portfolio_value: string
      /** @description Limited market caps of the creator’s token and posts, USD; on posts the market cap */
      readonly portfolio_value_raw: number
      /** @description Parts of a creator’s portfolio; null on posts */
      readonly portfolio: components['schemas']['Portfolio'] | null
      /** @description Display text */
      readonly volume_24h: string
      /** @description Volume of the last 24 hours, USD */
      readonly volume_24h_raw: number | null
      /** @description Display text */
      readonly volume_24h_formatted: string
      /** @description Display text */
      readonly total_volume: string
      /** @description Volume since launch, USD */
      readonly total_volume_raw: number | null
      /** @description Display text */
      readonly total_volume_formatted: string
      /** @description Volume of the period, USD */
      readonly volume_period: number | null
      /** @description Addresses with a balance */
      readonly unique_holders: number | null
      /** @description Addresses with a balance */
      readonly holders_count: number | null
      /** @description (wallet, UTC hour) pairs of the last 24 hours with a swap of at least $0.10 */
      readonly engagement: number | null
      /** @description Swaps of the last 24 hours */
      readonly trades_24h: number | null
      /** @description Swaps of the period */
      readonly trades_period: number | null
      /** @description Both sides of the hook’s liquidity at the current price */
      readonly liquidity_usd: number | null
      /** @description Signed display text of change_24h_percent */
      readonly change_24h: string | null
      /** @description Price change over 24 hours, or since launch if that is later */
      readonly change_24h_percent: number | null
      /** @description The token was not on this board at the start of the period; null, like previous_rank, if that needs history older than this service’s */
      readonly is_new: boolean | null
      /** @description Rank on this board at the start of the period */
      readonly previous_rank: number | null
      /** @description Ranks gained since the start of the period */
      readonly rank_change: number | null
      /** @description The board’s sort key: portfolio_value_raw for creators, engagement for posts */
      readonly score: number | null
      /** @description Time of the creation block; null if coverage_from is set */
      readonly created_at: string | null
      /** @description Set on tokens older than this service’s history, which begins at this time: figures of windows that begin earlier, total volume, extremes, holders and the creator are null */
      readonly coverage_from: string | null
      /** @description Start of the period */
      readonly period_start: string
      /**
       * @description Source of the figures
       * @enum {string}
       */
      readonly data_source: 'onchain'
      /** @description Price change over the period */
      readonly price_change_percent?: number | null
      /** @description The price rose */
      readonly price_is_up?: boolean | null
      /** @description Market cap change over the period */
      readonly market_cap_change_percent?: number | null
      /** @description Market cap now minus at the start, USD */
      readonly market_cap_change_value?: number | null
      /** @description The market cap rose */
      readonly market_cap_is_up?: boolean | null
      /** @description 24 h volume now compared with 24 h volume at the start */
      readonly volume_change_percent?: number | null
      /** @description The 24 h volume rose */
      readonly volume_is_up?: boolean | null
      /** @description Holders change over the period; null from 0 holders */
      readonly holders_change_percent?: number | null
      /** @description Holders now minus at the start */
      readonly holders_change_value?: number | null
      /** @description The number of holders rose */
      readonly holders_is_up?: boolean | null
      /** @description USD price at the start */
      readonly historical_price?: number | null
      /** @description Market cap at the start, USD */
      readonly historical_market_cap?: number | null
      /** @description Volume of the 24 hours before the start, USD */
      readonly historical_volume?: number | null
      /** @description Holders at the start */
      readonly historical_holders?: number | null
      /**
       * @description The time of comparison: the start of the period, or the launch of a younger token
       * @enum {string|null}
       */
      readonly historical_baseline?: 'launch' | 'period' | null
    }
    readonly PageMeta: {
      /** @description Rows of the whole list, as in X-Total-Count */
      readonly total: number
      /** @description Number of this page, starting at 1 */
      readonly page: number
      /** @description Rows of a page: the limit */
      readonly per_page: number
    }
  }
  responses: {
    /** @description Unchanged: If-None-Match named the current ETag. No body; the headers are those of the 200. */
    readonly NotModified: {
      headers: {
        readonly ETag: components['headers']['ETag']
        readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
        readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
        readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
        readonly RateLimit: components['headers']['RateLimit']
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
        readonly [name: string]: unknown
      }
      content?: never
    }
    /** @description A parameter is missing or invalid; the first one is named. */
    readonly InvalidParameter: {
      headers: {
        readonly 'X-Request-Id': components['headers']['XRequestId']
        readonly 'X-Cache': components['headers']['XCache']
        readonly Age: components['headers']['Age']
        readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
        readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
        readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
        readonly RateLimit: components['headers']['RateLimit']
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
        /** @description Id of the snapshot that the figures come from. */
        readonly 'X-Snapshot-Id'?: string
        /** @description Last block included in the figures. */
        readonly 'X-Data-Block'?: number
        /** @description Its hash. */
        readonly 'X-Data-Block-Hash'?: string
        /** @description The time of the figures, ISO 8601. */
        readonly 'X-Data-Time'?: string
        /** @description The figures are older than five minutes; v1/status says why. */
        readonly 'X-Data-Stale'?: 'true'
        readonly [name: string]: unknown
      }
      content: {
        readonly 'application/json': {
          /** @description The error */
          readonly error: {
            /**
             * @description Machine-readable error code; stable
             * @enum {string}
             */
            readonly code: 'INVALID_PARAMETER'
            /** @description Human-readable message; may change */
            readonly message: string
            /** @description Details; the keys depend on the code */
            readonly details: {
              /** @description Name of the parameter as sent */
              readonly parameter?: string
              /** @description Its value; null: missing */
              readonly provided?: string | number | null
              /** @description Allowed values */
              readonly allowed?: string
            }
            /** @description Request id, as in the X-Request-Id header */
            readonly request_id: string
          }
        }
      }
    }
    /** @description The API key is missing or invalid. */
    readonly Unauthorized: {
      headers: {
        readonly 'X-Request-Id': components['headers']['XRequestId']
        readonly 'X-Cache': components['headers']['XCache']
        readonly Age: components['headers']['Age']
        readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
        readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
        readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
        readonly RateLimit: components['headers']['RateLimit']
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
        /** @description Id of the snapshot that the figures come from. */
        readonly 'X-Snapshot-Id'?: string
        /** @description Last block included in the figures. */
        readonly 'X-Data-Block'?: number
        /** @description Its hash. */
        readonly 'X-Data-Block-Hash'?: string
        /** @description The time of the figures, ISO 8601. */
        readonly 'X-Data-Time'?: string
        /** @description The figures are older than five minutes; v1/status says why. */
        readonly 'X-Data-Stale'?: 'true'
        readonly [name: string]: unknown
      }
      content: {
        readonly 'application/json': {
          /** @description The error */
          readonly error: {
            /**
             * @description Machine-readable error code; stable
             * @enum {string}
             */
            readonly code: 'UNAUTHORIZED'
            /** @description Human-readable message; may change */
            readonly message: string
            /** @description Details; the keys depend on the code */
            readonly details: {
              /** @description What to do */
              readonly help?: string
              /**
               * @description What is wrong with the key
               * @enum {string}
               */
              readonly reason?: 'missing_api_key' | 'invalid_api_key' | 'expired_api_key'
            }
            /** @description Request id, as in the X-Request-Id header */
            readonly request_id: string
          }
        }
      }
    }
    /** @description The key is suspended, or its tier does not include this resource. */
    readonly Forbidden: {
      headers: {
        readonly 'X-Request-Id': components['headers']['XRequestId']
        readonly 'X-Cache': components['headers']['XCache']
        readonly Age: components['headers']['Age']
        readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
        readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
        readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
        readonly RateLimit: components['headers']['RateLimit']
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
        /** @description Id of the snapshot that the figures come from. */
        readonly 'X-Snapshot-Id'?: string
        /** @description Last block included in the figures. */
        readonly 'X-Data-Block'?: number
        /** @description Its hash. */
        readonly 'X-Data-Block-Hash'?: string
        /** @description The time of the figures, ISO 8601. */
        readonly 'X-Data-Time'?: string
        /** @description The figures are older than five minutes; v1/status says why. */
        readonly 'X-Data-Stale'?: 'true'
        readonly [name: string]: unknown
      }
      content: {
        readonly 'application/json': {
          /** @description The error */
          readonly error: {
            /**
             * @description Machine-readable error code; stable
             * @enum {string}
             */
            readonly code: 'INSUFFICIENT_TIER' | 'SUSPENDED_API_KEY'
            /** @description Human-readable message; may change */
            readonly message: string
            /** @description Details; the keys depend on the code */
            readonly details: {
              /** @description What to do */
              readonly help?: string
              /** @description The lowest tier that includes it */
              readonly required_tier?: string
              /** @description The account’s tier */
              readonly current_tier?: string
            }
            /** @description Request id, as in the X-Request-Id header */
            readonly request_id: string
          }
        }
      }
    }
    /** @description The resource does not exist. */
    readonly NotFound: {
      headers: {
        readonly 'X-Request-Id': components['headers']['XRequestId']
        readonly 'X-Cache': components['headers']['XCache']
        readonly Age: components['headers']['Age']
        readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
        readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
        readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
        readonly RateLimit: components['headers']['RateLimit']
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
        /** @description Id of the snapshot that the figures come from. */
        readonly 'X-Snapshot-Id'?: string
        /** @description Last block included in the figures. */
        readonly 'X-Data-Block'?: number
        /** @description Its hash. */
        readonly 'X-Data-Block-Hash'?: string
        /** @description The time of the figures, ISO 8601. */
        readonly 'X-Data-Time'?: string
        /** @description The figures are older than five minutes; v1/status says why. */
        readonly 'X-Data-Stale'?: 'true'
        readonly [name: string]: unknown
      }
      content: {
        readonly 'application/json': {
          /** @description The error */
          readonly error: {
            /**
             * @description Machine-readable error code; stable
             * @enum {string}
             */
            readonly code: 'RESOURCE_NOT_FOUND'
            /** @description Human-readable message; may change */
            readonly message: string
            /** @description Details; the keys depend on the code */
            readonly details: {
              /** @description The id, if no token has it */
              readonly token?: string
              /** @description How to find a token by its symbol */
              readonly hint?: string
              /** @description The id, if no snapshot has it */
              readonly snapshot?: string
              /** @description The path, if there is no such route */
              readonly path?: string
            }
            /** @description Request id, as in the X-Request-Id header */
            readonly request_id: string
          }
        }
      }
    }
    /** @description The method was not GET, HEAD or OPTIONS. */
    readonly MethodNotAllowed: {
      headers: {
        readonly 'X-Request-Id': components['headers']['XRequestId']
        readonly 'X-Cache': components['headers']['XCache']
        readonly Age: components['headers']['Age']
        readonly Allow: components['headers']['Allow']
        readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
        readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
        readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
        readonly RateLimit: components['headers']['RateLimit']
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
        /** @description Id of the snapshot that the figures come from. */
        readonly 'X-Snapshot-Id'?: string
        /** @description Last block included in the figures. */
        readonly 'X-Data-Block'?: number
        /** @description Its hash. */
        readonly 'X-Data-Block-Hash'?: string
        /** @description The time of the figures, ISO 8601. */
        readonly 'X-Data-Time'?: string
        /** @description The figures are older than five minutes; v1/status says why. */
        readonly 'X-Data-Stale'?: 'true'
        readonly [name: string]: unknown
      }
      content: {
        readonly 'application/json': {
          /** @description The error */
          readonly error: {
            /**
             * @description Machine-readable error code; stable
             * @enum {string}
             */
            readonly code: 'METHOD_NOT_ALLOWED'
            /** @description Human-readable message; may change */
            readonly message: string
            /** @description Details; the keys depend on the code */
            readonly details: {
              /** @description The method sent */
              readonly method?: string
            }
            /** @description Request id, as in the X-Request-Id header */
            readonly request_id: string
          }
        }
      }
    }
    /** @description The account has no requests left in this UTC hour. */
    readonly RateLimitExceeded: {
      headers: {
        readonly 'X-Request-Id': components['headers']['XRequestId']
        readonly 'X-Cache': components['headers']['XCache']
        readonly Age: components['headers']['Age']
        readonly 'Retry-After': components['headers']['RetryAfter']
        readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
        readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
        readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
        readonly RateLimit: components['headers']['RateLimit']
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
        /** @description Id of the snapshot that the figures come from. */
        readonly 'X-Snapshot-Id'?: string
        /** @description Last block included in the figures. */
        readonly 'X-Data-Block'?: number
        /** @description Its hash. */
        readonly 'X-Data-Block-Hash'?: string
        /** @description The time of the figures, ISO 8601. */
        readonly 'X-Data-Time'?: string
        /** @description The figures are older than five minutes; v1/status says why. */
        readonly 'X-Data-Stale'?: 'true'
        readonly [name: string]: unknown
      }
      content: {
        readonly 'application/json': {
          /** @description The error */
          readonly error: {
            /**
             * @description Machine-readable error code; stable
             * @enum {string}
             */
            readonly code: 'RATE_LIMIT_EXCEEDED'
            /** @description Human-readable message; may change */
            readonly message: string
            /** @description Details; the keys depend on the code */
            readonly details: {
              /** @description Requests allowed per UTC hour */
              readonly limit?: number
              /** @description 0 */
              readonly remaining?: number
              /** @description When the next hour begins, ISO 8601 */
              readonly reset_at?: string
            }
            /** @description Request id, as in the X-Request-Id header */
            readonly request_id: string
          }
        }
      }
    }
    /** @description Internal error, logged with the request id. */
    readonly InternalError: {
      headers: {
        readonly 'X-Request-Id': components['headers']['XRequestId']
        readonly 'X-Cache': components['headers']['XCache']
        readonly Age: components['headers']['Age']
        readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
        readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
        readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
        readonly RateLimit: components['headers']['RateLimit']
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
        /** @description Id of the snapshot that the figures come from. */
        readonly 'X-Snapshot-Id'?: string
        /** @description Last block included in the figures. */
        readonly 'X-Data-Block'?: number
        /** @description Its hash. */
        readonly 'X-Data-Block-Hash'?: string
        /** @description The time of the figures, ISO 8601. */
        readonly 'X-Data-Time'?: string
        /** @description The figures are older than five minutes; v1/status says why. */
        readonly 'X-Data-Stale'?: 'true'
        readonly [name: string]: unknown
      }
      content: {
        readonly 'application/json': {
          /** @description The error */
          readonly error: {
            /**
             * @description Machine-readable error code; stable
             * @enum {string}
             */
            readonly code: 'INTERNAL_ERROR'
            /** @description Human-readable message; may change */
            readonly message: string
            /** @description Details; the keys depend on the code */
            readonly details: Record<string, never>
            /** @description Request id, as in the X-Request-Id header */
            readonly request_id: string
          }
        }
      }
    }
    /** @description Temporarily unavailable: before the first snapshot, or while a reorg is being rolled back. */
    readonly ServiceUnavailable: {
      headers: {
        readonly 'X-Request-Id': components['headers']['XRequestId']
        readonly 'X-Cache': components['headers']['XCache']
        readonly Age: components['headers']['Age']
        readonly 'Retry-After': components['headers']['RetryAfter']
        readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
        readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
        readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
        readonly RateLimit: components['headers']['RateLimit']
        readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
        /** @description Id of the snapshot that the figures come from. */
        readonly 'X-Snapshot-Id'?: string
        /** @description Last block included in the figures. */
        readonly 'X-Data-Block'?: number
        /** @description Its hash. */
        readonly 'X-Data-Block-Hash'?: string
        /** @description The time of the figures, ISO 8601. */
        readonly 'X-Data-Time'?: string
        /** @description The figures are older than five minutes; v1/status says why. */
        readonly 'X-Data-Stale'?: 'true'
        readonly [name: string]: unknown
      }
      content: {
        readonly 'application/json': {
          /** @description The error */
          readonly error: {
            /**
             * @description Machine-readable error code; stable
             * @enum {string}
             */
            readonly code: 'SERVICE_UNAVAILABLE'
            /** @description Human-readable message; may change */
            readonly message: string
            /** @description Details; the keys depend on the code */
            readonly details: Record<string, never>
            /** @description Request id, as in the X-Request-Id header */
            readonly request_id: string
          }
        }
      }
    }
    /** @description Any other error of the service or its network, in the same shape. */
    readonly OtherError: {
      headers: { readonly [name: string]: unknown }
      content: {
        readonly 'application/json': {
          /** @description The error */
          readonly error: {
            /**
             * @description Machine-readable error code; stable
             * @enum {string}
             */
            readonly code:
              | 'INVALID_PARAMETER'
              | 'UNAUTHORIZED'
              | 'INSUFFICIENT_TIER'
              | 'SUSPENDED_API_KEY'
              | 'RESOURCE_NOT_FOUND'
              | 'METHOD_NOT_ALLOWED'
              | 'RATE_LIMIT_EXCEEDED'
              | 'INTERNAL_ERROR'
              | 'SERVICE_UNAVAILABLE'
            /** @description Human-readable message; may change */
            readonly message: string
            /** @description Details; the keys depend on the code */
            readonly details: {
              /** @description Name of the parameter as sent */
              readonly parameter?: string
              /** @description Its value; null: missing */
              readonly provided?: string | number | null
              /** @description Allowed values */
              readonly allowed?: string
              /** @description What to do */
              readonly help?: string
              /**
               * @description What is wrong with the key
               * @enum {string}
               */
              readonly reason?: 'missing_api_key' | 'invalid_api_key' | 'expired_api_key'
              /** @description The lowest tier that includes it */
              readonly required_tier?: string
              /** @description The account’s tier */
              readonly current_tier?: string
              /** @description The id, if no token has it */
              readonly token?: string
              /** @description How to find a token by its symbol */
              readonly hint?: string
              /** @description The id, if no snapshot has it */
              readonly snapshot?: string
              /** @description The path, if there is no such route */
              readonly path?: string
              /** @description The method sent */
              readonly method?: string
              /** @description Requests allowed per UTC hour */
              readonly limit?: number
              /** @description 0 */
              readonly remaining?: number
              /** @description When the next hour begins, ISO 8601 */
              readonly reset_at?: string
            }
            /** @description Request id, as in the X-Request-Id header */
            readonly request_id: string
          }
        }
      }
    }
  }
  parameters: {
    /**
     * @description Address of the token in any case, also as `base_0x…` or `0x…:8453`, or the 32-byte id of its pool. Not a symbol.
     * @example 0xe80d513Eddba27d60f00d383F64B9C5203d9AD47
     */
    readonly Token: string
    /**
     * @description Id of a snapshot, as in `X-Snapshot-Id`.
     * @example 20260131T1157Z-777ca5cd
     */
    readonly SnapshotId: string
    /**
     * @description Addresses of at most 100 tokens, separated by commas. Surrounding spaces are ignored.
     * @example
     */
    readonly Addresses: string
    /**
     * @description Only swaps before the one with this `cursor`, or before a time; a date alone means its start. Default: now. A cursor, or ISO 8601 with any offset (none: UTC) and any number of decimals, or Unix seconds.
     * @example
     */
    readonly Before: string
    /** @description last fills slots without a price of the token’s own pool with the price before, at the quote’s USD of the slot’s end; none omits them. Case-insensitive. */
    readonly CandleFill: 'last' | 'none'
    /**
     * @description Length of a slot of UTC time; weeks start on Monday. Case-insensitive.
     * @example 1h
     */
    readonly CandleIntervalInterval: '1m' | '5m' | '15m' | '1h' | '4h' | '1d' | '1w'
    /** @description The same as `interval`. When both are sent, the one that differs from the default wins; when both do, `interval`. */
    readonly CandleIntervalResolution: '1m' | '5m' | '15m' | '1h' | '4h' | '1d' | '1w'
    /** @description Rows of the answer, 1-1000. */
    readonly CandleLimit: number
    /**
     * @description Only slots that begin before this time, to page backwards. ISO 8601 with any offset (none: UTC) and any number of decimals, or Unix seconds.
     * @example
     */
    readonly CandlesBefore: string
    /**
     * @description No slot that ends before this time. ISO 8601 with any offset (none: UTC) and any number of decimals, or Unix seconds.
     * @example
     */
    readonly CandlesFrom: string
    /**
     * @description No slot that begins after this time; a date alone means its end. ISO 8601 with any offset (none: UTC) and any number of decimals, or Unix seconds.
     * @example
     */
    readonly CandlesTo: string
    /** @description Currency of the prices: US dollars, or what the token is priced in. Case-insensitive. */
    readonly Currency: 'usd' | 'quote'
    /** @description Rows of the answer, 1-50. */
    readonly DiscoverLimit: number
    /** @description true wraps the list: {data, meta: {total, page, per_page}}. `1` and `0` work too. */
    readonly Envelope: boolean
    /** @description false omits steps without a price of the token’s own pool. `1` and `0` work too. */
    readonly Fill: boolean
    /**
     * @description First time; a date alone means its start. Default: 7 days before `to`. ISO 8601 with any offset (none: UTC) and any number of decimals, or Unix seconds.
     * @example
     */
    readonly From: string
    /** @description false omits the change and historical fields. `1` and `0` work too. */
    readonly IncludeChanges: boolean
    /** @description Step length, in UTC; weeks start on Monday. Case-insensitive. */
    readonly Interval: 'hourly' | 'daily' | 'weekly'
    /**
     * @description Of all tokens: desc: newest first; asc: oldest first. Case-insensitive.
     * @example desc
     */
    readonly LaunchOrderSortOrder: 'desc' | 'asc'
    /** @description The same as `sort_order`. When both are sent, the one that differs from the default wins; when both do, `sort_order`. */
    readonly LaunchOrderOrder: 'desc' | 'asc'
    /** @description Rows of the answer, 1-100. */
    readonly Limit: number
    /** @description Only swaps worth at least this many US dollars, compared before rounding. No exponent, at most 18 decimals. */
    readonly MinValue: number
    /** @description Rows to skip, 0 or more. */
    readonly Offset: number
    /**
     * @description Period for changes and volumes, or covered by the price history. Case-insensitive.
     * @example 24h
     */
    readonly PeriodTimeframe: '1h' | '4h' | '24h' | '7d'
    /** @description The same as `timeframe`. When both are sent, the one that differs from the default wins; when both do, `timeframe`. */
    readonly PeriodPeriod: '1h' | '4h' | '24h' | '7d'
    /**
     * @description Part of a symbol, name or address, or the id of a pool. Its length is measured after normalisation: lower case, NFKC, without surrounding spaces, invisible characters and one leading `@`, `$` or `#`.
     * @example GARDENINJAKART
     */
    readonly SearchText: string
    /** @description Only buys or only sells of the token. Case-insensitive. */
    readonly Side: 'buy' | 'sell' | 'all'
    /**
     * @description Id of a snapshot of the last 15 minutes, to pin paging to it.
     * @example
     */
    readonly Snapshot: string
    /** @description Rows of the answer, 1-100. */
    readonly SnapshotsLimit: number
    /**
     * @description desc: highest first; asc: lowest first. Unknown values come last in both. Case-insensitive.
     * @example desc
     */
    readonly SortOrderSortOrder: 'desc' | 'asc'
    /** @description The same as `sort_order`. When both are sent, the one that differs from the default wins; when both do, `sort_order`. */
    readonly SortOrderOrder: 'desc' | 'asc'
    /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
    readonly Strict: boolean
    /** @description Rows of the answer, 1-100. */
    readonly SwapsLimit: number
    /**
     * @description desc: newest first; asc: oldest first. Case-insensitive.
     * @example desc
     */
    readonly TimeOrderSortOrder: 'desc' | 'asc'
    /** @description The same as `sort_order`. When both are sent, the one that differs from the default wins; when both do, `sort_order`. */
    readonly TimeOrderOrder: 'desc' | 'asc'
    /**
     * @description Period in which a token must have traded. Case-insensitive.
     * @example 24h
     */
    readonly TimeframeTimeframe: '1h' | '24h' | '7d' | '30d'
    /** @description The same as `timeframe`. When both are sent, the one that differs from the default wins; when both do, `timeframe`. */
    readonly TimeframePeriod: '1h' | '24h' | '7d' | '30d'
    /**
     * @description Last time; a date alone means its end. Default: now. ISO 8601 with any offset (none: UTC) and any number of decimals, or Unix seconds.
     * @example
     */
    readonly To: string
    /**
     * @description Field to look up; without it, all tokens are listed. Case-insensitive.
     * @example
     */
    readonly TokenField: 'symbol' | 'name' | 'address' | 'creator'
    /**
     * @description Only swaps of this token: its address, its pool, or a symbol, which may be that of several tokens. A leading `$` or `@` of a symbol is ignored; an address may also be written `base_0x…` or `0x…:8453`.
     * @example
     */
    readonly TokenFilter: string
    /**
     * @description The value to find, compared without regard to case, width and spacing; a creator is an address or a handle. Surrounding spaces are ignored.
     * @example
     */
    readonly TokenValue: string
    /**
     * @description Where the list of all tokens goes on, from the link to its next page.
     * @example
     */
    readonly TokensCursor: string
    /** @description display returns volume_24h, total_volume and, on posts, market_cap as formatted text. Case-insensitive. */
    readonly Values: 'number' | 'display'
  }
  requestBodies: never
  headers: {
    /** @description Seconds that the answer has been in a cache. */
    readonly Age: number
    /** @description The methods that every path supports. */
    readonly Allow: string
    /** @description Identifies these bytes: send it as If-None-Match, and an unchanged answer is a 304. */
    readonly ETag: string
    /** @description Pages around this one (RFC 8288): first, prev, next, last; of a list that pages by time or cursor, next alone. */
    readonly Link: string
    /** @description Seconds to wait before the next attempt. */
    readonly RetryAfter: number
    /** @description Milliseconds that reading took. */
    readonly ServerTiming: string
    /** @description Whether the answer came from a cache. */
    readonly XCache: string
    /** @description Identifies this request; errors repeat it as request_id. */
    readonly XRequestId: string
    /** @description Parameters that this operation does not know, percent-encoded, separated by commas. */
    readonly XIgnoredParameters: string
    /** @description Of the addresses asked for, those of no token, separated by commas. */
    readonly XUnknownAddresses: string
    /** @description Rows of the whole list. */
    readonly XTotalCount: number
    /** @description There are more rows than X-Total-Count. */
    readonly XTotalCapped: 'true'
    /** @description Pages of the list at this limit. */
    readonly XPageCount: number
    /** @description Number of this page, starting at 1. */
    readonly XCurrentPage: number
    /** @description Rows of a page: the limit. */
    readonly XPerPage: number
    /** @description The sort key and order: `market_cap;desc`. */
    readonly XAppliedSort: string
    /** @description The period of the answer: `24h`. */
    readonly XAppliedPeriod: string
    /** @description Id of the snapshot that the figures come from. */
    readonly XSnapshotId: string
    /** @description Last block included in the figures. */
    readonly XDataBlock: number
    /** @description Its hash. */
    readonly XDataBlockHash: string
    /** @description The time of the figures, ISO 8601. */
    readonly XDataTime: string
    /** @description The figures are older than five minutes; v1/status says why. */
    readonly XDataStale: 'true'
    /** @description Requests allowed per UTC hour. */
    readonly XRateLimitLimit: number
    /** @description Requests left in this hour. */
    readonly XRateLimitRemaining: number
    /** @description End of the hour, Unix seconds. */
    readonly XRateLimitReset: number
    /** @description What is left, as a structured field. */
    readonly RateLimit: string
    /** @description The limit, as a structured field. */
    readonly RateLimitPolicy: string
  }
  pathItems: never
}
export type BoardRow = components['schemas']['BoardRow']
export type NameFlags = components['schemas']['NameFlags']
export type Portfolio = components['schemas']['Portfolio']
export type TrendingRow = components['schemas']['TrendingRow']
export type RisingRow = components['schemas']['RisingRow']
export type RisingParts = components['schemas']['RisingParts']
export type LaunchRow = components['schemas']['LaunchRow']
export type TokenSummary = components['schemas']['TokenSummary']
export type FoundToken = components['schemas']['FoundToken']
export type Match = components['schemas']['Match']
export type TokenDetail = components['schemas']['TokenDetail']
export type TokenMetrics = components['schemas']['TokenMetrics']
export type TokenName = components['schemas']['TokenName']
export type TokenFigures = components['schemas']['TokenFigures']
export type TokenHolders = components['schemas']['TokenHolders']
export type Distribution = components['schemas']['Distribution']
export type HolderTypes = components['schemas']['HolderTypes']
export type Holder = components['schemas']['Holder']
export type PriceStep = components['schemas']['PriceStep']
export type Candle = components['schemas']['Candle']
export type Swap = components['schemas']['Swap']
export type SwapSide = components['schemas']['SwapSide']
export type Index = components['schemas']['Index']
export type IndexBar = components['schemas']['IndexBar']
export type IndexHour = components['schemas']['IndexHour']
export type IndexHours = components['schemas']['IndexHours']
export type Constituents = components['schemas']['Constituents']
export type Constituent = components['schemas']['Constituent']
export type Boards = components['schemas']['Boards']
export type MarketStats = components['schemas']['MarketStats']
export type MarketVolume = components['schemas']['MarketVolume']
export type VolumeBucket = components['schemas']['VolumeBucket']
export type Status = components['schemas']['Status']
export type AccountUsage = components['schemas']['AccountUsage']
export type SnapshotRow = components['schemas']['SnapshotRow']
export type Manifest = components['schemas']['Manifest']
export type ManifestDocument = components['schemas']['ManifestDocument']
export type BoardRowWithoutChanges = components['schemas']['BoardRowWithoutChanges']
export type CreatorRowDisplay = components['schemas']['CreatorRowDisplay']
export type PostRowDisplay = components['schemas']['PostRowDisplay']
export type PageMeta = components['schemas']['PageMeta']
export type ResponseNotModified = components['responses']['NotModified']
export type ResponseInvalidParameter = components['responses']['InvalidParameter']
export type ResponseUnauthorized = components['responses']['Unauthorized']
export type ResponseForbidden = components['responses']['Forbidden']
export type ResponseNotFound = components['responses']['NotFound']
export type ResponseMethodNotAllowed = components['responses']['MethodNotAllowed']
export type ResponseRateLimitExceeded = components['responses']['RateLimitExceeded']
export type ResponseInternalError = components['responses']['InternalError']
export type ResponseServiceUnavailable = components['responses']['ServiceUnavailable']
export type ResponseOtherError = components['responses']['OtherError']
export type ParameterToken = components['parameters']['Token']
export type ParameterSnapshotId = components['parameters']['SnapshotId']
export type ParameterAddresses = components['parameters']['Addresses']
export type ParameterBefore = components['parameters']['Before']
export type ParameterCandleFill = components['parameters']['CandleFill']
export type ParameterCandleIntervalInterval = components['parameters']['CandleIntervalInterval']
export type ParameterCandleIntervalResolution = components['parameters']['CandleIntervalResolution']
export type ParameterCandleLimit = components['parameters']['CandleLimit']
export type ParameterCandlesBefore = components['parameters']['CandlesBefore']
export type ParameterCandlesFrom = components['parameters']['CandlesFrom']
export type ParameterCandlesTo = components['parameters']['CandlesTo']
export type ParameterCurrency = components['parameters']['Currency']
export type ParameterDiscoverLimit = components['parameters']['DiscoverLimit']
export type ParameterEnvelope = components['parameters']['Envelope']
export type ParameterFill = components['parameters']['Fill']
export type ParameterFrom = components['parameters']['From']
export type ParameterIncludeChanges = components['parameters']['IncludeChanges']
export type ParameterInterval = components['parameters']['Interval']
export type ParameterLaunchOrderSortOrder = components['parameters']['LaunchOrderSortOrder']
export type ParameterLaunchOrderOrder = components['parameters']['LaunchOrderOrder']
export type ParameterLimit = components['parameters']['Limit']
export type ParameterMinValue = components['parameters']['MinValue']
export type ParameterOffset = components['parameters']['Offset']
export type ParameterPeriodTimeframe = components['parameters']['PeriodTimeframe']
export type ParameterPeriodPeriod = components['parameters']['PeriodPeriod']
export type ParameterSearchText = components['parameters']['SearchText']
export type ParameterSide = components['parameters']['Side']
export type ParameterSnapshot = components['parameters']['Snapshot']
export type ParameterSnapshotsLimit = components['parameters']['SnapshotsLimit']
export type ParameterSortOrderSortOrder = components['parameters']['SortOrderSortOrder']
export type ParameterSortOrderOrder = components['parameters']['SortOrderOrder']
export type ParameterStrict = components['parameters']['Strict']
export type ParameterSwapsLimit = components['parameters']['SwapsLimit']
export type ParameterTimeOrderSortOrder = components['parameters']['TimeOrderSortOrder']
export type ParameterTimeOrderOrder = components['parameters']['TimeOrderOrder']
export type ParameterTimeframeTimeframe = components['parameters']['TimeframeTimeframe']
export type ParameterTimeframePeriod = components['parameters']['TimeframePeriod']
export type ParameterTo = components['parameters']['To']
export type ParameterTokenField = components['parameters']['TokenField']
export type ParameterTokenFilter = components['parameters']['TokenFilter']
export type ParameterTokenValue = components['parameters']['TokenValue']
export type ParameterTokensCursor = components['parameters']['TokensCursor']
export type ParameterValues = components['parameters']['Values']
export type HeaderAge = components['headers']['Age']
export type HeaderAllow = components['headers']['Allow']
export type HeaderETag = components['headers']['ETag']
export type HeaderLink = components['headers']['Link']
export type HeaderRetryAfter = components['headers']['RetryAfter']
export type HeaderServerTiming = components['headers']['ServerTiming']
export type HeaderXCache = components['headers']['XCache']
export type HeaderXRequestId = components['headers']['XRequestId']
export type HeaderXIgnoredParameters = components['headers']['XIgnoredParameters']
export type HeaderXUnknownAddresses = components['headers']['XUnknownAddresses']
export type HeaderXTotalCount = components['headers']['XTotalCount']
export type HeaderXTotalCapped = components['headers']['XTotalCapped']
export type HeaderXPageCount = components['headers']['XPageCount']
export type HeaderXCurrentPage = components['headers']['XCurrentPage']
export type HeaderXPerPage = components['headers']['XPerPage']
export type HeaderXAppliedSort = components['headers']['XAppliedSort']
export type HeaderXAppliedPeriod = components['headers']['XAppliedPeriod']
export type HeaderXSnapshotId = components['headers']['XSnapshotId']
export type HeaderXDataBlock = components['headers']['XDataBlock']
export type HeaderXDataBlockHash = components['headers']['XDataBlockHash']
export type HeaderXDataTime = components['headers']['XDataTime']
export type HeaderXDataStale = components['headers']['XDataStale']
export type HeaderXRateLimitLimit = components['headers']['XRateLimitLimit']
export type HeaderXRateLimitRemaining = components['headers']['XRateLimitRemaining']
export type HeaderXRateLimitReset = components['headers']['XRateLimitReset']
export type HeaderRateLimit = components['headers']['RateLimit']
export type HeaderRateLimitPolicy = components['headers']['RateLimitPolicy']
export type $defs = Record<string, never>
export interface operations {
  readonly creators: {
    readonly parameters: {
      readonly query?: {
        /**
         * @description Period for changes and volumes, or covered by the price history. Case-insensitive.
         * @example 24h
         */
        readonly timeframe?: components['parameters']['PeriodTimeframe']
        /** @description The same as `timeframe`. When both are sent, the one that differs from the default wins; when both do, `timeframe`. */
        readonly period?: components['parameters']['PeriodPeriod']
        /** @description Rows of the answer, 1-100. */
        readonly limit?: components['parameters']['Limit']
        /** @description Rows to skip, 0 or more. */
        readonly offset?: components['parameters']['Offset']
        /**
         * @description Sort key. `value` means `rank`. Case-insensitive.
         * @example rank
         */
        readonly sort_by?:
          | 'rank'
          | 'price'
          | 'market_cap'
          | 'total_volume'
          | 'volume'
          | 'holders'
          | 'price_change'
          | 'change'
          | 'market_cap_change'
          | 'volume_change'
          | 'holders_change'
          | 'value'
        /** @description The same as `sort_by`. When both are sent, the one that differs from the default wins; when both do, `sort_by`. */
        readonly sort?:
          | 'rank'
          | 'price'
          | 'market_cap'
          | 'total_volume'
          | 'volume'
          | 'holders'
          | 'price_change'
          | 'change'
          | 'market_cap_change'
          | 'volume_change'
          | 'holders_change'
          | 'value'
        /**
         * @description desc: highest first; asc: lowest first. Unknown values come last in both. Case-insensitive.
         * @example desc
         */
        readonly sort_order?: components['parameters']['SortOrderSortOrder']
        /** @description The same as `sort_order`. When both are sent, the one that differs from the default wins; when both do, `sort_order`. */
        readonly order?: components['parameters']['SortOrderOrder']
        /** @description false omits the change and historical fields. `1` and `0` work too. */
        readonly include_changes?: components['parameters']['IncludeChanges']
        /** @description display returns volume_24h, total_volume and, on posts, market_cap as formatted text. Case-insensitive. */
        readonly values?: components['parameters']['Values']
        /** @description true wraps the list: {data, meta: {total, page, per_page}}. `1` and `0` work too. */
        readonly envelope?: components['parameters']['Envelope']
        /**
         * @description Id of a snapshot of the last 15 minutes, to pin paging to it.
         * @example
         */
        readonly snapshot?: components['parameters']['Snapshot']
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The 100 creators of the board, with their changes over a period. */
      readonly 200: {
        headers: {
          /** @description The first value for the canonical request, which any cache may store; the second for any other parameters. */
          readonly 'Cache-Control':
            | 'public, max-age=20, stale-while-revalidate=10, stale-if-error=86400'
            | 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-Total-Count': components['headers']['XTotalCount']
          readonly 'X-Page-Count': components['headers']['XPageCount']
          readonly 'X-Current-Page': components['headers']['XCurrentPage']
          readonly 'X-Per-Page': components['headers']['XPerPage']
          readonly Link: components['headers']['Link']
          readonly 'X-Total-Capped': components['headers']['XTotalCapped']
          readonly 'X-Applied-Sort': components['headers']['XAppliedSort']
          readonly 'X-Applied-Period': components['headers']['XAppliedPeriod']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example [
           *       {
           *         "rank": 1,
           *         "position": 1,
           *         "type": "creator",
           *         "symbol": "zesoro8",
           *         "name": "Zesoro8",
           *         "handle": "zesoro8",
           *         "creator_handle": "zesoro8",
           *         "creator_name": "Zesoro8",
           *         "name_flags": {
           *           "mixed_script": false,
           *           "lookalike_of": null
           *         },
           *         "creator_address": "0x5eb15C0992734B5e77c888D713b4FC67b3D679A2",
           *         "creator_verified": true,
           *         "launched_by": "0x5eb15C0992734B5e77c888D713b4FC67b3D679A2",
           *         "contract_address": "0xf433C50017d963b6082043445bCD0A54716DDC1d",
           *         "token_address": "0xf433C50017d963b6082043445bCD0A54716DDC1d",
           *         "pool_id": "0xbb42d0979f699e6ea66ba4e89882bac34e5dd090560e3885293ca0d38d50cd14",
           *         "price_usd": 0.000175107372251,
           *         "market_cap": 175107.37,
           *         "market_cap_raw": 175107.37,
           *         "market_cap_formatted": "$175.1K",
           *         "effective_market_cap": 58320.18,
           *         "thin_liquidity": true,
           *         "circulating_supply": 500000000,
           *         "circulating_market_cap": 87553.69,
           *         "total_supply": 1000000000,
           *         "portfolio_value": "$58.3K",
           *         "portfolio_value_raw": 58320.18,
           *         "portfolio": {
           *           "token_market_cap": 175107.37,
           *           "token_counted": 58320.18,
           *           "posts_market_cap": 902462.79,
           *           "posts_counted": 0,
           *           "posts_count": 2,
           *           "coverage_from": null
           *         },
           *         "volume_24h": 681.2,
           *         "volume_24h_raw": 681.2,
           *         "volume_24h_formatted": "$681.20",
           *         "total_volume": 2972.62,
           *         "total_volume_raw": 2972.62,
           *         "total_volume_formatted": "$3.0K",
           *         "volume_period": 681.2,
           *         "unique_holders": 7,
           *         "holders_count": 7,
           *         "engagement": 12,
           *         "trades_24h": 12,
           *         "trades_period": 12,
           *         "liquidity_usd": 4734.68,
           *         "change_24h": "+86.6%",
           *         "change_24h_percent": 86.59,
           *         "is_new": false,
           *         "previous_rank": 2,
           *         "rank_change": 1,
           *         "score": 58320.18,
           *         "created_at": "2026-01-23T13:39:21Z",
           *         "coverage_from": null,
           *         "period_start": "2026-01-30T11:58:00Z",
           *         "data_source": "onchain",
           *         "price_change_percent": 86.59,
           *         "price_is_up": true,
           *         "market_cap_change_percent": 86.59,
           *         "market_cap_change_value": 81263.62,
           *         "market_cap_is_up": true,
           *         "volume_change_percent": 535.72,
           *         "volume_is_up": true,
           *         "holders_change_percent": 75,
           *         "holders_change_value": 3,
           *         "holders_is_up": true,
           *         "historical_price": 0.0000938437501571,
           *         "historical_market_cap": 93843.75,
           *         "historical_volume": 107.15,
           *         "historical_holders": 4,
           *         "historical_baseline": "period"
           *       }
           *     ]
           */
          readonly 'application/json': readonly components['schemas']['BoardRow'][]
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly posts: {
    readonly parameters: {
      readonly query?: {
        /**
         * @description Period for changes and volumes, or covered by the price history. Case-insensitive.
         * @example 24h
         */
        readonly timeframe?: components['parameters']['PeriodTimeframe']
        /** @description The same as `timeframe`. When both are sent, the one that differs from the default wins; when both do, `timeframe`. */
        readonly period?: components['parameters']['PeriodPeriod']
        /** @description Rows of the answer, 1-100. */
        readonly limit?: components['parameters']['Limit']
        /** @description Rows to skip, 0 or more. */
        readonly offset?: components['parameters']['Offset']
        /**
         * @description Sort key. `engagement` means `rank`. Case-insensitive.
         * @example rank
         */
        readonly sort_by?:
          | 'rank'
          | 'price'
          | 'market_cap'
          | 'total_volume'
          | 'volume'
          | 'holders'
          | 'price_change'
          | 'change'
          | 'market_cap_change'
          | 'volume_change'
          | 'holders_change'
          | 'engagement'
        /** @description The same as `sort_by`. When both are sent, the one that differs from the default wins; when both do, `sort_by`. */
        readonly sort?:
          | 'rank'
          | 'price'
          | 'market_cap'
          | 'total_volume'
          | 'volume'
          | 'holders'
          | 'price_change'
          | 'change'
          | 'market_cap_change'
          | 'volume_change'
          | 'holders_change'
          | 'engagement'
        /**
         * @description desc: highest first; asc: lowest first. Unknown values come last in both. Case-insensitive.
         * @example desc
         */
        readonly sort_order?: components['parameters']['SortOrderSortOrder']
        /** @description The same as `sort_order`. When both are sent, the one that differs from the default wins; when both do, `sort_order`. */
        readonly order?: components['parameters']['SortOrderOrder']
        /** @description false omits the change and historical fields. `1` and `0` work too. */
        readonly include_changes?: components['parameters']['IncludeChanges']
        /** @description display returns volume_24h, total_volume and, on posts, market_cap as formatted text. Case-insensitive. */
        readonly values?: components['parameters']['Values']
        /** @description true wraps the list: {data, meta: {total, page, per_page}}. `1` and `0` work too. */
        readonly envelope?: components['parameters']['Envelope']
        /**
         * @description Id of a snapshot of the last 15 minutes, to pin paging to it.
         * @example
         */
        readonly snapshot?: components['parameters']['Snapshot']
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The 100 posts of the board, with their changes over a period. */
      readonly 200: {
        headers: {
          /** @description The first value for the canonical request, which any cache may store; the second for any other parameters. */
          readonly 'Cache-Control':
            | 'public, max-age=20, stale-while-revalidate=10, stale-if-error=86400'
            | 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-Total-Count': components['headers']['XTotalCount']
          readonly 'X-Page-Count': components['headers']['XPageCount']
          readonly 'X-Current-Page': components['headers']['XCurrentPage']
          readonly 'X-Per-Page': components['headers']['XPerPage']
          readonly Link: components['headers']['Link']
          readonly 'X-Total-Capped': components['headers']['XTotalCapped']
          readonly 'X-Applied-Sort': components['headers']['XAppliedSort']
          readonly 'X-Applied-Period': components['headers']['XAppliedPeriod']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example [
           *       {
           *         "rank": 1,
           *         "position": 1,
           *         "type": "post",
           *         "symbol": "RAININAUSTIN86",
           *         "name": "rain in austin #866",
           *         "handle": "nyraart60",
           *         "creator_handle": "nyraart60",
           *         "creator_name": "Nyraart60",
           *         "name_flags": {
           *           "mixed_script": false,
           *           "lookalike_of": null
           *         },
           *         "creator_address": "0x8263Fce86B1b78F95Ab4dae11907d8AF88f841e7",
           *         "creator_verified": true,
           *         "launched_by": "0x8263Fce86B1b78F95Ab4dae11907d8AF88f841e7",
           *         "contract_address": "0x5bd03E5176739A09ec35cAC42E636Ae90FFBFfb1",
           *         "token_address": "0x5bd03E5176739A09ec35cAC42E636Ae90FFBFfb1",
           *         "pool_id": "0x55e94d00e0e9e317c17ed77c86f06941f7a1b97ca9a76f375cb0f16ebfea9003",
           *         "price_usd": 0.00000321866418998,
           *         "market_cap": 3218.66,
           *         "market_cap_raw": 3218.66,
           *         "market_cap_formatted": "$3.2K",
           *         "effective_market_cap": 3218.66,
           *         "thin_liquidity": false,
           *         "circulating_supply": 1000000000,
           *         "circulating_market_cap": 3218.66,
           *         "total_supply": 1000000000,
           *         "portfolio_value": "$3.2K",
           *         "portfolio_value_raw": 3218.66,
           *         "portfolio": null,
           *         "volume_24h": 4192.69,
           *         "volume_24h_raw": 4192.69,
           *         "volume_24h_formatted": "$4.2K",
           *         "total_volume": 4192.69,
           *         "total_volume_raw": 4192.69,
           *         "total_volume_formatted": "$4.2K",
           *         "volume_period": 4192.69,
           *         "unique_holders": 11,
           *         "holders_count": 11,
           *         "engagement": 11,
           *         "trades_24h": 11,
           *         "trades_period": 11,
           *         "liquidity_usd": 951.08,
           *         "change_24h": "+53649.5%",
           *         "change_24h_percent": 53649.46,
           *         "is_new": true,
           *         "previous_rank": null,
           *         "rank_change": null,
           *         "score": 11,
           *         "created_at": "2026-01-30T12:00:30Z",
           *         "coverage_from": null,
           *         "period_start": "2026-01-30T11:58:00Z",
           *         "data_source": "onchain",
           *         "price_change_percent": 53649.46,
           *         "price_is_up": true,
           *         "market_cap_change_percent": 53649.47,
           *         "market_cap_change_value": 3212.68,
           *         "market_cap_is_up": true,
           *         "volume_change_percent": null,
           *         "volume_is_up": true,
           *         "holders_change_percent": null,
           *         "holders_change_value": 11,
           *         "holders_is_up": true,
           *         "historical_price": 5.98827252553e-9,
           *         "historical_market_cap": 5.99,
           *         "historical_volume": 0,
           *         "historical_holders": 0,
           *         "historical_baseline": "launch"
           *       }
           *     ]
           */
          readonly 'application/json': readonly components['schemas']['BoardRow'][]
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly index: {
    readonly parameters: {
      readonly query?: {
        /**
         * @description Period for changes and volumes, or covered by the price history. Case-insensitive.
         * @example 24h
         */
        readonly timeframe?: components['parameters']['PeriodTimeframe']
        /** @description The same as `timeframe`. When both are sent, the one that differs from the default wins; when both do, `timeframe`. */
        readonly period?: components['parameters']['PeriodPeriod']
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The Z100 Index with the trading activity of both boards. */
      readonly 200: {
        headers: {
          /** @description The first value for the canonical request, which any cache may store; the second for any other parameters. */
          readonly 'Cache-Control':
            | 'public, max-age=20, stale-while-revalidate=10, stale-if-error=86400'
            | 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-Applied-Period': components['headers']['XAppliedPeriod']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "period": "24h",
           *       "index_value": 2332.2007,
           *       "total_volume": 103668.43,
           *       "total_trades": 939,
           *       "creator_volume": 35008.18,
           *       "post_volume": 68660.24,
           *       "active_creators": 66,
           *       "active_posts": 86,
           *       "top_creators": [
           *         "zesoro8",
           *         "danzelia6",
           *         "vibeart37"
           *       ],
           *       "top_posts": [
           *         "RAININAUSTIN86",
           *         "STUDIOINJAKART",
           *         "USD"
           *       ],
           *       "timestamp": 1769860680,
           *       "index_change_percent": 6.09,
           *       "index_value_start": 2198.2543,
           *       "divisor": "282.041658027242069034288371",
           *       "constituents_count": 36,
           *       "coverage_from": null,
           *       "as_of": "2026-01-31T11:58:00Z"
           *     }
           */
          readonly 'application/json': components['schemas']['Index']
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly indexHours: {
    readonly parameters: {
      readonly query?: {
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The Z100 Index of the last seven days, hour by hour. */
      readonly 200: {
        headers: {
          /** @description The first value for the canonical request, which any cache may store; the second for any other parameters. */
          readonly 'Cache-Control':
            | 'public, max-age=20, stale-while-revalidate=10, stale-if-error=86400'
            | 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "hours": [
           *         {
           *           "timestamp": 1769439600,
           *           "date": "2026-01-26T15:00:00Z",
           *           "index_value": 1000,
           *           "close": 1000,
           *           "open": 1000,
           *           "high": 1000,
           *           "low": 1000,
           *           "change_percent": 0,
           *           "partial": false
           *         }
           *       ],
           *       "coverage_from": null,
           *       "timestamp": 1769860680,
           *       "last_updated": "2026-01-31T11:58:00Z"
           *     }
           */
          readonly 'application/json': components['schemas']['IndexHours']
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly constituents: {
    readonly parameters: {
      readonly query?: {
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description All members of the Z100 Index, heaviest first, with their quantities and weights. */
      readonly 200: {
        headers: {
          /** @description The first value for the canonical request, which any cache may store; the second for any other parameters. */
          readonly 'Cache-Control':
            | 'public, max-age=20, stale-while-revalidate=10, stale-if-error=86400'
            | 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "index_value": 2332.2007,
           *       "divisor": "282.041658027242069034288371",
           *       "counted_usd": 657777.75,
           *       "constituents_count": 36,
           *       "coverage_from": null,
           *       "timestamp": 1769860680,
           *       "as_of": "2026-01-31T11:58:00Z",
           *       "constituents": [
           *         {
           *           "rank": 1,
           *           "type": "post",
           *           "symbol": "GARDENINJAKART",
           *           "name": "garden in jakarta #527",
           *           "creator_handle": "zesoro8",
           *           "contract_address": "0xe80d513Eddba27d60f00d383F64B9C5203d9AD47",
           *           "token_address": "0xe80d513Eddba27d60f00d383F64B9C5203d9AD47",
           *           "quantity": "66703000",
           *           "price_usd": 0.000875891664194,
           *           "counted_usd": 58320.18,
           *           "weight_percent": 8.8662,
           *           "since": "2026-01-27T08:15:00Z"
           *         }
           *       ]
           *     }
           */
          readonly 'application/json': components['schemas']['Constituents']
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly all: {
    readonly parameters: {
      readonly query?: {
        /**
         * @description Period for changes and volumes, or covered by the price history. Case-insensitive.
         * @example 24h
         */
        readonly timeframe?: components['parameters']['PeriodTimeframe']
        /** @description The same as `timeframe`. When both are sent, the one that differs from the default wins; when both do, `timeframe`. */
        readonly period?: components['parameters']['PeriodPeriod']
        /** @description false omits the change and historical fields. `1` and `0` work too. */
        readonly include_changes?: components['parameters']['IncludeChanges']
        /** @description display returns volume_24h, total_volume and, on posts, market_cap as formatted text. Case-insensitive. */
        readonly values?: components['parameters']['Values']
        /**
         * @description Id of a snapshot of the last 15 minutes, to pin paging to it.
         * @example
         */
        readonly snapshot?: components['parameters']['Snapshot']
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Both boards and the index in one response. */
      readonly 200: {
        headers: {
          /** @description The first value for the canonical request, which any cache may store; the second for any other parameters. */
          readonly 'Cache-Control':
            | 'public, max-age=20, stale-while-revalidate=10, stale-if-error=86400'
            | 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-Applied-Period': components['headers']['XAppliedPeriod']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "period": "24h",
           *       "timestamp": 1769860680,
           *       "last_updated": "2026-01-31T11:58:00Z",
           *       "total_creators": 66,
           *       "total_posts": 89,
           *       "index": {
           *         "period": "24h",
           *         "index_value": 2332.2007,
           *         "total_volume": 103668.43,
           *         "total_trades": 939,
           *         "creator_volume": 35008.18,
           *         "post_volume": 68660.24,
           *         "active_creators": 66,
           *         "active_posts": 86,
           *         "top_creators": [
           *           "zesoro8",
           *           "danzelia6",
           *           "vibeart37"
           *         ],
           *         "top_posts": [
           *           "RAININAUSTIN86",
           *           "STUDIOINJAKART",
           *           "USD"
           *         ],
           *         "timestamp": 1769860680,
           *         "index_change_percent": 6.09,
           *         "index_value_start": 2198.2543,
           *         "divisor": "282.041658027242069034288371",
           *         "constituents_count": 36,
           *         "coverage_from": null,
           *         "as_of": "2026-01-31T11:58:00Z"
           *       },
           *       "creators": [
           *         {
           *           "rank": 1,
           *           "position": 1,
           *           "type": "creator",
           *           "symbol": "zesoro8",
           *           "name": "Zesoro8",
           *           "handle": "zesoro8",
           *           "creator_handle": "zesoro8",
           *           "creator_name": "Zesoro8",
           *           "name_flags": {
           *             "mixed_script": false,
           *             "lookalike_of": null
           *           },
           *           "creator_address": "0x5eb15C0992734B5e77c888D713b4FC67b3D679A2",
           *           "creator_verified": true,
           *           "launched_by": "0x5eb15C0992734B5e77c888D713b4FC67b3D679A2",
           *           "contract_address": "0xf433C50017d963b6082043445bCD0A54716DDC1d",
           *           "token_address": "0xf433C50017d963b6082043445bCD0A54716DDC1d",
           *           "pool_id": "0xbb42d0979f699e6ea66ba4e89882bac34e5dd090560e3885293ca0d38d50cd14",
           *           "price_usd": 0.000175107372251,
           *           "market_cap": 175107.37,
           *           "market_cap_raw": 175107.37,
           *           "market_cap_formatted": "$175.1K",
           *           "effective_market_cap": 58320.18,
           *           "thin_liquidity": true,
           *           "circulating_supply": 500000000,
           *           "circulating_market_cap": 87553.69,
           *           "total_supply": 1000000000,
           *           "portfolio_value": "$58.3K",
           *           "portfolio_value_raw": 58320.18,
           *           "portfolio": {
           *             "token_market_cap": 175107.37,
           *             "token_counted": 58320.18,
           *             "posts_market_cap": 902462.79,
           *             "posts_counted": 0,
           *             "posts_count": 2,
           *             "coverage_from": null
           *           },
           *           "volume_24h": 681.2,
           *           "volume_24h_raw": 681.2,
           *           "volume_24h_formatted": "$681.20",
           *           "total_volume": 2972.62,
           *           "total_volume_raw": 2972.62,
           *           "total_volume_formatted": "$3.0K",
           *           "volume_period": 681.2,
           *           "unique_holders": 7,
           *           "holders_count": 7,
           *           "engagement": 12,
           *           "trades_24h": 12,
           *           "trades_period": 12,
           *           "liquidity_usd": 4734.68,
           *           "change_24h": "+86.6%",
           *           "change_24h_percent": 86.59,
           *           "is_new": false,
           *           "previous_rank": 2,
           *           "rank_change": 1,
           *           "score": 58320.18,
           *           "created_at": "2026-01-23T13:39:21Z",
           *           "coverage_from": null,
           *           "period_start": "2026-01-30T11:58:00Z",
           *           "data_source": "onchain",
           *           "price_change_percent": 86.59,
           *           "price_is_up": true,
           *           "market_cap_change_percent": 86.59,
           *           "market_cap_change_value": 81263.62,
           *           "market_cap_is_up": true,
           *           "volume_change_percent": 535.72,
           *           "volume_is_up": true,
           *           "holders_change_percent": 75,
           *           "holders_change_value": 3,
           *           "holders_is_up": true,
           *           "historical_price": 0.0000938437501571,
           *           "historical_market_cap": 93843.75,
           *           "historical_volume": 107.15,
           *           "historical_holders": 4,
           *           "historical_baseline": "period"
           *         }
           *       ],
           *       "posts": [
           *         {
           *           "rank": 1,
           *           "position": 1,
           *           "type": "post",
           *           "symbol": "RAININAUSTIN86",
           *           "name": "rain in austin #866",
           *           "handle": "nyraart60",
           *           "creator_handle": "nyraart60",
           *           "creator_name": "Nyraart60",
           *           "name_flags": {
           *             "mixed_script": false,
           *             "lookalike_of": null
           *           },
           *           "creator_address": "0x8263Fce86B1b78F95Ab4dae11907d8AF88f841e7",
           *           "creator_verified": true,
           *           "launched_by": "0x8263Fce86B1b78F95Ab4dae11907d8AF88f841e7",
           *           "contract_address": "0x5bd03E5176739A09ec35cAC42E636Ae90FFBFfb1",
           *           "token_address": "0x5bd03E5176739A09ec35cAC42E636Ae90FFBFfb1",
           *           "pool_id": "0x55e94d00e0e9e317c17ed77c86f06941f7a1b97ca9a76f375cb0f16ebfea9003",
           *           "price_usd": 0.00000321866418998,
           *           "market_cap": 3218.66,
           *           "market_cap_raw": 3218.66,
           *           "market_cap_formatted": "$3.2K",
           *           "effective_market_cap": 3218.66,
           *           "thin_liquidity": false,
           *           "circulating_supply": 1000000000,
           *           "circulating_market_cap": 3218.66,
           *           "total_supply": 1000000000,
           *           "portfolio_value": "$3.2K",
           *           "portfolio_value_raw": 3218.66,
           *           "portfolio": null,
           *           "volume_24h": 4192.69,
           *           "volume_24h_raw": 4192.69,
           *           "volume_24h_formatted": "$4.2K",
           *           "total_volume": 4192.69,
           *           "total_volume_raw": 4192.69,
           *           "total_volume_formatted": "$4.2K",
           *           "volume_period": 4192.69,
           *           "unique_holders": 11,
           *           "holders_count": 11,
           *           "engagement": 11,
           *           "trades_24h": 11,
           *           "trades_period": 11,
           *           "liquidity_usd": 951.08,
           *           "change_24h": "+53649.5%",
           *           "change_24h_percent": 53649.46,
           *           "is_new": true,
           *           "previous_rank": null,
           *           "rank_change": null,
           *           "score": 11,
           *           "created_at": "2026-01-30T12:00:30Z",
           *           "coverage_from": null,
           *           "period_start": "2026-01-30T11:58:00Z",
           *           "data_source": "onchain",
           *           "price_change_percent": 53649.46,
           *           "price_is_up": true,
           *           "market_cap_change_percent": 53649.47,
           *           "market_cap_change_value": 3212.68,
           *           "market_cap_is_up": true,
           *           "volume_change_percent": null,
           *           "volume_is_up": true,
           *           "holders_change_percent": null,
           *           "holders_change_value": 11,
           *           "holders_is_up": true,
           *           "historical_price": 5.98827252553e-9,
           *           "historical_market_cap": 5.99,
           *           "historical_volume": 0,
           *           "historical_holders": 0,
           *           "historical_baseline": "launch"
           *         }
           *       ]
           *     }
           */
          readonly 'application/json': components['schemas']['Boards']
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly trending: {
    readonly parameters: {
      readonly query?: {
        /**
         * @description Period in which a token must have traded. Case-insensitive.
         * @example 24h
         */
        readonly timeframe?: components['parameters']['TimeframeTimeframe']
        /** @description The same as `timeframe`. When both are sent, the one that differs from the default wins; when both do, `timeframe`. */
        readonly period?: components['parameters']['TimeframePeriod']
        /**
         * @description Sort key. `rank` means `volume`. Case-insensitive.
         * @example volume
         */
        readonly sort_by?: 'volume' | 'rank_volume' | 'market_cap' | 'change' | 'holders' | 'rank'
        /** @description The same as `sort_by`. When both are sent, the one that differs from the default wins; when both do, `sort_by`. */
        readonly sort?: 'volume' | 'rank_volume' | 'market_cap' | 'change' | 'holders' | 'rank'
        /** @description Rows of the answer, 1-100. */
        readonly limit?: components['parameters']['Limit']
        /** @description Rows to skip, 0 or more. */
        readonly offset?: components['parameters']['Offset']
        /**
         * @description desc: highest first; asc: lowest first. Unknown values come last in both. Case-insensitive.
         * @example desc
         */
        readonly sort_order?: components['parameters']['SortOrderSortOrder']
        /** @description The same as `sort_order`. When both are sent, the one that differs from the default wins; when both do, `sort_order`. */
        readonly order?: components['parameters']['SortOrderOrder']
        /** @description true wraps the list: {data, meta: {total, page, per_page}}. `1` and `0` work too. */
        readonly envelope?: components['parameters']['Envelope']
        /**
         * @description Id of a snapshot of the last 15 minutes, to pin paging to it.
         * @example
         */
        readonly snapshot?: components['parameters']['Snapshot']
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The top 100 tokens traded in a timeframe. */
      readonly 200: {
        headers: {
          /** @description The first value for the canonical request, which any cache may store; the second for any other parameters. */
          readonly 'Cache-Control':
            | 'public, max-age=20, stale-while-revalidate=10, stale-if-error=86400'
            | 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-Total-Count': components['headers']['XTotalCount']
          readonly 'X-Page-Count': components['headers']['XPageCount']
          readonly 'X-Current-Page': components['headers']['XCurrentPage']
          readonly 'X-Per-Page': components['headers']['XPerPage']
          readonly Link: components['headers']['Link']
          readonly 'X-Total-Capped': components['headers']['XTotalCapped']
          readonly 'X-Applied-Sort': components['headers']['XAppliedSort']
          readonly 'X-Applied-Period': components['headers']['XAppliedPeriod']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example [
           *       {
           *         "rank": 1,
           *         "position": 1,
           *         "symbol": "GARDENINJAKART",
           *         "name": "garden in jakarta #570",
           *         "contract_address": "0x193e47D8d229bAA7B13454c826Bbd2ffc70249cc",
           *         "token_address": "0x193e47D8d229bAA7B13454c826Bbd2ffc70249cc",
           *         "type": "post",
           *         "price_usd": 0.00000350389211377,
           *         "market_cap": 3503.89,
           *         "effective_market_cap": 3503.89,
           *         "thin_liquidity": false,
           *         "volume_24h": 29078.08,
           *         "holders_count": 6,
           *         "unique_holders": 6,
           *         "change_24h": -99.31,
           *         "change_24h_percent": -99.31,
           *         "change_7d": 308.17,
           *         "creator_handle": "danzelia6",
           *         "creator_name": "Danzelia6",
           *         "name_flags": {
           *           "mixed_script": false,
           *           "lookalike_of": "0xe80d513Eddba27d60f00d383F64B9C5203d9AD47"
           *         },
           *         "creator_address": "0x1c87Bb9234aeC6aDc580EaE6C8B59558A4502220",
           *         "creator_verified": true,
           *         "launched_by": "0x1c87Bb9234aeC6aDc580EaE6C8B59558A4502220",
           *         "trades_24h": 3,
           *         "liquidity_usd": 2180.89,
           *         "pool_id": "0x57817c8349553ffeae1e999c7c4bca172b99b7d2a597f39a439295a31775b503",
           *         "created_at": "2026-01-24T10:27:31Z",
           *         "coverage_from": null,
           *         "total_volume": 29857.86,
           *         "volume": 29078.08,
           *         "rank_volume": 29078.08,
           *         "change": -99.31,
           *         "trade_count": 3
           *       }
           *     ]
           */
          readonly 'application/json': readonly components['schemas']['TrendingRow'][]
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly volume: {
    readonly parameters: {
      readonly query?: {
        /**
         * @description Period for changes and volumes, or covered by the price history. Case-insensitive.
         * @example 24h
         */
        readonly timeframe?: components['parameters']['PeriodTimeframe']
        /** @description The same as `timeframe`. When both are sent, the one that differs from the default wins; when both do, `timeframe`. */
        readonly period?: components['parameters']['PeriodPeriod']
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Market-wide volume in equal steps, with the previous period’s total. */
      readonly 200: {
        headers: {
          /** @description The first value for the canonical request, which any cache may store; the second for any other parameters. */
          readonly 'Cache-Control':
            | 'public, max-age=20, stale-while-revalidate=10, stale-if-error=86400'
            | 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-Applied-Period': components['headers']['XAppliedPeriod']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "period": "24h",
           *       "total_volume": 103668.43,
           *       "volume_usd": 103668.43,
           *       "creator_volume": 35008.18,
           *       "post_volume": 68660.24,
           *       "buy_volume": 43588.61,
           *       "sell_volume": 60079.81,
           *       "total_trades": 948,
           *       "total_buys": 812,
           *       "total_sells": 136,
           *       "previous_volume": 11802.1,
           *       "volume_change_percent": 778.39,
           *       "bucket_seconds": 900,
           *       "buckets": [
           *         {
           *           "timestamp": 1769774280,
           *           "datetime": "2026-01-30T11:58:00Z",
           *           "volume_usd": 147.56,
           *           "buy_volume": 147.56,
           *           "sell_volume": 0,
           *           "trades": 8
           *         }
           *       ],
           *       "coverage_from": null,
           *       "timestamp": 1769860680,
           *       "last_updated": "2026-01-31T11:58:00Z"
           *     }
           */
          readonly 'application/json': components['schemas']['MarketVolume']
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly stats: {
    readonly parameters: {
      readonly query?: {
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Market-wide statistics. */
      readonly 200: {
        headers: {
          /** @description The first value for the canonical request, which any cache may store; the second for any other parameters. */
          readonly 'Cache-Control':
            | 'public, max-age=20, stale-while-revalidate=10, stale-if-error=86400'
            | 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "total_market_cap": 642062.31,
           *       "total_market_cap_plain": 43345723484957.46,
           *       "creator_market_cap": 595839.73,
           *       "post_market_cap": 46222.59,
           *       "total_volume_24h": 103668.43,
           *       "buy_volume_24h": 43588.61,
           *       "sell_volume_24h": 60079.81,
           *       "volume_change_24h": 778.39,
           *       "total_trades_24h": 948,
           *       "buys_24h": 812,
           *       "sells_24h": 136,
           *       "bucket_seconds": 900,
           *       "buckets": [
           *         {
           *           "timestamp": 1769774280,
           *           "datetime": "2026-01-30T11:58:00Z",
           *           "volume_usd": 147.56,
           *           "buy_volume": 147.56,
           *           "sell_volume": 0,
           *           "trades": 8
           *         }
           *       ],
           *       "total_tokens": 156,
           *       "total_creators": 66,
           *       "total_posts": 90,
           *       "active_tokens_24h": 153,
           *       "new_tokens_24h": 13,
           *       "total_holders": 892,
           *       "total_liquidity_usd": 27822.69,
           *       "index_value": 2332.2007,
           *       "index_change_24h": 6.09,
           *       "top_gainer": {
           *         "rank": 1,
           *         "position": 1,
           *         "symbol": "STUDIOINLAGOS2",
           *         "name": "studio in lagos #22",
           *         "contract_address": "0x0D292F370CbBA1348194d46371b6812001295B13",
           *         "token_address": "0x0D292F370CbBA1348194d46371b6812001295B13",
           *         "type": "post",
           *         "price_usd": 0.0000866350572042,
           *         "market_cap": 86635.06,
           *         "effective_market_cap": 24641.94,
           *         "thin_liquidity": true,
           *         "volume_24h": 2638.39,
           *         "holders_count": 7,
           *         "unique_holders": 7,
           *         "change_24h": 2370474.13,
           *         "change_24h_percent": 2370474.13,
           *         "change_7d": 2370474.13,
           *         "creator_handle": "nydanbeat78",
           *         "creator_name": "Nydanbeat78",
           *         "name_flags": {
           *           "mixed_script": false,
           *           "lookalike_of": null
           *         },
           *         "creator_address": "0x1c87Bb9234aeC6aDc580EaE6C8B59558A4502220",
           *         "creator_verified": true,
           *         "launched_by": "0x1c87Bb9234aeC6aDc580EaE6C8B59558A4502220",
           *         "trades_24h": 6,
           *         "liquidity_usd": 8436.12,
           *         "pool_id": "0x61cbef5d1f4413d526cbd42dd3f12a7e0ff8e83e5dbb5b646f541ff56686e0a9",
           *         "created_at": "2026-01-31T09:08:52Z",
           *         "coverage_from": null,
           *         "total_volume": 2638.39,
           *         "volume": 2638.39,
           *         "rank_volume": 2638.39,
           *         "change": 2370474.13,
           *         "trade_count": 6
           *       },
           *       "top_volume": {
           *         "rank": 1,
           *         "position": 1,
           *         "symbol": "GARDENINJAKART",
           *         "name": "garden in jakarta #570",
           *         "contract_address": "0x193e47D8d229bAA7B13454c826Bbd2ffc70249cc",
           *         "token_address": "0x193e47D8d229bAA7B13454c826Bbd2ffc70249cc",
           *         "type": "post",
           *         "price_usd": 0.00000350389211377,
           *         "market_cap": 3503.89,
           *         "effective_market_cap": 3503.89,
           *         "thin_liquidity": false,
           *         "volume_24h": 29078.08,
           *         "holders_count": 6,
           *         "unique_holders": 6,
           *         "change_24h": -99.31,
           *         "change_24h_percent": -99.31,
           *         "change_7d": 308.17,
           *         "creator_handle": "danzelia6",
           *         "creator_name": "Danzelia6",
           *         "name_flags": {
           *           "mixed_script": false,
           *           "lookalike_of": "0xe80d513Eddba27d60f00d383F64B9C5203d9AD47"
           *         },
           *         "creator_address": "0x1c87Bb9234aeC6aDc580EaE6C8B59558A4502220",
           *         "creator_verified": true,
           *         "launched_by": "0x1c87Bb9234aeC6aDc580EaE6C8B59558A4502220",
           *         "trades_24h": 3,
           *         "liquidity_usd": 2180.89,
           *         "pool_id": "0x57817c8349553ffeae1e999c7c4bca172b99b7d2a597f39a439295a31775b503",
           *         "created_at": "2026-01-24T10:27:31Z",
           *         "coverage_from": null,
           *         "total_volume": 29857.86,
           *         "volume": 29078.08,
           *         "rank_volume": 29078.08,
           *         "change": -99.31,
           *         "trade_count": 3
           *       },
           *       "coverage_from": null,
           *       "timestamp": 1769860680,
           *       "last_updated": "2026-01-31T11:58:00Z"
           *     }
           */
          readonly 'application/json': components['schemas']['MarketStats']
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly rising: {
    readonly parameters: {
      readonly query?: {
        /** @description Rows of the answer, 1-50. */
        readonly limit?: components['parameters']['DiscoverLimit']
        /** @description Rows to skip, 0 or more. */
        readonly offset?: components['parameters']['Offset']
        /** @description true wraps the list: {data, meta: {total, page, per_page}}. `1` and `0` work too. */
        readonly envelope?: components['parameters']['Envelope']
        /**
         * @description Id of a snapshot of the last 15 minutes, to pin paging to it.
         * @example
         */
        readonly snapshot?: components['parameters']['Snapshot']
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Tokens that attracted unusually high net buying in the last hour, compared with the day before. */
      readonly 200: {
        headers: {
          /** @description The first value for the canonical request, which any cache may store; the second for any other parameters. */
          readonly 'Cache-Control':
            | 'public, max-age=20, stale-while-revalidate=10, stale-if-error=86400'
            | 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-Total-Count': components['headers']['XTotalCount']
          readonly 'X-Page-Count': components['headers']['XPageCount']
          readonly 'X-Current-Page': components['headers']['XCurrentPage']
          readonly 'X-Per-Page': components['headers']['XPerPage']
          readonly Link: components['headers']['Link']
          readonly 'X-Total-Capped': components['headers']['XTotalCapped']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example [
           *       {
           *         "rank": 1,
           *         "position": 1,
           *         "symbol": "STUDIOINLAGOS2",
           *         "name": "studio in lagos #22",
           *         "contract_address": "0x0D292F370CbBA1348194d46371b6812001295B13",
           *         "token_address": "0x0D292F370CbBA1348194d46371b6812001295B13",
           *         "type": "post",
           *         "price_usd": 0.0000866350572042,
           *         "market_cap": 86635.06,
           *         "effective_market_cap": 24641.94,
           *         "thin_liquidity": true,
           *         "volume_24h": 2638.39,
           *         "holders_count": 7,
           *         "unique_holders": 7,
           *         "change_24h": 2370474.13,
           *         "change_24h_percent": 2370474.13,
           *         "change_7d": 2370474.13,
           *         "creator_handle": "nydanbeat78",
           *         "creator_name": "Nydanbeat78",
           *         "name_flags": {
           *           "mixed_script": false,
           *           "lookalike_of": null
           *         },
           *         "creator_address": "0x1c87Bb9234aeC6aDc580EaE6C8B59558A4502220",
           *         "creator_verified": true,
           *         "launched_by": "0x1c87Bb9234aeC6aDc580EaE6C8B59558A4502220",
           *         "trades_24h": 6,
           *         "liquidity_usd": 8436.12,
           *         "pool_id": "0x61cbef5d1f4413d526cbd42dd3f12a7e0ff8e83e5dbb5b646f541ff56686e0a9",
           *         "created_at": "2026-01-31T09:08:52Z",
           *         "coverage_from": null,
           *         "total_volume": 2638.39,
           *         "z100_board": "posts",
           *         "z100_rank": 9,
           *         "rising_score": 40.278645,
           *         "components": {
           *           "rank_volume_1h": 2386.57,
           *           "rank_volume_25h": 2638.39,
           *           "wallet_hours_1h": 4,
           *           "change_1h": 3550.64
           *         }
           *       }
           *     ]
           */
          readonly 'application/json': readonly components['schemas']['RisingRow'][]
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly launches: {
    readonly parameters: {
      readonly query?: {
        /** @description Rows of the answer, 1-50. */
        readonly limit?: components['parameters']['DiscoverLimit']
        /** @description Rows to skip, 0 or more. */
        readonly offset?: components['parameters']['Offset']
        /** @description true wraps the list: {data, meta: {total, page, per_page}}. `1` and `0` work too. */
        readonly envelope?: components['parameters']['Envelope']
        /**
         * @description Id of a snapshot of the last 15 minutes, to pin paging to it.
         * @example
         */
        readonly snapshot?: components['parameters']['Snapshot']
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Tokens created in the last 7 days, newest first. */
      readonly 200: {
        headers: {
          /** @description The first value for the canonical request, which any cache may store; the second for any other parameters. */
          readonly 'Cache-Control':
            | 'public, max-age=20, stale-while-revalidate=10, stale-if-error=86400'
            | 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-Total-Count': components['headers']['XTotalCount']
          readonly 'X-Page-Count': components['headers']['XPageCount']
          readonly 'X-Current-Page': components['headers']['XCurrentPage']
          readonly 'X-Per-Page': components['headers']['XPerPage']
          readonly Link: components['headers']['Link']
          readonly 'X-Total-Capped': components['headers']['XTotalCapped']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example [
           *       {
           *         "rank": 1,
           *         "position": 1,
           *         "symbol": "STUDIOINLAGOS2",
           *         "name": "studio in lagos #22",
           *         "contract_address": "0x0D292F370CbBA1348194d46371b6812001295B13",
           *         "token_address": "0x0D292F370CbBA1348194d46371b6812001295B13",
           *         "type": "post",
           *         "price_usd": 0.0000866350572042,
           *         "market_cap": 86635.06,
           *         "effective_market_cap": 24641.94,
           *         "thin_liquidity": true,
           *         "volume_24h": 2638.39,
           *         "holders_count": 7,
           *         "unique_holders": 7,
           *         "change_24h": 2370474.13,
           *         "change_24h_percent": 2370474.13,
           *         "change_7d": 2370474.13,
           *         "creator_handle": "nydanbeat78",
           *         "creator_name": "Nydanbeat78",
           *         "name_flags": {
           *           "mixed_script": false,
           *           "lookalike_of": null
           *         },
           *         "creator_address": "0x1c87Bb9234aeC6aDc580EaE6C8B59558A4502220",
           *         "creator_verified": true,
           *         "launched_by": "0x1c87Bb9234aeC6aDc580EaE6C8B59558A4502220",
           *         "trades_24h": 6,
           *         "liquidity_usd": 8436.12,
           *         "pool_id": "0x61cbef5d1f4413d526cbd42dd3f12a7e0ff8e83e5dbb5b646f541ff56686e0a9",
           *         "created_at": "2026-01-31T09:08:52Z",
           *         "coverage_from": null,
           *         "total_volume": 2638.39,
           *         "z100_board": "posts",
           *         "z100_rank": 9,
           *         "age_seconds": 10148,
           *         "launch_block": 214,
           *         "launch_transaction_hash": "0x4b2c10e067872714fc86e757428ff488b7593c5f5fff183fdad49486a87fe335",
           *         "launch_price_usd": 3.65460232852e-9,
           *         "change_since_launch": 2370474.13,
           *         "trades": 6
           *       }
           *     ]
           */
          readonly 'application/json': readonly components['schemas']['LaunchRow'][]
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly status: {
    readonly parameters: {
      readonly query?: {
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The latest snapshot and the health of the service. */
      readonly 200: {
        headers: {
          /** @description The first value for the canonical request, which any cache may store; the second for any other parameters. */
          readonly 'Cache-Control':
            | 'public, max-age=20, stale-while-revalidate=10, stale-if-error=86400'
            | 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "status": "ok",
           *       "reasons": [],
           *       "gap": null,
           *       "refold": null,
           *       "snapshot_id": "20260131T1157Z-777ca5cd",
           *       "as_of": "2026-01-31T11:58:00Z",
           *       "checked_at": "2026-01-31T12:00:30Z",
           *       "age_seconds": 150,
           *       "block_number": 240,
           *       "block_hash": "0x27239dd435aa6b4afb11f94154be09fc2040a45060bb29b736d9835f527a19dc",
           *       "chain": null,
           *       "log_position": 222,
           *       "history_from": "2026-01-23T12:00:00Z",
           *       "corrections": 0,
           *       "documents_count": 45,
           *       "unpublished": [],
           *       "rules_version": 3,
           *       "code_version": null
           *     }
           */
          readonly 'application/json': components['schemas']['Status']
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly token: {
    readonly parameters: {
      readonly query?: {
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path: {
        /**
         * @description Address of the token in any case, also as `base_0x…` or `0x…:8453`, or the 32-byte id of its pool. Not a symbol.
         * @example 0xe80d513Eddba27d60f00d383F64B9C5203d9AD47
         */
        readonly id: components['parameters']['Token']
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description One token. */
      readonly 200: {
        headers: {
          /** @description How long the answer may be cached. */
          readonly 'Cache-Control': 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "symbol": "GARDENINJAKART",
           *       "name": "garden in jakarta #570",
           *       "contract_address": "0x193e47D8d229bAA7B13454c826Bbd2ffc70249cc",
           *       "token_address": "0x193e47D8d229bAA7B13454c826Bbd2ffc70249cc",
           *       "type": "post",
           *       "price_usd": 0.00000350389211377,
           *       "market_cap": 3503.89,
           *       "effective_market_cap": 3503.89,
           *       "thin_liquidity": false,
           *       "volume_24h": 29078.08,
           *       "holders_count": 6,
           *       "unique_holders": 6,
           *       "change_24h": -99.31,
           *       "change_24h_percent": -99.31,
           *       "change_7d": 308.17,
           *       "creator_handle": "danzelia6",
           *       "creator_name": "Danzelia6",
           *       "name_flags": {
           *         "mixed_script": false,
           *         "lookalike_of": "0xe80d513Eddba27d60f00d383F64B9C5203d9AD47"
           *       },
           *       "creator_address": "0x1c87Bb9234aeC6aDc580EaE6C8B59558A4502220",
           *       "creator_verified": true,
           *       "launched_by": "0x1c87Bb9234aeC6aDc580EaE6C8B59558A4502220",
           *       "trades_24h": 3,
           *       "liquidity_usd": 2180.89,
           *       "pool_id": "0x57817c8349553ffeae1e999c7c4bca172b99b7d2a597f39a439295a31775b503",
           *       "created_at": "2026-01-24T10:27:31Z",
           *       "coverage_from": null,
           *       "total_volume": 29857.86,
           *       "total_supply": 1000000000,
           *       "circulating_supply": 1000000000,
           *       "circulating_market_cap": 3503.89,
           *       "data_source": "onchain",
           *       "last_updated": "2026-01-31T11:58:00Z"
           *     }
           */
          readonly 'application/json': components['schemas']['TokenDetail']
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 404: components['responses']['NotFound']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly metrics: {
    readonly parameters: {
      readonly query?: {
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path: {
        /**
         * @description Address of the token in any case, also as `base_0x…` or `0x…:8453`, or the 32-byte id of its pool. Not a symbol.
         * @example 0xe80d513Eddba27d60f00d383F64B9C5203d9AD47
         */
        readonly id: components['parameters']['Token']
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Figures of one token. */
      readonly 200: {
        headers: {
          /** @description How long the answer may be cached. */
          readonly 'Cache-Control': 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "token": {
           *         "symbol": "GARDENINJAKART",
           *         "name": "garden in jakarta #570",
           *         "address": "0x193e47D8d229bAA7B13454c826Bbd2ffc70249cc"
           *       },
           *       "metrics": {
           *         "price_usd": 0.00000350389211377,
           *         "market_cap": 3503.89,
           *         "total_supply": 1000000000,
           *         "circulating_supply": 1000000000,
           *         "circulating_market_cap": 3503.89,
           *         "holders_count": 6,
           *         "volume_24h": 29078.08,
           *         "total_volume": 29857.86,
           *         "trades_24h": 3,
           *         "price_change_24h": -99.31,
           *         "liquidity_usd": 2180.89,
           *         "all_time_high": 0.000528104828624,
           *         "ath_at": "2026-01-29T16:15:00Z",
           *         "all_time_low": 2.34571980978e-10,
           *         "atl_at": "2026-01-24T10:28:00Z",
           *         "coverage_from": null
           *       },
           *       "last_updated": "2026-01-31T11:58:00Z"
           *     }
           */
          readonly 'application/json': components['schemas']['TokenMetrics']
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 404: components['responses']['NotFound']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly priceHistory: {
    readonly parameters: {
      readonly query?: {
        /**
         * @description Period for changes and volumes, or covered by the price history. Case-insensitive.
         * @example 24h
         */
        readonly timeframe?: components['parameters']['PeriodTimeframe']
        /** @description The same as `timeframe`. When both are sent, the one that differs from the default wins; when both do, `timeframe`. */
        readonly period?: components['parameters']['PeriodPeriod']
        /** @description false omits steps without a price of the token’s own pool. `1` and `0` work too. */
        readonly fill?: components['parameters']['Fill']
        /** @description true wraps the list: {data, meta: {total, page, per_page}}. `1` and `0` work too. */
        readonly envelope?: components['parameters']['Envelope']
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path: {
        /**
         * @description Address of the token in any case, also as `base_0x…` or `0x…:8453`, or the 32-byte id of its pool. Not a symbol.
         * @example 0xe80d513Eddba27d60f00d383F64B9C5203d9AD47
         */
        readonly id: components['parameters']['Token']
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Price history of a token in equal steps of UTC time. */
      readonly 200: {
        headers: {
          /** @description How long the answer may be cached. */
          readonly 'Cache-Control': 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-Total-Count': components['headers']['XTotalCount']
          readonly 'X-Page-Count': components['headers']['XPageCount']
          readonly 'X-Current-Page': components['headers']['XCurrentPage']
          readonly 'X-Per-Page': components['headers']['XPerPage']
          readonly Link: components['headers']['Link']
          readonly 'X-Total-Capped': components['headers']['XTotalCapped']
          readonly 'X-Applied-Period': components['headers']['XAppliedPeriod']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example [
           *       {
           *         "timestamp": 1769774400,
           *         "datetime": "2026-01-30T12:00:00Z",
           *         "price_usd": 0.000504518861887,
           *         "price": 0.000504518861887,
           *         "close": 0.000504518861887,
           *         "open": 0.000504518861887,
           *         "high": 0.000504518861887,
           *         "low": 0.000504518861887,
           *         "volume_usd": 0,
           *         "trades": 0,
           *         "market_cap": 504518.86,
           *         "filled": true,
           *         "partial": false
           *       }
           *     ]
           */
          readonly 'application/json': readonly components['schemas']['PriceStep'][]
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 404: components['responses']['NotFound']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly candles: {
    readonly parameters: {
      readonly query?: {
        /**
         * @description Length of a slot of UTC time; weeks start on Monday. Case-insensitive.
         * @example 1h
         */
        readonly interval?: components['parameters']['CandleIntervalInterval']
        /** @description The same as `interval`. When both are sent, the one that differs from the default wins; when both do, `interval`. */
        readonly resolution?: components['parameters']['CandleIntervalResolution']
        /** @description Rows of the answer, 1-1000. */
        readonly limit?: components['parameters']['CandleLimit']
        /**
         * @description Only slots that begin before this time, to page backwards. ISO 8601 with any offset (none: UTC) and any number of decimals, or Unix seconds.
         * @example
         */
        readonly before?: components['parameters']['CandlesBefore']
        /**
         * @description No slot that ends before this time. ISO 8601 with any offset (none: UTC) and any number of decimals, or Unix seconds.
         * @example
         */
        readonly from?: components['parameters']['CandlesFrom']
        /**
         * @description No slot that begins after this time; a date alone means its end. ISO 8601 with any offset (none: UTC) and any number of decimals, or Unix seconds.
         * @example
         */
        readonly to?: components['parameters']['CandlesTo']
        /** @description last fills slots without a price of the token’s own pool with the price before, at the quote’s USD of the slot’s end; none omits them. Case-insensitive. */
        readonly fill?: components['parameters']['CandleFill']
        /** @description Currency of the prices: US dollars, or what the token is priced in. Case-insensitive. */
        readonly currency?: components['parameters']['Currency']
        /** @description true wraps the list: {data, meta: {total, page, per_page}}. `1` and `0` work too. */
        readonly envelope?: components['parameters']['Envelope']
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path: {
        /**
         * @description Address of the token in any case, also as `base_0x…` or `0x…:8453`, or the 32-byte id of its pool. Not a symbol.
         * @example 0xe80d513Eddba27d60f00d383F64B9C5203d9AD47
         */
        readonly id: components['parameters']['Token']
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Candles of a token on a grid of UTC time, oldest first: the newest, or those before a time. 1m, 5m and 15m are kept for 8 days, 1h and 4h for 90 days, 1d and 1w for ever. */
      readonly 200: {
        headers: {
          /** @description The second value if the answer can no longer change. */
          readonly 'Cache-Control': 'no-store' | 'public, max-age=31536000, immutable'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-Total-Count': components['headers']['XTotalCount']
          readonly 'X-Page-Count': components['headers']['XPageCount']
          readonly 'X-Current-Page': components['headers']['XCurrentPage']
          readonly 'X-Per-Page': components['headers']['XPerPage']
          readonly Link: components['headers']['Link']
          readonly 'X-Total-Capped': components['headers']['XTotalCapped']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example [
           *       {
           *         "timestamp": 1769248800,
           *         "datetime": "2026-01-24T10:00:00Z",
           *         "price_usd": 2.34571980978e-10,
           *         "price": 2.34571980978e-10,
           *         "close": 2.34571980978e-10,
           *         "open": 2.34571980978e-10,
           *         "high": 2.34571980978e-10,
           *         "low": 2.34571980978e-10,
           *         "volume_usd": 0,
           *         "trades": 0,
           *         "market_cap": 0.23,
           *         "filled": false,
           *         "partial": false,
           *         "buys": 0,
           *         "buy_volume": 0,
           *         "volume_quote": 0
           *       }
           *     ]
           */
          readonly 'application/json': readonly components['schemas']['Candle'][]
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 404: components['responses']['NotFound']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly holders: {
    readonly parameters: {
      readonly query?: {
        /** @description Rows of the answer, 1-100. */
        readonly limit?: components['parameters']['Limit']
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path: {
        /**
         * @description Address of the token in any case, also as `base_0x…` or `0x…:8453`, or the 32-byte id of its pool. Not a symbol.
         * @example 0xe80d513Eddba27d60f00d383F64B9C5203d9AD47
         */
        readonly id: components['parameters']['Token']
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The largest holders of a token and its supply distribution. */
      readonly 200: {
        headers: {
          /** @description How long the answer may be cached. */
          readonly 'Cache-Control': 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "token": {
           *         "symbol": "GARDENINJAKART",
           *         "name": "garden in jakarta #570",
           *         "address": "0x193e47D8d229bAA7B13454c826Bbd2ffc70249cc"
           *       },
           *       "total_holders": 6,
           *       "distribution": {
           *         "top10_concentration": 56.4118,
           *         "top25_concentration": 56.4118,
           *         "top50_concentration": 56.4118,
           *         "top100_concentration": 56.4118,
           *         "gini_coefficient": 0.7799,
           *         "whale_count": 4,
           *         "whale_percentage": 55.7966
           *       },
           *       "distribution_adjusted": {
           *         "top10_concentration": 56.4118,
           *         "top25_concentration": 56.4118,
           *         "top50_concentration": 56.4118,
           *         "top100_concentration": 56.4118,
           *         "gini_coefficient": 0.7799,
           *         "whale_count": 4,
           *         "whale_percentage": 55.7966
           *       },
           *       "holder_types": {
           *         "contract_holders": null,
           *         "eoa_holders": null,
           *         "scope": "top100"
           *       },
           *       "holders": [
           *         {
           *           "rank": 1,
           *           "address": "0x9eF6c02FB2ECc446146E05F1fF687a788a8BF76d",
           *           "balance": 522392418.848474,
           *           "balance_raw": "522392418848474612071067612",
           *           "percentage": 52.2392,
           *           "value_usd": 1830.41,
           *           "type": null,
           *           "label": null
           *         }
           *       ],
           *       "coverage_from": null,
           *       "data_source": "onchain",
           *       "last_updated": "2026-01-31T11:58:00Z"
           *     }
           */
          readonly 'application/json': components['schemas']['TokenHolders']
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 404: components['responses']['NotFound']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly tokenSwaps: {
    readonly parameters: {
      readonly query?: {
        /** @description Rows of the answer, 1-100. */
        readonly limit?: components['parameters']['SwapsLimit']
        /** @description Rows to skip, 0 or more. */
        readonly offset?: components['parameters']['Offset']
        /** @description true wraps the list: {data, meta: {total, page, per_page}}. `1` and `0` work too. */
        readonly envelope?: components['parameters']['Envelope']
        /** @description Only buys or only sells of the token. Case-insensitive. */
        readonly type?: components['parameters']['Side']
        /** @description Only swaps worth at least this many US dollars, compared before rounding. No exponent, at most 18 decimals. */
        readonly min_value?: components['parameters']['MinValue']
        /**
         * @description desc: newest first; asc: oldest first. Case-insensitive.
         * @example desc
         */
        readonly sort_order?: components['parameters']['TimeOrderSortOrder']
        /** @description The same as `sort_order`. When both are sent, the one that differs from the default wins; when both do, `sort_order`. */
        readonly order?: components['parameters']['TimeOrderOrder']
        /**
         * @description Only swaps before the one with this `cursor`, or before a time; a date alone means its start. Default: now. A cursor, or ISO 8601 with any offset (none: UTC) and any number of decimals, or Unix seconds.
         * @example
         */
        readonly before?: components['parameters']['Before']
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path: {
        /**
         * @description Address of the token in any case, also as `base_0x…` or `0x…:8453`, or the 32-byte id of its pool. Not a symbol.
         * @example 0xe80d513Eddba27d60f00d383F64B9C5203d9AD47
         */
        readonly id: components['parameters']['Token']
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Swaps of one token: the last 500 before a time within the last 8 days. */
      readonly 200: {
        headers: {
          /** @description How long the answer may be cached. */
          readonly 'Cache-Control': 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-Total-Count': components['headers']['XTotalCount']
          readonly 'X-Page-Count': components['headers']['XPageCount']
          readonly 'X-Current-Page': components['headers']['XCurrentPage']
          readonly 'X-Per-Page': components['headers']['XPerPage']
          readonly Link: components['headers']['Link']
          readonly 'X-Total-Capped': components['headers']['XTotalCapped']
          readonly 'X-Applied-Sort': components['headers']['XAppliedSort']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example [
           *       {
           *         "transaction_hash": "0xf1a77b1348e33e600b43d5cfd0a5d89d21f7ee59d621a46d6ce709fd6aa7e021",
           *         "tx_hash": "0xf1a77b1348e33e600b43d5cfd0a5d89d21f7ee59d621a46d6ce709fd6aa7e021",
           *         "block_number": 225,
           *         "block_hash": "0x19122a9b8f0350500090d09b1922be5b2fdf636444bfc882caab33ede42ef665",
           *         "log_index": 78,
           *         "cursor": "225.78.1769858006",
           *         "timestamp": 1769858006,
           *         "timestamp_ms": null,
           *         "datetime": "2026-01-31T11:13:26Z",
           *         "pool_id": "0x57817c8349553ffeae1e999c7c4bca172b99b7d2a597f39a439295a31775b503",
           *         "pool_address": "0x57817c8349553ffeae1e999c7c4bca172b99b7d2a597f39a439295a31775b503",
           *         "token_symbol": "GARDENINJAKART",
           *         "token_address": "0x193e47D8d229bAA7B13454c826Bbd2ffc70249cc",
           *         "is_buy": true,
           *         "type": "buy",
           *         "from_address": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
           *         "to_address": "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc",
           *         "trader": "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc",
           *         "amount_in": 171833.629359,
           *         "amount_out": 4382106.161356,
           *         "amount": 4382106.161356,
           *         "price_per_token": 0.00000292712684462,
           *         "volume_usd": 12.82698,
           *         "usd_value": 12.82698,
           *         "token_in": {
           *           "address": "0xCafac3dD18aC6c6e92c921884f9E4176737C052c",
           *           "symbol": "danzelia6",
           *           "name": "Danzelia6",
           *           "decimals": 18,
           *           "amount": 171833.629359,
           *           "amount_raw": "171833629359279557147839"
           *         },
           *         "token_out": {
           *           "address": "0x193e47D8d229bAA7B13454c826Bbd2ffc70249cc",
           *           "symbol": "GARDENINJAKART",
           *           "name": "garden in jakarta #570",
           *           "decimals": 18,
           *           "amount": 4382106.161356,
           *           "amount_raw": "4382106161356447406234370"
           *         },
           *         "confirmed": true
           *       }
           *     ]
           */
          readonly 'application/json': readonly components['schemas']['Swap'][]
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 404: components['responses']['NotFound']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly recentSwaps: {
    readonly parameters: {
      readonly query?: {
        /** @description Rows of the answer, 1-100. */
        readonly limit?: components['parameters']['Limit']
        /** @description Rows to skip, 0 or more. */
        readonly offset?: components['parameters']['Offset']
        /** @description true wraps the list: {data, meta: {total, page, per_page}}. `1` and `0` work too. */
        readonly envelope?: components['parameters']['Envelope']
        /** @description Only buys or only sells of the token. Case-insensitive. */
        readonly type?: components['parameters']['Side']
        /** @description Only swaps worth at least this many US dollars, compared before rounding. No exponent, at most 18 decimals. */
        readonly min_value?: components['parameters']['MinValue']
        /**
         * @description Only swaps of this token: its address, its pool, or a symbol, which may be that of several tokens. A leading `$` or `@` of a symbol is ignored; an address may also be written `base_0x…` or `0x…:8453`.
         * @example
         */
        readonly token?: components['parameters']['TokenFilter']
        /**
         * @description desc: newest first; asc: oldest first. Case-insensitive.
         * @example desc
         */
        readonly sort_order?: components['parameters']['TimeOrderSortOrder']
        /** @description The same as `sort_order`. When both are sent, the one that differs from the default wins; when both do, `sort_order`. */
        readonly order?: components['parameters']['TimeOrderOrder']
        /**
         * @description Only swaps before the one with this `cursor`, or before a time; a date alone means its start. Default: now. A cursor, or ISO 8601 with any offset (none: UTC) and any number of decimals, or Unix seconds.
         * @example
         */
        readonly before?: components['parameters']['Before']
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Recent swaps of all tokens: the last 10,000 within 24 hours. */
      readonly 200: {
        headers: {
          /** @description How long the answer may be cached. */
          readonly 'Cache-Control': 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-Total-Count': components['headers']['XTotalCount']
          readonly 'X-Page-Count': components['headers']['XPageCount']
          readonly 'X-Current-Page': components['headers']['XCurrentPage']
          readonly 'X-Per-Page': components['headers']['XPerPage']
          readonly Link: components['headers']['Link']
          readonly 'X-Total-Capped': components['headers']['XTotalCapped']
          readonly 'X-Applied-Sort': components['headers']['XAppliedSort']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example [
           *       {
           *         "transaction_hash": "0x858cb4c45929349926e293bd5adc21ed050cf80e2b6b6e245986a83e4ccdd413",
           *         "tx_hash": "0x858cb4c45929349926e293bd5adc21ed050cf80e2b6b6e245986a83e4ccdd413",
           *         "block_number": 241,
           *         "block_hash": "0x351bc5c9fe94df1733cb55aa73fbe8ae079debce3726a418bac44e933ed8c42f",
           *         "log_index": 43,
           *         "cursor": "241.43.1769860830",
           *         "timestamp": 1769860830,
           *         "timestamp_ms": null,
           *         "datetime": "2026-01-31T12:00:30Z",
           *         "pool_id": "0x3b9a5afb0c238420afdf1db81c5bff321f35cf92280fba501e82585aef84a0cc",
           *         "pool_address": "0x3b9a5afb0c238420afdf1db81c5bff321f35cf92280fba501e82585aef84a0cc",
           *         "token_symbol": "mizemax74",
           *         "token_address": "0xf1956d292123D67A51DCb7604b036CBFa49A92a6",
           *         "is_buy": true,
           *         "type": "buy",
           *         "from_address": "0x5FbDB2315678afecb367f032d93F642f64180aa3",
           *         "to_address": "0x09DB0a93B389bEF724429898f539AEB7ac2Dd55f",
           *         "trader": "0x09DB0a93B389bEF724429898f539AEB7ac2Dd55f",
           *         "amount_in": 1487.597211,
           *         "amount_out": 11437405.278319,
           *         "amount": 11437405.278319,
           *         "price_per_token": 0.00000235841332639,
           *         "volume_usd": 26.974129,
           *         "usd_value": 26.974129,
           *         "token_in": {
           *           "address": "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0",
           *           "symbol": "ZORA",
           *           "name": "Zora",
           *           "decimals": 18,
           *           "amount": 1487.597211,
           *           "amount_raw": "1487597211124000000000"
           *         },
           *         "token_out": {
           *           "address": "0xf1956d292123D67A51DCb7604b036CBFa49A92a6",
           *           "symbol": "mizemax74",
           *           "name": "Mizemax74",
           *           "decimals": 18,
           *           "amount": 11437405.278319,
           *           "amount_raw": "11437405278319942804565505"
           *         },
           *         "confirmed": false
           *       }
           *     ]
           */
          readonly 'application/json': readonly components['schemas']['Swap'][]
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly tokens: {
    readonly parameters: {
      readonly query?: {
        /**
         * @description Field to look up; without it, all tokens are listed. Case-insensitive.
         * @example
         */
        readonly field?: components['parameters']['TokenField']
        /**
         * @description The value to find, compared without regard to case, width and spacing; a creator is an address or a handle. Surrounding spaces are ignored.
         * @example
         */
        readonly value?: components['parameters']['TokenValue']
        /**
         * @description Addresses of at most 100 tokens, separated by commas. Surrounding spaces are ignored.
         * @example
         */
        readonly addresses?: components['parameters']['Addresses']
        /**
         * @description Where the list of all tokens goes on, from the link to its next page.
         * @example
         */
        readonly cursor?: components['parameters']['TokensCursor']
        /**
         * @description Of all tokens: desc: newest first; asc: oldest first. Case-insensitive.
         * @example desc
         */
        readonly sort_order?: components['parameters']['LaunchOrderSortOrder']
        /** @description The same as `sort_order`. When both are sent, the one that differs from the default wins; when both do, `sort_order`. */
        readonly order?: components['parameters']['LaunchOrderOrder']
        /** @description Rows of the answer, 1-100. */
        readonly limit?: components['parameters']['Limit']
        /** @description Rows to skip, 0 or more. */
        readonly offset?: components['parameters']['Offset']
        /** @description true wraps the list: {data, meta: {total, page, per_page}}. `1` and `0` work too. */
        readonly envelope?: components['parameters']['Envelope']
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Tokens: all that were ever launched; or by symbol, name, address or creator, those on a board first, then the oldest; or those at some addresses, in their order. */
      readonly 200: {
        headers: {
          /** @description How long the answer may be cached. */
          readonly 'Cache-Control': 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-Total-Count': components['headers']['XTotalCount']
          readonly 'X-Page-Count': components['headers']['XPageCount']
          readonly 'X-Current-Page': components['headers']['XCurrentPage']
          readonly 'X-Per-Page': components['headers']['XPerPage']
          readonly Link: components['headers']['Link']
          readonly 'X-Total-Capped': components['headers']['XTotalCapped']
          readonly 'X-Unknown-Addresses': components['headers']['XUnknownAddresses']
          readonly 'X-Applied-Sort': components['headers']['XAppliedSort']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example [
           *       {
           *         "rank": 1,
           *         "position": 1,
           *         "symbol": "GARDENINJAKART",
           *         "name": "garden in jakarta #527",
           *         "contract_address": "0xe80d513Eddba27d60f00d383F64B9C5203d9AD47",
           *         "token_address": "0xe80d513Eddba27d60f00d383F64B9C5203d9AD47",
           *         "type": "post",
           *         "price_usd": 0.000875891664194,
           *         "market_cap": 875891.66,
           *         "effective_market_cap": 58320.18,
           *         "thin_liquidity": true,
           *         "volume_24h": 400.11,
           *         "holders_count": 14,
           *         "unique_holders": 14,
           *         "change_24h": 92.78,
           *         "change_24h_percent": 92.78,
           *         "change_7d": 24894.19,
           *         "creator_handle": "zesoro8",
           *         "creator_name": "Zesoro8",
           *         "name_flags": {
           *           "mixed_script": false,
           *           "lookalike_of": null
           *         },
           *         "creator_address": "0x5eb15C0992734B5e77c888D713b4FC67b3D679A2",
           *         "creator_verified": true,
           *         "launched_by": "0x5eb15C0992734B5e77c888D713b4FC67b3D679A2",
           *         "trades_24h": 7,
           *         "liquidity_usd": 61483.66,
           *         "pool_id": "0x2b184fcfb7703c25d3781e9965129f028346638e9e9f79c2a1f412ce7d6cc1eb",
           *         "created_at": "2026-01-23T16:57:00Z",
           *         "coverage_from": null,
           *         "total_volume": 4120.78,
           *         "z100_board": "posts",
           *         "z100_rank": 4
           *       }
           *     ]
           */
          readonly 'application/json': readonly components['schemas']['TokenSummary'][]
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly historical: {
    readonly parameters: {
      readonly query?: {
        /**
         * @description First time; a date alone means its start. Default: 7 days before `to`. ISO 8601 with any offset (none: UTC) and any number of decimals, or Unix seconds.
         * @example
         */
        readonly from?: components['parameters']['From']
        /**
         * @description Last time; a date alone means its end. Default: now. ISO 8601 with any offset (none: UTC) and any number of decimals, or Unix seconds.
         * @example
         */
        readonly to?: components['parameters']['To']
        /** @description Step length, in UTC; weeks start on Monday. Case-insensitive. */
        readonly interval?: components['parameters']['Interval']
        /** @description true wraps the list: {data, meta: {total, page, per_page}}. `1` and `0` work too. */
        readonly envelope?: components['parameters']['Envelope']
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The Z100 Index in equal steps of UTC time, oldest first. */
      readonly 200: {
        headers: {
          /** @description How long the answer may be cached. */
          readonly 'Cache-Control': 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-Total-Count': components['headers']['XTotalCount']
          readonly 'X-Page-Count': components['headers']['XPageCount']
          readonly 'X-Current-Page': components['headers']['XCurrentPage']
          readonly 'X-Per-Page': components['headers']['XPerPage']
          readonly Link: components['headers']['Link']
          readonly 'X-Total-Capped': components['headers']['XTotalCapped']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example [
           *       {
           *         "timestamp": 1769472000,
           *         "date": "2026-01-27T00:00:00Z",
           *         "index_value": 1031.6688,
           *         "close": 1031.6688,
           *         "open": 1000,
           *         "high": 1057.3428,
           *         "low": 1000,
           *         "change_percent": 3.17,
           *         "total_volume": 844.2,
           *         "total_trades": 14,
           *         "creator_volume": 750.9,
           *         "post_volume": 93.29,
           *         "active_creators": 7,
           *         "active_posts": 1,
           *         "partial": false
           *       }
           *     ]
           */
          readonly 'application/json': readonly components['schemas']['IndexBar'][]
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly usage: {
    readonly parameters: {
      readonly query?: {
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Your account’s requests in this hour; this call is not counted. */
      readonly 200: {
        headers: {
          /** @description How long the answer may be cached. */
          readonly 'Cache-Control': 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "account": "h3k9q2m7x4",
           *       "tier": "enterprise",
           *       "limit": 20000,
           *       "used": 0,
           *       "remaining": 20000,
           *       "reset_at": "2026-01-31T13:00:00Z"
           *     }
           */
          readonly 'application/json': components['schemas']['AccountUsage']
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly snapshots: {
    readonly parameters: {
      readonly query?: {
        /**
         * @description Last time; a date alone means its end. Default: now. ISO 8601 with any offset (none: UTC) and any number of decimals, or Unix seconds.
         * @example
         */
        readonly to?: components['parameters']['To']
        /** @description Rows of the answer, 1-100. */
        readonly limit?: components['parameters']['SnapshotsLimit']
        /** @description Rows to skip, 0 or more. */
        readonly offset?: components['parameters']['Offset']
        /** @description true wraps the list: {data, meta: {total, page, per_page}}. `1` and `0` work too. */
        readonly envelope?: components['parameters']['Envelope']
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Published snapshots, newest first: the last 1,000 up to a time. */
      readonly 200: {
        headers: {
          /** @description How long the answer may be cached. */
          readonly 'Cache-Control': 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-Total-Count': components['headers']['XTotalCount']
          readonly 'X-Page-Count': components['headers']['XPageCount']
          readonly 'X-Current-Page': components['headers']['XCurrentPage']
          readonly 'X-Per-Page': components['headers']['XPerPage']
          readonly Link: components['headers']['Link']
          readonly 'X-Total-Capped': components['headers']['XTotalCapped']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example [
           *       {
           *         "snapshot_id": "20260131T1157Z-777ca5cd",
           *         "as_of": "2026-01-31T11:58:00Z",
           *         "block_number": 240,
           *         "block_hash": "0x27239dd435aa6b4afb11f94154be09fc2040a45060bb29b736d9835f527a19dc",
           *         "log_position": 222,
           *         "documents_count": 45,
           *         "unpublished": [],
           *         "rules_version": 3,
           *         "code_version": null
           *       }
           *     ]
           */
          readonly 'application/json': readonly components['schemas']['SnapshotRow'][]
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly snapshot: {
    readonly parameters: {
      readonly query?: {
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path: {
        /**
         * @description Id of a snapshot, as in `X-Snapshot-Id`.
         * @example 20260131T1157Z-777ca5cd
         */
        readonly id: components['parameters']['SnapshotId']
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description A snapshot’s manifest: its documents and their digests, kept for 90 days. */
      readonly 200: {
        headers: {
          /** @description How long the answer may be cached. */
          readonly 'Cache-Control': 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example {
           *       "snapshot_id": "20260131T1157Z-777ca5cd",
           *       "log_position": 222,
           *       "minute": 29497677,
           *       "as_of": "2026-01-31T11:58:00Z",
           *       "block_number": 240,
           *       "block_hash": "0x27239dd435aa6b4afb11f94154be09fc2040a45060bb29b736d9835f527a19dc",
           *       "history_from": "2026-01-23T12:00:00Z",
           *       "corrections": 0,
           *       "chain": null,
           *       "rules_version": 3,
           *       "code_version": null,
           *       "documents": {
           *         "v1/z100/creators/1h": {
           *           "sha256": "9f5525b394219be492d89a31c0f06a1419ce14515754559f74a50c624eb87ed6",
           *           "total": 66,
           *           "snapshot_id": "20260131T1157Z-777ca5cd"
           *         },
           *         "v1/z100/creators/4h": {
           *           "sha256": "2dbbac9baa2976402583d2a8340d34775deedb2c98ac91c217e73285b0d9f42a",
           *           "total": 66,
           *           "snapshot_id": "20260131T1157Z-777ca5cd"
           *         }
           *       },
           *       "unpublished": []
           *     }
           */
          readonly 'application/json': components['schemas']['Manifest']
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 404: components['responses']['NotFound']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly search: {
    readonly parameters: {
      readonly query: {
        /**
         * @description Part of a symbol, name or address, or the id of a pool. Its length is measured after normalisation: lower case, NFKC, without surrounding spaces, invisible characters and one leading `@`, `$` or `#`.
         * @example GARDENINJAKART
         */
        readonly q: components['parameters']['SearchText']
        /** @description Rows of the answer, 1-100. */
        readonly limit?: components['parameters']['Limit']
        /** @description Rows to skip, 0 or more. */
        readonly offset?: components['parameters']['Offset']
        /** @description true wraps the list: {data, meta: {total, page, per_page}}. `1` and `0` work too. */
        readonly envelope?: components['parameters']['Envelope']
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Tokens on either board that match a text, best match first. */
      readonly 200: {
        headers: {
          /** @description How long the answer may be cached. */
          readonly 'Cache-Control': 'no-store'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly 'X-Total-Count': components['headers']['XTotalCount']
          readonly 'X-Page-Count': components['headers']['XPageCount']
          readonly 'X-Current-Page': components['headers']['XCurrentPage']
          readonly 'X-Per-Page': components['headers']['XPerPage']
          readonly Link: components['headers']['Link']
          readonly 'X-Total-Capped': components['headers']['XTotalCapped']
          readonly 'X-RateLimit-Limit': components['headers']['XRateLimitLimit']
          readonly 'X-RateLimit-Remaining': components['headers']['XRateLimitRemaining']
          readonly 'X-RateLimit-Reset': components['headers']['XRateLimitReset']
          readonly RateLimit: components['headers']['RateLimit']
          readonly 'RateLimit-Policy': components['headers']['RateLimitPolicy']
          readonly [name: string]: unknown
        }
        content: {
          /**
           * @example [
           *       {
           *         "rank": 1,
           *         "position": 1,
           *         "symbol": "GARDENINJAKART",
           *         "name": "garden in jakarta #527",
           *         "contract_address": "0xe80d513Eddba27d60f00d383F64B9C5203d9AD47",
           *         "token_address": "0xe80d513Eddba27d60f00d383F64B9C5203d9AD47",
           *         "type": "post",
           *         "price_usd": 0.000875891664194,
           *         "market_cap": 875891.66,
           *         "effective_market_cap": 58320.18,
           *         "thin_liquidity": true,
           *         "volume_24h": 400.11,
           *         "holders_count": 14,
           *         "unique_holders": 14,
           *         "change_24h": 92.78,
           *         "change_24h_percent": 92.78,
           *         "change_7d": 24894.19,
           *         "creator_handle": "zesoro8",
           *         "creator_name": "Zesoro8",
           *         "name_flags": {
           *           "mixed_script": false,
           *           "lookalike_of": null
           *         },
           *         "creator_address": "0x5eb15C0992734B5e77c888D713b4FC67b3D679A2",
           *         "creator_verified": true,
           *         "launched_by": "0x5eb15C0992734B5e77c888D713b4FC67b3D679A2",
           *         "trades_24h": 7,
           *         "liquidity_usd": 61483.66,
           *         "pool_id": "0x2b184fcfb7703c25d3781e9965129f028346638e9e9f79c2a1f412ce7d6cc1eb",
           *         "created_at": "2026-01-23T16:57:00Z",
           *         "coverage_from": null,
           *         "total_volume": 4120.78,
           *         "z100_board": "posts",
           *         "z100_rank": 4,
           *         "match": {
           *           "field": "symbol",
           *           "kind": "exact"
           *         }
           *       }
           *     ]
           */
          readonly 'application/json': readonly components['schemas']['FoundToken'][]
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 401: components['responses']['Unauthorized']
      readonly 403: components['responses']['Forbidden']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 429: components['responses']['RateLimitExceeded']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly openapi: {
    readonly parameters: {
      readonly query?: {
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The OpenAPI 3.1 description of this API. */
      readonly 200: {
        headers: {
          /** @description How long the answer may be cached. */
          readonly 'Cache-Control': 'public, max-age=300, stale-while-revalidate=60, stale-if-error=86400'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly [name: string]: unknown
        }
        content: {
          readonly 'application/json': {
            /**
             * @description Version of OpenAPI
             * @constant
             */
            readonly openapi: '3.1.0'
            /** @description What the API is */
            readonly info: Record<string, never>
            /** @description Its operations */
            readonly paths: Record<string, never>
          } & { readonly [key: string]: unknown }
        }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly tokenPage: {
    readonly parameters: {
      readonly query?: {
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path: {
        /**
         * @description Address of the token in any case, also as `base_0x…` or `0x…:8453`, or the 32-byte id of its pool. Not a symbol.
         * @example 0xe80d513Eddba27d60f00d383F64B9C5203d9AD47
         */
        readonly id: components['parameters']['Token']
      }
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The HTML page of a token, also at /token/{id}; title and preview name the token. */
      readonly 200: {
        headers: {
          /** @description How long the answer may be cached. */
          readonly 'Cache-Control': 'public, max-age=0, s-maxage=60, must-revalidate'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly [name: string]: unknown
        }
        content: { readonly 'text/html': string }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly robots: {
    readonly parameters: {
      readonly query?: {
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description Rules for crawlers, also at /robots.txt. */
      readonly 200: {
        headers: {
          /** @description How long the answer may be cached. */
          readonly 'Cache-Control': 'public, max-age=0, s-maxage=60, must-revalidate'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly [name: string]: unknown
        }
        content: { readonly 'text/plain': string }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly sitemap: {
    readonly parameters: {
      readonly query?: {
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description The sitemap of the pages and of the tokens on both boards, also at /sitemap.xml. */
      readonly 200: {
        headers: {
          /** @description How long the answer may be cached. */
          readonly 'Cache-Control': 'public, max-age=0, s-maxage=60, must-revalidate'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly 'X-Snapshot-Id': components['headers']['XSnapshotId']
          readonly 'X-Data-Block': components['headers']['XDataBlock']
          readonly 'X-Data-Block-Hash': components['headers']['XDataBlockHash']
          readonly 'X-Data-Time': components['headers']['XDataTime']
          readonly 'X-Data-Stale': components['headers']['XDataStale']
          readonly [name: string]: unknown
        }
        content: { readonly 'application/xml': string }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
  readonly llms: {
    readonly parameters: {
      readonly query?: {
        /** @description true rejects unknown parameters instead of ignoring them. `1` and `0` work too. */
        readonly strict?: components['parameters']['Strict']
      }
      readonly header?: never
      readonly path?: never
      readonly cookie?: never
    }
    readonly requestBody?: never
    readonly responses: {
      /** @description A short guide to this API for language models. */
      readonly 200: {
        headers: {
          /** @description How long the answer may be cached. */
          readonly 'Cache-Control': 'public, max-age=300, stale-while-revalidate=60, stale-if-error=86400'
          readonly 'X-Request-Id': components['headers']['XRequestId']
          readonly 'X-Cache': components['headers']['XCache']
          readonly Age: components['headers']['Age']
          readonly ETag: components['headers']['ETag']
          readonly 'Server-Timing': components['headers']['ServerTiming']
          readonly 'X-Ignored-Parameters': components['headers']['XIgnoredParameters']
          readonly [name: string]: unknown
        }
        content: { readonly 'text/plain': string }
      }
      readonly 304: components['responses']['NotModified']
      readonly 400: components['responses']['InvalidParameter']
      readonly 405: components['responses']['MethodNotAllowed']
      readonly 500: components['responses']['InternalError']
      readonly 503: components['responses']['ServiceUnavailable']
      readonly default: components['responses']['OtherError']
    }
  }
}
