// Written by `npm run build:openapi` from the tables of fields and operations.
// Types alone: what the API answers, and what it takes. Keys may be added within /v1.

export type BoardRow = {
  /** Place on the board or list; sorting never renumbers it */
  readonly rank: number
  /** Place in this answer, from 1 */
  readonly position: number
  /** creator or post */
  readonly type: 'creator' | 'post'
  /** Ticker symbol; untrusted on-chain text */
  readonly symbol: string
  /** Token name or post title; untrusted text */
  readonly name: string
  /** Symbol of the creator token, else a short address */
  readonly handle: string
  /** Symbol of the creator token, else a short address */
  readonly creator_handle: string
  /** Name of the creator token; null without one */
  readonly creator_name: string | null
  /** Payout recipient at creation */
  readonly creator_address: string
  /** Token contract */
  readonly contract_address: string
  /** Token contract */
  readonly token_address: string
  /** Primary Uniswap V4 pool */
  readonly pool_id: string
  /** Pool price in USD */
  readonly price_usd: number
  /** Price × total supply, USD */
  readonly market_cap: number
  /** Price × total supply, USD */
  readonly market_cap_raw: number
  /** Display text */
  readonly market_cap_formatted: string
  /** Of market_cap at most 25 × the least quote-side liquidity on its path to USD */
  readonly effective_market_cap: number | null
  /** market_cap is more than 25 × that liquidity: hardly anybody could sell at this price */
  readonly thin_liquidity: boolean | null
  /** Total supply less what the token contract itself still holds */
  readonly circulating_supply: number
  /** Price × circulating supply, USD */
  readonly circulating_market_cap: number
  /** Minted less burned, whole tokens */
  readonly total_supply: number
  /** Display text of portfolio_value_raw */
  readonly portfolio_value: string
  /** Counted caps of a creator’s token and posts, USD; on posts the market cap */
  readonly portfolio_value_raw: number
  /** Parts of a creator’s portfolio; null on posts */
  readonly portfolio: Portfolio | null
  /** Volume of the last 24 hours, USD */
  readonly volume_24h: number
  /** Volume of the last 24 hours, USD */
  readonly volume_24h_raw: number
  /** Display text */
  readonly volume_24h_formatted: string
  /** Volume since launch, USD */
  readonly total_volume: number
  /** Volume since launch, USD */
  readonly total_volume_raw: number
  /** Display text */
  readonly total_volume_formatted: string
  /** Volume of the period, USD */
  readonly volume_period: number
  /** Addresses with a balance */
  readonly unique_holders: number
  /** Addresses with a balance */
  readonly holders_count: number
  /** (wallet, UTC hour) pairs of the last 24 hours with a swap of at least $0.10 */
  readonly engagement: number
  /** Swaps of the last 24 hours */
  readonly trades_24h: number
  /** Swaps of the period */
  readonly trades_period: number
  /** Both sides of the hook’s ranges at the current price */
  readonly liquidity_usd: number | null
  /** Signed display text of change_24h_percent */
  readonly change_24h: string | null
  /** Price change over 24 hours, or since launch if that is later */
  readonly change_24h_percent: number | null
  /** Was not on this board at the period’s start */
  readonly is_new: boolean
  /** Rank on this board at the period’s start */
  readonly previous_rank: number | null
  /** Places gained since the period’s start */
  readonly rank_change: number | null
  /** What the board is ranked by: portfolio_value_raw of creators, engagement of posts */
  readonly score: number
  /** Time of the creation block */
  readonly created_at: string
  /** Start of the period */
  readonly period_start: string
  /** Where the figures come from */
  readonly data_source: 'onchain'
  /** Price change over the period */
  readonly price_change_percent: number | null
  /** The price rose */
  readonly price_is_up: boolean | null
  /** Market cap change over the period */
  readonly market_cap_change_percent: number | null
  /** Market cap now less at the start, USD */
  readonly market_cap_change_value: number | null
  /** The market cap rose */
  readonly market_cap_is_up: boolean | null
  /** 24 h volume now against 24 h volume as of the start */
  readonly volume_change_percent: number | null
  /** The 24 h volume rose */
  readonly volume_is_up: boolean | null
  /** Holders change over the period; null from 0 holders */
  readonly holders_change_percent: number | null
  /** Holders now less at the start */
  readonly holders_change_value: number | null
  /** The number of holders rose */
  readonly holders_is_up: boolean | null
  /** USD price at the start */
  readonly historical_price: number | null
  /** Market cap at the start, USD */
  readonly historical_market_cap: number | null
  /** Volume of the 24 hours before the start, USD */
  readonly historical_volume: number | null
  /** Holders at the start */
  readonly historical_holders: number | null
  /** What is compared with: the start of the period, or the launch of a token younger than it */
  readonly historical_baseline: 'launch' | 'period' | null
}

export type Portfolio = {
  /** Market cap of the creator token */
  readonly token_market_cap: number
  /** Of it: at most 25 × what its pool holds of the quote */
  readonly token_counted: number
  /** Market caps of all posts, summed */
  readonly posts_market_cap: number
  /** What they add to it: token and posts of its pool together count at most 25 × what that holds */
  readonly posts_counted: number
  /** Posts of the creator */
  readonly posts_count: number
}

export type TrendingRow = {
  /** Place on the board or list; sorting never renumbers it */
  readonly rank: number
  /** Place in this answer, from 1 */
  readonly position: number
  /** Ticker symbol; untrusted on-chain text */
  readonly symbol: string
  /** Token name or post title; untrusted text */
  readonly name: string
  /** Token contract */
  readonly contract_address: string
  /** Token contract */
  readonly token_address: string
  /** creator or post */
  readonly type: 'creator' | 'post'
  /** Pool price in USD; null without a route to USD */
  readonly price_usd: number | null
  /** Price × total supply, USD */
  readonly market_cap: number | null
  /** Of market_cap at most 25 × the least quote-side liquidity on its path to USD */
  readonly effective_market_cap: number | null
  /** market_cap is more than 25 × that liquidity: hardly anybody could sell at this price */
  readonly thin_liquidity: boolean | null
  /** Volume of the last 24 hours, USD */
  readonly volume_24h: number
  /** Addresses with a balance */
  readonly holders_count: number
  /** Addresses with a balance */
  readonly unique_holders: number
  /** Price change over 24 hours, percent, or since launch if that is later */
  readonly change_24h: number | null
  /** Price change over 7 days, percent, or since launch if that is later */
  readonly change_7d: number | null
  /** Symbol of the creator token, else a short address */
  readonly creator_handle: string
  /** Name of the creator token; null without one */
  readonly creator_name: string | null
  /** Payout recipient at creation */
  readonly creator_address: string
  /** Swaps of the last 24 hours */
  readonly trades_24h: number
  /** Both sides of the hook’s ranges at the current price */
  readonly liquidity_usd: number | null
  /** Primary Uniswap V4 pool */
  readonly pool_id: string
  /** Time of the creation block */
  readonly created_at: string
  /** Volume since launch, USD */
  readonly total_volume: number
  /** Volume of the timeframe, USD */
  readonly volume: number
  /** Price change over the timeframe, percent, or since launch if that is later */
  readonly change: number | null
  /** Swaps of the timeframe */
  readonly trade_count: number
}

export type RisingRow = {
  /** Place on the board or list; sorting never renumbers it */
  readonly rank: number
  /** Place in this answer, from 1 */
  readonly position: number
  /** Ticker symbol; untrusted on-chain text */
  readonly symbol: string
  /** Token name or post title; untrusted text */
  readonly name: string
  /** Token contract */
  readonly contract_address: string
  /** Token contract */
  readonly token_address: string
  /** creator or post */
  readonly type: 'creator' | 'post'
  /** Pool price in USD; null without a route to USD */
  readonly price_usd: number | null
  /** Price × total supply, USD */
  readonly market_cap: number | null
  /** Of market_cap at most 25 × the least quote-side liquidity on its path to USD */
  readonly effective_market_cap: number | null
  /** market_cap is more than 25 × that liquidity: hardly anybody could sell at this price */
  readonly thin_liquidity: boolean | null
  /** Volume of the last 24 hours, USD */
  readonly volume_24h: number
  /** Addresses with a balance */
  readonly holders_count: number
  /** Addresses with a balance */
  readonly unique_holders: number
  /** Price change over 24 hours, percent, or since launch if that is later */
  readonly change_24h: number | null
  /** Price change over 7 days, percent, or since launch if that is later */
  readonly change_7d: number | null
  /** Symbol of the creator token, else a short address */
  readonly creator_handle: string
  /** Name of the creator token; null without one */
  readonly creator_name: string | null
  /** Payout recipient at creation */
  readonly creator_address: string
  /** Swaps of the last 24 hours */
  readonly trades_24h: number
  /** Both sides of the hook’s ranges at the current price */
  readonly liquidity_usd: number | null
  /** Primary Uniswap V4 pool */
  readonly pool_id: string
  /** Time of the creation block */
  readonly created_at: string
  /** Volume since launch, USD */
  readonly total_volume: number
  /** The board that the token stands on; null: on none */
  readonly z100_board: 'creators' | 'posts' | null
  /** Its rank there */
  readonly z100_rank: number | null
  /** (rank_volume_1h + 50) / ((rank_volume_25h - rank_volume_1h) / 24 + 50) */
  readonly rising_score: number
  /** What the score is made of */
  readonly components: RisingParts
}

export type RisingParts = {
  /** Growth of the largest net position of each (wallet, UTC hour) in the last hour, USD */
  readonly rank_volume_1h: number
  /** The same in the last 25 hours */
  readonly rank_volume_25h: number
  /** (wallet, UTC hour) pairs that counted in the last hour: 3 at least */
  readonly wallet_hours_1h: number
  /** Price change over an hour, percent, or since launch if that is later */
  readonly change_1h: number | null
}

export type LaunchRow = {
  /** Place on the board or list; sorting never renumbers it */
  readonly rank: number
  /** Place in this answer, from 1 */
  readonly position: number
  /** Ticker symbol; untrusted on-chain text */
  readonly symbol: string
  /** Token name or post title; untrusted text */
  readonly name: string
  /** Token contract */
  readonly contract_address: string
  /** Token contract */
  readonly token_address: string
  /** creator or post */
  readonly type: 'creator' | 'post'
  /** Pool price in USD; null without a route to USD */
  readonly price_usd: number | null
  /** Price × total supply, USD */
  readonly market_cap: number | null
  /** Of market_cap at most 25 × the least quote-side liquidity on its path to USD */
  readonly effective_market_cap: number | null
  /** market_cap is more than 25 × that liquidity: hardly anybody could sell at this price */
  readonly thin_liquidity: boolean | null
  /** Volume of the last 24 hours, USD */
  readonly volume_24h: number
  /** Addresses with a balance */
  readonly holders_count: number
  /** Addresses with a balance */
  readonly unique_holders: number
  /** Price change over 24 hours, percent, or since launch if that is later */
  readonly change_24h: number | null
  /** Price change over 7 days, percent, or since launch if that is later */
  readonly change_7d: number | null
  /** Symbol of the creator token, else a short address */
  readonly creator_handle: string
  /** Name of the creator token; null without one */
  readonly creator_name: string | null
  /** Payout recipient at creation */
  readonly creator_address: string
  /** Swaps of the last 24 hours */
  readonly trades_24h: number
  /** Both sides of the hook’s ranges at the current price */
  readonly liquidity_usd: number | null
  /** Primary Uniswap V4 pool */
  readonly pool_id: string
  /** Time of the creation block */
  readonly created_at: string
  /** Volume since launch, USD */
  readonly total_volume: number
  /** The board that the token stands on; null: on none */
  readonly z100_board: 'creators' | 'posts' | null
  /** Its rank there */
  readonly z100_rank: number | null
  /** Since the creation block */
  readonly age_seconds: number
  /** The creation block */
  readonly launch_block: number
  /** The transaction that created it */
  readonly launch_transaction_hash: string
  /** First pool price in USD; null without a route to USD */
  readonly launch_price_usd: number | null
  /** Price change since then, percent */
  readonly change_since_launch: number | null
  /** Swaps since launch */
  readonly trades: number
}

export type TokenSummary = {
  /** Place on the board or list; sorting never renumbers it */
  readonly rank: number
  /** Place in this answer, from 1 */
  readonly position: number
  /** Ticker symbol; untrusted on-chain text */
  readonly symbol: string
  /** Token name or post title; untrusted text */
  readonly name: string
  /** Token contract */
  readonly contract_address: string
  /** Token contract */
  readonly token_address: string
  /** creator or post */
  readonly type: 'creator' | 'post'
  /** Pool price in USD; null without a route to USD */
  readonly price_usd: number | null
  /** Price × total supply, USD */
  readonly market_cap: number | null
  /** Of market_cap at most 25 × the least quote-side liquidity on its path to USD */
  readonly effective_market_cap: number | null
  /** market_cap is more than 25 × that liquidity: hardly anybody could sell at this price */
  readonly thin_liquidity: boolean | null
  /** Volume of the last 24 hours, USD */
  readonly volume_24h: number
  /** Addresses with a balance */
  readonly holders_count: number
  /** Addresses with a balance */
  readonly unique_holders: number
  /** Price change over 24 hours, percent, or since launch if that is later */
  readonly change_24h: number | null
  /** Price change over 7 days, percent, or since launch if that is later */
  readonly change_7d: number | null
  /** Symbol of the creator token, else a short address */
  readonly creator_handle: string
  /** Name of the creator token; null without one */
  readonly creator_name: string | null
  /** Payout recipient at creation */
  readonly creator_address: string
  /** Swaps of the last 24 hours */
  readonly trades_24h: number
  /** Both sides of the hook’s ranges at the current price */
  readonly liquidity_usd: number | null
  /** Primary Uniswap V4 pool */
  readonly pool_id: string
  /** Time of the creation block */
  readonly created_at: string
  /** Volume since launch, USD */
  readonly total_volume: number
  /** The board that the token stands on; null: on none */
  readonly z100_board: 'creators' | 'posts' | null
  /** Its rank there */
  readonly z100_rank: number | null
}

export type FoundToken = {
  /** Place on the board or list; sorting never renumbers it */
  readonly rank: number
  /** Place in this answer, from 1 */
  readonly position: number
  /** Ticker symbol; untrusted on-chain text */
  readonly symbol: string
  /** Token name or post title; untrusted text */
  readonly name: string
  /** Token contract */
  readonly contract_address: string
  /** Token contract */
  readonly token_address: string
  /** creator or post */
  readonly type: 'creator' | 'post'
  /** Pool price in USD; null without a route to USD */
  readonly price_usd: number | null
  /** Price × total supply, USD */
  readonly market_cap: number | null
  /** Of market_cap at most 25 × the least quote-side liquidity on its path to USD */
  readonly effective_market_cap: number | null
  /** market_cap is more than 25 × that liquidity: hardly anybody could sell at this price */
  readonly thin_liquidity: boolean | null
  /** Volume of the last 24 hours, USD */
  readonly volume_24h: number
  /** Addresses with a balance */
  readonly holders_count: number
  /** Addresses with a balance */
  readonly unique_holders: number
  /** Price change over 24 hours, percent, or since launch if that is later */
  readonly change_24h: number | null
  /** Price change over 7 days, percent, or since launch if that is later */
  readonly change_7d: number | null
  /** Symbol of the creator token, else a short address */
  readonly creator_handle: string
  /** Name of the creator token; null without one */
  readonly creator_name: string | null
  /** Payout recipient at creation */
  readonly creator_address: string
  /** Swaps of the last 24 hours */
  readonly trades_24h: number
  /** Both sides of the hook’s ranges at the current price */
  readonly liquidity_usd: number | null
  /** Primary Uniswap V4 pool */
  readonly pool_id: string
  /** Time of the creation block */
  readonly created_at: string
  /** Volume since launch, USD */
  readonly total_volume: number
  /** The board that the token stands on; null: on none */
  readonly z100_board: 'creators' | 'posts' | null
  /** Its rank there */
  readonly z100_rank: number | null
  /** What it was found by */
  readonly match: Match
}

export type Match = {
  /** What of the token matches */
  readonly field: 'symbol' | 'handle' | 'address' | 'name' | 'creator_address'
  /** How it matches: the first is the best */
  readonly kind: 'exact' | 'prefix' | 'word' | 'contains'
}

export type TokenDetail = {
  /** Ticker symbol; untrusted on-chain text */
  readonly symbol: string
  /** Token name or post title; untrusted text */
  readonly name: string
  /** Token contract */
  readonly contract_address: string
  /** Token contract */
  readonly token_address: string
  /** creator or post */
  readonly type: 'creator' | 'post'
  /** Pool price in USD; null without a route to USD */
  readonly price_usd: number | null
  /** Price × total supply, USD */
  readonly market_cap: number | null
  /** Of market_cap at most 25 × the least quote-side liquidity on its path to USD */
  readonly effective_market_cap: number | null
  /** market_cap is more than 25 × that liquidity: hardly anybody could sell at this price */
  readonly thin_liquidity: boolean | null
  /** Volume of the last 24 hours, USD */
  readonly volume_24h: number
  /** Addresses with a balance */
  readonly holders_count: number
  /** Addresses with a balance */
  readonly unique_holders: number
  /** Price change over 24 hours, percent, or since launch if that is later */
  readonly change_24h: number | null
  /** Price change over 7 days, percent, or since launch if that is later */
  readonly change_7d: number | null
  /** Symbol of the creator token, else a short address */
  readonly creator_handle: string
  /** Name of the creator token; null without one */
  readonly creator_name: string | null
  /** Payout recipient at creation */
  readonly creator_address: string
  /** Swaps of the last 24 hours */
  readonly trades_24h: number
  /** Both sides of the hook’s ranges at the current price */
  readonly liquidity_usd: number | null
  /** Primary Uniswap V4 pool */
  readonly pool_id: string
  /** Time of the creation block */
  readonly created_at: string
  /** Volume since launch, USD */
  readonly total_volume: number
  /** Minted less burned, whole tokens */
  readonly total_supply: number
  /** Total supply less what the token contract itself still holds */
  readonly circulating_supply: number
  /** Price × circulating supply, USD */
  readonly circulating_market_cap: number | null
  /** Where the figures come from */
  readonly data_source: 'onchain'
  /** The moment that figures hold for */
  readonly last_updated: string
}

export type TokenMetrics = {
  /** The token */
  readonly token: TokenName
  /** Its figures */
  readonly metrics: TokenFigures
  /** The moment that figures hold for */
  readonly last_updated: string
}

export type TokenName = {
  /** Ticker symbol; untrusted text */
  readonly symbol: string
  /** Name; untrusted text */
  readonly name: string
  /** Token contract */
  readonly address: string
}

export type TokenFigures = {
  /** Pool price in USD; null without a route to USD */
  readonly price_usd: number | null
  /** Price × total supply, USD */
  readonly market_cap: number | null
  /** Minted less burned, whole tokens */
  readonly total_supply: number
  /** Total supply less what the token contract itself still holds */
  readonly circulating_supply: number
  /** Price × circulating supply, USD */
  readonly circulating_market_cap: number | null
  /** Addresses with a balance */
  readonly holders_count: number
  /** Volume of the last 24 hours, USD */
  readonly volume_24h: number
  /** Volume since launch, USD */
  readonly total_volume: number
  /** Swaps of the last 24 hours */
  readonly trades_24h: number
  /** Price change over 24 hours, percent, or since launch if that is later */
  readonly price_change_24h: number | null
  /** Both sides of the hook’s ranges at the current price */
  readonly liquidity_usd: number | null
  /** Highest close of a minute in which the token’s own price was set; price_usd may exceed it */
  readonly all_time_high: number | null
  /** Lowest such close */
  readonly all_time_low: number | null
}

export type TokenHolders = {
  /** The token */
  readonly token: TokenName
  /** Addresses with a balance */
  readonly total_holders: number
  /** How the supply lies with its holders */
  readonly distribution: Distribution
  /** Contracts and others */
  readonly holder_types: HolderTypes
  /** The largest holders */
  readonly holders: readonly Holder[]
  /** Where the figures come from */
  readonly data_source: 'onchain'
  /** The moment that figures hold for */
  readonly last_updated: string
}

export type Distribution = {
  /** What the 10 largest hold of the total supply, percent */
  readonly top10_concentration: number
  /** What the 25 largest hold of the total supply, percent */
  readonly top25_concentration: number
  /** What the 50 largest hold of the total supply, percent */
  readonly top50_concentration: number
  /** What the 100 largest hold of the total supply, percent */
  readonly top100_concentration: number
  /** Inequality among the holders, 0 to 1 */
  readonly gini_coefficient: number
  /** Holders of at least 1 % of the supply */
  readonly whale_count: number
  /** What they hold of the total supply, percent */
  readonly whale_percentage: number
}

export type HolderTypes = {
  /** Holders with code of their own when they were first looked at; null until all have been */
  readonly contract_holders: number | null
  /** The others, delegated accounts (EIP-7702) among them; null likewise */
  readonly eoa_holders: number | null
  /** Which holders are counted */
  readonly scope: 'top100'
}

export type Holder = {
  /** Place among the holders */
  readonly rank: number
  /** Who holds */
  readonly address: string
  /** Whole tokens, floored to 6 decimals */
  readonly balance: number
  /** Base units, exact */
  readonly balance_raw: string
  /** Of the total supply, percent */
  readonly percentage: number
  /** At the current price, USD */
  readonly value_usd: number | null
}

export type PriceStep = {
  /** Start of the step, Unix seconds */
  readonly timestamp: number
  /** The same as text */
  readonly datetime: string
  /** Pool price at the quote’s USD of the step’s end */
  readonly price_usd: number | null
  /** Pool price at the quote’s USD of the step’s end */
  readonly price: number | null
  /** Pool price at the quote’s USD of the step’s end */
  readonly close: number | null
  /** First price set in the step; its close where there was none */
  readonly open: number | null
  /** Highest price */
  readonly high: number | null
  /** Lowest price */
  readonly low: number | null
  /** Volume of the step, USD */
  readonly volume_usd: number
  /** Swaps of the step */
  readonly trades: number
  /** Close × total supply, USD */
  readonly market_cap: number | null
  /** The token’s own price was not set in the step */
  readonly filled: boolean
  /** The step goes on after the newest minute */
  readonly partial: boolean
}

export type Swap = {
  /** Transaction */
  readonly transaction_hash: string
  /** Transaction */
  readonly tx_hash: string
  /** Block */
  readonly block_number: number
  /** Its hash */
  readonly block_hash: string
  /** Place of the log in the block */
  readonly log_index: number
  /** Time of the block, Unix seconds */
  readonly timestamp: number
  /** The same as text */
  readonly datetime: string
  /** Uniswap V4 pool */
  readonly pool_id: string
  /** Uniswap V4 pool */
  readonly pool_address: string
  /** Ticker symbol of the token of the pool; untrusted text */
  readonly token_symbol: string
  /** The token of the pool */
  readonly token_address: string
  /** The token was bought */
  readonly is_buy: boolean
  /** Whether the token was bought or sold */
  readonly type: 'buy' | 'sell'
  /** Payer of the token’s last transfer in the transaction; null where it has none */
  readonly from_address: string | null
  /** Recipient of that transfer */
  readonly to_address: string | null
  /** Who traded: whom a trusted router names; the other side of that transfer where the router names nobody; else the sender of the transaction */
  readonly trader: string
  /** What went into the pool, whole units of token_in */
  readonly amount_in: number
  /** What came out, whole units of token_out */
  readonly amount_out: number
  /** Whole tokens, bought or sold */
  readonly amount: number
  /** US dollars paid for a whole token, fees included; null without a route to USD */
  readonly price_per_token: number | null
  /** Value of the quote side, US dollars to 6 decimals */
  readonly volume_usd: number
  /** Value of the quote side, US dollars to 6 decimals */
  readonly usd_value: number
  /** What went into the pool */
  readonly token_in: SwapSide
  /** What came out */
  readonly token_out: SwapSide
  /** Its minute is sealed; before that a reorganisation of the chain may take it back */
  readonly confirmed: boolean
}

export type SwapSide = {
  /** Contract; zero for the chain’s own currency */
  readonly address: string
  /** Ticker symbol; untrusted text; null of a currency that is not known */
  readonly symbol: string | null
  /** Name; likewise */
  readonly name: string | null
  /** Decimals of its base unit */
  readonly decimals: number
  /** Whole units, floored to 6 decimals */
  readonly amount: number
  /** Base units, exact */
  readonly amount_raw: string
}

export type Index = {
  /** The period asked for */
  readonly period: '1h' | '4h' | '24h' | '7d'
  /** The Z100 Index now */
  readonly index_value: number
  /** Volume of both boards in the period, USD */
  readonly total_volume: number
  /** Swaps of both boards in the period */
  readonly total_trades: number
  /** Volume of the creators board */
  readonly creator_volume: number
  /** Volume of the posts board */
  readonly post_volume: number
  /** Rows of the creators board that traded in the period */
  readonly active_creators: number
  /** Rows of the posts board that traded in the period */
  readonly active_posts: number
  /** Handles of the first ten of the creators board */
  readonly top_creators: readonly string[]
  /** Symbols of the first ten of the posts board */
  readonly top_posts: readonly string[]
  /** The moment that figures hold for, Unix seconds */
  readonly timestamp: number
  /** Change of the index over the period; null when it is younger */
  readonly index_change_percent: number | null
  /** The index at the start of the period; null when it is younger */
  readonly index_value_start: number | null
  /** Dollars per index point, exact decimal text; null before the first point */
  readonly divisor: string | null
  /** Members of the index; 0 before its first point */
  readonly constituents_count: number
  /** The same moment, ISO 8601 */
  readonly as_of: string
}

export type IndexBar = {
  /** End of the interval, Unix seconds */
  readonly timestamp: number
  /** The same, ISO 8601 */
  readonly date: string
  /** The index at the end, or now if the interval is partial */
  readonly index_value: number
  /** The index at the end, or now if the interval is partial */
  readonly close: number
  /** At its first minute */
  readonly open: number
  /** The highest */
  readonly high: number
  /** The lowest */
  readonly low: number
  /** From open to close */
  readonly change_percent: number | null
  /** Volume of those who were members in each minute, USD */
  readonly total_volume: number
  /** Their swaps */
  readonly total_trades: number
  /** Of the volume, of creator tokens */
  readonly creator_volume: number
  /** Of the volume, of post tokens */
  readonly post_volume: number
  /** Creator tokens that traded */
  readonly active_creators: number
  /** Post tokens that traded */
  readonly active_posts: number
  /** The interval is not over yet */
  readonly partial: boolean
}

export type Constituents = {
  /** The Z100 Index now */
  readonly index_value: number
  /** Dollars per index point, exact decimal text; null before the first point */
  readonly divisor: string | null
  /** What all members count for; over the divisor it is the index */
  readonly counted_usd: number
  /** Members of the index; 0 before its first point */
  readonly constituents_count: number
  /** The moment that figures hold for, Unix seconds */
  readonly timestamp: number
  /** The same moment, ISO 8601 */
  readonly as_of: string
  /** All members, the heaviest first */
  readonly constituents: readonly Constituent[]
}

export type Constituent = {
  /** Place by weight */
  readonly rank: number
  /** creator or post */
  readonly type: 'creator' | 'post'
  /** Ticker symbol; untrusted on-chain text */
  readonly symbol: string
  /** Token name or post title; untrusted text */
  readonly name: string
  /** Symbol of the creator token, else a short address */
  readonly creator_handle: string
  /** Token contract */
  readonly contract_address: string
  /** Token contract */
  readonly token_address: string
  /** Whole tokens it counts with, exact: its total supply when it was last reviewed or seated */
  readonly quantity: string
  /** Pool price in USD; null without a route to USD */
  readonly price_usd: number | null
  /** Quantity × price, at most 25 × the least quote-side liquidity on its path */
  readonly counted_usd: number
  /** Its part of what all members count for, percent */
  readonly weight_percent: number
  /** A member without a break since this moment */
  readonly since: string
}

export type Boards = {
  /** The period asked for */
  readonly period: '1h' | '4h' | '24h' | '7d'
  /** The moment that figures hold for, Unix seconds */
  readonly timestamp: number
  /** The same, ISO 8601 */
  readonly last_updated: string
  /** Rows of the creators board */
  readonly total_creators: number
  /** Rows of the posts board */
  readonly total_posts: number
  /** As v1/z100/index */
  readonly index: Index
  /** As v1/z100/creators */
  readonly creators: readonly (BoardRow | BoardRowWithoutChanges | CreatorRowDisplay | PostRowDisplay)[]
  /** As v1/z100/posts */
  readonly posts: readonly (BoardRow | BoardRowWithoutChanges | CreatorRowDisplay | PostRowDisplay)[]
}

export type MarketStats = {
  /** What is counted of all tokens, USD: all that is reached through one pool at most 25 × what it holds */
  readonly total_market_cap: number
  /** Price × total supply of all tokens, USD */
  readonly total_market_cap_plain: number
  /** Of total_market_cap, creator tokens alone */
  readonly creator_market_cap: number
  /** Of total_market_cap, the rest */
  readonly post_market_cap: number
  /** Volume of the last 24 hours, USD */
  readonly total_volume_24h: number
  /** Of it, of purchases */
  readonly buy_volume_24h: number
  /** Of it, of sales */
  readonly sell_volume_24h: number
  /** That volume against the 24 hours before, percent; null when the history does not reach back to their start */
  readonly volume_change_24h: number | null
  /** Swaps of the last 24 hours */
  readonly total_trades_24h: number
  /** Of them, purchases */
  readonly buys_24h: number
  /** Of them, sales */
  readonly sells_24h: number
  /** Tokens known */
  readonly total_tokens: number
  /** Of them, creator tokens */
  readonly total_creators: number
  /** Of them, post tokens */
  readonly total_posts: number
  /** Tokens with a swap in the last 24 hours */
  readonly active_tokens_24h: number
  /** Tokens created in the last 24 hours */
  readonly new_tokens_24h: number
  /** Holders summed over tokens: a wallet is a holder of each token it holds */
  readonly total_holders: number
  /** What the hooks’ ranges of tokens quoted in ZORA, ETH or a dollar hold of these, USD */
  readonly total_liquidity_usd: number
  /** The Z100 Index now */
  readonly index_value: number
  /** Its change over 24 hours, percent; null when it is younger */
  readonly index_change_24h: number | null
  /** Largest price change of the tokens traded in the last 24 hours with $100 of liquidity on their path: first of v1/market/trending/24h/change */
  readonly top_gainer: TrendingRow | null
  /** Largest volume of the last 24 hours: first of v1/market/trending/24h/volume */
  readonly top_volume: TrendingRow | null
  /** The moment that figures hold for, Unix seconds */
  readonly timestamp: number
  /** The same, ISO 8601 */
  readonly last_updated: string
}

export type MarketVolume = {
  /** The period asked for */
  readonly period: '1h' | '4h' | '24h' | '7d'
  /** Volume of all tokens in the period, USD */
  readonly total_volume: number
  /** Volume of all tokens in the period, USD */
  readonly volume_usd: number
  /** Of it, of creator tokens */
  readonly creator_volume: number
  /** Of it, of post tokens */
  readonly post_volume: number
  /** Of it, of purchases */
  readonly buy_volume: number
  /** Of it, of sales */
  readonly sell_volume: number
  /** Swaps in the period */
  readonly total_trades: number
  /** Of them, purchases */
  readonly total_buys: number
  /** Of them, sales */
  readonly total_sells: number
  /** Volume of the period before, USD; null when the history does not reach back to its start */
  readonly previous_volume: number | null
  /** Volume against that of the period before */
  readonly volume_change_percent: number | null
  /** Length of a step */
  readonly bucket_seconds: number
  /** Equal steps from the period’s start, oldest first; they add up to the totals, each rounded on its own */
  readonly buckets: readonly VolumeBucket[]
  /** The moment that figures hold for, Unix seconds */
  readonly timestamp: number
  /** The same, ISO 8601 */
  readonly last_updated: string
}

export type VolumeBucket = {
  /** Start of the step, Unix seconds */
  readonly timestamp: number
  /** The same, ISO 8601 */
  readonly datetime: string
  /** Volume of the step, USD */
  readonly volume_usd: number
  /** Of it, of purchases */
  readonly buy_volume: number
  /** Of it, of sales */
  readonly sell_volume: number
  /** Swaps of the step */
  readonly trades: number
}

export type Status = {
  /** degraded: see reasons; boards stay at their last good version */
  readonly status: 'ok' | 'degraded'
  /** Why the service is degraded */
  readonly reasons: readonly string[]
  /** Logs of the chain that no endpoint gives: minutes from this block on wait for them, what is published is complete before it */
  readonly gap: {
    /** First block of the minutes that wait */
    readonly block_number: number
    /** What betrays that logs were left out */
    readonly missing: string
    /** Hosts that were asked for them */
    readonly endpoints: readonly string[]
    /** When they were first missed */
    readonly since: string
  } | null
  /** Id of the newest snapshot */
  readonly snapshot_id: string
  /** The moment that figures hold for */
  readonly as_of: string
  /** When this was written */
  readonly checked_at: string
  /** Age of the figures then */
  readonly age_seconds: number
  /** Last block of that minute */
  readonly block_number: number
  /** Its hash */
  readonly block_hash: string
  /** The chain that is followed */
  readonly chain: string | null
  /** Entry of the log of minutes */
  readonly log_position: number
  /** First minute of the log */
  readonly history_from: string
  /** Times that minutes were taken back and read again because an endpoint had left out logs of theirs */
  readonly corrections: number
  /** Documents of the snapshot */
  readonly documents_count: number
  /** Documents that failed; their last good version stays */
  readonly unpublished: readonly string[]
  /** Version of the methodology */
  readonly rules_version: number
  /** Version of the code that built the snapshot */
  readonly code_version: string | null
}

export type AccountUsage = {
  /** Id of the account that the key is of */
  readonly account: string
  /** Its tier */
  readonly tier: 'basic' | 'professional' | 'enterprise'
  /** Answers in one UTC hour, over all keys of the account */
  readonly limit: number
  /** Counted answers of this hour; those of the edge’s cache are counted some seconds later */
  readonly used: number
  /** Answers left */
  readonly remaining: number
  /** The hour’s end */
  readonly reset_at: string
}

export type SnapshotRow = {
  /** Names its manifest: /v1/snapshots/{id} */
  readonly snapshot_id: string
  /** The moment that its figures hold for */
  readonly as_of: string
  /** Last block of that minute */
  readonly block_number: number
  /** Its hash */
  readonly block_hash: string
  /** Entry of the log of minutes */
  readonly log_position: number
  /** Documents in it */
  readonly documents_count: number
  /** Documents that failed; they stayed at their last good version */
  readonly unpublished: readonly string[]
  /** Version of the methodology */
  readonly rules_version: number
  /** Version of the code that built it */
  readonly code_version: string | null
}

export type Manifest = {
  /** Id of the snapshot */
  readonly snapshot_id: string
  /** Entry of the log of minutes; a snapshot with a larger one is newer */
  readonly log_position: number
  /** The newest minute in it: Unix seconds / 60 */
  readonly minute: number
  /** The moment that its figures hold for */
  readonly as_of: string
  /** Last block of that minute */
  readonly block_number: number
  /** Its hash */
  readonly block_hash: string
  /** First minute of the log */
  readonly history_from: string
  /** Times that minutes were taken back because of logs left out */
  readonly corrections: number
  /** The chain that is followed */
  readonly chain: string | null
  /** Version of the methodology */
  readonly rules_version: number
  /** Version of the code that built it */
  readonly code_version: string | null
  /** What it is made of, by name: the path without the slash, and the values of its axes */
  readonly documents: Readonly<Record<string, ManifestDocument>>
  /** Documents that failed; their last good version stays */
  readonly unpublished: readonly string[]
}

export type ManifestDocument = {
  /** Of its bytes */
  readonly sha256: string
  /** Records in all: X-Total-Count */
  readonly total: number
  /** The snapshot that last changed its bytes */
  readonly snapshot_id: string
}

export type BoardRowWithoutChanges = {
  /** Place on the board or list; sorting never renumbers it */
  readonly rank: number
  /** Place in this answer, from 1 */
  readonly position: number
  /** creator or post */
  readonly type: 'creator' | 'post'
  /** Ticker symbol; untrusted on-chain text */
  readonly symbol: string
  /** Token name or post title; untrusted text */
  readonly name: string
  /** Symbol of the creator token, else a short address */
  readonly handle: string
  /** Symbol of the creator token, else a short address */
  readonly creator_handle: string
  /** Name of the creator token; null without one */
  readonly creator_name: string | null
  /** Payout recipient at creation */
  readonly creator_address: string
  /** Token contract */
  readonly contract_address: string
  /** Token contract */
  readonly token_address: string
  /** Primary Uniswap V4 pool */
  readonly pool_id: string
  /** Pool price in USD */
  readonly price_usd: number
  /** Price × total supply, USD */
  readonly market_cap: number
  /** Price × total supply, USD */
  readonly market_cap_raw: number
  /** Display text */
  readonly market_cap_formatted: string
  /** Of market_cap at most 25 × the least quote-side liquidity on its path to USD */
  readonly effective_market_cap: number | null
  /** market_cap is more than 25 × that liquidity: hardly anybody could sell at this price */
  readonly thin_liquidity: boolean | null
  /** Total supply less what the token contract itself still holds */
  readonly circulating_supply: number
  /** Price × circulating supply, USD */
  readonly circulating_market_cap: number
  /** Minted less burned, whole tokens */
  readonly total_supply: number
  /** Display text of portfolio_value_raw */
  readonly portfolio_value: string
  /** Counted caps of a creator’s token and posts, USD; on posts the market cap */
  readonly portfolio_value_raw: number
  /** Parts of a creator’s portfolio; null on posts */
  readonly portfolio: Portfolio | null
  /** Volume of the last 24 hours, USD */
  readonly volume_24h: number
  /** Volume of the last 24 hours, USD */
  readonly volume_24h_raw: number
  /** Display text */
  readonly volume_24h_formatted: string
  /** Volume since launch, USD */
  readonly total_volume: number
  /** Volume since launch, USD */
  readonly total_volume_raw: number
  /** Display text */
  readonly total_volume_formatted: string
  /** Volume of the period, USD */
  readonly volume_period: number
  /** Addresses with a balance */
  readonly unique_holders: number
  /** Addresses with a balance */
  readonly holders_count: number
  /** (wallet, UTC hour) pairs of the last 24 hours with a swap of at least $0.10 */
  readonly engagement: number
  /** Swaps of the last 24 hours */
  readonly trades_24h: number
  /** Swaps of the period */
  readonly trades_period: number
  /** Both sides of the hook’s ranges at the current price */
  readonly liquidity_usd: number | null
  /** Signed display text of change_24h_percent */
  readonly change_24h: string | null
  /** Price change over 24 hours, or since launch if that is later */
  readonly change_24h_percent: number | null
  /** Was not on this board at the period’s start */
  readonly is_new: boolean
  /** Rank on this board at the period’s start */
  readonly previous_rank: number | null
  /** Places gained since the period’s start */
  readonly rank_change: number | null
  /** What the board is ranked by: portfolio_value_raw of creators, engagement of posts */
  readonly score: number
  /** Time of the creation block */
  readonly created_at: string
  /** Start of the period */
  readonly period_start: string
  /** Where the figures come from */
  readonly data_source: 'onchain'
}

export type CreatorRowDisplay = {
  /** Place on the board or list; sorting never renumbers it */
  readonly rank: number
  /** Place in this answer, from 1 */
  readonly position: number
  /** creator or post */
  readonly type: 'creator' | 'post'
  /** Ticker symbol; untrusted on-chain text */
  readonly symbol: string
  /** Token name or post title; untrusted text */
  readonly name: string
  /** Symbol of the creator token, else a short address */
  readonly handle: string
  /** Symbol of the creator token, else a short address */
  readonly creator_handle: string
  /** Name of the creator token; null without one */
  readonly creator_name: string | null
  /** Payout recipient at creation */
  readonly creator_address: string
  /** Token contract */
  readonly contract_address: string
  /** Token contract */
  readonly token_address: string
  /** Primary Uniswap V4 pool */
  readonly pool_id: string
  /** Pool price in USD */
  readonly price_usd: number
  /** Price × total supply, USD */
  readonly market_cap: number
  /** Price × total supply, USD */
  readonly market_cap_raw: number
  /** Display text */
  readonly market_cap_formatted: string
  /** Of market_cap at most 25 × the least quote-side liquidity on its path to USD */
  readonly effective_market_cap: number | null
  /** market_cap is more than 25 × that liquidity: hardly anybody could sell at this price */
  readonly thin_liquidity: boolean | null
  /** Total supply less what the token contract itself still holds */
  readonly circulating_supply: number
  /** Price × circulating supply, USD */
  readonly circulating_market_cap: number
  /** Minted less burned, whole tokens */
  readonly total_supply: number
  /** Display text of portfolio_value_raw */
  readonly portfolio_value: string
  /** Counted caps of a creator’s token and posts, USD; on posts the market cap */
  readonly portfolio_value_raw: number
  /** Parts of a creator’s portfolio; null on posts */
  readonly portfolio: Portfolio | null
  /** Display text */
  readonly volume_24h: string
  /** Volume of the last 24 hours, USD */
  readonly volume_24h_raw: number
  /** Display text */
  readonly volume_24h_formatted: string
  /** Display text */
  readonly total_volume: string
  /** Volume since launch, USD */
  readonly total_volume_raw: number
  /** Display text */
  readonly total_volume_formatted: string
  /** Volume of the period, USD */
  readonly volume_period: number
  /** Addresses with a balance */
  readonly unique_holders: number
  /** Addresses with a balance */
  readonly holders_count: number
  /** (wallet, UTC hour) pairs of the last 24 hours with a swap of at least $0.10 */
  readonly engagement: number
  /** Swaps of the last 24 hours */
  readonly trades_24h: number
  /** Swaps of the period */
  readonly trades_period: number
  /** Both sides of the hook’s ranges at the current price */
  readonly liquidity_usd: number | null
  /** Signed display text of change_24h_percent */
  readonly change_24h: string | null
  /** Price change over 24 hours, or since launch if that is later */
  readonly change_24h_percent: number | null
  /** Was not on this board at the period’s start */
  readonly is_new: boolean
  /** Rank on this board at the period’s start */
  readonly previous_rank: number | null
  /** Places gained since the period’s start */
  readonly rank_change: number | null
  /** What the board is ranked by: portfolio_value_raw of creators, engagement of posts */
  readonly score: number
  /** Time of the creation block */
  readonly created_at: string
  /** Start of the period */
  readonly period_start: string
  /** Where the figures come from */
  readonly data_source: 'onchain'
  /** Price change over the period */
  readonly price_change_percent?: number | null
  /** The price rose */
  readonly price_is_up?: boolean | null
  /** Market cap change over the period */
  readonly market_cap_change_percent?: number | null
  /** Market cap now less at the start, USD */
  readonly market_cap_change_value?: number | null
  /** The market cap rose */
  readonly market_cap_is_up?: boolean | null
  /** 24 h volume now against 24 h volume as of the start */
  readonly volume_change_percent?: number | null
  /** The 24 h volume rose */
  readonly volume_is_up?: boolean | null
  /** Holders change over the period; null from 0 holders */
  readonly holders_change_percent?: number | null
  /** Holders now less at the start */
  readonly holders_change_value?: number | null
  /** The number of holders rose */
  readonly holders_is_up?: boolean | null
  /** USD price at the start */
  readonly historical_price?: number | null
  /** Market cap at the start, USD */
  readonly historical_market_cap?: number | null
  /** Volume of the 24 hours before the start, USD */
  readonly historical_volume?: number | null
  /** Holders at the start */
  readonly historical_holders?: number | null
  /** What is compared with: the start of the period, or the launch of a token younger than it */
  readonly historical_baseline?: 'launch' | 'period' | null
}

export type PostRowDisplay = {
  /** Place on the board or list; sorting never renumbers it */
  readonly rank: number
  /** Place in this answer, from 1 */
  readonly position: number
  /** creator or post */
  readonly type: 'creator' | 'post'
  /** Ticker symbol; untrusted on-chain text */
  readonly symbol: string
  /** Token name or post title; untrusted text */
  readonly name: string
  /** Symbol of the creator token, else a short address */
  readonly handle: string
  /** Symbol of the creator token, else a short address */
  readonly creator_handle: string
  /** Name of the creator token; null without one */
  readonly creator_name: string | null
  /** Payout recipient at creation */
  readonly creator_address: string
  /** Token contract */
  readonly contract_address: string
  /** Token contract */
  readonly token_address: string
  /** Primary Uniswap V4 pool */
  readonly pool_id: string
  /** Pool price in USD */
  readonly price_usd: number
  /** Display text */
  readonly market_cap: string
  /** Price × total supply, USD */
  readonly market_cap_raw: number
  /** Display text */
  readonly market_cap_formatted: string
  /** Of market_cap at most 25 × the least quote-side liquidity on its path to USD */
  readonly effective_market_cap: number | null
  /** market_cap is more than 25 × that liquidity: hardly anybody could sell at this price */
  readonly thin_liquidity: boolean | null
  /** Total supply less what the token contract itself still holds */
  readonly circulating_supply: number
  /** Price × circulating supply, USD */
  readonly circulating_market_cap: number
  /** Minted less burned, whole tokens */
  readonly total_supply: number
  /** Display text of portfolio_value_raw */
  readonly portfolio_value: string
  /** Counted caps of a creator’s token and posts, USD; on posts the market cap */
  readonly portfolio_value_raw: number
  /** Parts of a creator’s portfolio; null on posts */
  readonly portfolio: Portfolio | null
  /** Display text */
  readonly volume_24h: string
  /** Volume of the last 24 hours, USD */
  readonly volume_24h_raw: number
  /** Display text */
  readonly volume_24h_formatted: string
  /** Display text */
  readonly total_volume: string
  /** Volume since launch, USD */
  readonly total_volume_raw: number
  /** Display text */
  readonly total_volume_formatted: string
  /** Volume of the period, USD */
  readonly volume_period: number
  /** Addresses with a balance */
  readonly unique_holders: number
  /** Addresses with a balance */
  readonly holders_count: number
  /** (wallet, UTC hour) pairs of the last 24 hours with a swap of at least $0.10 */
  readonly engagement: number
  /** Swaps of the last 24 hours */
  readonly trades_24h: number
  /** Swaps of the period */
  readonly trades_period: number
  /** Both sides of the hook’s ranges at the current price */
  readonly liquidity_usd: number | null
  /** Signed display text of change_24h_percent */
  readonly change_24h: string | null
  /** Price change over 24 hours, or since launch if that is later */
  readonly change_24h_percent: number | null
  /** Was not on this board at the period’s start */
  readonly is_new: boolean
  /** Rank on this board at the period’s start */
  readonly previous_rank: number | null
  /** Places gained since the period’s start */
  readonly rank_change: number | null
  /** What the board is ranked by: portfolio_value_raw of creators, engagement of posts */
  readonly score: number
  /** Time of the creation block */
  readonly created_at: string
  /** Start of the period */
  readonly period_start: string
  /** Where the figures come from */
  readonly data_source: 'onchain'
  /** Price change over the period */
  readonly price_change_percent?: number | null
  /** The price rose */
  readonly price_is_up?: boolean | null
  /** Market cap change over the period */
  readonly market_cap_change_percent?: number | null
  /** Market cap now less at the start, USD */
  readonly market_cap_change_value?: number | null
  /** The market cap rose */
  readonly market_cap_is_up?: boolean | null
  /** 24 h volume now against 24 h volume as of the start */
  readonly volume_change_percent?: number | null
  /** The 24 h volume rose */
  readonly volume_is_up?: boolean | null
  /** Holders change over the period; null from 0 holders */
  readonly holders_change_percent?: number | null
  /** Holders now less at the start */
  readonly holders_change_value?: number | null
  /** The number of holders rose */
  readonly holders_is_up?: boolean | null
  /** USD price at the start */
  readonly historical_price?: number | null
  /** Market cap at the start, USD */
  readonly historical_market_cap?: number | null
  /** Volume of the 24 hours before the start, USD */
  readonly historical_volume?: number | null
  /** Holders at the start */
  readonly historical_holders?: number | null
  /** What is compared with: the start of the period, or the launch of a token younger than it */
  readonly historical_baseline?: 'launch' | 'period' | null
}

export type PageMeta = {
  /** Rows of the whole list: X-Total-Count */
  readonly total: number
  /** Number of this page, from 1 */
  readonly page: number
  /** Rows of a page: the limit */
  readonly per_page: number
}

/** Every operation, by path. */
export type Paths = {
  '/v1/z100/creators': {
    readonly asked: { readonly query?: { readonly timeframe?: '1h' | '4h' | '24h' | '7d'; readonly period?: '1h' | '4h' | '24h' | '7d'; readonly limit?: number; readonly offset?: number; readonly sort_by?: 'rank' | 'price' | 'market_cap' | 'total_volume' | 'volume' | 'holders' | 'price_change' | 'change' | 'market_cap_change' | 'volume_change' | 'holders_change' | 'value'; readonly sort?: 'rank' | 'price' | 'market_cap' | 'total_volume' | 'volume' | 'holders' | 'price_change' | 'change' | 'market_cap_change' | 'volume_change' | 'holders_change' | 'value'; readonly sort_order?: 'desc' | 'asc'; readonly order?: 'desc' | 'asc'; readonly snapshot?: string } }
    readonly answer: readonly BoardRow[]
  }
  '/v1/z100/posts': {
    readonly asked: { readonly query?: { readonly timeframe?: '1h' | '4h' | '24h' | '7d'; readonly period?: '1h' | '4h' | '24h' | '7d'; readonly limit?: number; readonly offset?: number; readonly sort_by?: 'rank' | 'price' | 'market_cap' | 'total_volume' | 'volume' | 'holders' | 'price_change' | 'change' | 'market_cap_change' | 'volume_change' | 'holders_change' | 'engagement'; readonly sort?: 'rank' | 'price' | 'market_cap' | 'total_volume' | 'volume' | 'holders' | 'price_change' | 'change' | 'market_cap_change' | 'volume_change' | 'holders_change' | 'engagement'; readonly sort_order?: 'desc' | 'asc'; readonly order?: 'desc' | 'asc'; readonly snapshot?: string } }
    readonly answer: readonly BoardRow[]
  }
  '/v1/z100/index': {
    readonly asked: { readonly query?: { readonly timeframe?: '1h' | '4h' | '24h' | '7d'; readonly period?: '1h' | '4h' | '24h' | '7d' } }
    readonly answer: Index
  }
  '/v1/z100/index/constituents': {
    readonly asked: Record<never, never>
    readonly answer: Constituents
  }
  '/v1/all': {
    readonly asked: { readonly query?: { readonly timeframe?: '1h' | '4h' | '24h' | '7d'; readonly period?: '1h' | '4h' | '24h' | '7d'; readonly snapshot?: string } }
    readonly answer: Boards
  }
  '/v1/market/trending': {
    readonly asked: { readonly query?: { readonly timeframe?: '1h' | '24h' | '7d' | '30d'; readonly period?: '1h' | '24h' | '7d' | '30d'; readonly sort_by?: 'volume' | 'market_cap' | 'change' | 'holders' | 'rank'; readonly sort?: 'volume' | 'market_cap' | 'change' | 'holders' | 'rank'; readonly limit?: number; readonly offset?: number; readonly sort_order?: 'desc' | 'asc'; readonly order?: 'desc' | 'asc'; readonly snapshot?: string } }
    readonly answer: readonly TrendingRow[]
  }
  '/v1/market/volume': {
    readonly asked: { readonly query?: { readonly timeframe?: '1h' | '4h' | '24h' | '7d'; readonly period?: '1h' | '4h' | '24h' | '7d' } }
    readonly answer: MarketVolume
  }
  '/v1/market/stats': {
    readonly asked: Record<never, never>
    readonly answer: MarketStats
  }
  '/v1/discover/rising': {
    readonly asked: { readonly query?: { readonly limit?: number; readonly offset?: number; readonly snapshot?: string } }
    readonly answer: readonly RisingRow[]
  }
  '/v1/discover/new-launches': {
    readonly asked: { readonly query?: { readonly limit?: number; readonly offset?: number; readonly snapshot?: string } }
    readonly answer: readonly LaunchRow[]
  }
  '/v1/status': {
    readonly asked: Record<never, never>
    readonly answer: Status
  }
  '/v1/tokens/{id}': {
    readonly asked: { readonly id: string }
    readonly answer: TokenDetail
  }
  '/v1/tokens/{id}/metrics': {
    readonly asked: { readonly id: string }
    readonly answer: TokenMetrics
  }
  '/v1/tokens/{id}/price-history': {
    readonly asked: { readonly id: string; readonly query?: { readonly timeframe?: '1h' | '4h' | '24h' | '7d'; readonly period?: '1h' | '4h' | '24h' | '7d'; readonly fill?: boolean } }
    readonly answer: readonly PriceStep[]
  }
  '/v1/tokens/{id}/holders': {
    readonly asked: { readonly id: string; readonly query?: { readonly limit?: number } }
    readonly answer: TokenHolders
  }
  '/v1/tokens/{id}/swaps': {
    readonly asked: { readonly id: string; readonly query?: { readonly limit?: number; readonly offset?: number; readonly type?: 'buy' | 'sell' | 'all'; readonly min_value?: number; readonly sort_order?: 'desc' | 'asc'; readonly order?: 'desc' | 'asc' } }
    readonly answer: readonly Swap[]
  }
  '/v1/market/recent-swaps': {
    readonly asked: { readonly query?: { readonly limit?: number; readonly offset?: number; readonly type?: 'buy' | 'sell' | 'all'; readonly min_value?: number; readonly sort_order?: 'desc' | 'asc'; readonly order?: 'desc' | 'asc'; readonly token?: string } }
    readonly answer: readonly Swap[]
  }
  '/v1/tokens': {
    readonly asked: { readonly query: { readonly field: 'symbol' | 'name' | 'address' | 'creator'; readonly value: string; readonly limit?: number; readonly offset?: number } }
    readonly answer: readonly TokenSummary[]
  }
  '/v1/z100/historical': {
    readonly asked: { readonly query?: { readonly from?: string; readonly to?: string; readonly interval?: 'hourly' | 'daily' | 'weekly' } }
    readonly answer: readonly IndexBar[]
  }
  '/v1/usage': {
    readonly asked: Record<never, never>
    readonly answer: AccountUsage
  }
  '/v1/snapshots': {
    readonly asked: { readonly query?: { readonly to?: string; readonly limit?: number; readonly offset?: number } }
    readonly answer: readonly SnapshotRow[]
  }
  '/v1/snapshots/{id}': {
    readonly asked: { readonly id: string }
    readonly answer: Manifest
  }
  '/v1/search': {
    readonly asked: { readonly query: { readonly q: string; readonly limit?: number; readonly offset?: number } }
    readonly answer: readonly FoundToken[]
  }
  '/v1/openapi.json': {
    readonly asked: Record<never, never>
    readonly answer: {
      /** Version of OpenAPI */
      readonly openapi: string
      /** What the API is */
      readonly info: Readonly<Record<string, unknown>>
      /** Its operations */
      readonly paths: Readonly<Record<string, unknown>>
    }
  }
  '/v1/llms.txt': {
    readonly asked: Record<never, never>
    readonly answer: string
  }
}
