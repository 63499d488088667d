"""Rows and operations of the z100 API. Generated from its OpenAPI document: do not edit."""

from __future__ import annotations

from typing import Any, Generic, Literal, NotRequired, TypedDict
from urllib.parse import quote

from .calls import Call, ListCall, Mode, Resource, Transport

#: The version of the API that this client was made for, and its own.
VERSION = "1.1.0"

class NameFlags(TypedDict):
    mixed_script: bool
    lookalike_of: str | None

class Match(TypedDict):
    field: Literal["symbol", "handle", "address", "name", "creator_address"]
    kind: Literal["exact", "prefix", "word", "contains"]

class TokenMetrics(TypedDict):
    token: TokenName
    metrics: TokenFigures
    last_updated: str

class TokenName(TypedDict):
    symbol: str
    name: str
    address: str

class HolderTypes(TypedDict):
    contract_holders: int | None
    eoa_holders: int | None
    scope: Literal["top100"]

PublishedHour = TypedDict(
    "PublishedHour",
    {"from": "str", "minutes": "int", "published": "int"},
)

UnpublishedSpan = TypedDict(
    "UnpublishedSpan",
    {"from": "str", "to": "str", "minutes": "int"},
)

class ManifestDocument(TypedDict):
    sha256: str
    total: int
    snapshot_id: str

class RisingParts(TypedDict):
    rank_volume_1h: float
    rank_volume_25h: float
    wallet_hours_1h: int
    change_1h: float | None

class IndexHours(TypedDict):
    hours: list[IndexHour]
    coverage_from: str | None
    timestamp: int
    last_updated: str

class BoardRecap(TypedDict):
    entered: list[RankMove]
    left: list[RankMove]
    rose: list[RankMove]
    fell: list[RankMove]

class TokenMigration(TypedDict):
    timestamp: int
    datetime: str
    block_number: int
    from_pool_id: str
    to_pool_id: str

class HolderStep(TypedDict):
    timestamp: int
    datetime: str
    holders_count: int | None
    top10_concentration: float | None
    partial: bool

class CreatorToken(TypedDict):
    contract_address: str
    symbol: str
    name: str
    creator_verified: bool | None
    created_at: str | None

class IndexRecap(TypedDict):
    open: float
    high: float
    low: float
    close: float
    change_percent: float | None

class ReferenceRate(TypedDict):
    address: str
    price_usd: float | None
    held: bool
    shallow: bool
    sources: list[RateSource]

class PageMeta(TypedDict):
    total: int
    page: int
    per_page: int
    capped: bool
    next: str | None

class Portfolio(TypedDict):
    token_market_cap: float
    token_counted: float
    posts_market_cap: float
    posts_counted: float
    posts_count: int
    coverage_from: str | None

class EarningsDay(TypedDict):
    date: str
    timestamp: int
    creator_earnings: float
    from_token: float
    from_posts: float
    partial: bool

class SwapSide(TypedDict):
    address: str
    symbol: str | None
    name: str | None
    decimals: int
    amount: float
    amount_raw: str

PublishedDay = TypedDict(
    "PublishedDay",
    {"from": "str", "to": "str", "minutes": "int", "published": "int", "hours": "list[PublishedHour]", "gaps": "list[UnpublishedSpan]"},
)

class RateSource(TypedDict):
    pool: str
    quote_address: str
    price_usd: float | None
    depth_usd: float
    last_swap_age_seconds: int | None
    votes: bool

class VolumeBucket(TypedDict):
    timestamp: int
    datetime: str
    volume_usd: float | None
    buy_volume: float | None
    sell_volume: float | None
    trades: int | None

class AccountUsage(TypedDict):
    account: str
    tier: Literal["basic", "professional", "enterprise"]
    limit: int
    used: int
    remaining: int
    reset_at: str

class Distribution(TypedDict):
    top10_concentration: float
    top25_concentration: float
    top50_concentration: float
    top100_concentration: float
    gini_coefficient: float
    whale_count: int
    whale_percentage: float

class Holder(TypedDict):
    rank: int
    address: str
    balance: float
    balance_raw: str
    percentage: float
    value_usd: float | None
    type: Literal["contract", "eoa"] | None
    label: Literal["creator"] | None

class Constituents(TypedDict):
    index_value: float
    divisor: str | None
    counted_usd: float
    constituents_count: int
    coverage_from: str | None
    timestamp: int
    as_of: str
    constituents: list[Constituent]

class Boards(TypedDict):
    period: Literal["1h", "4h", "24h", "7d"]
    timestamp: int
    last_updated: str
    total_creators: int
    total_posts: int
    index: Index
    creators: list[BoardRow]
    posts: list[BoardRow]

class BoardDay(TypedDict):
    date: str
    timestamp: int
    board: Literal["creators", "posts"]
    rank: int
    score: float | None
    price_usd: float | None
    market_cap: float | None
    partial: bool

class TokenHolders(TypedDict):
    token: TokenName
    total_holders: int | None
    distribution: Distribution | None
    distribution_adjusted: Distribution | None
    holder_types: HolderTypes
    holders: list[Holder]
    coverage_from: str | None
    data_source: Literal["onchain"]
    last_updated: str

class WalletHoldings(TypedDict):
    address: str
    tokens_count: int | None
    value_usd: float | None
    holdings: list[Holding]
    next_cursor: str | None
    creator_token: CreatorToken | None
    prices_as_of: str
    coverage_from: str | None
    last_updated: str

class CreatorEarnings(TypedDict):
    creator_earnings_24h: float | None
    creator_earnings_total: float | None
    from_token: float | None
    from_posts: float | None
    fees_to_platform: float | None
    fees_to_referrers: float | None
    fees_to_protocol: float | None
    coverage_from: str | None
    by_day: list[EarningsDay]

class IndexHour(TypedDict):
    timestamp: int
    date: str
    index_value: float
    close: float
    open: float
    high: float
    low: float
    change_percent: float | None
    partial: bool

class SnapshotRow(TypedDict):
    snapshot_id: str
    as_of: str
    block_number: int
    block_hash: str
    log_position: int
    documents_count: int
    unpublished: list[str]
    rules_version: int
    code_version: str | None

class Holding(TypedDict):
    position: int
    contract_address: str
    symbol: str
    name: str
    type: Literal["creator", "post"]
    balance: float
    balance_raw: str
    percentage: float
    value_usd: float | None
    thin_liquidity: bool | None

WeekRecap = TypedDict(
    "WeekRecap",
    {"week": "str", "from": "str", "to": "str", "from_snapshot_id": "str", "to_snapshot_id": "str", "partial": "bool", "index": "IndexRecap", "creators_board": "BoardRecap", "posts_board": "BoardRecap", "new_highs": "list[NewHigh] | None", "launches": "list[NewToken]"},
)

class NewToken(TypedDict):
    contract_address: str
    type: Literal["creator", "post"]
    symbol: str
    name: str
    creator_handle: str | None
    creator_address: str | None
    created_at: str
    volume: float | None
    price_usd: float | None
    market_cap: float | None
    change_7d: float | None

class CreatorPage(TypedDict):
    creator_address: str | None
    handle: str
    token: TokenSummary | None
    creator_tokens: list[CreatorToken]
    portfolio: Portfolio | None
    portfolio_as_of: str | None
    earnings: CreatorEarnings | None
    posts: list[TokenSummary]
    posts_total: int
    posts_offset: int
    posts_next_offset: int | None
    last_updated: str

class NewHigh(TypedDict):
    contract_address: str
    type: Literal["creator", "post"]
    symbol: str
    name: str
    creator_handle: str | None
    creator_address: str | None
    rank: int
    all_time_high: float
    previous_all_time_high: float
    price_usd: float | None
    market_cap: float | None
    change_7d: float | None

class Constituent(TypedDict):
    rank: int
    type: Literal["creator", "post"]
    symbol: str
    name: str
    creator_handle: str | None
    contract_address: str
    token_address: str
    quantity: str
    price_usd: float | None
    counted_usd: float
    weight_percent: float
    contribution_24h: float | None
    since: str

class RankMove(TypedDict):
    contract_address: str
    type: Literal["creator", "post"]
    symbol: str
    name: str
    creator_handle: str | None
    creator_address: str | None
    rank: int | None
    previous_rank: int | None
    rank_change: int | None
    score: float | None
    price_usd: float | None
    market_cap: float | None
    change_7d: float | None

class Trader(TypedDict):
    rank: int
    position: int
    trader: str
    volume: float
    buy_volume: float
    sell_volume: float
    net_volume_usd: float
    trades: int
    buys: int
    sells: int
    last_trade_at: str
    balance: float | None
    balance_raw: str | None
    percentage: float | None

class Manifest(TypedDict):
    snapshot_id: str
    log_position: int
    log_switches: int
    minute: int
    as_of: str
    block_number: int
    block_hash: str
    history_from: str
    corrections: int
    chain: str | None
    rules_version: int
    code_version: str | None
    documents: dict[str, ManifestDocument]
    unpublished: list[str]

class TokenTraders(TypedDict):
    contract_address: str
    period: str
    period_start: str
    period_end: str
    is_whole_period: bool
    trades: int
    buy_volume: float
    sell_volume: float
    buyers: int
    sellers: int
    traders: list[Trader]
    traders_total: int
    traders_offset: int
    traders_next_offset: int | None
    last_updated: str

class IndexBar(TypedDict):
    timestamp: int
    date: str
    index_value: float
    close: float
    open: float
    high: float
    low: float
    change_percent: float | None
    total_volume: float
    total_trades: int
    creator_volume: float
    post_volume: float
    active_creators: int
    active_posts: int
    partial: bool

class TokenFigures(TypedDict):
    price_usd: float | None
    market_cap: float | None
    total_supply: float
    circulating_supply: float
    circulating_market_cap: float | None
    holders_count: int | None
    volume_24h: float | None
    total_volume: float | None
    trades_24h: int | None
    price_change_24h: float | None
    liquidity_usd: float | None
    all_time_high: float | None
    ath_at: str | None
    all_time_low: float | None
    atl_at: str | None
    coverage_from: str | None

class PriceStep(TypedDict):
    timestamp: int
    datetime: str
    price_usd: float | None
    price: float | None
    close: float | None
    open: float | None
    high: float | None
    low: float | None
    volume_usd: float | None
    trades: int | None
    market_cap: float | None
    filled: bool | None
    partial: bool
    buys: int | None
    buy_volume: float | None
    volume_quote: float | None

class Candle(PriceStep):
    pass

class Index(TypedDict):
    period: Literal["1h", "4h", "24h", "7d"]
    index_value: float
    total_volume: float | None
    total_trades: int | None
    creator_volume: float | None
    post_volume: float | None
    active_creators: int | None
    active_posts: int | None
    top_creators: list[str]
    top_posts: list[str]
    timestamp: int
    index_change_percent: float | None
    index_value_start: float | None
    divisor: str | None
    constituents_count: int
    coverage_from: str | None
    as_of: str

class MarketVolume(TypedDict):
    period: Literal["1h", "4h", "24h", "7d"]
    total_volume: float | None
    volume_usd: float | None
    creator_volume: float | None
    post_volume: float | None
    buy_volume: float | None
    sell_volume: float | None
    total_trades: int | None
    total_buys: int | None
    total_sells: int | None
    previous_volume: float | None
    volume_change_percent: float | None
    bucket_seconds: int
    buckets: list[VolumeBucket]
    coverage_from: str | None
    timestamp: int
    last_updated: str

class Status(TypedDict):
    status: Literal["ok", "degraded"]
    reasons: list[str]
    gap: dict[str, Any] | None
    refold: dict[str, Any] | None
    references: list[ReferenceRate] | None
    snapshot_id: str
    as_of: str
    checked_at: str
    age_seconds: int
    rebuild_every_seconds: int
    block_number: int
    block_hash: str
    chain: str | None
    log_position: int
    history_from: str
    corrections: int
    documents_count: int
    unpublished: list[str]
    rules_version: int
    code_version: str | None

class Swap(TypedDict):
    transaction_hash: str
    tx_hash: str
    block_number: int
    block_hash: str
    log_index: int
    cursor: str
    timestamp: int
    timestamp_ms: int | None
    datetime: str
    pool_id: str
    pool_address: str
    token_symbol: str
    token_address: str
    is_buy: bool
    type: Literal["buy", "sell"]
    from_address: str | None
    to_address: str | None
    trader: str
    amount_in: float
    amount_out: float
    amount: float
    price_per_token: float | None
    volume_usd: float
    usd_value: float
    token_in: SwapSide
    token_out: SwapSide
    confirmed: bool

class MarketStats(TypedDict):
    total_market_cap: float
    total_market_cap_plain: float
    creator_market_cap: float
    post_market_cap: float
    total_volume_24h: float | None
    buy_volume_24h: float | None
    sell_volume_24h: float | None
    volume_change_24h: float | None
    total_trades_24h: int | None
    buys_24h: int | None
    sells_24h: int | None
    bucket_seconds: int
    buckets: list[VolumeBucket]
    total_tokens: int
    total_creators: int
    total_posts: int
    active_tokens_24h: int | None
    new_tokens_24h: int | None
    total_holders: int | None
    total_liquidity_usd: float
    references: list[ReferenceRate]
    index_value: float
    index_change_24h: float | None
    top_gainer: TrendingRow | None
    top_volume: TrendingRow | None
    coverage_from: str | None
    timestamp: int
    last_updated: str

class TokenSummary(TypedDict):
    rank: int
    position: int
    symbol: str
    name: str
    contract_address: str
    token_address: str
    type: Literal["creator", "post"]
    price_usd: float | None
    market_cap: float | None
    effective_market_cap: float | None
    effective_market_cap_formatted: str
    thin_liquidity: bool | None
    volume_24h: float | None
    holders_count: int | None
    unique_holders: int | None
    change_24h: float | None
    change_24h_percent: float | None
    change_7d: float | None
    creator_handle: str | None
    symbol_since: str | None
    creator_name: str | None
    quoted_in: dict[str, Any] | None
    name_flags: NameFlags
    creator_address: str | None
    creator_verified: bool | None
    launched_by: str | None
    trades_24h: int | None
    liquidity_usd: float | None
    pool_id: str
    created_at: str | None
    coverage_from: str | None
    total_volume: float | None
    creator_earnings_24h: float | None
    creator_earnings_total: float | None
    z100_board: Literal["creators", "posts"] | None
    z100_rank: int | None

class FoundToken(TokenSummary):
    match: Match

class TrendingRow(TypedDict):
    rank: int
    position: int
    symbol: str
    name: str
    contract_address: str
    token_address: str
    type: Literal["creator", "post"]
    price_usd: float | None
    market_cap: float | None
    effective_market_cap: float | None
    effective_market_cap_formatted: str
    thin_liquidity: bool | None
    volume_24h: float | None
    holders_count: int | None
    unique_holders: int | None
    change_24h: float | None
    change_24h_percent: float | None
    change_7d: float | None
    creator_handle: str | None
    symbol_since: str | None
    creator_name: str | None
    quoted_in: dict[str, Any] | None
    name_flags: NameFlags
    creator_address: str | None
    creator_verified: bool | None
    launched_by: str | None
    trades_24h: int | None
    liquidity_usd: float | None
    pool_id: str
    created_at: str | None
    coverage_from: str | None
    total_volume: float | None
    creator_earnings_24h: float | None
    creator_earnings_total: float | None
    volume: float | None
    rank_volume: float | None
    change: float | None
    trade_count: int | None

class RisingRow(TokenSummary):
    rising_score: float
    components: RisingParts

class ScreenerRow(TokenSummary):
    rank_volume_24h: float | None
    age_seconds: int | None

class LaunchRow(TokenSummary):
    age_seconds: int
    launch_block: int
    launch_transaction_hash: str
    launch_price_usd: float | None
    change_since_launch: float | None
    trades: int
    buyers: int
    volume: float | None
    cursor: str

class TokenDetail(TypedDict):
    symbol: str
    name: str
    contract_address: str
    token_address: str
    type: Literal["creator", "post"]
    price_usd: float | None
    market_cap: float | None
    effective_market_cap: float | None
    effective_market_cap_formatted: str
    thin_liquidity: bool | None
    volume_24h: float | None
    holders_count: int | None
    unique_holders: int | None
    change_24h: float | None
    change_24h_percent: float | None
    change_7d: float | None
    creator_handle: str | None
    symbol_since: str | None
    creator_name: str | None
    quoted_in: dict[str, Any] | None
    name_flags: NameFlags
    creator_address: str | None
    creator_verified: bool | None
    launched_by: str | None
    trades_24h: int | None
    liquidity_usd: float | None
    pool_id: str
    created_at: str | None
    coverage_from: str | None
    total_volume: float | None
    creator_earnings_24h: float | None
    creator_earnings_total: float | None
    fees_to_creator: float | None
    fees_to_platform: float | None
    fees_to_referrers: float | None
    fees_to_protocol: float | None
    total_supply: float
    circulating_supply: float
    circulating_market_cap: float | None
    uri: str | None
    migrations: list[TokenMigration]
    data_source: Literal["onchain"]
    last_updated: str
    name_flags_as_of: str | None
    metrics: NotRequired[TokenFigures]
    swaps: NotRequired[list[Swap]]
    holders: NotRequired[list[Holder]]
    price_history: NotRequired[list[PriceStep]]

class BoardRowWithoutChanges(TypedDict):
    rank: int
    position: int
    type: Literal["creator", "post"]
    symbol: str
    name: str
    handle: str | None
    creator_handle: str | None
    symbol_since: str | None
    creator_name: str | None
    quoted_in: dict[str, Any] | None
    name_flags: NameFlags
    creator_address: str | None
    creator_verified: bool | None
    launched_by: str | None
    contract_address: str
    token_address: str
    pool_id: str
    price_usd: float
    market_cap: float
    market_cap_raw: float
    market_cap_formatted: str
    effective_market_cap: float | None
    effective_market_cap_formatted: str
    thin_liquidity: bool | None
    circulating_supply: float
    circulating_market_cap: float
    total_supply: float
    portfolio_value: str
    portfolio_value_raw: float
    portfolio: Portfolio | None
    volume_24h: float | None
    volume_24h_raw: float | None
    volume_24h_formatted: str
    total_volume: float | None
    total_volume_raw: float | None
    total_volume_formatted: str
    volume_period: float | None
    unique_holders: int | None
    holders_count: int | None
    engagement: int | None
    sparkline_24h: list[int | None] | None
    creator_earnings_24h: float | None
    creator_earnings_total: float | None
    trades_24h: int | None
    trades_period: int | None
    liquidity_usd: float | None
    change_24h: str | None
    change_24h_percent: float | None
    change_1h: float | None
    change_7d: float | None
    is_new: bool | None
    previous_rank: int | None
    rank_change: int | None
    score: float | None
    created_at: str | None
    coverage_from: str | None
    period_start: str
    data_source: Literal["onchain"]

class BoardRow(BoardRowWithoutChanges):
    price_change_percent: float | None
    price_is_up: bool | None
    market_cap_change_percent: float | None
    market_cap_change_value: float | None
    market_cap_is_up: bool | None
    volume_change_percent: float | None
    volume_is_up: bool | None
    holders_change_percent: float | None
    holders_change_value: int | None
    holders_is_up: bool | None
    historical_price: float | None
    historical_market_cap: float | None
    historical_volume: float | None
    historical_holders: int | None
    historical_baseline: Literal["launch", "period"] | None

class CreatorRowDisplay(TypedDict):
    rank: int
    position: int
    type: Literal["creator", "post"]
    symbol: str
    name: str
    handle: str | None
    creator_handle: str | None
    symbol_since: str | None
    creator_name: str | None
    quoted_in: dict[str, Any] | None
    name_flags: NameFlags
    creator_address: str | None
    creator_verified: bool | None
    launched_by: str | None
    contract_address: str
    token_address: str
    pool_id: str
    price_usd: float
    market_cap: float
    market_cap_raw: float
    market_cap_formatted: str
    effective_market_cap: float | None
    effective_market_cap_formatted: str
    thin_liquidity: bool | None
    circulating_supply: float
    circulating_market_cap: float
    total_supply: float
    portfolio_value: str
    portfolio_value_raw: float
    portfolio: Portfolio | None
    volume_24h: str
    volume_24h_raw: float | None
    volume_24h_formatted: str
    total_volume: str
    total_volume_raw: float | None
    total_volume_formatted: str
    volume_period: float | None
    unique_holders: int | None
    holders_count: int | None
    engagement: int | None
    sparkline_24h: list[int | None] | None
    creator_earnings_24h: float | None
    creator_earnings_total: float | None
    trades_24h: int | None
    trades_period: int | None
    liquidity_usd: float | None
    change_24h: str | None
    change_24h_percent: float | None
    change_1h: float | None
    change_7d: float | None
    is_new: bool | None
    previous_rank: int | None
    rank_change: int | None
    score: float | None
    created_at: str | None
    coverage_from: str | None
    period_start: str
    data_source: Literal["onchain"]
    price_change_percent: NotRequired[float | None]
    price_is_up: NotRequired[bool | None]
    market_cap_change_percent: NotRequired[float | None]
    market_cap_change_value: NotRequired[float | None]
    market_cap_is_up: NotRequired[bool | None]
    volume_change_percent: NotRequired[float | None]
    volume_is_up: NotRequired[bool | None]
    holders_change_percent: NotRequired[float | None]
    holders_change_value: NotRequired[int | None]
    holders_is_up: NotRequired[bool | None]
    historical_price: NotRequired[float | None]
    historical_market_cap: NotRequired[float | None]
    historical_volume: NotRequired[float | None]
    historical_holders: NotRequired[int | None]
    historical_baseline: NotRequired[Literal["launch", "period"] | None]

class PostRowDisplay(TypedDict):
    rank: int
    position: int
    type: Literal["creator", "post"]
    symbol: str
    name: str
    handle: str | None
    creator_handle: str | None
    symbol_since: str | None
    creator_name: str | None
    quoted_in: dict[str, Any] | None
    name_flags: NameFlags
    creator_address: str | None
    creator_verified: bool | None
    launched_by: str | None
    contract_address: str
    token_address: str
    pool_id: str
    price_usd: float
    market_cap: str
    market_cap_raw: float
    market_cap_formatted: str
    effective_market_cap: float | None
    effective_market_cap_formatted: str
    thin_liquidity: bool | None
    circulating_supply: float
    circulating_market_cap: float
    total_supply: float
    portfolio_value: str
    portfolio_value_raw: float
    portfolio: Portfolio | None
    volume_24h: str
    volume_24h_raw: float | None
    volume_24h_formatted: str
    total_volume: str
    total_volume_raw: float | None
    total_volume_formatted: str
    volume_period: float | None
    unique_holders: int | None
    holders_count: int | None
    engagement: int | None
    sparkline_24h: list[int | None] | None
    creator_earnings_24h: float | None
    creator_earnings_total: float | None
    trades_24h: int | None
    trades_period: int | None
    liquidity_usd: float | None
    change_24h: str | None
    change_24h_percent: float | None
    change_1h: float | None
    change_7d: float | None
    is_new: bool | None
    previous_rank: int | None
    rank_change: int | None
    score: float | None
    created_at: str | None
    coverage_from: str | None
    period_start: str
    data_source: Literal["onchain"]
    price_change_percent: NotRequired[float | None]
    price_is_up: NotRequired[bool | None]
    market_cap_change_percent: NotRequired[float | None]
    market_cap_change_value: NotRequired[float | None]
    market_cap_is_up: NotRequired[bool | None]
    volume_change_percent: NotRequired[float | None]
    volume_is_up: NotRequired[bool | None]
    holders_change_percent: NotRequired[float | None]
    holders_change_value: NotRequired[int | None]
    holders_is_up: NotRequired[bool | None]
    historical_price: NotRequired[float | None]
    historical_market_cap: NotRequired[float | None]
    historical_volume: NotRequired[float | None]
    historical_holders: NotRequired[int | None]
    historical_baseline: NotRequired[Literal["launch", "period"] | None]


class BoardsResource(Resource[Mode]):
    def creators(self, *, period: Literal["1h", "4h", "24h", "7d"] | None = None, limit: int | None = None, offset: int | None = None, sort: Literal["rank", "price", "market_cap", "total_volume", "volume", "holders", "earnings", "change_1h", "change_7d", "price_change", "change", "market_cap_change", "volume_change", "holders_change", "value"] | None = None, order: Literal["desc", "asc"] | None = None, snapshot: str | None = None, as_of: str | None = None) -> ListCall[BoardRow, Mode]:
        """The 100 creators of the board, with their changes over a period"""
        return self._call("/v1/z100/creators", {"period": period, "limit": limit, "offset": offset, "sort": sort, "order": order, "snapshot": snapshot, "as_of": as_of})  # type: ignore[no-any-return]

    def posts(self, *, period: Literal["1h", "4h", "24h", "7d"] | None = None, limit: int | None = None, offset: int | None = None, sort: Literal["rank", "price", "market_cap", "total_volume", "volume", "holders", "earnings", "change_1h", "change_7d", "price_change", "change", "market_cap_change", "volume_change", "holders_change", "engagement"] | None = None, order: Literal["desc", "asc"] | None = None, snapshot: str | None = None, as_of: str | None = None) -> ListCall[BoardRow, Mode]:
        """The 100 posts of the board, with their changes over a period"""
        return self._call("/v1/z100/posts", {"period": period, "limit": limit, "offset": offset, "sort": sort, "order": order, "snapshot": snapshot, "as_of": as_of})  # type: ignore[no-any-return]

    def all(self, *, period: Literal["1h", "4h", "24h", "7d"] | None = None, snapshot: str | None = None, as_of: str | None = None) -> Call[Boards, Mode]:
        """Both boards and the index in one response"""
        return self._call("/v1/all", {"period": period, "snapshot": snapshot, "as_of": as_of})  # type: ignore[no-any-return]

    def history(self, id: str, *, days: int | None = None) -> ListCall[BoardDay, Mode]:
        """Rank and score of a token by UTC day, on each day that it was on its board, oldest first"""
        return self._call("/v1/z100/history/{id}".replace("{id}", _quoted(id)), {"days": days})  # type: ignore[no-any-return]

    def recap(self, *, week: str | None = None) -> Call[WeekRecap, Mode]:
        """What a week has changed on both boards and the index, made each Monday"""
        return self._call("/v1/z100/recap", {"week": week})  # type: ignore[no-any-return]


class IndexResource(Resource[Mode]):
    def current(self, *, period: Literal["1h", "4h", "24h", "7d"] | None = None, as_of: str | None = None) -> Call[Index, Mode]:
        """The Z100 Index with the trading activity of both boards"""
        return self._call("/v1/z100/index", {"period": period, "as_of": as_of})  # type: ignore[no-any-return]

    def hours(self) -> Call[IndexHours, Mode]:
        """The Z100 Index of the last seven days, hour by hour"""
        return self._call("/v1/z100/index/hours", {})  # type: ignore[no-any-return]

    def constituents(self, *, as_of: str | None = None) -> Call[Constituents, Mode]:
        """All members of the Z100 Index, heaviest first, with their quantities and weights"""
        return self._call("/v1/z100/index/constituents", {"as_of": as_of})  # type: ignore[no-any-return]

    def historical(self, *, from_: str | None = None, to: str | None = None, interval: Literal["hourly", "daily", "weekly", "1h", "1d", "1w"] | None = None, limit: int | None = None, before: str | None = None) -> ListCall[IndexBar, Mode]:
        """The Z100 Index in equal steps of UTC time, oldest first"""
        return self._call("/v1/z100/historical", {"from": from_, "to": to, "interval": interval, "limit": limit, "before": before})  # type: ignore[no-any-return]


class MarketResource(Resource[Mode]):
    def trending(self, *, period: Literal["1h", "24h", "7d", "30d"] | None = None, sort: Literal["volume", "rank_volume", "market_cap", "change", "holders", "rank"] | None = None, limit: int | None = None, offset: int | None = None, order: Literal["desc", "asc"] | None = None, snapshot: str | None = None, as_of: str | None = None) -> ListCall[TrendingRow, Mode]:
        """The top 100 tokens traded in a timeframe"""
        return self._call("/v1/market/trending", {"period": period, "sort": sort, "limit": limit, "offset": offset, "order": order, "snapshot": snapshot, "as_of": as_of})  # type: ignore[no-any-return]

    def volume(self, *, period: Literal["1h", "4h", "24h", "7d"] | None = None) -> Call[MarketVolume, Mode]:
        """Market-wide volume in equal steps, with the previous period’s total"""
        return self._call("/v1/market/volume", {"period": period})  # type: ignore[no-any-return]

    def stats(self, *, as_of: str | None = None) -> Call[MarketStats, Mode]:
        """Market-wide statistics"""
        return self._call("/v1/market/stats", {"as_of": as_of})  # type: ignore[no-any-return]

    def recent_swaps(self, *, limit: int | None = None, offset: int | None = None, type: Literal["buy", "sell", "all"] | None = None, min_value: float | None = None, token: str | None = None, order: Literal["desc", "asc"] | None = None, before: str | None = None) -> ListCall[Swap, Mode]:
        """Recent swaps of all tokens: the last 10,000 within 24 hours"""
        return self._call("/v1/market/recent-swaps", {"limit": limit, "offset": offset, "type": type, "min_value": min_value, "token": token, "order": order, "before": before})  # type: ignore[no-any-return]


class DiscoverResource(Resource[Mode]):
    def rising(self, *, limit: int | None = None, offset: int | None = None, snapshot: str | None = None) -> ListCall[RisingRow, Mode]:
        """Tokens that attracted unusually high net buying in the last hour, compared with the day before"""
        return self._call("/v1/discover/rising", {"limit": limit, "offset": offset, "snapshot": snapshot})  # type: ignore[no-any-return]

    def new_launches(self, *, limit: int | None = None, offset: int | None = None, snapshot: str | None = None, cursor: str | None = None, kind: Literal["all", "creator", "post"] | None = None, min_trades: int | None = None, min_buyers: int | None = None, min_volume: float | None = None) -> ListCall[LaunchRow, Mode]:
        """Tokens created in the last 7 days, newest first"""
        return self._call("/v1/discover/new-launches", {"limit": limit, "offset": offset, "snapshot": snapshot, "cursor": cursor, "kind": kind, "min_trades": min_trades, "min_buyers": min_buyers, "min_volume": min_volume})  # type: ignore[no-any-return]


class TokensResource(Resource[Mode]):
    def list(self, *, field: Literal["symbol", "name", "address", "creator"] | None = None, value: str | None = None, addresses: str | None = None, cursor: str | None = None, order: Literal["desc", "asc"] | None = None, limit: int | None = None, offset: int | None = None) -> ListCall[TokenSummary, Mode]:
        """Tokens: all that were ever launched; or by symbol, name, address or creator, those on a board first, then the oldest; or those at some addresses, in their order"""
        return self._call("/v1/tokens", {"field": field, "value": value, "addresses": addresses, "cursor": cursor, "order": order, "limit": limit, "offset": offset})  # type: ignore[no-any-return]

    def screener(self, *, limit: int | None = None, offset: int | None = None, kind: Literal["all", "creator", "post"] | None = None, thin_liquidity: Literal["all", "true", "false"] | None = None, min_market_cap: float | None = None, max_market_cap: float | None = None, min_liquidity: float | None = None, max_liquidity: float | None = None, min_volume_24h: float | None = None, max_volume_24h: float | None = None, min_trades_24h: float | None = None, max_trades_24h: float | None = None, min_holders: float | None = None, max_holders: float | None = None, min_age: float | None = None, max_age: float | None = None, min_change_24h: float | None = None, max_change_24h: float | None = None, sort: Literal["rank", "market_cap", "liquidity", "volume_24h", "trades_24h", "holders", "age", "change_24h", "rank_volume"] | None = None, order: Literal["desc", "asc"] | None = None, snapshot: str | None = None) -> ListCall[ScreenerRow, Mode]:
        """Every token traded in the last 24 hours, filtered and ordered: the 20,000 with the largest rank volume; X-Left-Out says how many more have traded"""
        return self._call("/v1/tokens/screener", {"limit": limit, "offset": offset, "kind": kind, "thin_liquidity": thin_liquidity, "min_market_cap": min_market_cap, "max_market_cap": max_market_cap, "min_liquidity": min_liquidity, "max_liquidity": max_liquidity, "min_volume_24h": min_volume_24h, "max_volume_24h": max_volume_24h, "min_trades_24h": min_trades_24h, "max_trades_24h": max_trades_24h, "min_holders": min_holders, "max_holders": max_holders, "min_age": min_age, "max_age": max_age, "min_change_24h": min_change_24h, "max_change_24h": max_change_24h, "sort": sort, "order": order, "snapshot": snapshot})  # type: ignore[no-any-return]

    def search(self, *, q: str, limit: int | None = None, offset: int | None = None) -> ListCall[FoundToken, Mode]:
        """Tokens on either board that match a text, best match first"""
        return self._call("/v1/search", {"q": q, "limit": limit, "offset": offset})  # type: ignore[no-any-return]

    def get(self, id: str, *, include: str | None = None) -> Call[TokenDetail, Mode]:
        """One token, with all that a page about it shows if it is included"""
        return self._call("/v1/tokens/{id}".replace("{id}", _quoted(id)), {"include": include})  # type: ignore[no-any-return]

    def metrics(self, id: str) -> Call[TokenMetrics, Mode]:
        """Figures of one token"""
        return self._call("/v1/tokens/{id}/metrics".replace("{id}", _quoted(id)), {})  # type: ignore[no-any-return]

    def candles(self, id: str, *, interval: Literal["1m", "5m", "15m", "1h", "4h", "1d", "1w"] | None = None, limit: int | None = None, before: str | None = None, from_: str | None = None, to: str | None = None, fill: Literal["last", "none"] | None = None, currency: Literal["usd", "quote"] | None = None) -> ListCall[Candle, Mode]:
        """Candles of a token on a grid of UTC time, oldest first: the newest, or those before a time. 1m, 5m and 15m are kept for 8 days, 1h and 4h for 90 days, 1d and 1w for ever"""
        return self._call("/v1/tokens/{id}/candles".replace("{id}", _quoted(id)), {"interval": interval, "limit": limit, "before": before, "from": from_, "to": to, "fill": fill, "currency": currency})  # type: ignore[no-any-return]

    def price_history(self, id: str, *, period: Literal["1h", "4h", "24h", "7d"] | None = None, fill: bool | None = None) -> ListCall[PriceStep, Mode]:
        """Price history of a token in equal steps of UTC time"""
        return self._call("/v1/tokens/{id}/price-history".replace("{id}", _quoted(id)), {"period": period, "fill": fill})  # type: ignore[no-any-return]

    def holders(self, id: str, *, limit: int | None = None) -> Call[TokenHolders, Mode]:
        """The largest holders of a token and its supply distribution"""
        return self._call("/v1/tokens/{id}/holders".replace("{id}", _quoted(id)), {"limit": limit})  # type: ignore[no-any-return]

    def holder_history(self, id: str, *, interval: Literal["1h", "1d"] | None = None) -> ListCall[HolderStep, Mode]:
        """Holders of a token over time: 168 hours or 60 days, oldest first"""
        return self._call("/v1/tokens/{id}/holders/history".replace("{id}", _quoted(id)), {"interval": interval})  # type: ignore[no-any-return]

    def traders(self, id: str, *, period: Literal["1h", "4h", "24h", "7d"] | None = None, sort: Literal["volume", "buy_volume", "sell_volume", "net", "trades", "buys", "sells"] | None = None, order: Literal["desc", "asc"] | None = None, limit: int | None = None, offset: int | None = None) -> Call[TokenTraders, Mode]:
        """Who traded a token in a period, up to the minute: what each bought and sold, exactly as the swaps say"""
        return self._call("/v1/tokens/{id}/traders".replace("{id}", _quoted(id)), {"period": period, "sort": sort, "order": order, "limit": limit, "offset": offset})  # type: ignore[no-any-return]

    def swaps(self, id: str, *, limit: int | None = None, offset: int | None = None, type: Literal["buy", "sell", "all"] | None = None, min_value: float | None = None, order: Literal["desc", "asc"] | None = None, before: str | None = None) -> ListCall[Swap, Mode]:
        """Swaps of one token: the last 500 before a time within the last 8 days"""
        return self._call("/v1/tokens/{id}/swaps".replace("{id}", _quoted(id)), {"limit": limit, "offset": offset, "type": type, "min_value": min_value, "order": order, "before": before})  # type: ignore[no-any-return]


class CreatorsResource(Resource[Mode]):
    def get(self, id: str, *, days: int | None = None, limit: int | None = None, offset: int | None = None, order: Literal["desc", "asc"] | None = None) -> Call[CreatorPage, Mode]:
        """A creator: token, posts, portfolio and earnings"""
        return self._call("/v1/creators/{id}".replace("{id}", _quoted(id)), {"days": days, "limit": limit, "offset": offset, "order": order})  # type: ignore[no-any-return]


class WalletsResource(Resource[Mode]):
    def get(self, id: str, *, limit: int | None = None, cursor: str | None = None) -> Call[WalletHoldings, Mode]:
        """What a wallet holds: its tokens, largest value first"""
        return self._call("/v1/wallets/{id}".replace("{id}", _quoted(id)), {"limit": limit, "cursor": cursor})  # type: ignore[no-any-return]

    def swaps(self, id: str, *, limit: int | None = None, type: Literal["buy", "sell", "all"] | None = None, min_value: float | None = None, token: str | None = None, before: str | None = None) -> ListCall[Swap, Mode]:
        """Swaps of a wallet in the last 90 days, newest first"""
        return self._call("/v1/wallets/{id}/swaps".replace("{id}", _quoted(id)), {"limit": limit, "type": type, "min_value": min_value, "token": token, "before": before})  # type: ignore[no-any-return]


class SnapshotsResource(Resource[Mode]):
    def list(self, *, to: str | None = None, limit: int | None = None, offset: int | None = None) -> ListCall[SnapshotRow, Mode]:
        """Published snapshots, newest first: the last 1,000 up to a time"""
        return self._call("/v1/snapshots", {"to": to, "limit": limit, "offset": offset})  # type: ignore[no-any-return]

    def get(self, id: str) -> Call[Manifest, Mode]:
        """A snapshot’s manifest: its documents and their digests, kept for 90 days"""
        return self._call("/v1/snapshots/{id}".replace("{id}", _quoted(id)), {})  # type: ignore[no-any-return]


class ServiceResource(Resource[Mode]):
    def status(self) -> Call[Status, Mode]:
        """The latest snapshot and the health of the service"""
        return self._call("/v1/status", {})  # type: ignore[no-any-return]

    def status_day(self) -> Call[PublishedDay, Mode]:
        """The last 24 hours: which minutes were published, hour by hour, and which were not"""
        return self._call("/v1/status/day", {})  # type: ignore[no-any-return]

    def usage(self) -> Call[AccountUsage, Mode]:
        """Your account’s requests in this hour; this call is not counted"""
        return self._call("/v1/usage", {})  # type: ignore[no-any-return]


class Resources(Generic[Mode]):
    """Every operation that answers JSON, by resource and method."""

    def __init__(self, transport: Transport) -> None:
        self.boards = BoardsResource[Mode](transport)
        self.index = IndexResource[Mode](transport)
        self.market = MarketResource[Mode](transport)
        self.discover = DiscoverResource[Mode](transport)
        self.tokens = TokensResource[Mode](transport)
        self.creators = CreatorsResource[Mode](transport)
        self.wallets = WalletsResource[Mode](transport)
        self.snapshots = SnapshotsResource[Mode](transport)
        self.service = ServiceResource[Mode](transport)


def _quoted(value: str) -> str:
    return quote(value, safe="")
