// bench/rebuild-once.ts
import { randomUUID } from "node:crypto";
import { readFile as readFile2 } from "node:fs/promises";
import { join as join2 } from "node:path";
import { isDeepStrictEqual } from "node:util";

// market/rules.ts
var RULES_VERSION = 3;
var FOLD_VERSION = 5;
var TOKEN_DECIMALS = 18;
var QUOTE_POOLS_MAX = 2;
var CAP_PER_LIQUIDITY = 25n;
var ENGAGEMENT_MIN_MICRO_USD = 100000n;
var BOARD_SIZE = 100;
var RISING_OFFSET_MICRO_USD = 50000000n;
var RISING_MIN_WALLET_HOURS = 3;
var NEW_LAUNCH_DAYS = 7;
var SCREENER_SIZE = 2e4;
var DISCOVER_SIZE = 50;
var LIQUIDITY_MIN_MICRO_USD = 100000000n;
var FIRST_HOUR_MINUTES = 60;
var INDEX_BASE = 1000n;
var INDEX_START_MEMBERS = 20;
var INDEX_SEATS = 100;
var INDEX_SEATS_EACH = 3;
var INDEX_ROOT_PERCENT = 10n;
var INDEX_RANK_IN = 90;
var INDEX_RANK_STAY = 110;
var INDEX_REVIEW_HOUR = 0;
var INDEX_CLOSES = 24;
var INDEX_CAP_MIN_MICRO_USD = 2500000000n;
var INDEX_AGE_MINUTES = 1440;
var INDEX_TRADED_DAYS = 7;
var INDEX_TOP = 10;
var COUNTED_HOLDERS_MAX = 25e4;

// market/powers.ts
var FIRST = 96;
var powers = Array.from({ length: FIRST }, (_, at) => 10n ** BigInt(at));
var tenTo = (exponent) => powers[exponent] ?? 10n ** BigInt(exponent);

// market/display.ts
function divideHalfAway(numerator, denominator) {
  if (numerator < 0n) return -divideHalfAway(-numerator, denominator);
  return (2n * numerator + denominator) / (2n * denominator);
}
function divideHalfEven(numerator, denominator) {
  if (numerator < 0n) return -divideHalfEven(-numerator, denominator);
  const quotient = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  if (twice === denominator) return quotient + quotient % 2n;
  return twice > denominator ? quotient + 1n : quotient;
}
var PRICE_SCALE = 36;
var PRICE_DIGITS = 12;
var UNKNOWN = "N/A";
function decimalText(value, scale, places2) {
  const rounded = scale > places2 ? divideHalfAway(value, tenTo(scale - places2)) : value * tenTo(places2 - scale);
  return withoutTrailingZeros(fixedText(rounded, places2));
}
var significantText = (valueE36) => withoutTrailingZeros(fixedText(publishedPrice(valueE36), PRICE_SCALE));
function publishedPrice(valueE36) {
  const excess = absolute(valueE36).toString().length - PRICE_DIGITS;
  const unit = tenTo(Math.max(excess, 0));
  return divideHalfEven(valueE36, unit) * unit;
}
function changeE2(base, now) {
  return base === 0n ? null : divideHalfAway((now - base) * 10000n, base);
}
var steps = [
  { limit: 1n, unit: 1000000n, places: 4, kept: 2, suffix: "" },
  { limit: 1000n, unit: 1000000n, places: 2, kept: 2, suffix: "" },
  { limit: 1000n, unit: 10n ** 9n, places: 1, kept: 1, suffix: "K" },
  { limit: 1000n, unit: 10n ** 12n, places: 1, kept: 1, suffix: "M" },
  { limit: 1000n, unit: 10n ** 15n, places: 1, kept: 1, suffix: "B" }
];
var lastStep = { unit: 10n ** 18n, places: 1, kept: 1, suffix: "T" };
var SMALLEST_MICRO_USD = 100n;
function formatUsd(microUsd) {
  if (microUsd === null) return UNKNOWN;
  if (microUsd === 0n) return "$0";
  const size = absolute(microUsd);
  const minus = microUsd < 0n ? "-" : "";
  if (size < SMALLEST_MICRO_USD) return `${minus ? ">" : "<"}${minus}$0.0001`;
  const roundedTo = ({ places: places2, unit }) => divideHalfAway(size * tenTo(places2), unit);
  const step3 = steps.find((each) => roundedTo(each) < each.limit * tenTo(each.places)) ?? lastStep;
  const text5 = fixedText(roundedTo(step3), step3.places);
  return `${minus}$${withoutTrailingZeros(text5, step3.kept)}${step3.suffix}`;
}
var LARGEST_PERCENT_E2 = 99999990n;
function formatPercent(percentE2) {
  if (percentE2 === null) return UNKNOWN;
  const size = absolute(percentE2);
  const isLarge = size > LARGEST_PERCENT_E2;
  const tenths = divideHalfAway(isLarge ? LARGEST_PERCENT_E2 : size, 10n);
  const isNegative = percentE2 < 0n;
  const sign = tenths === 0n ? "" : isNegative ? "-" : "+";
  const bound2 = isLarge ? isNegative ? "<" : ">" : "";
  return `${bound2}${sign}${fixedText(tenths, 1)}%`;
}
function fixedText(value, places2) {
  const minus = value < 0n ? "-" : "";
  const digits = absolute(value).toString().padStart(places2 + 1, "0");
  const point = digits.length - places2;
  return places2 === 0 ? minus + digits : `${minus}${digits.slice(0, point)}.${digits.slice(point)}`;
}
function withoutTrailingZeros(text5, kept2 = 0) {
  const point = text5.indexOf(".");
  if (point < 0) return text5;
  let end = text5.length;
  while (end > point + 1 + kept2 && text5[end - 1] === "0") end -= 1;
  return text5.slice(0, end === point + 1 ? point : end);
}
var absolute = (value) => value < 0n ? -value : value;

// market/window.ts
var hourOfMinute = (minute) => Math.floor(minute / 60);
var windows = {
  now: { minutes: 0, dayBefore: "24h" },
  "1h": { minutes: 60, dayBefore: "25h", stepMinutes: 1, isTimeframe: true },
  "4h": { minutes: 240, dayBefore: "28h", stepMinutes: 5 },
  "24h": { minutes: 1440, dayBefore: "48h", stepMinutes: 15, isTimeframe: true },
  "25h": { minutes: 1500 },
  "28h": { minutes: 1680 },
  "48h": { minutes: 2880 },
  "7d": { minutes: 10080, dayBefore: "8d", stepMinutes: 60, isTimeframe: true },
  "8d": { minutes: 11520 },
  "30d": { minutes: 43200, isTimeframe: true }
};
var windowNames = Object.keys(windows);
var namesWith = (field2) => windowNames.filter((name) => field2 in windows[name]);
var periods = namesWith("stepMinutes");
var boardTimes = namesWith("dayBefore");
var timeframes = namesWith("isTimeframe");
var LONGEST_WINDOW_MINUTES = Math.max(...windowNames.map((name) => windows[name].minutes));
var LONGEST_PERIOD_MINUTES = Math.max(...periods.map((name) => windows[name].minutes));
var stepsOf = (period2) => windows[period2].minutes / windows[period2].stepMinutes;
var byName = (names2, make) => Object.fromEntries(names2.map((name) => [name, make(name)]));
var asOf = (minute) => (minute + 1) * 60;
function countUpTo(line2, last) {
  let low = 0;
  let high = line2.length;
  while (low < high) {
    const middle = low + high >> 1;
    const { minute = last } = line2[middle] ?? {};
    if (minute <= last) low = middle + 1;
    else high = middle;
  }
  return low;
}
function dropBefore(line2, minute) {
  line2.splice(0, Math.max(0, countUpTo(line2, minute) - 1));
}
var startOf = (minute, name) => asOf(minute) - windows[name].minutes * 60;
function changeOf(base, now) {
  if (base === null || now === null) return { percentE2: null, value: null, isUp: null };
  return { percentE2: changeE2(base, now), value: now - base, isUp: now > base };
}

// market/authorship.ts
var isVerified = ({ creator, launchedBy }) => launchedBy === null ? null : launchedBy === creator;
var verifiedCreator = (token2) => isVerified(token2) ? token2.creator : null;
var partyOf = ({ address: address5, launchedBy }) => launchedBy ?? address5;

// market/launch-order.ts
function byLaunch(a, b) {
  return a.launchedAt.blockNumber - b.launchedAt.blockNumber || a.launchedAt.logIndex - b.launchedAt.logIndex || (a.address < b.address ? -1 : a.address > b.address ? 1 : 0);
}

// market/pool.ts
var Q96 = 1n << 96n;
var Q192 = 1n << 192n;
var WHOLE_TOKEN = tenTo(TOKEN_DECIMALS);
var E36_PER_MICRO = 30;
function priceUsdE36(pool, quoteUsdE36) {
  const { sqrtPriceX96, isCurrency0, quoteDecimals } = pool;
  if (sqrtPriceX96 === 0n) return 0n;
  const price3 = sqrtPriceX96 * sqrtPriceX96;
  if (quoteDecimals === TOKEN_DECIMALS)
    return isCurrency0 ? price3 * quoteUsdE36 >> 192n : (quoteUsdE36 << 192n) / price3;
  const [quotes, tokens] = isCurrency0 ? [price3, Q192] : [Q192, price3];
  return quotes * WHOLE_TOKEN * quoteUsdE36 / (tokens * tenTo(quoteDecimals));
}
function marketCapMicroUsd(priceUsdE362, supply) {
  return microUsdOf(supply, priceUsdE362, TOKEN_DECIMALS);
}
function inQuote(amount3, { sqrtPriceX96, isCurrency0 }) {
  if (sqrtPriceX96 === 0n) return 0n;
  const price3 = sqrtPriceX96 * sqrtPriceX96;
  return isCurrency0 ? amount3 * price3 / Q192 : amount3 * Q192 / price3;
}
function counted(cap, reserveQuote) {
  const bound2 = CAP_PER_LIQUIDITY * reserveQuote;
  return bound2 < cap ? bound2 : cap;
}
function microUsdOf(amount3, usdE36, decimals) {
  return amount3 * usdE36 / tenTo(decimals + E36_PER_MICRO);
}

// market/fold/post-owners.ts
function partsOf(owner, { oldestCreatorToken, posts }) {
  const isOwn = ({ quote }) => quote === owner;
  const rest = { oldestCreatorToken, posts: posts.filter((sums) => !isOwn(sums)) };
  return { own: posts.find(isOwn), rest };
}
var noPosts = { oldestCreatorToken: null, posts: [] };
function contributionOf({ isCurrency0 }, { supply, sqrtPriceX96, reserveQuote }) {
  const plain2 = inQuote(supply, { sqrtPriceX96, isCurrency0 });
  return { counted: counted(plain2, reserveQuote), plain: plain2 };
}
function sharesOf(token2, state, posts) {
  const pool = { sqrtPriceX96: state.sqrtPriceX96, isCurrency0: token2.isCurrency0 };
  const own = contributionOf(token2, state);
  const all4 = counted(own.plain + inQuote(posts?.counted ?? 0n, pool), state.reserveQuote);
  return {
    creatorCounted: own.counted,
    creatorPlain: own.plain,
    postCounted: all4 - own.counted,
    postPlain: inQuote(posts?.plain ?? 0n, pool)
  };
}
function ownerOf(post, { tokenOf, references: references2 }) {
  const quote = tokenOf(post.quote);
  if (quote?.kind === "creator" && byLaunch(quote, post) < 0) return { owner: post.quote, quote: post.quote };
  const owner = verifiedCreator(post);
  return owner && { owner, quote: references2.has(post.quote) ? post.quote : null };
}
var sortedSums = (sums) => sums.toSorted((a, b) => a.quote === null ? 1 : b.quote === null ? -1 : a.quote < b.quote ? -1 : 1);

// market/route.ts
function routeFrom(first, steps2) {
  const pools = [];
  let token2 = first;
  while (token2 !== void 0 && pools.length < QUOTE_POOLS_MAX) {
    const pool = steps2.poolOf(token2);
    pools.push(pool);
    const reference = steps2.references.get(pool.quote);
    if (reference) return { pools, rate: { usdE36: reference.heldUsdE36, decimals: reference.decimals } };
    token2 = steps2.tokenOf(pool.quote);
  }
  return { pools, rate: null };
}
function quoteAlong({ pools, rate }, of = 0) {
  return pools.slice(of + 1).reduceRight(
    (quote, pool) => ({ usdE36: priceIn(pool, quote), decimals: TOKEN_DECIMALS }),
    rate ?? { usdE36: 0n, decimals: TOKEN_DECIMALS }
  );
}
var priceIn = ({ sqrtPriceX96, isCurrency0 }, { usdE36, decimals }) => priceUsdE36({ sqrtPriceX96, isCurrency0, quoteDecimals: decimals }, usdE36);
function priceAlong(route) {
  const [own] = route.pools;
  return own ? priceIn(own, quoteAlong(route)) : 0n;
}
function pathLiquidityAlong(route) {
  return route.pools.map(({ reserveQuote }, at) => {
    const { usdE36, decimals } = quoteAlong(route, at);
    return microUsdOf(reserveQuote, usdE36, decimals);
  }).reduce(least);
}
var least = (a, b) => a < b ? a : b;
var noWorth = {
  priceUsdE36: 0n,
  marketCap: 0n,
  pathLiquidity: 0n,
  effectiveCap: 0n,
  liquidity: 0n
};
function worthAlong(route, { supply, reserveQuote, reserveToken }) {
  const price3 = priceAlong(route);
  if (price3 === 0n) return noWorth;
  const quote = quoteAlong(route);
  const marketCap = marketCapMicroUsd(price3, supply);
  const pathLiquidity = pathLiquidityAlong(route);
  return {
    priceUsdE36: price3,
    marketCap,
    pathLiquidity,
    effectiveCap: counted(marketCap, pathLiquidity),
    liquidity: microUsdOf(reserveQuote, quote.usdE36, quote.decimals) + microUsdOf(reserveToken, price3, TOKEN_DECIMALS)
  };
}
function figuresOfWorth({ priceUsdE36: priceUsdE362, marketCap, effectiveCap, liquidity: liquidity2 }) {
  const isPriced = priceUsdE362 > 0n;
  return {
    priceUsdE36: isPriced ? priceUsdE362 : null,
    marketCap: isPriced ? marketCap : null,
    effectiveMarketCap: isPriced ? effectiveCap : null,
    liquidity: isPriced ? liquidity2 : null
  };
}
var isYounger = ({ launchedAt }, start) => launchedAt.timestamp >= start;
var basePriceOf = (token2, start, priceThen) => isYounger(token2, start) ? token2.launch.priceUsdE36 : priceThen() || null;

// market/segment.ts
var stateFields = {
  /** Price of the token's current pool after its last price-setting log; 0 before the first. */
  sqrtPriceX96: "u256",
  cumVolumeMicroUsd: "u128",
  cumBuyVolumeMicroUsd: "u128",
  /** Growth of the largest |net position| of each (wallet, UTC hour). */
  cumRankVolumeMicroUsd: "u128",
  /**
   * Fees paid to the creator: of the token's own trades and, to a creator token's creator, of the posts that belong to
   * it.
   */
  cumEarnedMicroUsd: "u128",
  /** Part of it: of posts. */
  cumPostsEarnedMicroUsd: "u128",
  /** Fees of the token's own trades that went to others: the platform, whoever sent the trader, the protocol. */
  cumPlatformFeesMicroUsd: "u128",
  cumReferrerFeesMicroUsd: "u128",
  cumProtocolFeesMicroUsd: "u128",
  cumTrades: "u32",
  cumBuys: "u32",
  /** (wallet, UTC hour) pairs that count as engagement. */
  cumEngagement: "u32",
  /** Last minute with a swap of the token; 0: none yet. */
  lastSwapMinute: "u32",
  holders: "u32",
  /** Minted less burned. */
  supply: "u256",
  /** Part of the supply that the token contract itself holds (vesting). */
  selfHeld: "u256",
  /** Reserves of the hook's ranges at the current price, in base units of quote and token. */
  reserveQuote: "u256",
  reserveToken: "u256",
  /** Highest and lowest close (USD × 1e36) of minutes in which the token's own pool price was set; 0: none yet. */
  athUsdE36: "u256",
  atlUsdE36: "u256",
  /** Minutes of these closes, the first of equal ones; 0: none yet. */
  athMinute: "u32",
  atlMinute: "u32",
  /**
   * Part of the supply that the PoolManager holds, in pools of anyone. An omitted trade shows in it at the token's next
   * trade.
   */
  pooled: "u256"
};
var stateNames = Object.keys(stateFields);
var emptyState = Object.fromEntries(
  stateNames.map((name) => [name, stateFields[name] === "u32" ? 0 : 0n])
);

// market/board/market-at.ts
var {
  athUsdE36: _high,
  atlUsdE36: _low,
  athMinute: _highMinute,
  atlMinute: _lowMinute,
  pooled: _pooled,
  cumPostsEarnedMicroUsd: _postsEarned,
  cumPlatformFeesMicroUsd: _platformFees,
  cumReferrerFeesMicroUsd: _referrerFees,
  cumProtocolFeesMicroUsd: _protocolFees,
  ...listed
} = stateFields;
var marketFields = listed;
var amountSince = (field2, now, then) => (number) => now.read(field2, number) - then.read(field2, number);
var countSince = (field2, now, then) => (number) => now.read(field2, number) - then.read(field2, number);
function creatorAddressAt(market, number) {
  const tokenOf = (address5) => {
    const quote2 = market.numberOf(address5);
    return quote2 === void 0 ? void 0 : market.tokenOf(quote2);
  };
  const owned = ownerOf(market.tokenOf(number), { tokenOf, references: market.references });
  if (!owned) return null;
  const { owner, quote } = owned;
  return owner === quote ? owner : market.ownerOf(owner).oldestCreatorToken;
}
function creatorNumberOf(market, number) {
  if (market.tokenOf(number).kind === "creator") return number;
  const address5 = creatorAddressAt(market, number);
  return address5 === null ? void 0 : market.numberOf(address5);
}
function pathOf(market, number) {
  const path = [];
  let next = number;
  while (next !== void 0 && path.length < QUOTE_POOLS_MAX) {
    path.push(next);
    const { quote } = market.tokenOf(next);
    next = market.references.has(quote) ? void 0 : market.numberOf(quote);
  }
  return path;
}
var routeAt = (market, number) => routeFrom(number, {
  references: market.references,
  tokenOf: market.numberOf,
  poolOf: (number2) => {
    const { quote, isCurrency0 } = market.tokenOf(number2);
    const sqrtPriceX96 = market.read("sqrtPriceX96", number2);
    return { quote, isCurrency0, sqrtPriceX96, reserveQuote: market.read("reserveQuote", number2) };
  }
});
var quoteAt = (market, number) => quoteAlong(routeAt(market, number));
var priceAt = (market, number) => priceAlong(routeAt(market, number));
var worthAt = (market, number) => worthAlong(routeAt(market, number), {
  supply: market.read("supply", number),
  reserveQuote: market.read("reserveQuote", number),
  reserveToken: market.read("reserveToken", number)
});
var pathLiquidityAt = (market, number) => pathLiquidityAlong(routeAt(market, number));
function countedAt(market, number, quantity) {
  const route = routeAt(market, number);
  return counted(marketCapMicroUsd(priceAlong(route), quantity), pathLiquidityAlong(route));
}

// market/board/portfolio.ts
function postsOf(market, number) {
  const token2 = market.tokenOf(number);
  const { address: address5 } = token2;
  const creator = verifiedCreator(token2);
  const { oldestCreatorToken, posts } = creator ? market.ownerOf(creator) : noPosts;
  return {
    inToken: partsOf(address5, market.ownerOf(address5)).own,
    // A creator's address may itself be a creator token, whose posts are then its own.
    byAddress: oldestCreatorToken === address5 ? posts.filter(({ quote }) => quote !== creator) : []
  };
}
function portfolioAt(market, number) {
  const token2 = market.tokenOf(number);
  const [sqrtPriceX96, supply] = [market.read("sqrtPriceX96", number), market.read("supply", number)];
  return portfolioFrom({
    token: token2,
    state: { sqrtPriceX96, supply, reserveQuote: market.read("reserveQuote", number) },
    posts: postsOf(market, number),
    quote: quoteAt(market, number),
    rateOf: (currency2) => {
      const rate = market.references.get(currency2);
      return rate && { usdE36: rate.heldUsdE36, decimals: rate.decimals };
    },
    tokenMarketCap: worthAt(market, number).marketCap
  });
}
function portfolioFrom({
  token: token2,
  state,
  posts,
  quote: ofQuote,
  rateOf,
  tokenMarketCap
}) {
  const { inToken, byAddress } = posts;
  const shares = sharesOf(token2, state, inToken);
  const usdOfSums = (of, inOwnQuote) => {
    const sums = /* @__PURE__ */ new Map([[token2.quote, inOwnQuote]]);
    for (const posts2 of byAddress) {
      if (posts2.quote) sums.set(posts2.quote, (sums.get(posts2.quote) ?? 0n) + posts2[of]);
    }
    return [...sums].reduce((total, [quote, sum2]) => {
      const { usdE36, decimals } = rateOf(quote) ?? ofQuote;
      return total + microUsdOf(sum2, usdE36, decimals);
    }, 0n);
  };
  const tokenCounted = microUsdOf(shares.creatorCounted, ofQuote.usdE36, ofQuote.decimals);
  return {
    tokenMarketCap,
    tokenCounted,
    postsMarketCap: usdOfSums("plain", shares.postPlain),
    postsCounted: usdOfSums("counted", shares.creatorCounted + shares.postCounted) - tokenCounted,
    postsCount: byAddress.reduce((count4, posts2) => count4 + posts2.count, inToken?.count ?? 0)
  };
}
var countedOf = ({ tokenCounted, postsCounted }) => tokenCounted + postsCounted;

// market/memoized.ts
function memoized(make) {
  const known2 = /* @__PURE__ */ new Map();
  return (key) => {
    const value = known2.get(key);
    if (value !== void 0) return value;
    const made = make(key);
    known2.set(key, made);
    return made;
  };
}
function memoizedBy(make) {
  const known2 = /* @__PURE__ */ new WeakMap();
  return (key) => {
    const made = known2.get(key) ?? make(key);
    known2.set(key, made);
    return made;
  };
}

// market/board/ranking.ts
var wholeKey = ({ about, exactly }) => ({
  about,
  exactly: (number) => whole(exactly(number)),
  isWhole: true
});
var whole = (over) => ({ over: BigInt(over), under: 1n });
var SAFE = 2 ** 53;
var MARGIN = 2 ** -30;
var ranked = (contenders, tokenOf, keys, size = BOARD_SIZE) => rankedNumbers(contenders, tokenOf, { keys, size }).map((number) => ({
  number,
  token: tokenOf(number),
  keys
}));
function rankedNumbers(contenders, tokenOf, { keys, size }) {
  const compare = comparing(keys);
  return [...shortlisted(contenders, keys, size)].sort((a, b) => compare(a, b) || byLaunch(tokenOf(a), tokenOf(b))).slice(0, size);
}
function shortlisted(contenders, keys, size) {
  const [key, ...others] = keys;
  if (!key || contenders.length <= size) return contenders;
  const { about } = key;
  const last = nthLargest(about, contenders, size);
  if (key.isWhole && last < SAFE) {
    const sure = contenders.filter((number) => about[number] > last);
    const tied = contenders.filter((number) => about[number] === last);
    return [...sure, ...shortlisted(tied, others, size - sure.length)];
  }
  const least2 = last - Math.abs(last) * MARGIN - (key.floored ?? 0);
  return contenders.filter((number) => about[number] >= least2);
}
function isAtLeast(value, bound2, exactly) {
  if (value * (1 - MARGIN) - 1 > bound2) return true;
  return value * (1 + MARGIN) + 1 < bound2 ? false : exactly();
}
var isAbove = (value, bound2, exactly) => Math.abs(value - bound2) > bound2 * MARGIN ? value > bound2 : exactly();
function changeAbout(base, now) {
  const ratio2 = now / base;
  const size = Math.abs(ratio2 - 1) * 1e4 + 0.5;
  const error = ratio2 * 1e4 * MARGIN;
  const rounded = Math.floor(size - error);
  if (rounded !== Math.floor(size + error) || rounded >= SAFE) return null;
  return ratio2 < 1 ? -rounded : rounded;
}
function comparing(keys) {
  const orders2 = keys.map(({ about, exactly, isWhole }) => {
    const scoreOf = memoized(exactly);
    return (a, b) => {
      const [left, right] = [about[a], about[b]];
      if (isWhole && left < SAFE && right < SAFE) return right - left;
      return byScore(scoreOf(a), scoreOf(b));
    };
  });
  return (a, b) => {
    for (const order of orders2) {
      const found2 = order(a, b);
      if (found2 !== 0) return found2;
    }
    return 0;
  };
}
function byScore(a, b) {
  if (!a || !b) return Number(!a) - Number(!b);
  const [left, right] = [a.over * b.under, b.over * a.under];
  return left > right ? -1 : left < right ? 1 : 0;
}
function nthLargest(about, contenders, n) {
  const gathered = new Float64Array(4 * n);
  let count4 = 0;
  let least2 = Number.NEGATIVE_INFINITY;
  const settle = () => {
    gathered.subarray(0, count4).sort().reverse();
    count4 = Math.min(count4, n);
    if (count4 === n) least2 = gathered[n - 1];
  };
  for (let at = 0; at < contenders.length; at++) {
    const score2 = about[contenders[at]];
    if (score2 <= least2) continue;
    gathered[count4++] = score2;
    if (count4 === gathered.length) settle();
  }
  settle();
  return least2;
}

// market/board/board.ts
var tieKeys = (valuation) => [
  wholeKey(valuation.volume24h),
  marketCapKey(valuation)
];
var marketCapKey = ({ approximation, worthOf: worthOf2 }) => ({
  about: approximation.marketCap,
  exactly: (number) => whole(worthOf2(number).marketCap),
  floored: 1
});
var boardScore = {
  creator: ({ portfolioOf }, number) => {
    const portfolio = portfolioOf(number);
    return portfolio ? countedOf(portfolio) : 0n;
  },
  post: ({ engagement24h }, number) => BigInt(engagement24h.exactly(number))
};
var boardKeys = {
  creator: (valuation) => ({
    about: valuation.approximation.counted,
    exactly: (number) => whole(boardScore.creator(valuation, number)),
    // One currency for each.
    floored: 8
  }),
  post: ({ engagement24h }) => wholeKey(engagement24h)
};
function boardTokens({ market, approximation: { lastSwap } }, minute) {
  const numbers = { creator: [], post: [] };
  const { isCreator } = market.coins();
  for (let number = 0; number < market.count; number++) {
    if (lastSwap[number] > minute - LONGEST_WINDOW_MINUTES) {
      numbers[isCreator[number] === 1 ? "creator" : "post"].push(number);
    }
  }
  return numbers;
}
var mayHaveSwap = ({ market, approximation: { lastSwap } }, number) => lastSwap[number] === 0 && market.coins().isImported[number] === 1;
function boardsAt(valuation, numbers, isFullest = false) {
  const { market, approximation } = valuation;
  const { price: price3, lastSwap } = approximation;
  const hasSwap = (number) => lastSwap[number] !== 0 || isFullest && mayHaveSwap(valuation, number);
  const boardOf = (kind) => {
    const contenders = numbers[kind].filter((number) => price3[number] !== 0 && hasSwap(number));
    return ranked(contenders, market.tokenOf, [boardKeys[kind](valuation), ...tieKeys(valuation)]);
  };
  return { creator: boardOf("creator"), post: boardOf("post") };
}

// market/character-table.ts
var rangesFrom = (text5) => text5.split(" ").map((range) => {
  const [first = "", last = first] = range.split("-");
  return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
});
var unseen = rangesFrom(
  "0-1f 7f-9f ad 34f 600-605 61c 6dd 70f 890-891 8e2 115f-1160 17b4-17b5 180b-180f 200b-200f 2028-202e 2060-206f 3164 fe00-fe0f feff ffa0 fff0-fffb 110bd 110cd 13430-1343f 1bca0-1bca3 1d173-1d17a e0000-e0fff"
);
var pictographs = rangesFrom(
  "a9 ae 203c 2049 2122 2139 2194-2199 21a9-21aa 231a-231b 2328 23cf 23e9-23f3 23f8-23fa 24c2 25aa-25ab 25b6 25c0 25fb-25fe 2600-2604 260e 2611 2614-2615 2618 261d 2620 2622-2623 2626 262a 262e-262f 2638-263a 2640 2642 2648-2653 265f-2660 2663 2665-2666 2668 267b 267e-267f 2692-2697 2699 269b-269c 26a0-26a1 26a7 26aa-26ab 26b0-26b1 26bd-26be 26c4-26c5 26c8 26ce-26cf 26d1 26d3-26d4 26e9-26ea 26f0-26f5 26f7-26fa 26fd 2702 2705 2708-270d 270f 2712 2714 2716 271d 2721 2728 2733-2734 2744 2747 274c 274e 2753-2755 2757 2763-2764 2795-2797 27a1 27b0 27bf 2934-2935 2b05-2b07 2b1b-2b1c 2b50 2b55 3030 303d 3297 3299 1f004 1f02c-1f02f 1f094-1f09f 1f0af-1f0b0 1f0c0 1f0cf-1f0d0 1f0f6-1f0ff 1f170-1f171 1f17e-1f17f 1f18e 1f191-1f19a 1f1ae-1f1e5 1f201-1f20f 1f21a 1f22f 1f232-1f23a 1f23c-1f23f 1f249-1f25f 1f266-1f321 1f324-1f393 1f396-1f397 1f399-1f39b 1f39e-1f3f0 1f3f3-1f3f5 1f3f7-1f4fd 1f4ff-1f53d 1f549-1f54e 1f550-1f567 1f56f-1f570 1f573-1f57a 1f587 1f58a-1f58d 1f590 1f595-1f596 1f5a4-1f5a5 1f5a8 1f5b1-1f5b2 1f5bc 1f5c2-1f5c4 1f5d1-1f5d3 1f5dc-1f5de 1f5e1 1f5e3 1f5e8 1f5ef 1f5f3 1f5fa-1f64f 1f680-1f6c5 1f6cb-1f6d2 1f6d5-1f6e5 1f6e9 1f6eb-1f6f0 1f6f3-1f6ff 1f7da-1f7ff 1f80c-1f80f 1f848-1f84f 1f85a-1f85f 1f888-1f88f 1f8ae-1f8af 1f8bc-1f8bf 1f8c2-1f8cf 1f8d9-1f8ff 1f90c-1f93a 1f93c-1f945 1f947-1f9ff 1fa58-1fa5f 1fa6e-1faff 1fc00-1fffd"
);
var unlettered = rangesFrom(
  "20-2f 3a-40 5b-60 7b-a9 ab-b1 b4 b6-b8 bb bf d7 f7 2c2-2c5 2d2-2df 2e5-2eb 2ed 2ef-36f 375 37e 384-385 387 3f6 482-489 55a-55f 589-5c7 5f3-61f 64b-65f 66a-66d 670 6d4 6d6-6e4 6e7-6ed 6fd-6fe 700-70d 711 730-74a 7a6-7b0 7eb-7f3 7f6-7f9 7fd-7ff 816-819 81b-823 825-827 829-83e 859-85e 888 897-89f 8ca-903 93a-93c 93e-94f 951-957 962-965 970 981-983 9bc 9be-9cd 9d7 9e2-9e3 9f2-9f3 9fa-9fb 9fd-a03 a3c-a51 a70-a71 a75-a83 abc abe-acd ae2-ae3 af0-af1 afa-b03 b3c b3e-b57 b62-b63 b70 b82 bbe-bcd bd7 bf3-c04 c3c c3e-c56 c62-c63 c77 c7f c81-c84 cbc cbe-cd6 ce2-ce3 cf3-d03 d3b-d3c d3e-d4d d4f d57 d62-d63 d79 d81-d83 dca-ddf df2-df4 e31 e34-e3f e47-e4f e5a-e5b eb1 eb4-ebc ec8-ece f01-f1f f34-f3f f71-f87 f8d-fda 102b-103e 104a-104f 1056-1059 105e-1060 1062-1064 1067-106d 1071-1074 1082-108d 108f 109a-109f 10fb 135d-1368 1390-1399 1400 166d-166e 1680 169b-169c 16eb-16ed 1712-1715 1732-1736 1752-1753 1772-1773 17b4-17d6 17d8-17db 17dd 1800-180f 1885-1886 18a9 1920-1945 19de-19ff 1a17-1a1f 1a55-1a7f 1aa0-1aa6 1aa8-1b04 1b34-1b44 1b4e-1b4f 1b5a-1b82 1ba1-1bad 1be6-1bff 1c24-1c3f 1c7e-1c7f 1cc0-1ce8 1ced 1cf4 1cf7-1cf9 1dc0-1dff 1fbd 1fbf-1fc1 1fcd-1fcf 1fdd-1fdf 1fed-1fef 1ffd-205f 207a-207e 208a-208e 20a0-2101 2103-2106 2108-2109 2114 2116-2118 211e-2123 2125 2127 2129 212e 213a-213b 2140-2144 214a-214d 214f 218a-244a 249c-24e9 2500-2775 2794-2bff 2ce5-2cea 2cef-2cf1 2cf9-2cfc 2cfe-2cff 2d70-2d7f 2de0-2e2e 2e30-3004 3008-3020 302a-3030 3036-3037 303d-303f 3099-309c 30a0 30fb 3190-3191 3196-319f 31c0-31ef 3200-321e 322a-3247 3250 3260-327f 328a-32b0 32c0-33ff 4dc0-4dff a490-a4c6 a4fe-a4ff a60d-a60f a66f-a67e a69e-a69f a6f0-a716 a720-a721 a789-a78a a802 a806 a80b a823-a82c a836-a839 a874-a881 a8b4-a8cf a8e0-a8f1 a8f8-a8fa a8fc a8ff a926-a92f a947-a95f a980-a983 a9b3-a9cd a9de-a9df a9e5 aa29-aa36 aa43 aa4c-aa4d aa5c-aa5f aa77-aa79 aa7b-aa7d aab0 aab2-aab4 aab7-aab8 aabe-aabf aac1 aade-aadf aaeb-aaf1 aaf5-aaf6 ab5b ab6a-ab6b abe3-abed fb1e fb29 fbb2-fbd2 fd3e-fd4f fd90-fd91 fdc8-fdcf fdfc-fe6b ff01-ff0f ff1a-ff20 ff3b-ff40 ff5b-ff65 ffe0-fffd 10100-10102 10137-1013f 10179-10189 1018c-101fd 102e0 10376-1037a 1039f 103d0 1056f 10857 10877-10878 1091f 1093f 10a01-10a0f 10a38-10a3f 10a50-10a58 10a7f 10ac8 10ae5-10ae6 10af0-10af6 10b39-10b3f 10b99-10b9c 10d24-10d27 10d69-10d6e 10d8e-10d8f 10eab-10ead 10ed0-10eff 10f46-10f50 10f55-10f59 10f82-10f89 11000-11002 11038-1104d 11070 11073-11074 1107f-11082 110b0-110c2 11100-11102 11127-11134 11140-11143 11145-11146 11173-11175 11180-11182 111b3-111c0 111c5-111cf 111db 111dd-111df 1122c-1123e 11241 112a9 112df-112ea 11300-11303 1133b-1133c 1133e-1134d 11357 11362-11374 113b8-113d0 113d2 113d4-113e2 11435-11446 1144b-1144f 1145a-1145e 114b0-114c3 114c6 115af-115d7 115dc-115dd 11630-11643 11660-1166c 116ab-116b7 116b9 1171d-1172b 1173c-1173f 1182c-1183b 11930-1193e 11940 11942-11946 119d1-119e0 119e2 119e4 11a01-11a0a 11a33-11a39 11a3b-11a47 11a51-11a5b 11a8a-11a9c 11a9e-11aa2 11b00-11b67 11be1 11c2f-11c3f 11c41-11c45 11c70-11c71 11c92-11cb6 11d31-11d45 11d47 11d8a-11d97 11ef3-11f01 11f03 11f34-11f4f 11f5a 11fd5-11fff 12470-12474 12ff1-12ff2 13440 13447-13455 1611e-1612f 16a6e-16a6f 16af0-16af5 16b30-16b3f 16b44-16b45 16d6d-16d6f 16e97-16e9a 16f4f 16f51-16f92 16fe2 16fe4-16ff1 1bc9c-1ccef 1ccfa-1d245 1d300-1d356 1d6c1 1d6db 1d6fb 1d715 1d735 1d74f 1d76f 1d789 1d7a9 1d7c3 1d800-1daaf 1e000-1e02a 1e08f 1e130-1e136 1e14f 1e2ae 1e2ec-1e2ef 1e2ff 1e4ec-1e4ef 1e5ee-1e5ef 1e5ff 1e6e3 1e6e6 1e6ee-1e6ef 1e6f5 1e8d0-1e8d6 1e944-1e94a 1e95e-1e95f 1ecac 1ecb0 1ed2e 1eef0-1f0f5 1f10d-1fbef 1fbfa e0100-e01ef"
);
function isIn(ranges, codePoint) {
  let [low, high] = [0, ranges.length - 1];
  while (low <= high) {
    const middle = low + high >> 1;
    const [first, last] = ranges[middle] ?? [0, 0];
    if (codePoint < first) high = middle - 1;
    else if (codePoint > last) low = middle + 1;
    else return true;
  }
  return false;
}
var isUnseen = (codePoint) => isIn(unseen, codePoint);
var isUnlettered = (codePoint) => isIn(unlettered, codePoint);

// market/coverage.ts
var NO_TRANSACTION = `0x${"0".repeat(64)}`;
var isImported = ({ launchedAt }) => launchedAt.transactionHash === NO_TRANSACTION;
var isCovered = (coverageFrom2, since) => coverageFrom2 === null || coverageFrom2 < since;
var isCoveredByHour = (coverageFrom2, since) => coverageFrom2 === null || (Math.floor(coverageFrom2 / HOUR) + 1) * HOUR <= since;
var HOUR = 3600;
var coverageFrom = (token2) => isImported(token2) ? token2.launchedAt.timestamp : null;

// market/text.ts
var soughtText = (text5) => foldText(text5).replace(/^[@$#]/, "").trim();
function foldText(text5) {
  const seen = bare(text5).normalize("NFKC");
  const folded = Array.from(seen, (letter) => letter.toLowerCase().toUpperCase().toLowerCase()).join("");
  return folded.normalize("NFKC").replace(/\s+/gu, " ").trim();
}
var bare = (text5) => Array.from(text5, (character) => isUnseen(character.codePointAt(0) ?? 0) ? "" : character).join("");

// market/board/lookalikes.ts
var LATIN_LOOKALIKES = "2 1a7 3e8 14bf a644 a6ef a75a;3 1b7 21c 417 4e0 2ccc a76a a7ab 118ca 16f3b 1d206;4 13ce 118af;5 1bc 118bb;6 431 13ee 2cd2 118d5;7 104d2 118c6 1d212;8 222 223 9ea a6a b03 1031a 1e8cb;9 9ed a67 b68 d6d 2cca a76e 118ac 118cc 118d6;A 391 410 13aa 15c5 a4ee 102a0 16f40;AA a732;AE c6 4d4;AO a734;AR 1f707;AU a736;AV a738 a73a;AY a73c;B 392 412 13f4 15f7 a4d0 a7b4 10282 102a1 10301;C 421 13df 2ca4 a4da 102a2 10302 10415 1051c 118e9 118f2 1f74c;D 13a0 15de 15ea a4d3;E 395 415 13ac 22ff 2d39 a4f0 10286 118a6 118ae;F 3dc 15b4 a4dd a798 10287 102a5 10525 118a2 118c2 1d213;G 50c 13c0 13f3 a4d6;H 397 41d 13bb 157c 2c8e a4e7 102cf;J 37f 408 13ab 148d a4d9 a7b2;K 39a 41a 13e6 16d5 2c94 a4d7 10518;L 13de 14aa 2cd0 a4e1 1041b 10526 118a3 118b2 16f16 1d22a;M 39c 3fa 41c 13b7 15f0 16d6 2c98 a4df 102b0 10311;MB 1f76b;N 39d 2c9a a4e0 10513;O 39f 41e 555 7c0 9e6 b20 b66 12d0 2c9e 2d54 3007 a4f3 10292 102ab 10404 104c2 10516 114d0 118b5 118e0;OE 152;OO a698 a74e;P 3a1 420 13e2 146d 2ca2 a4d1 10295;Q 2d55;QE 1f700;R 1a6 13a1 13d2 1587 a4e3 104b4 16f35 1d216;S 405 54f 13d5 13da a4e2 10296 10420 16f3a;T 3a4 422 13a2 22a4 27d9 2ca6 a4d4 10297 102b1 10315 118bc 16f0a 1f768;T3 a728;U 54d 1200 144c 222a 22c3 a4f4 104ce 118b8 16f42;V 474 667 6f7 13d9 142f 2d38 a4e6 a6df 1051d 118a0 16f08 1d20d;VB 1f76c;W 51c 13b3 13d4 a4ea 118e6 118ef;X 3a7 425 166d 16b7 2573 2cac 2d5d a4eb a7b3 10290 102b4 10317 10322 10527 118ec;Y 3a5 423 4ae 13a9 13bd 2ca8 a4ec 102b2 118a4 16f43;Z 396 13c3 a4dc 102f5 118a9 118e5;a 251 3b1 430 237a;aa a733;ae e6 4d5;ao a735;au a737;av a739 a73b;ay a73d;b 184 42c 13cf 1472 15af;bl 42b;c 441 1d04 2ca5 abaf 1043d;d 501 13e7 146f a4d2;dz 2a3;e 435 4bd 212e ab32;f 584 1e9d a799 ab35;g 18d 261 581 1d83;h 4bb 570 13c2;i 131 269 26a 3b9 456 4cf 13a5 2373 a647 ab75 118c3;j 3f3 458;l 196 1c0 399 406 4c0 5c0 5d5 5df 627 661 6f1 7ca 16c1 2223 23fd 2c92 2d4f a4f2 1028a 10309 10320 16f28 1e8c7;lO 42e;ll 1c1 5f0 2016 2225;ls 2aa;lt 20b6;lz 2ab;n 578 57c;o 3bf 3c3 43e 585 5e1 647 665 6be 6c1 6d5 6f5 966 a66 ae6 be6 c02 c66 c82 ce6 d02 d20 d66 d82 e50 ed0 101d 1040 10ff 1d0f 1d11 2c9f ab3d 1042c 104ea 118c8 118d7;oe 153;oo 221e a699 a74f;p 3c1 440 2374 2ca3;q 51b 563 566;r 433 1d26 2c85 ab47 ab48 ab81;rn 11700 118e3;s 1bd 455 a731 abaa 10448 118c1;tf a777;ts 2a6;u 28b 3c5 57d 1d1c a79f ab4e ab52 104f6 118d8;ue 1d6b;uo ab63;v 3bd 475 5d8 1d20 2228 22c1 aba9 11706 118c0;w 26f 461 51d 561 1d21 ab83 1170a 1170e 1170f;x d7 445 1541 157d 166e 292b 292c 2a2f;y 263 28f 3b3 443 4af 10e7 1d8c 1eff ab5a 118dc;z 1d22 ab93 118c4";
var LATIN = { 0: "O", 1: "l", I: "l", "|": "l", m: "rn" };
var seenAs = new Map([
  ...Object.entries(LATIN),
  ...LATIN_LOOKALIKES.split(";").flatMap((line2) => {
    const [seen = "", ...hexes] = line2.trim().split(/ +/);
    return hexes.map((hex2) => [String.fromCodePoint(Number.parseInt(hex2, 16)), seen]);
  })
]);
var ENCLOSED_ALPHABETS = [127312, 127344, 127462];
function letterIn(symbol) {
  const codePoint = symbol.codePointAt(0) ?? 0;
  const first = ENCLOSED_ALPHABETS.find((start) => codePoint >= start && codePoint < start + 26);
  return first === void 0 ? symbol : String.fromCodePoint(65 + codePoint - first);
}
function skeleton(text5) {
  const plain2 = Array.from(text5.normalize("NFKD"), letterIn);
  const seen = foldText(plain2.map((letter) => seenAs.get(letter) ?? letter).join("")).normalize("NFKD");
  const letters = Array.from(seen).filter((letter) => !isUnlettered(letter.codePointAt(0) ?? 0));
  return letters.join("") || seen;
}
var skeletons = (text5) => [.../* @__PURE__ */ new Set([skeleton(text5), skeleton(foldText(text5))])].filter((seen) => seen !== "");
var scripts = [
  /[a-zªºß-öø-ʸᴀ-ᴥᵢ-ᵥᵫ-ᵷᵹ-ᶾḀ-ỿⅎↄⱠ-ⱿꜢ-ꞇꞋ-ꟊꟲ-ꟿꬰ-ꭚ]/iu,
  /[\u0370-\u0373\u0376-\u0377\u037b-\u037d\u037f\u0386\u0388-\u03e1\u03f0-\u03ff\u1f00-\u1ffc]/u,
  /[\u0400-\u052f\u1c80-\u1c88\u1d2b\ua640-\ua69f]/u,
  /[\u0531-\u0556\u0561-\u0587]/u,
  /[\u13a0-\u13fd\uab70-\uabbf]/u,
  /[\u03e2-\u03ef\u2c80-\u2cff]/u,
  /[\u{10400}-\u{1044f}\ua4d0-\ua4ff]/u
];
var isMixedScript = (text5) => scripts.filter((script) => script.test(text5.normalize("NFKC"))).length > 1;
var namedToken = (token2) => ({
  ...token2,
  launchedAt: isImported(token2) ? null : token2.launchedAt.timestamp
});
function nameFlagsBeside({ listed: listed2, currencies: currencies2 }) {
  const protectedNames = /* @__PURE__ */ new Map();
  for (const { address: address5, symbol, name } of currencies2)
    for (const seen of [symbol ?? "", name ?? ""].flatMap(skeletons)) protectedNames.set(seen, address5);
  const alike = /* @__PURE__ */ new Map();
  for (const token2 of listed2)
    for (const seen of skeletons(token2.symbol)) alike.set(seen, [...alike.get(seen) ?? [], token2]);
  const originalOf = (token2, seen) => protectedNames.get(seen) ?? originalAmong(alike.get(seen) ?? [], namedToken(token2));
  return memoized((token2) => {
    const texts = [token2.symbol, token2.name];
    const looks = texts.flatMap(skeletons);
    const [lookalikeOf = null] = looks.flatMap((seen) => originalOf(token2, seen) ?? []);
    return { isMixedScript: texts.some(isMixedScript), lookalikeOf };
  });
}
function originalAmong(listed2, token2) {
  const others = listed2.filter(({ address: address5 }) => address5 !== token2.address);
  const own = listed2.find(({ address: address5 }) => address5 === token2.address);
  const all4 = own ? listed2 : [...listed2, token2];
  const candidates = all4.filter((each) => isVerified(each) !== false);
  const ages = candidates.map(({ launchedAt }) => launchedAt ?? Number.NEGATIVE_INFINITY);
  const original = candidates[ages.indexOf(Math.min(...ages))] ?? others[0];
  if (!original || others.length === 0 || original.address === token2.address) return null;
  const creator = verifiedCreator(token2);
  return creator !== null && creator === verifiedCreator(original) ? null : original.address;
}

// market/board/pricing.ts
var noQuote = { usdE36: 0n, decimals: TOKEN_DECIMALS };
function pricingOf(market) {
  const { quotes, isCurrency0, others } = market.coins();
  const rates = others.map((address5) => {
    const rate = address5 === null ? void 0 : market.references.get(address5);
    return rate ? { usdE36: rate.heldUsdE36, decimals: rate.decimals } : noQuote;
  });
  function hasRoute(number) {
    let quote = quotes[number];
    for (let pools = 1; quote >= 0; pools++) {
      if (pools >= QUOTE_POOLS_MAX) return false;
      quote = quotes[quote];
    }
    return true;
  }
  function quoteOf(number) {
    const quote = quotes[number];
    if (quote < 0) return rates[-1 - quote] ?? noQuote;
    return { usdE36: quotePriceOf(quote), decimals: TOKEN_DECIMALS };
  }
  function priced2(number) {
    const { usdE36, decimals } = quoteOf(number);
    const pool = {
      sqrtPriceX96: market.read("sqrtPriceX96", number),
      isCurrency0: isCurrency0[number] === 1,
      quoteDecimals: decimals
    };
    return priceUsdE36(pool, usdE36);
  }
  const quotePriceOf = memoized(priced2);
  const leastOnPath = (number, own) => {
    const quote = quotes[number];
    return quote < 0 ? own : least(own, quoteLiquidityOf(quote));
  };
  const quoteLiquidityOf = memoized((number) => {
    const { usdE36, decimals } = quoteOf(number);
    return leastOnPath(number, microUsdOf(market.read("reserveQuote", number), usdE36, decimals));
  });
  const priceOf = (number) => hasRoute(number) ? priced2(number) : 0n;
  function worthOnce(number) {
    const price3 = priceOf(number);
    if (price3 === 0n) return noWorth;
    const { usdE36, decimals } = quoteOf(number);
    const marketCap = marketCapMicroUsd(price3, market.read("supply", number));
    const quoteSide2 = microUsdOf(market.read("reserveQuote", number), usdE36, decimals);
    const pathLiquidity = leastOnPath(number, quoteSide2);
    return {
      priceUsdE36: price3,
      marketCap,
      pathLiquidity,
      effectiveCap: counted(marketCap, pathLiquidity),
      liquidity: quoteSide2 + microUsdOf(market.read("reserveToken", number), price3, TOKEN_DECIMALS)
    };
  }
  return { priceOf, worthOnce, worthOf: memoized(worthOnce) };
}

// market/board/valuation.ts
var valuationAt = (market, dayBefore) => ({
  market,
  approximation: approximateWorth(market),
  ...pricingOf(market),
  portfolioOf: memoized(
    (number) => market.tokenOf(number).kind === "creator" ? portfolioAt(market, number) : null
  ),
  volume24h: amountGrowth("cumVolumeMicroUsd", market, dayBefore),
  engagement24h: countGrowth("cumEngagement", market, dayBefore)
});
var amountGrowth = (field2, now, then) => growthOf(field2, { now, then }, amountSince(field2, now, then));
var countGrowth = (field2, now, then) => growthOf(field2, { now, then }, countSince(field2, now, then));
function growthOf(field2, { now, then }, exactly) {
  const about = then.column(field2);
  now.withScratch(() => {
    const amounts = now.column(field2);
    for (let number = 0; number < about.length; number++) {
      const amount3 = amounts[number];
      about[number] = amount3 < 2 ** 53 ? amount3 - about[number] : Number(exactly(number));
    }
  });
  return { about, exactly };
}
var Q962 = 2 ** 96;
var MICRO = 1e6;
var WHOLE = 10 ** TOKEN_DECIMALS;
var CAP = Number(CAP_PER_LIQUIDITY);
var LEAST_PRICE = 2 ** 40 / 1e36;
function approximateWorth(market) {
  const { zeros } = market;
  const lastSwap = market.column("lastSwapMinute");
  const worth = { price: zeros(), marketCap: zeros(), pathLiquidity: zeros(), counted: zeros(), lastSwap };
  market.withScratch(() => approximateInto(worth, market));
  return worth;
}
function approximatePrices(market) {
  const price3 = market.zeros();
  market.withScratch(() => price3.set(approximateWorth(market).price));
  return price3;
}
function approximateInto(worth, market) {
  const { price: price3, marketCap, pathLiquidity, counted: counted2 } = worth;
  const { quotes, isCurrency0 } = market.coins();
  const [sqrtPriceX96, supply] = [market.column("sqrtPriceX96"), market.column("supply")];
  const reserveQuote = market.column("reserveQuote");
  const units = unitsOf(market);
  const inToken = addPosts(worth, market, units);
  const pools = new Uint8Array(market.count);
  for (let pool = 1; pool <= QUOTE_POOLS_MAX; pool++) {
    for (let number = 0; number < market.count; number++) {
      const quote = quotes[number];
      const isFirst = quote < 0;
      if (isFirst ? pool > 1 : pool === 1 || pools[quote] !== pool - 1) continue;
      const unit = isFirst ? units[-1 - quote] : price3[quote] / WHOLE;
      const ratio2 = ratioOf(sqrtPriceX96[number], isCurrency0[number] === 1);
      let usd2 = ratio2 * unit * WHOLE;
      if (usd2 !== 0 && usd2 < LEAST_PRICE) usd2 = Number(priceAt(market, number)) / 1e36;
      if (usd2 === 0) continue;
      pools[number] = pool;
      price3[number] = usd2;
      const amount3 = supply[number];
      marketCap[number] = amount3 / WHOLE * usd2 * MICRO;
      const reserve = reserveQuote[number];
      const own = reserve * unit * MICRO;
      pathLiquidity[number] = isFirst ? own : Math.min(own, pathLiquidity[quote]);
      const inQuote2 = Math.min((amount3 + inToken[number]) * ratio2, CAP * reserve);
      counted2[number] = (inQuote2 * unit + counted2[number]) * MICRO;
    }
  }
}
var unitsOf = (market) => market.coins().others.map((quote) => {
  const rate = quote && market.references.get(quote);
  return rate ? unitOf(rate) : 0;
});
var unitOf = ({ heldUsdE36, decimals }) => Number(heldUsdE36) / 1e36 / 10 ** decimals;
function ratioOf(sqrtPriceX96, isCurrency0) {
  if (sqrtPriceX96 === 0) return 0;
  const root = isCurrency0 ? sqrtPriceX96 / Q962 : Q962 / sqrtPriceX96;
  return root * root;
}
function addPosts({ counted: counted2, lastSwap }, market, units) {
  const posts = market.posts();
  const inToken = market.zeros();
  for (let at = 0; at < posts.creatorTokens.length; at++) {
    const number = posts.creatorTokens[at];
    if (number < 0) continue;
    const quote = posts.quotes[at];
    const sum2 = posts.counted[at];
    if (quote === number) inToken[number] = sum2;
    else if (quote < 0) counted2[number] = counted2[number] + sum2 * units[-1 - quote];
    lastSwap[number] = Math.max(lastSwap[number], posts.lastSwap[at]);
  }
  return inToken;
}

// market/board/trending.ts
var trendingSorts = ["volume", "rank_volume", "market_cap", "change", "holders"];
var trendingOrders = [...trendingSorts, "change_asc"];
function sinceAt({ market: now, approximation }, { market, start, youngFrom: youngFrom2 }, price3 = approximatePrices(market)) {
  const { launchedAt, isImported: isImported2, hourPrice } = now.coins();
  const change = market.zeros();
  for (let number = 0; number < change.length; number++) {
    const launch2 = launchedAt[number];
    const young = isImported2[number] ? 0 : hourPrice[number];
    const base = launch2 >= youngFrom2 ? young : price3[number];
    const priceNow = approximation.price[number];
    change[number] = base === 0 || priceNow === 0 ? -1 : priceNow / base;
  }
  return {
    market,
    start,
    youngFrom: youngFrom2,
    change,
    trades: countGrowth("cumTrades", now, market),
    volume: amountGrowth("cumVolumeMicroUsd", now, market),
    rankVolume: amountGrowth("cumRankVolumeMicroUsd", now, market)
  };
}
function basePriceAt({ market, start }, number, token2) {
  return basePriceOf(token2, start, () => priceAt(market, number));
}
function listBaseAt(now, since, number) {
  const token2 = now.tokenOf(number);
  if (!isYounger(token2, since.youngFrom)) return basePriceAt(since, number, token2);
  return isImported(token2) ? null : now.hourPriceOf(number);
}
function changeKey({ market, worthOf: worthOf2 }, since, isFall) {
  return {
    about: isFall ? since.change.map((ratio2) => ratio2 === -1 ? -1 : 1 / ratio2) : since.change,
    exactly: (number) => {
      const base = listBaseAt(market, since, number);
      const price3 = worthOf2(number).priceUsdE36;
      if (!base || !price3) return null;
      return isFall ? { over: base, under: price3 } : { over: price3, under: base };
    }
  };
}
var trendingKeys = {
  volume: (_, { volume: volume3 }) => wholeKey(volume3),
  rank_volume: (_, { rankVolume }) => wholeKey(rankVolume),
  market_cap: marketCapKey,
  change: (now, since) => changeKey(now, since, false),
  change_asc: (now, since) => changeKey(now, since, true),
  holders: ({ market }) => wholeKey({ about: market.column("holders"), exactly: (number) => market.read("holders", number) })
};
var needsLiquidity = /* @__PURE__ */ new Set(["market_cap", "change", "change_asc"]);
var byChange = /* @__PURE__ */ new Set(["change", "change_asc"]);
var isByChange = (order) => byChange.has(order);
var isLiquid = ({ approximation, worthOf: worthOf2 }, number) => isAtLeast(
  approximation.pathLiquidity[number],
  Number(LIQUIDITY_MIN_MICRO_USD),
  () => worthOf2(number).pathLiquidity >= LIQUIDITY_MIN_MICRO_USD
);
function trendingAt(now, since) {
  const { market, approximation } = now;
  const { about: trades } = since.trades;
  const traded = [];
  for (let number = 0; number < trades.length; number++) {
    if (trades[number] > 0 && approximation.price[number] !== 0) traded.push(number);
  }
  const liquid = traded.filter((number) => isLiquid(now, number));
  const { launchedAt, isImported: isImported2 } = market.coins();
  const isInFirstHour = (number) => since.change[number] === -1 && !isImported2[number] && launchedAt[number] >= since.youngFrom;
  const comparable = liquid.filter((number) => !isInFirstHour(number));
  const ties = tieKeys(now);
  const listOf4 = (order) => ranked(isByChange(order) ? comparable : needsLiquidity.has(order) ? liquid : traded, market.tokenOf, [
    trendingKeys[order](now, since),
    ...ties
  ]);
  return byName(trendingOrders, listOf4);
}

// market/board/rankings.ts
function rankedMarket(market, currencies2 = []) {
  const { at, minute } = market;
  const valuations = byName(boardTimes, (name) => valuationAt(at[name], at[windows[name].dayBefore]));
  const since = byName(
    timeframes,
    (name) => sinceAt(
      valuations.now,
      { market: at[name], ...startsOf(minute, name) },
      name === "30d" ? void 0 : valuations[name].approximation.price
    )
  );
  const numbers = boardTokens(valuations.now, minute);
  const boards = byName(boardTimes, (name) => boardsAt(valuations[name], numbers));
  const { creator, post } = boards.now;
  const listed2 = [...creator, ...post].map(({ token: token2 }) => namedToken(token2));
  return {
    ...market,
    valuations,
    since,
    boards,
    /** The boards if all older tokens had been swapped before the log. */
    fullestBoards: market.coverageFrom === null ? boards : byName(boardTimes, (name) => boardsAt(valuations[name], numbers, true)),
    trending: byName(timeframes, (name) => trendingAt(valuations.now, since[name])),
    /** Compared with the names on the current boards. */
    nameFlagsOf: nameFlagsBeside({ listed: listed2, currencies: currencies2 })
  };
}
var startsOf = (minute, name) => ({
  start: startOf(minute, name),
  youngFrom: youngFrom(minute, name)
});
var youngFrom = (minute, name) => Math.max(startOf(minute, name) - FIRST_HOUR_MINUTES * 60 + 1, startOf(minute, "30d"));

// market/fold/running-totals.ts
var emptyTotals = { volume: 0n, buyVolume: 0n, creatorVolume: 0n, trades: 0, buys: 0 };
var noTotals = {
  ...emptyTotals,
  coverageFrom: null,
  firstMinute: null,
  creators: 0,
  posts: 0,
  holders: 0,
  references: /* @__PURE__ */ new Map()
};

// store/codec.ts
import { deflateRawSync, inflateRawSync } from "node:zlib";

// store/fault.ts
var StoreFault = class extends Error {
  constructor(name, message) {
    super(message);
    this.name = name;
  }
};

// store/packed.ts
function packedList(fields) {
  const entries = Object.entries(fields);
  const width = entries.length;
  return {
    write: (records) => integerBytes(records.flatMap((record) => entries.map(([name]) => BigInt(record[name])))),
    read: (bytes) => {
      const values2 = integersFrom(bytes);
      if (values2.length % width !== 0) throw unreadable(values2.length, width);
      return Array.from({ length: values2.length / width }, (_, at) => {
        const record = {};
        for (const [field2, [name, made]] of entries.entries())
          record[name] = made(values2[at * width + field2] ?? 0n);
        return record;
      });
    }
  };
}
function packed(fields) {
  const list = packedList(fields);
  return {
    write: (record) => list.write([record]),
    read: (bytes) => {
      const [record] = list.read(bytes);
      if (!record) throw unreadable(0, Object.keys(fields).length);
      return record;
    }
  };
}
var unreadable = (found2, width) => new StoreFault("UnreadableBytesError", `found ${found2} values where ${width} a record are written`);
function integerBytes(values2) {
  let text5 = "";
  for (const value of values2) {
    const unsigned = value < 0n ? -2n * value - 1n : 2n * value;
    const hex2 = unsigned === 0n ? "" : unsigned.toString(16);
    const magnitude = hex2.length % 2 ? `0${hex2}` : hex2;
    text5 += `${hexOfByte[magnitude.length / 2]}${magnitude}`;
  }
  return Buffer.from(text5, "hex");
}
var hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));
function integersFrom(bytes) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const values2 = [];
  for (let at = 0; at < buffer.length; ) {
    const length = buffer[at] ?? 0;
    const end = at + 1 + length;
    const isShort = length > 0 && length <= 6;
    const unsigned = isShort ? BigInt(buffer.readUIntBE(at + 1, length)) : BigInt(`0x0${buffer.toString("hex", at + 1, end)}`);
    values2.push(unsigned & 1n ? -(unsigned >> 1n) - 1n : unsigned >> 1n);
    at = end;
  }
  return values2;
}

// store/shape.ts
var plain = () => ({
  write: (value) => value,
  read: (json2) => json2
});
var integer = {
  write: (value) => value.toString(),
  read: (json2) => BigInt(json2)
};
var nullable = (shape2) => ({
  write: (value) => value === null ? null : shape2.write(value),
  read: (json2) => json2 === null ? null : shape2.read(json2)
});
var listOf = (shape2) => ({
  write: (values2) => values2.map(shape2.write),
  read: (json2) => json2.map(shape2.read)
});
var mapOf = (shape2) => ({
  write: (map) => [...map].sort(([a], [b]) => a < b ? -1 : 1).map(([key, value]) => [key, shape2.write(value)]),
  read: (json2) => new Map(json2.map(([key, value]) => [key, shape2.read(value)]))
});
function recordOf(fields) {
  const entries = Object.entries(fields);
  return {
    write: (value) => {
      const json2 = {};
      for (const [name, shape2] of entries) json2[name] = shape2.write(value[name]);
      return json2;
    },
    read: (json2) => {
      const object = json2;
      const record = {};
      for (const [name, shape2] of entries) record[name] = shape2.read(object[name] ?? null);
      return record;
    }
  };
}
function tupleOf(fields) {
  const entries = Object.entries(fields);
  return {
    write: (value) => entries.map(([name, shape2]) => shape2.write(value[name])),
    read: (json2) => {
      const list = json2;
      const record = {};
      let at = 0;
      for (const [name, shape2] of entries) record[name] = shape2.read(list[at++] ?? null);
      return record;
    }
  };
}

// store/codec.ts
var text = plain();
var count = plain();
var flag = plain();
var address = plain();
var hash = plain();
var blockShape = recordOf({ number: count, hash, timestamp: count });
var positionFields = { blockNumber: count, logIndex: count, transactionHash: hash };
var tokenFields = {
  address,
  kind: plain(),
  creator: address,
  launchedBy: nullable(address),
  name: text,
  symbol: text,
  uri: nullable(text),
  quote: address,
  poolId: hash,
  hook: address,
  isCurrency0: flag,
  launchedAt: recordOf({ ...positionFields, timestamp: count }),
  launch: recordOf({ priceUsdE36: nullable(integer), supply: integer })
};
var tokenShape = recordOf(tokenFields);
var stateShape = tupleOf(
  Object.fromEntries(
    stateNames.map((name) => [name, stateFields[name] === "u32" ? count : integer])
  )
);
var rangesShape = listOf(
  tupleOf({ tickLower: count, tickUpper: count, liquidity: integer })
);
var addedInteger = {
  write: integer.write,
  read: (json2) => BigInt(json2 ?? 0)
};
var candleShape = tupleOf({
  open: integer,
  high: integer,
  low: integer,
  close: integer,
  firstSqrt: addedInteger,
  highSqrt: addedInteger,
  lowSqrt: addedInteger
});
var swapShapes = {
  ...positionFields,
  blockHash: hash,
  timestamp: count,
  token: address,
  poolId: hash,
  quote: address,
  isBuy: flag,
  amountToken: integer,
  amountQuote: integer,
  trader: address,
  from: nullable(address),
  to: nullable(address),
  volumeMicroUsd: integer,
  paidUsdE36: integer,
  timestampMs: nullable(count)
};
var referencesShape = mapOf(
  recordOf({ observedUsdE36: integer, heldUsdE36: integer, outside: count, decimals: count })
);
var sumsShape = tupleOf({
  quote: nullable(address),
  counted: integer,
  plain: integer,
  count,
  lastSwapMinute: count
});
var ownerShape = recordOf({
  oldestCreatorToken: nullable(address),
  posts: listOf(sumsShape)
});
var swapsShape = listOf(tupleOf(swapShapes));
var launchesShape = listOf(tupleOf(tokenFields));
var textOf = (shape2) => ({
  write: (value) => JSON.stringify(shape2.write(value)),
  read: (text5) => shape2.read(JSON.parse(text5))
});
var deflated = (shape2) => ({
  write: (value) => new Uint8Array(deflateRawSync(JSON.stringify(shape2.write(value)))),
  read: (bytes) => shape2.read(JSON.parse(inflateRawSync(bytes).toString()))
});
var asItIs = () => ({ write: (value) => value, read: (json2) => json2 });
var tokenText = textOf(tokenShape);
var tokenLine = textOf(tupleOf(tokenFields));
var addressOfLine = (line2) => `0x${line2.slice(4, 44)}`;
var ownerText = textOf(ownerShape);
var swapsText = textOf(swapsShape);
var swapsBytes = deflated(swapsShape);
var logEntryBytes = deflated(asItIs());
var feedEntryBytes = deflated({
  write: (entry) => {
    if (entry.is === "retract") return entry;
    const { swaps: swaps2, launches, ...rest } = entry;
    const launched = launches ? { launches: launchesShape.write(launches) } : {};
    return { ...rest, swaps: swapsShape.write(swaps2), ...launched };
  },
  read: (json2) => {
    const entry = json2;
    if (entry.is === "retract") return entry;
    const { swaps: swaps2, launches, ...rest } = entry;
    const launched = launches ? { launches: launchesShape.read(launches) } : {};
    return { ...rest, swaps: swapsShape.read(swaps2), ...launched };
  }
});
var whole2 = (value) => value;
var stateBytes = packed(
  byName(stateNames, (name) => stateFields[name] === "u32" ? Number : whole2)
);
var rangesBytes = packedList({
  tickLower: Number,
  tickUpper: Number,
  liquidity: whole2
});
var sumsBytes = packed({
  counted: whole2,
  plain: whole2,
  count: Number,
  lastSwapMinute: Number
});
var candleBytes = packed({
  open: whole2,
  high: whole2,
  low: whole2,
  close: whole2,
  firstSqrt: whole2,
  highSqrt: whole2,
  lowSqrt: whole2
});

// snapshot/records.ts
var CHUNK_BITS = 13;
var CHUNK = 2 ** CHUNK_BITS;
var AMOUNT_WORDS = 4;
var LOW = 2n ** 64n - 1n;
var LARGE = 2n ** 128n - 1n;
var Records = class {
  #fields;
  /** Counts first, which are cheap to compare and differ in most records that differ. */
  #compared;
  /** Each field's offset in a chunk, in words, and whether it is a count. */
  #layout;
  #chunkWords;
  #words = [];
  /** The same memory as 64-bit words. */
  #longs = [];
  #freed = [];
  /** Amounts of 2^128 - 1 or more, by slot and field. */
  #large = /* @__PURE__ */ new Map();
  #end = 0;
  constructor(fields, { end, freed, large } = { end: 1, freed: [], large: [] }) {
    this.#fields = Object.keys(fields);
    const amounts = this.#fields.filter((name) => fields[name] !== "u32");
    const counts = this.#fields.filter((name) => fields[name] === "u32");
    const countsFirst = amounts.length * CHUNK * AMOUNT_WORDS;
    this.#layout = Object.fromEntries([
      ...amounts.map((name, at) => [name, { first: at * CHUNK * AMOUNT_WORDS, isCount: false }]),
      ...counts.map((name, at) => [name, { first: countsFirst + at * CHUNK, isCount: true }])
    ]);
    this.#compared = [...counts, ...amounts];
    this.#chunkWords = countsFirst + counts.length * CHUNK;
    while (this.#words.length * CHUNK < end) this.#grow();
    this.#end = end;
    for (const slot2 of freed) this.#freed.push(slot2);
    for (const [index, amount3] of large) this.#large.set(index, BigInt(amount3));
  }
  /** Records in use, including that of zeros. */
  get size() {
    return this.#end - this.#freed.length;
  }
  /** Writes a record and returns its slot. */
  add(record) {
    if (this.#fields.every((field2) => !record[field2])) return 0;
    const slot2 = this.#reserve();
    for (const field2 of this.#fields) this.#write(field2, slot2, record[field2]);
    return slot2;
  }
  #write(field2, slot2, value) {
    const chunk = slot2 >> CHUNK_BITS;
    const within = slot2 & CHUNK - 1;
    const { first } = this.#layout[field2];
    if (typeof value === "number") {
      ;
      this.#words[chunk][first + within] = value;
      return;
    }
    const written = value < LARGE ? value : LARGE;
    if (written === LARGE) this.#large.set(`${slot2} ${field2}`, value);
    const longs = this.#longs[chunk];
    const at = (first + within * AMOUNT_WORDS) / 2;
    longs[at] = written & LOW;
    longs[at + 1] = written >> 64n;
  }
  /** Frees a slot. */
  free(slot2) {
    if (slot2 === 0) return;
    if (this.#large.size > 0) for (const field2 of this.#fields) this.#large.delete(`${slot2} ${field2}`);
    this.#freed.push(slot2);
  }
  read(field2, slot2) {
    const chunk = slot2 >> CHUNK_BITS;
    const within = slot2 & CHUNK - 1;
    const { first, isCount } = this.#layout[field2];
    if (isCount) return this.#words[chunk][first + within];
    const longs = this.#longs[chunk];
    const at = (first + within * AMOUNT_WORDS) / 2;
    const high = longs[at + 1];
    const low = longs[at];
    const value = high === 0n ? low : high << 64n | low;
    const whole5 = value === LARGE ? this.#large.get(`${slot2} ${field2}`) : value;
    return whole5;
  }
  recordAt(slot2) {
    return Object.fromEntries(this.#fields.map((field2) => [field2, this.read(field2, slot2)]));
  }
  /** Whether the record at a slot equals this one. */
  holds(slot2, record) {
    return this.#compared.every((field2) => this.read(field2, slot2) === record[field2]);
  }
  /** Fills a column with one field of the records at these slots, as doubles: exact below 2^53, else within three roundings. */
  fill(column2, field2, slots) {
    const chunks = this.#words;
    const { first, isCount } = this.#layout[field2];
    if (isCount) {
      for (let number = 0; number < column2.length; number++) {
        const slot2 = slots[number];
        column2[number] = chunks[slot2 >> CHUNK_BITS][first + (slot2 & CHUNK - 1)];
      }
      return column2;
    }
    for (let number = 0; number < column2.length; number++) {
      const slot2 = slots[number];
      const words2 = chunks[slot2 >> CHUNK_BITS];
      const at = first + (slot2 & CHUNK - 1) * AMOUNT_WORDS;
      const highest = words2[at + 3];
      const low = words2[at + 1] * 2 ** 32 + words2[at];
      column2[number] = highest === 4294967295 ? Number(this.read(field2, slot2)) : highest * 2 ** 96 + words2[at + 2] * 2 ** 64 + low;
    }
    return column2;
  }
  /** The records for a checkpoint: `chunks` in slot order. */
  saved() {
    const large = [...this.#large].map(([index, amount3]) => [index, String(amount3)]);
    const chunks = this.#words.map(({ buffer }) => new Uint8Array(buffer));
    return { header: { end: this.#end, freed: this.#freed, large }, chunks };
  }
  #reserve() {
    const freed = this.#freed.pop();
    if (freed !== void 0) return freed;
    if (this.#end === this.#words.length * CHUNK) this.#grow();
    return this.#end++;
  }
  #grow() {
    const words2 = new Uint32Array(this.#chunkWords);
    this.#words.push(words2);
    this.#longs.push(new BigUint64Array(words2.buffer));
  }
};

// snapshot/windowed.ts
var sameAtAll = (value) => windowNames.map(() => value);
function changeWindowed(values2, next, moving) {
  for (let at = 0; at < moving; at++) values2[at] = next;
}
var FIRST_CAPACITY = 1024;
var WindowedRecords = class {
  #records;
  /** Slots by number, one array per index, so that reading all numbers at one index is sequential. */
  #slots;
  #freed;
  #count;
  constructor(fields, { records, count: count4, freed } = {}) {
    this.#records = new Records(fields, records);
    this.#freed = [...freed ?? []];
    this.#count = count4 ?? 0;
    this.#slots = windowNames.map(() => new Int32Array(Math.max(FIRST_CAPACITY, this.#count)));
  }
  /** Upper bound of the numbers. */
  get count() {
    return this.#count;
  }
  /** Numbers in use, and the records they share. */
  get size() {
    return { numbers: this.#count - this.#freed.length, records: this.#records.size };
  }
  /** Adds a record that is the same at every window start and returns its number. */
  enter(record) {
    const number = this.#freed.pop() ?? this.#count++;
    if (number >= this.#at(0).length) this.#slots = this.#slots.map(doubled);
    this.#put(number, sameAtAll(this.#records.add(record)));
    return number;
  }
  /** Sets the record now and at the window starts not before its minute: at the first `moving` indexes. */
  change(number, record, moving) {
    if (moving === 0 || this.#records.holds(this.#at(0)[number], record)) return;
    const slots = this.#of(number);
    const replaced = slots.slice(0, moving);
    changeWindowed(slots, this.#records.add(record), moving);
    this.#put(number, slots);
    this.#free(replaced, slots);
  }
  /** Moves the window start at an index past a minute that ended with this record. */
  pass(number, record, at) {
    const slots = this.#of(number);
    const old = slots[at];
    if (this.#records.holds(old, record)) return;
    const newer = slots[at - 1];
    slots[at] = this.#records.holds(newer, record) ? newer : this.#records.add(record);
    this.#put(number, slots);
    this.#free([old], slots);
  }
  leave(number) {
    this.#free(this.#of(number), []);
    this.#put(number, sameAtAll(0));
    this.#freed.push(number);
  }
  read(field2, number, at) {
    return this.#records.read(field2, this.#at(at)[number]);
  }
  recordAt(number, at) {
    return this.#records.recordAt(this.#at(at)[number]);
  }
  /** The records of a number now and at each window start. */
  windowed(number) {
    return windowNames.map((_, at) => this.recordAt(number, at));
  }
  /** A field of all numbers as doubles, exact below 2^53, else within three roundings; filled into the given array of `count`. */
  column(field2, at, into = new Float64Array(this.#count)) {
    return this.#records.fill(into, field2, this.#at(at));
  }
  /**
   * The records for a checkpoint: a header, and the bytes of `pieces` in their order, filled in again after the header
   * is read.
   */
  saved() {
    const { header: records, chunks } = this.#records.saved();
    const slots = this.#slots.map(({ buffer }) => new Uint8Array(buffer, 0, this.#count * 4));
    return { header: { records, count: this.#count, freed: this.#freed }, pieces: [...slots, ...chunks] };
  }
  #at(index) {
    return this.#slots[index];
  }
  #of(number) {
    return this.#slots.map((column2) => column2[number]);
  }
  #put(number, slots) {
    for (const [at, column2] of this.#slots.entries()) column2[number] = slots[at];
  }
  #free(slots, kept2) {
    for (const slot2 of new Set(slots)) if (!kept2.includes(slot2)) this.#records.free(slot2);
  }
};
function doubled(column2) {
  const larger = new Int32Array(2 * column2.length);
  larger.set(column2);
  return larger;
}

// snapshot/active-market.ts
var sumFields = { counted: "u256", plain: "u256", count: "u32", lastSwapMinute: "u32" };
var columnTypes = {
  /** Number of the token that it is quoted in now; below 0: -1 minus the index of its quote in `others`. */
  quotes: Int32Array,
  isCurrency0: Uint8Array,
  isCreator: Uint8Array,
  isImported: Uint8Array,
  launchedAt: Float64Array,
  hourPrice: Float64Array,
  lastRow: Int32Array
};
var emptyMarket = () => ({
  states: new WindowedRecords(marketFields),
  byAddress: /* @__PURE__ */ new Map(),
  descriptions: [],
  hourPrices: [],
  young: [],
  redescribed: /* @__PURE__ */ new Map(),
  others: /* @__PURE__ */ new Map(),
  columns: columnsOf(0),
  sums: new WindowedRecords(sumFields),
  owners: /* @__PURE__ */ new Map(),
  reowned: /* @__PURE__ */ new Map()
});
function columnsOf(length) {
  return Object.fromEntries(
    Object.entries(columnTypes).map(([name, Column]) => [name, new Column(length)])
  );
}
function growColumns(columns, count4) {
  if (count4 <= columns.lastRow.length) return;
  const larger = columnsOf(2 * count4);
  for (const name of Object.keys(columnTypes)) larger[name].set(columns[name]);
  Object.assign(columns, larger);
}
function takeIn(market, segment, moving) {
  const { minute } = segment;
  const changes = descriptionChanges(segment);
  const coming = segment.rows.filter(({ token: token2 }) => !market.byAddress.has(token2));
  enterAll(
    market,
    coming.map(({ token: token2, description, before: before2 }) => [changes.get(token2) ?? description, before2])
  );
  for (const row2 of segment.rows) {
    const described4 = changes.get(row2.token);
    const number = market.byAddress.get(row2.token);
    market.columns.lastRow[number] = minute;
    if (described4) redescribe(market, number, row2.description, moving);
    market.states.change(number, row2.after, moving);
  }
  for (const change of segment.owners) takeInOwner(market, change, { minute, moving });
}
var descriptionChanges = ({ tokens }) => new Map(tokens.flatMap(({ before: before2 }) => before2 ? [[before2.address, before2]] : []));
function enterAll(market, tokens) {
  const { byAddress, states, columns, others } = market;
  for (const [{ address: address5 }, state] of tokens) {
    const number = states.enter(state);
    byAddress.set(address5, number);
    growColumns(columns, states.count);
    const index = others.get(address5);
    if (index !== void 0) replaceQuote(columns.quotes, -1 - index, number);
  }
  for (const [token2] of tokens) describe(market, byAddress.get(token2.address), token2);
}
function replaceQuote(quotes, before2, after) {
  for (let number = 0; number < quotes.length; number++) if (quotes[number] === before2) quotes[number] = after;
}
function quoteNumber({ byAddress, others }, quote) {
  const token2 = quote === null ? void 0 : byAddress.get(quote);
  if (token2 !== void 0) return token2;
  const index = others.get(quote) ?? others.size;
  others.set(quote, index);
  return -1 - index;
}
function describe(market, number, token2) {
  const { descriptions: descriptions2, columns } = market;
  descriptions2[number] = tokenLine.write(token2);
  columns.quotes[number] = quoteNumber(market, token2.quote);
  columns.isCurrency0[number] = Number(token2.isCurrency0);
  columns.isCreator[number] = Number(token2.kind === "creator");
  columns.isImported[number] = Number(isImported(token2));
  columns.launchedAt[number] = token2.launchedAt.timestamp;
}
function redescribe(market, number, token2, moving) {
  const { descriptions: descriptions2, redescribed } = market;
  const texts = redescribed.get(number) ?? sameAtAll(descriptions2[number]);
  describe(market, number, token2);
  changeWindowed(texts, descriptions2[number], moving);
  redescribed.set(number, texts);
}
var noSums = { counted: 0n, plain: 0n, count: 0, lastSwapMinute: 0 };
function takeInOwner(market, { owner, before: before2, after }, { minute, moving }) {
  const known2 = market.owners.get(owner) ?? enterOwner(market, owner, before2);
  known2.lastRow = minute;
  for (const [number, sums] of sumsIn(market, known2, after)) market.sums.change(number, sums, moving);
  if (known2.oldestCreatorToken === after.oldestCreatorToken) return;
  const oldest = market.reowned.get(owner) ?? sameAtAll(known2.oldestCreatorToken);
  changeWindowed(oldest, after.oldestCreatorToken, moving);
  market.reowned.set(owner, oldest);
  known2.oldestCreatorToken = after.oldestCreatorToken;
}
function enterOwner(market, owner, { oldestCreatorToken, posts }) {
  const sums = posts.map((each) => ({ quote: each.quote, number: market.sums.enter(each) }));
  const entered = { sums, oldestCreatorToken, lastRow: 0 };
  market.owners.set(owner, entered);
  return entered;
}
function sumsIn(market, { sums }, { posts }) {
  for (const { quote } of posts) {
    if (!sums.some((known2) => known2.quote === quote)) sums.push({ quote, number: market.sums.enter(noSums) });
  }
  return sums.map(
    ({ quote, number }) => [number, posts.find((each) => each.quote === quote) ?? noSums]
  );
}
function pass(market, segment, at) {
  const changes = descriptionChanges(segment);
  for (const row2 of segment.rows) {
    const number = market.byAddress.get(row2.token);
    if (number === void 0)
      throw new RangeError(
        `${row2.token} has a row in minute ${segment.minute} and is not among the active tokens`
      );
    if (changes.has(row2.token)) passDescription(market, number, row2.description, at);
    market.states.pass(number, row2.after, at);
  }
  for (const { owner, after } of segment.owners) {
    const known2 = market.owners.get(owner);
    if (!known2) continue;
    for (const [number, sums] of sumsIn(market, known2, after)) market.sums.pass(number, sums, at);
    const oldest = market.reowned.get(owner);
    if (!oldest) continue;
    oldest[at] = after.oldestCreatorToken;
    if (oldest.every((each) => each === known2.oldestCreatorToken)) market.reowned.delete(owner);
  }
}
function passDescription({ redescribed, descriptions: descriptions2 }, number, token2, at) {
  const texts = redescribed.get(number);
  if (!texts) return;
  texts[at] = tokenLine.write(token2);
  if (texts.every((text5) => text5 === descriptions2[number])) redescribed.delete(number);
}
function leave(market, { rows: rows3, owners, minute }, needed) {
  for (const { token: token2 } of rows3) letGo(market, token2, { minute, needed });
  for (const { owner } of owners) {
    const known2 = market.owners.get(owner);
    if (known2 && known2.lastRow <= minute) leaveOwner(market, owner);
  }
}
function leaveOwner({ owners, reowned, sums }, owner) {
  for (const { number } of owners.get(owner)?.sums ?? []) sums.leave(number);
  owners.delete(owner);
  reowned.delete(owner);
}
function letGo({ byAddress, states, descriptions: descriptions2, hourPrices, redescribed, columns }, address5, { minute, needed }) {
  const number = byAddress.get(address5);
  if (number === void 0 || columns.lastRow[number] > minute || needed.has(address5)) return;
  byAddress.delete(address5);
  states.leave(number);
  descriptions2[number] = "";
  hourPrices[number] = "";
  redescribed.delete(number);
  for (const name of Object.keys(columnTypes)) columns[name][number] = 0;
}
var ArrayPool = class {
  #all = [];
  #given = 0;
  /** Makes all arrays available again; the previous rebuild's values are no longer read. */
  reclaim() {
    this.#given = 0;
  }
  /** Makes the arrays that are given within `use` available again after it. */
  within(use) {
    const given = this.#given;
    const value = use();
    this.#given = given;
    return value;
  }
  /** An array with unspecified values. */
  next(count4) {
    const kept2 = this.#all[this.#given];
    const column2 = kept2 && kept2.length >= count4 ? kept2 : new Float64Array(Math.ceil(count4 * 1.02));
    this.#all[this.#given++] = column2;
    return column2.subarray(0, count4);
  }
};

// snapshot/first-hours.ts
function noteLaunches(market, { tokens }) {
  const launched = tokens.flatMap(({ before: before2, after }) => before2 || isImported(after) ? [] : [after.address]);
  market.young = [...market.young, ...launched];
}
function priceFirstHours(market, now, seconds) {
  const { young, byAddress, columns, hourPrices } = market;
  const isDue = (address5) => {
    const launchedAt = columns.launchedAt[byAddress.get(address5) ?? -1] ?? 0;
    return launchedAt + FIRST_HOUR_MINUTES * 60 <= seconds;
  };
  const due = young.filter(isDue);
  if (due.length === 0) return;
  market.young = young.filter((address5) => !isDue(address5));
  const view = now();
  for (const address5 of due) {
    const number = byAddress.get(address5);
    if (number === void 0) continue;
    const price3 = priceAt(view, number);
    if (price3 === 0n) continue;
    hourPrices[number] = String(price3);
    columns.hourPrice[number] = Number(price3) / 1e36;
  }
}

// market/index/index-history.ts
var intervals = {
  hour: { minutes: 60, first: 0 },
  day: { minutes: 1440, first: 0 },
  week: { minutes: 10080, first: 5760 }
};
var intervalNames = Object.keys(intervals);
function storedBar({ active, ...bar2 }) {
  const creators = [...active.values()].filter((kind) => kind === "creator").length;
  return { ...bar2, activeCreators: creators, activePosts: active.size - creators };
}
var intervalAt = (interval2, minute) => Math.floor((minute - intervals[interval2].first) / intervals[interval2].minutes);
var firstMinuteOf = (interval2, at) => intervals[interval2].first + at * intervals[interval2].minutes;
function barsAfter(interval2, last, point) {
  const at = intervalAt(interval2, point.minute);
  if (last?.at === at) return [withPoint(last, point)];
  if (!last) return [withPoint(emptyBar(at, point.valueE8), point)];
  const carried = Array.from({ length: at - last.at }, (_, i) => emptyBar(last.at + 1 + i, last.close));
  return [...carried.slice(0, -1), withPoint(emptyBar(at, last.close), point)];
}
var emptyBar = (at, value) => ({
  at,
  open: value,
  high: value,
  low: value,
  close: value,
  creatorVolume: 0n,
  postVolume: 0n,
  trades: 0,
  active: /* @__PURE__ */ new Map()
});
function withPoint(bar2, { valueE8, traded }) {
  const active = traded.filter(({ trades }) => trades > 0);
  return {
    ...bar2,
    high: valueE8 > bar2.high ? valueE8 : bar2.high,
    low: valueE8 < bar2.low ? valueE8 : bar2.low,
    close: valueE8,
    creatorVolume: bar2.creatorVolume + volumeOf(traded, "creator"),
    postVolume: bar2.postVolume + volumeOf(traded, "post"),
    trades: traded.reduce((sum2, { trades }) => sum2 + trades, bar2.trades),
    active: new Map([...bar2.active, ...active.map(({ token: token2, kind }) => [token2, kind])])
  };
}
var volumeOf = (traded, kind) => traded.filter((each) => each.kind === kind).reduce((sum2, { volume: volume3 }) => sum2 + volume3, 0n);

// market/index/index-members.ts
function closesAfter(closes, caps, { last, minute }) {
  const first = Math.max(hourOfMinute(last), hourOfMinute(minute) - INDEX_CLOSES) + 1;
  const passed = Array.from({ length: hourOfMinute(minute) - first + 1 }, (_, at) => ({
    hour: first + at,
    caps
  }));
  return [...closes, ...passed].slice(-INDEX_CLOSES);
}
function capsAt(market) {
  const { marketCap, pathLiquidity } = approximateWorth(market);
  const caps = /* @__PURE__ */ new Map();
  for (let number = 0; number < market.count; number++) {
    const about = Math.min(
      marketCap[number],
      Number(CAP_PER_LIQUIDITY) * pathLiquidity[number]
    );
    if (!isAtLeast(about, Number(INDEX_CAP_MIN_MICRO_USD), () => true)) continue;
    const { effectiveCap } = worthAt(market, number);
    if (effectiveCap >= INDEX_CAP_MIN_MICRO_USD) caps.set(market.tokenOf(number).address, effectiveCap);
  }
  return caps;
}
function leastCapOf(closes, token2) {
  if (closes.length < INDEX_CLOSES) return null;
  let least2 = null;
  for (const { caps } of closes) {
    const cap = caps.get(token2);
    if (cap === void 0) return null;
    if (least2 === null || cap < least2) least2 = cap;
  }
  return least2;
}
function contendersAt({ minute, now, dayBefore, closes }) {
  const newest = closes.at(-1)?.caps.keys() ?? [];
  const volumeOf3 = amountSince("cumVolumeMicroUsd", now, dayBefore);
  return [...newest].flatMap((address5) => {
    const leastCap = leastCapOf(closes, address5);
    const number = now.numberOf(address5);
    if (leastCap === null || number === void 0 || !isEligible(now, number, minute)) return [];
    const token2 = now.tokenOf(number);
    const supply = now.read("supply", number);
    return [
      {
        token: token2,
        root: rootAt(now, number),
        leastCap,
        supply,
        volume24h: volumeOf3(number),
        marketCap: marketCapMicroUsd(priceAt(now, number), supply)
      }
    ];
  });
}
var isEligible = (now, number, minute) => now.tokenOf(number).launchedAt.timestamp + INDEX_AGE_MINUTES * 60 <= asOf(minute) && now.read("lastSwapMinute", number) > minute - INDEX_TRADED_DAYS * 1440 && priceAt(now, number) > 0n;
function rootAt(market, number) {
  const { kind, address: address5 } = market.tokenOf(pathOf(market, number).at(-1) ?? number);
  return kind === "creator" ? address5 : partyOf(market.tokenOf(number));
}
var kinds = ["creator", "post"];
function firstMembers(contenders) {
  const members = seatEach(contenders, []);
  return members.size < INDEX_START_MEMBERS ? /* @__PURE__ */ new Map() : members;
}
function reviewedMembers(members, contenders) {
  const next = seatEach(contenders, [], (ranked2) => orderAtReview(ranked2, members));
  return next.size === 0 ? members : next;
}
function filledMembers(members, contenders, backingOf) {
  const taken = [...members].map(([token2, { kind }]) => ({ kind, ...backingOf(token2) }));
  const others = contenders.filter(({ token: token2 }) => !members.has(token2.address));
  return new Map([...members, ...seatEach(others, taken)]);
}
var hasVacancy = (members) => kinds.some((kind) => [...members.values()].filter((member2) => member2.kind === kind).length < INDEX_SEATS);
function openSeats(taken) {
  const count4 = /* @__PURE__ */ new Map();
  const limitsOf = ({ kind, root, party }) => [
    { name: kind, seats: INDEX_SEATS },
    { name: `root ${root}`, seats: INDEX_SEATS_EACH },
    { name: `party ${party}`, seats: INDEX_SEATS_EACH }
  ];
  const take = (seat) => {
    for (const { name } of limitsOf(seat)) count4.set(name, (count4.get(name) ?? 0) + 1);
  };
  taken.forEach(take);
  return (seat) => {
    const isFree = limitsOf(seat).every(({ name, seats }) => (count4.get(name) ?? 0) < seats);
    if (isFree) take(seat);
    return isFree;
  };
}
function seatEach(contenders, taken, inOrder = (ranked2) => ranked2) {
  const take = openSeats(taken);
  const seated = kinds.flatMap(
    (kind) => inOrder(contenders.filter(({ token: token2 }) => token2.kind === kind).toSorted(byRank)).filter(
      ({ token: token2, root }) => take({ kind, root, party: partyOf(token2) })
    )
  );
  return new Map(
    seated.map(({ token: token2, supply }) => [token2.address, { kind: token2.kind, quantity: supply }])
  );
}
function orderAtReview(ranked2, members) {
  const near = ranked2.slice(INDEX_RANK_IN, INDEX_RANK_STAY);
  const staying = near.filter(({ token: token2 }) => members.has(token2.address));
  return [.../* @__PURE__ */ new Set([...ranked2.slice(0, INDEX_RANK_IN), ...staying, ...ranked2])];
}
function byRank(a, b) {
  return descending(a.leastCap, b.leastCap) || descending(a.volume24h, b.volume24h) || descending(a.marketCap, b.marketCap) || byLaunch(a.token, b.token);
}
var descending = (a, b) => a > b ? -1 : a < b ? 1 : 0;

// market/grouped.ts
function grouped(items, keyOf3) {
  const groups = /* @__PURE__ */ new Map();
  for (const item of items) {
    const group = groups.get(keyOf3(item));
    if (group) group.push(item);
    else groups.set(keyOf3(item), [item]);
  }
  return groups;
}

// market/index/z100-index.ts
var DIVISOR_ONE = 10n ** 18n;
var POINT_ONE = 10n ** 8n;
var baseValueE8 = INDEX_BASE * POINT_ONE;
var baseDivisor = (value) => divideHalfEven(value * DIVISOR_ONE, INDEX_BASE);
var indexValue = (value, divisor2) => divideHalfEven(value * DIVISOR_ONE * POINT_ONE, divisor2);
var relinked = (divisor2, { before: before2, after }) => divideHalfEven(divisor2 * after, before2);
var ONE = 1000000n;
function cappedMembers(members, { capOf, backingOf }) {
  const rootOf = (token2) => backingOf(token2).root;
  const byRoot = grouped(members, ([token2]) => rootOf(token2));
  const worthOf2 = (seats, factor) => seats.reduce((sum2, [token2, { quantity }]) => sum2 + capOf(token2, quantity * factor / ONE), 0n);
  const total = [...byRoot.values()].reduce((sum2, seats) => sum2 + worthOf2(seats, ONE), 0n);
  const fits = (seats, factor) => 100n * worthOf2(seats, factor) <= INDEX_ROOT_PERCENT * total;
  const factors = new Map(
    [...byRoot].map(([root, seats]) => [root, largest(ONE, (factor) => fits(seats, factor))])
  );
  return new Map(
    [...members].map(([token2, { kind, quantity }]) => {
      const factor = factors.get(rootOf(token2)) ?? ONE;
      return [token2, { kind, quantity: quantity * factor / ONE }];
    })
  );
}
function largest(most2, fits) {
  if (fits(most2)) return most2;
  let [low, high] = [0n, most2];
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
var emptyIndex = {
  minute: null,
  baseMinute: null,
  members: /* @__PURE__ */ new Map(),
  since: /* @__PURE__ */ new Map(),
  divisor: 0n,
  valueE8: baseValueE8
};
function occasionAt({ minute: last, baseMinute }, minute) {
  if (last === null || hourOfMinute(minute) === hourOfMinute(last)) return null;
  if (baseMinute === null) return "start";
  return dayOf(minute) === dayOf(last) ? "hour" : "review";
}
function stayingMembers(members, thin) {
  const deep = new Map([...members].filter(([token2]) => !thin.has(token2)));
  return deep.size === 0 || deep.size === members.size ? members : deep;
}
function needsContenders(index, minute, thin) {
  const occasion = occasionAt(index, minute);
  if (occasion !== "hour") return occasion !== null;
  return hasVacancy(stayingMembers(index.members, thin));
}
var dayOf = (minute) => Math.floor((hourOfMinute(minute) - INDEX_REVIEW_HOUR) / 24);
function indexAfter(before2, market) {
  const { minute } = market;
  const worth = worthOf(before2.members, market);
  const isBased = before2.baseMinute !== null;
  const now = { ...before2, minute, valueE8: isBased ? indexValue(worth, before2.divisor) : baseValueE8 };
  const occasion = occasionAt(before2, minute);
  const members = occasion ? membersAfter[occasion](before2.members, market) : before2.members;
  const worthAfter = worthOf(members, market);
  if (members === before2.members || worthAfter === 0n) return now;
  const seats = { members, since: sinceAfter(before2, members, minute) };
  if (!isBased) return { ...now, ...seats, baseMinute: minute, divisor: baseDivisor(worthAfter) };
  if (worth === 0n) return now;
  return { ...now, ...seats, divisor: relinked(before2.divisor, { before: worth, after: worthAfter }) };
}
var membersAfter = {
  start: (members, market) => {
    const first = firstMembers(market.contenders());
    return first.size === 0 ? members : cappedMembers(first, market);
  },
  review: (members, market) => {
    const next = reviewedMembers(members, market.contenders());
    return next === members ? members : cappedMembers(next, market);
  },
  hour: (members, market) => {
    const staying = stayingMembers(members, market.thin);
    if (!hasVacancy(staying)) return staying;
    const filled = filledMembers(staying, market.contenders(), market.backingOf);
    return filled.size === staying.size ? staying : filled;
  }
};
var sinceAfter = ({ since }, members, minute) => new Map([...members.keys()].map((token2) => [token2, since.get(token2) ?? minute]));
var worthOf = (members, { capOf }) => [...members].reduce((sum2, [token2, { quantity }]) => sum2 + capOf(token2, quantity), 0n);

// snapshot/index-state.ts
var KEPT_MINUTES = LONGEST_PERIOD_MINUTES + windows["24h"].minutes;
var byInterval = (make) => byName(intervalNames, make);
var emptyIndexState = () => ({
  index: emptyIndex,
  points: [],
  closes: [],
  needed: /* @__PURE__ */ new Set(),
  bars: byInterval(() => null),
  unwritten: byInterval(() => []),
  isRecordDue: false,
  recordedMinute: null,
  unsaved: []
});
function closePartOf({ index }, market, { last, minute }) {
  if (last === null || hourOfMinute(last) === hourOfMinute(minute)) return null;
  const now = market();
  const isDeep = (address5) => {
    const number = now.numberOf(address5);
    return number !== void 0 && pathLiquidityAt(now, number) >= LIQUIDITY_MIN_MICRO_USD;
  };
  return { caps: capsAt(now), deep: [...index.members.keys()].filter(isDeep) };
}
function closeHour(state, part3, { last, minute }) {
  if (last === null || part3 === null) return /* @__PURE__ */ new Set();
  state.closes = closesAfter(state.closes, part3.caps, { last, minute });
  const deep = new Set(part3.deep);
  return new Set([...state.index.members.keys()].filter((address5) => !deep.has(address5)));
}
function indexPartOf({ index, closes }, { minute, now, dayBefore, thin }) {
  const contenders = needsContenders(index, minute, thin) ? contendersAt({ minute, now, dayBefore, closes }) : [];
  const addresses2 = /* @__PURE__ */ new Set([...index.members.keys(), ...contenders.map(({ token: token2 }) => token2.address)]);
  const tokens = /* @__PURE__ */ new Map();
  for (const address5 of addresses2) {
    const number = now.numberOf(address5);
    if (number === void 0) continue;
    const { priceUsdE36: priceUsdE362, pathLiquidity } = worthAt(now, number);
    const backing2 = { root: rootAt(now, number), party: partyOf(now.tokenOf(number)) };
    tokens.set(address5, { priceUsdE36: priceUsdE362, pathLiquidity, ...backing2 });
  }
  return { tokens, contenders };
}
function advanceIndex(state, { segment, thin }, { tokens, contenders }) {
  const { minute } = segment;
  const last = state.index;
  state.index = indexAfter(last, {
    minute,
    thin,
    capOf: (address5, quantity) => {
      const token2 = tokens.get(address5);
      return token2 ? counted(marketCapMicroUsd(token2.priceUsdE36, quantity), token2.pathLiquidity) : 0n;
    },
    backingOf: (address5) => tokens.get(address5) ?? { root: address5, party: address5 },
    contenders: () => contenders
  });
  const isChanged = state.index.members !== last.members;
  state.isRecordDue = isChanged || isFirstOfDay(last.minute, minute);
  if (state.index.baseMinute !== null) addPoint(state, last, segment);
}
function noteNeeded(state, last, now) {
  if (occasionAt(last, state.index.minute ?? 0)) state.needed = neededBy(state.index.members, now);
}
var isFirstOfDay = (last, minute) => last === null || Math.floor(hourOfMinute(minute) / 24) !== Math.floor(hourOfMinute(last) / 24);
function addPoint(state, last, { minute, rows: rows3 }) {
  const { valueE8 } = state.index;
  const { members } = last.baseMinute === null ? state.index : last;
  const ofMembers = rows3.filter(
    ({ token: token2, before: before2, after }) => members.has(token2) && after.cumTrades > before2.cumTrades
  );
  const traded = ofMembers.map(({ token: token2, description: { kind }, before: before2, after }) => ({
    token: token2,
    kind,
    volume: after.cumVolumeMicroUsd - before2.cumVolumeMicroUsd,
    trades: after.cumTrades - before2.cumTrades
  }));
  addBars(state, { minute, valueE8, traded });
  state.points.push({ minute, valueE8 });
  dropBefore(state.points, minute - KEPT_MINUTES);
}
function neededBy(members, now) {
  const numbers = [...members.keys()].flatMap((address5) => now.numberOf(address5) ?? []);
  return new Set(numbers.flatMap((number) => pathOf(now, number)).map((each) => now.tokenOf(each).address));
}
function addBars({ bars, unwritten }, point) {
  for (const interval2 of intervalNames) {
    const touched = barsAfter(interval2, bars[interval2], point);
    const first = touched[0]?.at ?? 0;
    unwritten[interval2] = [...unwritten[interval2].filter(({ at }) => at < first), ...touched];
    bars[interval2] = touched.at(-1) ?? null;
  }
}
function takeUnwritten({ unwritten }) {
  return byInterval((interval2) => unwritten[interval2].splice(0).map(storedBar));
}
function indexFigures({ index, points: points2 }, minute) {
  const { divisor: divisor2, valueE8, members, since } = index;
  const startValue = (period2) => points2[countUpTo(points2, startOf(minute, period2) / 60 - 1) - 1]?.valueE8 ?? null;
  return { minute, divisor: divisor2, valueE8, members, since, startValues: byName(periods, startValue) };
}

// snapshot/market-view.ts
function viewsOf(market, arrays = new ArrayPool()) {
  const { states, byAddress, descriptions: descriptions2, hourPrices, redescribed, sums } = market;
  const read = memoized(tokenLine.read);
  const posts = memoized(() => relationsOf(market));
  return (at, references2) => {
    const textOf2 = (number) => redescribed.get(number)?.[at] ?? descriptions2[number];
    const coins = memoized(() => {
      posts(null);
      return coinsThen(market, at);
    });
    return {
      references: references2,
      count: states.count,
      textOf: textOf2,
      tokenOf: (number) => read(textOf2(number)),
      numberOf: (address5) => byAddress.get(address5),
      read: (field2, number) => states.read(field2, number, at),
      column: (field2) => states.column(field2, at, arrays.next(states.count)),
      zeros: () => arrays.next(states.count).fill(0),
      withScratch: (use) => arrays.within(use),
      coins: () => coins(null),
      hourPriceOf: (number) => hourPrices[number] ? BigInt(hourPrices[number]) : null,
      ownerOf: (address5) => ownerThen(market, address5, at),
      posts: () => ({
        ...postsThen(market, posts(null), at),
        counted: sums.column("counted", at, arrays.next(sums.count)),
        lastSwap: sums.column("lastSwapMinute", at, arrays.next(sums.count))
      })
    };
  };
}
function relationsOf(market) {
  const { byAddress, sums, owners } = market;
  const quotes = new Int32Array(sums.count);
  const creatorTokens = new Int32Array(sums.count).fill(-1);
  for (const [address5, owner] of owners) {
    const oldest = numberOf(byAddress, owner.oldestCreatorToken);
    for (const { quote, number } of owner.sums) {
      const isOwn = quote === address5;
      creatorTokens[number] = isOwn ? numberOf(byAddress, address5) : oldest;
      quotes[number] = isOwn ? creatorTokens[number] : quoteNumber(market, quote);
    }
  }
  return { quotes, creatorTokens };
}
var numberOf = (byAddress, address5) => (address5 === null ? void 0 : byAddress.get(address5)) ?? -1;
function coinsThen(market, at) {
  const { columns, redescribed } = market;
  const then = { quotes: columns.quotes, isCurrency0: columns.isCurrency0 };
  if (at > 0 && redescribed.size > 0) {
    then.quotes = columns.quotes.slice();
    then.isCurrency0 = columns.isCurrency0.slice();
    for (const [number, texts] of redescribed) {
      const { quote, isCurrency0 } = tokenLine.read(texts[at]);
      then.quotes[number] = quoteNumber(market, quote);
      then.isCurrency0[number] = Number(isCurrency0);
    }
  }
  return { ...columns, ...then, others: [...market.others.keys()] };
}
function postsThen({ byAddress, owners, reowned }, { quotes, creatorTokens }, at) {
  if (at === 0 || reowned.size === 0) return { quotes, creatorTokens };
  const then = creatorTokens.slice();
  for (const [address5, oldest] of reowned) {
    const number = numberOf(byAddress, oldest[at] ?? null);
    for (const sums of owners.get(address5)?.sums ?? []) if (sums.quote !== address5) then[sums.number] = number;
  }
  return { quotes, creatorTokens: then };
}
function ownerThen({ owners, reowned, sums }, address5, at) {
  const owner = owners.get(address5);
  if (!owner) return noPosts;
  const oldest = reowned.get(address5);
  const posts = owner.sums.map(({ quote, number }) => ({ quote, ...sums.recordAt(number, at) }));
  return {
    oldestCreatorToken: (oldest ? oldest[at] : owner.oldestCreatorToken) ?? null,
    posts: sortedSums(posts.filter(({ count: count4 }) => count4 > 0))
  };
}

// snapshot/engine.ts
var KEPT_MINUTES2 = 2 * LONGEST_PERIOD_MINUTES;
function addMinute(line2, { minute, totals: { after } }) {
  const { volume: volume3, buyVolume, creatorVolume, trades, buys } = after;
  if (line2.at(-1)?.trades !== trades) line2.push({ minute, volume: volume3, buyVolume, creatorVolume, trades, buys });
  dropBefore(line2, minute - KEPT_MINUTES2);
}
var emptyEngine = () => ({
  n: 0,
  last: null,
  corrections: 0,
  market: emptyMarket(),
  starts: windowNames.map(() => ({ minute: null, references: /* @__PURE__ */ new Map(), totals: noTotals })),
  segments: [],
  totals: [],
  index: emptyIndexState(),
  target: null,
  savedMinute: null
});
var minuteOfEngine = ({ starts }) => starts[0]?.minute ?? null;
function marketsAt({ market, starts }, arrays) {
  const views = viewsOf(market, arrays);
  return (at) => views(at, starts[at]?.references ?? /* @__PURE__ */ new Map());
}
var placeOf = (name) => windowNames.indexOf(name);
function advance(engine, entry, segmentOf) {
  const open = openMinute(engine, { entry, segmentOf }, closeOf(engine, entry));
  closeMinute(engine, open, indexPart(engine, open));
}
function closeOf(engine, { minute }) {
  endFirstHours(engine, minute * 60);
  return closePartOf(engine.index, () => marketsAt(engine)(0), { last: minuteOfEngine(engine), minute });
}
function openMinute(engine, { entry, segmentOf }, part3) {
  const { market, starts, index } = engine;
  const passing = passingAt(engine, entry);
  const segment = segmentOf(entry.segment);
  const thin = closeHour(index, part3, { last: minuteOfEngine(engine), minute: entry.minute });
  takeIn(market, segment, 1);
  starts[0] = startAfter(segment);
  for (const [at, references2] of passing.entries()) {
    for (const passed of references2.map(segmentOf)) {
      pass(market, passed, at);
      starts[at] = startAfter(passed);
    }
  }
  endMinute(engine, entry, segment);
  noteLaunches(market, segment);
  endFirstHours(engine, asOf(entry.minute));
  return { entry, segment, thin, passed: passing.at(-1)?.map(segmentOf) ?? [] };
}
function indexPart(engine, { entry: { minute }, thin }) {
  const at = marketsAt(engine);
  return indexPartOf(engine.index, { minute, now: at(0), dayBefore: at(placeOf("24h")), thin });
}
function closeMinute(engine, { segment, thin, passed }, part3) {
  const { index } = engine;
  const [last, { needed }] = [index.index, index];
  advanceIndex(index, { segment, thin }, part3);
  noteNeeded(index, last, marketsAt(engine)(0));
  letGoOf(engine, passed, needed);
}
function load(engine, entry, segment, target) {
  const { minute } = entry;
  const part3 = minute > target - LOADED_CLOSES_MINUTES ? closeOf(engine, entry) : null;
  endFirstHours(engine, minute * 60);
  closeHour(engine.index, part3, { last: minuteOfEngine(engine), minute });
  const moving = windowNames.filter((name) => minute <= target - windows[name].minutes).length;
  const isWithin = moving < windowNames.length;
  if (isWithin) takeIn(engine.market, segment, moving);
  for (let at = 0; at < moving; at++) engine.starts[at] = startAfter(segment);
  endMinute(engine, entry, segment);
  if (isWithin) noteLaunches(engine.market, segment);
  endFirstHours(engine, asOf(minute));
}
var LOADED_CLOSES_MINUTES = (INDEX_CLOSES + 2) * 60;
var endFirstHours = (engine, seconds) => priceFirstHours(engine.market, () => marketsAt(engine)(0), seconds);
function endMinute(engine, { n, last, segment: reference }, segment) {
  const { segments, starts, totals } = engine;
  engine.n = n;
  engine.last = last;
  segments.push(reference);
  segments.splice(0, countUpTo(segments, starts.at(-1)?.minute ?? Number.NEGATIVE_INFINITY));
  addMinute(totals, segment);
}
var startAfter = ({ minute, references: references2, totals }) => ({
  minute,
  references: references2,
  totals: totals.after
});
function letGoOf({ market, starts, index: { needed } }, passed, neededBefore) {
  for (const segment of passed) leave(market, segment, needed);
  const minute = starts.at(-1)?.minute ?? null;
  if (neededBefore === needed || minute === null) return;
  for (const address5 of neededBefore) letGo(market, address5, { minute, needed });
}
function passingAt({ starts, segments }, { minute }) {
  return windowNames.map((name, at) => {
    if (name === "now") return [];
    const from2 = countUpTo(segments, starts[at]?.minute ?? Number.NEGATIVE_INFINITY);
    return segments.slice(from2, countUpTo(segments, minute - windows[name].minutes));
  });
}
var EmptyEngineError = class extends Error {
  name = "EmptyEngineError";
  constructor() {
    super("the engine has not taken in any minute yet");
  }
};
function windowsOf(engine, arrays) {
  const minute = minuteOfEngine(engine);
  if (minute === null) throw new EmptyEngineError();
  const at = marketsAt(engine, arrays);
  return {
    minute,
    at: byName(windowNames, (name) => at(placeOf(name))),
    hasState: (name) => engine.starts[placeOf(name)]?.minute !== null,
    coverageFrom: totalsOf(engine).coverageFrom,
    hourlyCaps: engine.index.closes.map(({ caps }) => caps)
  };
}
var totalsOf = ({ starts }) => starts[0]?.totals ?? noTotals;

// store/parallel.ts
var chunked = (items, size) => Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
async function mapParallel(items, limit2, work) {
  const results = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [at, item] of queue) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit2, items.length) }, worker));
  return results;
}

// store/tables.ts
import { createHash } from "node:crypto";

// schemas/stream-times.ts
var REPLAY_SECONDS = 24 * 3600;
var REPLAY_HOURS = REPLAY_SECONDS / 3600;
var RECENT_SWAPS = 1e4;
var CONNECTION_SECONDS = 15 * 60;
var LIFETIME_SPREAD = 1 / 8;
var LINGER_SECONDS = 10;
var LONGEST_CONNECTION_SECONDS = Math.ceil(CONNECTION_SECONDS * (1 + LIFETIME_SPREAD)) + LINGER_SECONDS;

// store/tables.ts
var tables = {
  market: { environment: "MARKET_TABLE", partitionKey: "pk", sortKey: "sk", expiresAt: "ttl" },
  access: { environment: "ACCESS_TABLE", partitionKey: "pk", sortKey: "sk", expiresAt: "ttl" },
  /** Separate from the accounts, so that the counter of answers can change nothing else. */
  usage: { environment: "USAGE_TABLE", partitionKey: "pk", sortKey: "sk", expiresAt: "ttl" }
};
var objectPrefixes = {
  segments: "segments/",
  checkpoints: "checkpoints/",
  /** Checkpoints other than the first of each day. */
  recentCheckpoints: "checkpoints/recent/",
  dailyCheckpoints: "checkpoints/daily/",
  /** The index's state after each review and change of members. */
  index: "index/",
  /** What was published at the end of each hour (kept.ts), for ever. */
  kept: "kept/",
  keptDocuments: "kept/documents/",
  keptHours: "kept/hours/",
  keptRecaps: "kept/recaps/",
  /** Marks of the UTC days that are over. */
  keptDays: "kept/days/",
  /** In the bucket of published documents: manifests, the archive, which anyone may read, and the screened tokens. */
  manifests: "manifests/",
  archive: "archive/v1/",
  screened: "screened/"
};
var manifestKey = "manifest.json";
var keyText = ({ pk, sk }) => JSON.stringify([pk, sk]);
var keptSeconds = {
  /** The start of the longest period, the day before it, and a day more. */
  minute: LONGEST_PERIOD_MINUTES * 60 + 2 * 86400,
  /** The furthest window start, and ten days more. */
  reference: LONGEST_WINDOW_MINUTES * 60 + 10 * 86400,
  /** What the stream replays, and an hour more. */
  feed: REPLAY_SECONDS + 3600,
  /** Swaps of a wallet. */
  wallet: 90 * 86400,
  /** Holders and earnings of a token by hours. */
  tokenHour: 400 * 86400,
  /** Usage of an account in an hour. */
  usage: 35 * 86400,
  /** For so long a batch of the edge's log may be delivered again. */
  batch: 2 * 86400,
  /** An ended key, so that it can be named to its owner. */
  endedKey: 90 * 86400,
  /** The audit log. */
  audit: 400 * 86400
};
var priceTiers = {
  hour: { letter: "H", minutes: 60, pointMinutes: 5, kept: keptSeconds.minute },
  day: { letter: "D", minutes: 1440, pointMinutes: 60, kept: 92 * 86400 },
  days: { letter: "E", minutes: 1440, pointMinutes: 1440, kept: null }
};
var FEED_PARTITION = 1e3;
var FORMAT_VERSION = 2;
var marketKeys = {
  /** A token's description. */
  token: (token2) => ({ pk: tokenPartition(token2), sk: "M" }),
  /** A token's newest state, and the sums of the posts quoted in it. */
  now: (token2) => ({ pk: tokenPartition(token2), sk: "NOW" }),
  /** The oldest creator token of a creator's address, and the sums of its posts that are quoted in no creator token. */
  postOwner: (owner) => ({ pk: `O#${bare2(owner)}`, sk: "POSTS" }),
  /** A token's row of a minute. */
  minute: (token2, minute) => ({
    pk: tokenPartition(token2),
    sk: `C#${minuteText(minute)}`
  }),
  /** A chunk of the swaps of a token's minute that do not fit its row. */
  swaps: (token2, minute, chunk) => ({
    pk: tokenPartition(token2),
    sk: `S#${minuteText(minute)}#${chunkText(chunk)}`
  }),
  /** Prices of a token, or rates of a reference currency, rolled up in an hour or day. */
  prices: (series, tier, at) => ({
    pk: "token" in series ? tokenPartition(series.token) : `R#${bare2(series.currency)}`,
    sk: `${priceTiers[tier].letter}${FORMAT_VERSION}#${padded(at, 6)}`
  }),
  /** Marks an hour or day whose rolled-up items are complete. */
  rolledUp: (span2, at) => ({
    pk: `${span2 === "hour" ? "HOURS" : "DAYS"}#${FORMAT_VERSION}`,
    sk: padded(at, 6)
  }),
  /** A holder's balance; the pool manager's balance is in the token's state. */
  balance: (token2, holder2) => ({ pk: `B#${bare2(token2)}`, sk: bare2(holder2) }),
  /** A token's holders and earnings before and after an hour that changed one of them. */
  tokenHour: (token2, hour2) => ({
    pk: tokenPartition(token2),
    sk: `Q${FORMAT_VERSION}#${padded(hour2, 6)}`
  }),
  /** How much of a token's supply its largest holders had in an hour, when last looked at. */
  holderSample: (token2, hour2) => ({
    pk: tokenPartition(token2),
    sk: `K${FORMAT_VERSION}#${padded(hour2, 6)}`
  }),
  /** A chunk of a wallet's swaps in an hour, newest first. */
  walletHour: (wallet, hour2, chunk) => ({
    pk: `W#${bare2(wallet)}`,
    // Read backwards, an hour begins with its first chunk.
    sk: `${padded(hour2, 6)}#${padded(9999 - chunk, 4)}`
  }),
  /** A token on its board at the end of a UTC day, counted from 1970. Of all logs together: it is what was published. */
  boardDay: (token2, day3) => ({ pk: `Z#${bare2(token2)}`, sk: padded(day3, 6) }),
  /** A token's holder view. */
  holderView: (token2) => ({ pk: tokenPartition(token2), sk: "HS" }),
  /** Whether an address is a contract. */
  code: (address5) => ({ pk: `A#${bare2(address5)}`, sk: "CODE" }),
  /** The token of a pool. */
  pool: (poolId) => ({ pk: `X#p#${bare2(poolId)}`, sk: "P" }),
  /** A learnt hook. */
  hook: (hook) => ({ pk: "HOOKS", sk: bare2(hook) }),
  /** Which log readers follow. */
  live: { pk: "SYS", sk: "LIVE" },
  /** The log of a version of the rules. */
  logOf: (rules) => ({ pk: "LOGS", sk: rules }),
  /** How far a publisher has got. */
  publisher: (publisher) => ({ pk: "PUBLISHERS", sk: publisher }),
  /** An entry of the log of minutes. */
  logEntry: (n) => ({ pk: "LOG", sk: padded(n, 12) }),
  /** The applied watermark: how far the log is materialized. */
  applied: { pk: "SYS", sk: "APPLIED" },
  /** An entry of the live feed. */
  feedEntry: (seq) => ({ pk: `F#${Math.floor(seq / FEED_PARTITION)}`, sk: padded(seq, 12) }),
  /** The rest of a feed entry that exceeds one item, by the digest of all its bytes. */
  feedPart: (digest2, at) => ({ pk: `FP#${digest2}`, sk: padded(at, 4) }),
  /** Hint of the newest entry of the live feed. */
  feedTail: { pk: "SYS", sk: "FEED" },
  /** A document for parameterised answers; its versions rotate through a few slots. */
  document: (name, slot2) => ({
    pk: `DOC#${FORMAT_VERSION}#${name}`,
    sk: padded(slot2, 2)
  }),
  /** The newest snapshot whose documents are stored here. */
  snapshot: { pk: "SYS", sk: `SNAPSHOT#${FORMAT_VERSION}` },
  /** v1/status as last published. */
  status: { pk: "SYS", sk: "STATUS" },
  /** The gap: logs that no endpoint delivers, at which sealing has stopped. */
  gap: { pk: "SYS", sk: "GAP" },
  /** Trouble of the chain itself. */
  chainTrouble: { pk: "SYS", sk: "CHAIN" },
  /** A reference rate at the close of a minute. */
  reference: (currency2, minute) => ({
    pk: `R#${bare2(currency2)}`,
    sk: minuteText(minute)
  }),
  /** A bar of the index; six digits of hours reach the year 2084. */
  indexBar: (interval2, at) => ({
    pk: indexPartition(interval2, new Date(firstMinuteOf(interval2, at) * 6e4).getUTCFullYear()),
    sk: padded(at, 6)
  })
};
var accessKeys = {
  account: (account) => ({ pk: "ACCOUNT", sk: account }),
  /** An account's reference to a key; put before the key itself. */
  keyOf: (account, digest2) => ({ pk: `A#${account}`, sk: digest2 }),
  key: (digest2) => ({ pk: `K#${digest2}`, sk: "KEY" }),
  /** A change at a time (ISO 8601), of any account or of one; `mark` distinguishes two at the same time. */
  audit: (account, at, mark) => ({
    pk: account === "" ? "AUDIT" : `AUDIT#${account}`,
    sk: `${at}#${mark}`
  }),
  /** What is used once, or until it is ended, by the sha256 of its text. */
  ticket: (kind, digest2) => ({ pk: `TICKET#${digest2}`, sk: kind }),
  /** The account that a wallet signs in to. */
  wallet: (wallet) => ({ pk: `WALLET#${wallet}`, sk: "ACCOUNT" }),
  /** A count of a UTC day from 1970. */
  count: (what, day3) => ({ pk: `COUNT#${what}`, sk: padded(day3, 6) })
};
var indexPartition = (interval2, year) => interval2 === "hour" ? `I#h#${year}` : `I#${interval2[0]}`;
var tokenPartition = (token2) => `T#${bare2(token2)}`;
var bare2 = (hex2) => hex2.slice(2);
var padded = (n, digits) => String(n).padStart(digits, "0");
var chunkText = (chunk) => chunk < 100 ? padded(chunk, 2) : `:${padded(chunk, 6)}`;
var minuteText = (minute) => padded(minute, 8);
var sha256Of = (content) => createHash("sha256").update(content).digest("hex");
var accountPartitions = [
  accessKeys.account("").pk,
  accessKeys.keyOf("", "").pk,
  accessKeys.key("").pk,
  accessKeys.audit("", "", "").pk,
  accessKeys.ticket("", "").pk,
  accessKeys.wallet("").pk,
  accessKeys.count("", 0).pk
];

// store/index-history.ts
var PARALLEL_PUTS = 16;
async function putBars(ledger, n, bars) {
  const items = Object.keys(bars).flatMap(
    (interval2) => bars[interval2].map((bar2) => itemOf(interval2, bar2, n))
  );
  await mapParallel(items, PARALLEL_PUTS, (item) => ledger.put(item, { olderThan: n }));
}
var itemOf = (interval2, { at, ...numbers }, n) => ({
  ...marketKeys.indexBar(interval2, at),
  ...numbers,
  at,
  pos: n
});

// schemas/compiled.ts
import { Ajv2020 } from "ajv/dist/2020.js";
var ajvOptions = { allowUnionTypes: true };
function compiled(schemas3) {
  const ajv = new Ajv2020(ajvOptions);
  const entries = Object.entries(schemas3).map(([name, schema]) => [name, ajv.compile(schema)]);
  return Object.fromEntries(entries);
}

// schemas/service.ts
import { createHash as createHash2 } from "node:crypto";

// schemas/access.ts
var tiers = {
  site: { limitPerHour: 100, isCached: true, flood: { perSecond: 50, burst: 300 } },
  basic: { limitPerHour: 100, isCached: false, flood: { perSecond: 20, burst: 200 } },
  professional: { limitPerHour: 2e3, isCached: true, flood: { perSecond: 100, burst: 2e3 } },
  enterprise: { limitPerHour: 2e4, isCached: true, flood: { perSecond: 500, burst: 5e3 } }
};
var SITE_TIER = "site";
var tierNames = Object.keys(tiers);
var readerTiers = tierNames.filter((tier) => tier !== SITE_TIER);
var keyKinds = ["live", "test", "site"];
var RANDOM_LETTERS = 27;
var CHECK_LETTERS = 6;
var KEY = new RegExp(
  `^(z100_(?:${keyKinds.join("|")})_[0-9A-Za-z]{${RANDOM_LETTERS}})([0-9A-Za-z]{${CHECK_LETTERS}})$`
);
var hourEnd = (hour2) => (hour2 + 1) * 3600;

// schemas/field.ts
var MADE_FROM = /* @__PURE__ */ Symbol("made from");
var fieldsOf = () => ({ schema, write: write4, format }, from2, words2) => {
  const own = typeof words2 === "string" ? { description: words2 } : words2;
  return {
    ...own,
    schema: { ...schema, description: own.description },
    write: (row2) => write4(from2(row2)),
    format: format ? (row2) => JSON.stringify(format(from2(row2))) : null
  };
};
function orNull(kind) {
  const { type = "object", enum: choices } = kind.schema;
  const words2 = Array.isArray(choices) ? { enum: [...choices, null] } : {};
  return {
    ...kind,
    schema: { ...kind.schema, type: [type, "null"], ...words2 },
    write: (value) => value === null ? "null" : kind.write(value)
  };
}
var DISPLAY_TEXT = { type: "string", description: "Display text" };
function wireKeys(table, variant = {}) {
  return Object.entries(table).filter(([, { group }]) => group === void 0 || group !== variant.without).flatMap(([key, { schema, write: write4, format, aliases = [], display }]) => {
    const value = (key2) => ({ key: key2, cell: key2, schema, write: write4 });
    const all4 = [value(key), ...aliases.map(value)];
    if (!display || !format) return all4;
    const text5 = { cell: `${key}_formatted`, schema: DISPLAY_TEXT, write: format };
    const isText = variant.display !== void 0 && display.includes(variant.display);
    return [
      isText ? { key, ...text5 } : value(key),
      ...all4.slice(1),
      value(`${key}_raw`),
      { key: `${key}_formatted`, ...text5 }
    ];
  }).map((wired) => ({ ...wired, name: `${JSON.stringify(wired.key)}:` }));
}
function rowWriter(table, variant) {
  const keys = wireKeys(table, variant);
  return (row2) => `{${keys.map(({ name, write: write4 }) => name + write4(row2)).join(",")}}`;
}
function rowSchema(table, variant) {
  const properties = Object.fromEntries(wireKeys(table, variant).map(({ key, schema }) => [key, schema]));
  return {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
    ...variant ? {} : { [MADE_FROM]: table }
  };
}
function sortKeys(table) {
  return Object.fromEntries(
    Object.entries(table).flatMap(([key, { sorts = [] }]) => sorts.map((name) => [name, key]))
  );
}
function recordKind(table) {
  return { schema: rowSchema(table), write: rowWriter(table) };
}
function listKind(table) {
  const write4 = rowWriter(table);
  return {
    schema: { type: "array", items: rowSchema(table) },
    write: (rows3) => `[${rows3.map(write4).join(",")}]`
  };
}

// schemas/address.ts
import { keccak_256 } from "@noble/hashes/sha3";
import { bytesToHex } from "@noble/hashes/utils";
import { LRUCache } from "lru-cache";
var printed = new LRUCache({ max: 5e4 });
function printedAddress(address5) {
  const known2 = printed.get(address5);
  if (known2 !== void 0) return known2;
  const text5 = checksummed(address5);
  printed.set(address5, text5);
  return text5;
}
function checksummed(address5) {
  const digits = address5.slice(2).toLowerCase();
  const digest2 = bytesToHex(keccak_256(digits));
  return `0x${[...digits].map((digit, at) => (digest2[at] ?? "0") >= "8" ? digit.toUpperCase() : digit).join("")}`;
}
function shortAddress(address5) {
  const text5 = printedAddress(address5);
  return `${text5.slice(0, 6)}\u2026${text5.slice(-4)}`;
}

// schemas/kinds.ts
var SEPARATOR = /[\u2028\u2029]/g;
var text2 = {
  schema: { type: "string" },
  write: (value) => JSON.stringify(value).replace(SEPARATOR, (each) => each === "\u2028" ? "\\u2028" : "\\u2029")
};
var choice = (words2) => ({
  schema: { type: "string", enum: words2 },
  write: (value) => JSON.stringify(value)
});
var flag2 = { schema: { type: "boolean" }, write: String };
var count2 = { schema: { type: "integer", minimum: 0 }, write: String };
var difference = { schema: { type: "integer" }, write: String };
var usd = {
  schema: { type: "number" },
  write: (value) => decimalText(value, 6, 2),
  format: formatUsd
};
var usdText = {
  schema: { type: "string" },
  write: (value) => JSON.stringify(formatUsd(value))
};
var price = {
  schema: { type: "number", minimum: 0 },
  write: (value) => significantText(value)
};
var percent = {
  schema: { type: "number" },
  write: (value) => decimalText(value, 2, 2),
  format: formatPercent
};
var percentText = {
  schema: { type: "string" },
  write: (value) => JSON.stringify(formatPercent(value))
};
var AMOUNT_PLACES = 6;
var amount = {
  schema: { type: "number", minimum: 0 },
  write: (value) => decimalText(value / 10n ** BigInt(TOKEN_DECIMALS - AMOUNT_PLACES), AMOUNT_PLACES, AMOUNT_PLACES)
};
var exactAmount = {
  schema: { type: "string", pattern: "^\\d+(\\.\\d+)?$" },
  write: (value) => `"${decimalText(value, TOKEN_DECIMALS, TOKEN_DECIMALS)}"`
};
var score = {
  schema: { type: "number", minimum: 0 },
  write: (value) => decimalText(value, 6, 2)
};
var ratio = {
  schema: { type: "number", minimum: 0 },
  write: (value) => decimalText(value, 6, 6)
};
var fourPlaces = {
  schema: { type: "number", minimum: 0 },
  write: (value) => decimalText(value, 4, 4)
};
var points = {
  schema: { type: "number", minimum: 0 },
  write: (value) => decimalText(value, 8, 4)
};
var pointsChange = {
  schema: { type: "number" },
  write: (value) => decimalText(value, 8, 4)
};
var divisor = {
  schema: { type: "string", pattern: "^\\d+(\\.\\d+)?$" },
  write: (value) => `"${decimalText(value, 24, 24)}"`
};
var shape = {
  schema: { type: "array", maxItems: 24, items: { type: ["integer", "null"], minimum: 0, maximum: 100 } },
  write: (values2) => {
    const known2 = values2.filter((value) => value !== null).sort((a, b) => Number(a - b));
    const least2 = known2[0] ?? 0n;
    const range = (known2.at(-1) ?? 0n) - least2;
    const height = (value) => range === 0n ? 50n : (value - least2) * 100n / range;
    return `[${values2.map((value) => value === null ? "null" : height(value)).join(",")}]`;
  }
};
var address2 = {
  schema: { type: "string", pattern: "^0x[0-9a-fA-F]{40}$" },
  write: (value) => `"${printedAddress(value)}"`
};
var hash2 = {
  schema: { type: "string", pattern: "^0x[0-9a-f]{64}$" },
  write: (value) => `"${value}"`
};
var time = {
  schema: { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$" },
  write: (value) => `"${isoTime(value)}"`
};
var isoTime = (seconds) => `${new Date(seconds * 1e3).toISOString().slice(0, 19)}Z`;
var json = (schema) => ({ schema, write: (value) => JSON.stringify(value) });

// schemas/service.ts
var PINNED_MINUTES = 15;
var STALE_AFTER_SECONDS = 300;
var status = fieldsOf();
var words = { type: "array", items: { type: "string" } };
var secondsOf = (time2) => Date.parse(time2) / 1e3;
var gap = fieldsOf();
var gapFields = {
  block_number: gap(count2, ({ block }) => block, "First block of the minutes that are waiting"),
  missing: gap(text2, ({ missing }) => missing, "Evidence that logs were left out"),
  endpoints: gap(json(words), ({ endpoints }) => endpoints, "Hosts that were asked"),
  since: gap(time, ({ since }) => since, "When the gap was first seen")
};
var refoldSchema = {
  type: "object",
  properties: {
    rules_version: { type: "integer", minimum: 1, description: "Version of the rules that is catching up" },
    to: { ...time.schema, description: "The time that it has to reach, that of the newest figures" },
    remaining_minutes: { type: "integer", minimum: 1, description: "Minutes of the chain left until then" },
    remaining_seconds: {
      type: ["integer", "null"],
      minimum: 0,
      description: "Seconds that they will take at the rate so far; null: not known yet"
    }
  },
  required: ["rules_version", "to", "remaining_minutes", "remaining_seconds"],
  additionalProperties: false
};
var refoldText = ({ rulesVersion, to: to2, minutes, seconds }) => ({
  rules_version: rulesVersion,
  to: isoTime(asOf(to2)),
  remaining_minutes: minutes,
  remaining_seconds: seconds
});
function manifestFields(manifestOf) {
  const field2 = fieldsOf();
  return {
    snapshot_id: field2(text2, (row2) => manifestOf(row2).snapshot_id, {
      description: "Id of the snapshot; its manifest is /v1/snapshots/{id}"
    }),
    as_of: field2(time, (row2) => secondsOf(manifestOf(row2).as_of), "The time of the figures"),
    block_number: field2(count2, (row2) => manifestOf(row2).block_number, "Last block of that minute"),
    block_hash: field2(hash2, (row2) => manifestOf(row2).block_hash, "Its hash"),
    log_position: field2(count2, (row2) => manifestOf(row2).log_position, {
      description: "Last entry of the log of minutes"
    }),
    documents_count: field2(count2, (row2) => Object.keys(manifestOf(row2).documents).length, {
      description: "Documents of the snapshot"
    }),
    unpublished: field2(json(words), (row2) => manifestOf(row2).unpublished, {
      description: "Documents that failed; their last good version stays"
    }),
    rules_version: field2(count2, (row2) => manifestOf(row2).rules_version, "Version of the methodology"),
    code_version: field2(orNull(text2), (row2) => manifestOf(row2).code_version, {
      description: "Version of the code that built the snapshot"
    })
  };
}
var { snapshot_id, as_of, block_number, block_hash, log_position, ...contents } = manifestFields(
  ({ manifest }) => manifest
);
var statusFields = {
  status: status(choice(["ok", "degraded"]), (row2) => row2.reasons.length === 0 ? "ok" : "degraded", {
    description: "degraded: see reasons; boards stay at their last good version"
  }),
  reasons: status(json(words), (row2) => row2.reasons, "Why the service is degraded"),
  gap: status(orNull(recordKind(gapFields)), (row2) => row2.gap, {
    description: "Logs that no endpoint delivers: minutes from this block on wait for them; everything before it is complete"
  }),
  refold: status(orNull(json(refoldSchema)), (row2) => row2.refold && refoldText(row2.refold), {
    description: "After an update: newer rules catch up beside those in force, whose figures go on as before; then the service goes over to them"
  }),
  snapshot_id,
  as_of,
  checked_at: status(time, (row2) => row2.checkedAt, "When this document was written"),
  age_seconds: status(
    count2,
    ({ manifest, checkedAt }) => Math.max(0, checkedAt - secondsOf(manifest.as_of)),
    { description: "Age of the figures at that time" }
  ),
  block_number,
  block_hash,
  chain: status(orNull(text2), ({ manifest }) => manifest.chain, "Name of the chain"),
  log_position,
  history_from: status(time, ({ manifest }) => secondsOf(manifest.history_from), {
    description: "First minute of the history"
  }),
  corrections: status(count2, ({ manifest }) => manifest.corrections, {
    description: "How often minutes were rolled back and read again because an endpoint had left out logs"
  }),
  ...contents
};
var text3 = { type: "string" };
var textOrNull = { type: ["string", "null"] };
var whole3 = { type: "integer", minimum: 0 };
var digest = { type: "string", pattern: "^[0-9a-f]{64}$" };
var described = (schema, description) => ({ ...schema, description });
var closed = (properties) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  [MADE_FROM]: properties
});
var MANIFEST_DAYS = 90;
var snapshotFields = manifestFields((manifest) => manifest);
var manifestDocumentSchema = closed({
  sha256: described(digest, "SHA-256 of its bytes"),
  total: described(whole3, "Number of records, as in X-Total-Count"),
  snapshot_id: described(text3, "The snapshot that last changed its bytes")
});
var manifestSchema = closed({
  snapshot_id: described(text3, "Id of the snapshot"),
  log_position: described(
    whole3,
    "Entry of its log of minutes; of one log, a snapshot with a larger one is newer"
  ),
  log_switches: described(
    whole3,
    "How often the service had gone over to another log of minutes, folded by other rules; a snapshot with a larger number is newer"
  ),
  minute: described(whole3, "Its newest minute: Unix seconds / 60"),
  as_of: described(time.schema, "The time of its figures"),
  block_number: described(whole3, "Last block of that minute"),
  block_hash: described(hash2.schema, "Its hash"),
  history_from: described(time.schema, "First minute of the history"),
  corrections: described(whole3, "How often minutes were rolled back because an endpoint had left out logs"),
  chain: described(textOrNull, "Name of the chain"),
  rules_version: described(whole3, "Version of the methodology"),
  code_version: described(textOrNull, "Version of the code that built it"),
  documents: {
    type: "object",
    description: "Its documents by name: the path without the leading slash, and the parameter values",
    additionalProperties: manifestDocumentSchema
  },
  unpublished: described(words, "Documents that failed; their last good version stays")
});
var statusSchema = rowSchema(statusFields);
var usage = fieldsOf();
var limitOf = ({ tier }) => tiers[tier].limitPerHour;
var usageFields = {
  account: usage(text2, ({ account }) => account, "Id of the key\u2019s account"),
  tier: usage(choice(readerTiers), ({ tier }) => tier, "Its tier"),
  limit: usage(count2, limitOf, "Answers allowed per UTC hour, over all keys of the account"),
  used: usage(count2, (row2) => row2.used, {
    description: "Answers counted in this hour; those from the edge\u2019s cache are counted some seconds later"
  }),
  remaining: usage(count2, (row2) => Math.max(0, limitOf(row2) - row2.used), "Answers left"),
  reset_at: usage(time, ({ hour: hour2 }) => hourEnd(hour2), "End of the hour")
};
function snapshotId({ n, minute, last }) {
  const time2 = isoTime(minute * 60).replace(/[-:]/g, "");
  const digest2 = createHash2("sha256").update(`${n} ${minute} ${last.hash}`).digest("hex");
  return `${time2.slice(0, 13)}Z-${digest2.slice(0, 8)}`;
}
function minuteOfSnapshotId(id) {
  const [, date, hours2, minutes] = /^(\d{8})T(\d\d)(\d\d)Z-[0-9a-f]{8}$/.exec(id) ?? [];
  if (date === void 0) return null;
  const day3 = date.replace(/(....)(..)(..)/, "$1-$2-$3");
  const seconds = Date.parse(`${day3}T${hours2}:${minutes}:00Z`) / 1e3;
  return Number.isNaN(seconds) ? null : seconds / 60;
}

// schemas/validate-manifest.ts
var schemas = { manifest: manifestSchema };
var validators = compiled(schemas);

// store/bucket.ts
import {
  BucketAlreadyOwnedByYou,
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException
} from "@aws-sdk/client-s3";
async function putOver(bucket, key, make) {
  for (; ; ) {
    const current = await bucket.read(key);
    const next = make(current);
    if (!next) return false;
    const { bytes, ...options } = next;
    const condition = current ? { ifMatch: current.etag } : { ifNoneMatch: "*" };
    if (await bucket.put(key, bytes, { ...options, ...condition }) === "stored") return true;
  }
}

// store/documents.ts
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";
var infoOfManifest = (manifest) => ({
  id: manifest.snapshot_id,
  n: manifest.log_position,
  switches: manifest.log_switches,
  minute: manifest.minute,
  blockNumber: manifest.block_number,
  blockHash: manifest.block_hash
});
var ENTRIES = 1e10;
var orderOf = ({ switches = 0, n }) => switches * ENTRIES + n;
var switchesOf = (order) => Math.floor(order / ENTRIES);
var SLOTS = PINNED_MINUTES + 1;
var packed2 = promisify(brotliCompress);
var unpacked = promisify(brotliDecompress);
var PACKING = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 16 } };
function openDocuments(table) {
  const read = async (name, minute) => {
    const item = await table.read(marketKeys.document(name, minute % SLOTS));
    return item && item["minute"] === minute ? documentFrom(item) : void 0;
  };
  const newest = async () => {
    const item = await table.read(marketKeys.snapshot);
    return item && infoFrom(item);
  };
  return {
    async putDocument({ name, snapshot: snapshot2, text: text5 }) {
      const key = marketKeys.document(name, snapshot2.minute % SLOTS);
      const brotli = await packed2(Buffer.from(text5), PACKING);
      return table.put({ ...key, ...itemOfInfo(snapshot2), name, brotli }, { olderThan: snapshot2.n });
    },
    putNewest: (snapshot2) => table.put({ ...marketKeys.snapshot, ...itemOfInfo(snapshot2) }, { olderThan: snapshot2.n }),
    newest,
    async readDocument(name, minute) {
      const last = await newest();
      if (!last) return void 0;
      if (minute === void 0) return await read(name, last.minute) ?? lastGood(table, name, last);
      const isKept = minute <= last.minute && minute >= last.minute - PINNED_MINUTES;
      return isKept ? read(name, minute) : void 0;
    }
  };
}
var itemOfInfo = ({ n, switches, id, minute, blockNumber, blockHash }) => ({
  pos: n,
  switches,
  id,
  minute,
  blockNumber,
  blockHash
});
var infoFrom = (item) => ({
  id: String(item["id"]),
  n: Number(item["pos"]),
  ...item["switches"] === void 0 ? {} : { switches: Number(item["switches"]) },
  minute: Number(item["minute"]),
  blockNumber: Number(item["blockNumber"]),
  blockHash: item["blockHash"]
});
async function documentFrom(item) {
  const text5 = (await unpacked(item["brotli"])).toString();
  return { name: String(item["name"]), snapshot: infoFrom(item), text: text5 };
}
async function lastGood(table, name, { n }) {
  let newest;
  for await (const item of table.query({ pk: marketKeys.document(name, 0).pk })) {
    if (Number(item["pos"]) <= n && Number(item["pos"]) > Number(newest?.["pos"] ?? 0)) newest = item;
  }
  return newest && documentFrom(newest);
}

// store/manifests.ts
var PREFIX = objectPrefixes.manifests;
var keyOf = (minute) => `${PREFIX}${minuteText(minute)}.json`;
var minuteIn = (key) => Number(key.slice(PREFIX.length, -".json".length));
var LISTED_MAX = 1e3;
var DAY_MINUTES = 1440;
var isManifest = (value) => validators.manifest(value);
var PARALLEL_READS = 16;
var PUT_OPTIONS = { contentType: "application/json; charset=utf-8", cacheControl: "no-cache" };
function openManifests(bucket) {
  const read = async (key) => {
    const object = await bucket.read(key);
    if (!object) return void 0;
    const manifest = JSON.parse(Buffer.from(object.bytes).toString());
    return isManifest(manifest) ? manifest : void 0;
  };
  const readAll2 = async (keys) => (await mapParallel(keys, PARALLEL_READS, read)).flatMap((manifest) => manifest ?? []);
  const newest = () => read(manifestKey);
  const at = (minute) => read(keyOf(minute));
  return {
    newest,
    at,
    async byId(snapshotId2) {
      const minute = minuteOfSnapshotId(snapshotId2);
      const manifest = minute === null ? void 0 : await at(minute);
      return manifest?.snapshot_id === snapshotId2 ? manifest : void 0;
    },
    async recent(count4) {
      const last = await newest();
      if (!last) return [];
      return readAll2((await keysBefore(bucket, last.minute, count4)).slice(-count4).reverse());
    },
    async list({ upTo, offset: offset2, limit: limit2 }) {
      const last = await newest();
      if (!last) return { manifests: [], total: 0, isCapped: false };
      const oldest = last.minute - MANIFEST_DAYS * DAY_MINUTES;
      const keys = await keysBefore(bucket, Math.min(upTo, last.minute), LISTED_MAX + 1, oldest);
      const listed2 = keys.slice(-LISTED_MAX).reverse();
      const manifests = await readAll2(listed2.slice(offset2, offset2 + limit2));
      return { manifests, total: listed2.length, isCapped: keys.length > LISTED_MAX };
    },
    async minutes(from2, to2) {
      const kept2 = [];
      for await (const { key } of bucket.list(PREFIX, keyOf(from2 - 1))) {
        if (key > keyOf(to2)) break;
        kept2.push(minuteIn(key));
      }
      for await (const { key } of bucket.list(PREFIX)) return { kept: kept2, first: minuteIn(key) };
      return { kept: kept2, first: void 0 };
    },
    async put(manifest) {
      if (!await putUnlessFurther(bucket, manifestKey, manifest)) return false;
      await putUnlessFurther(bucket, keyOf(manifest.minute), manifest);
      return true;
    }
  };
}
async function keysBefore(bucket, last, count4, oldest = 0) {
  for (let minutes = 2 * count4; ; minutes *= 8) {
    const keys = [];
    for await (const { key } of bucket.list(PREFIX, keyOf(Math.max(0, oldest, last - minutes)))) {
      if (key > keyOf(last)) break;
      keys.push(key);
    }
    if (keys.length >= count4 || last - minutes <= oldest) return keys;
  }
}
function putUnlessFurther(bucket, key, manifest) {
  const position = orderOf(infoOfManifest(manifest));
  const bytes = Buffer.from(JSON.stringify(manifest, null, 1));
  const next = { ...PUT_OPTIONS, bytes, metadata: { position: String(position) } };
  return putOver(
    bucket,
    key,
    (current) => Number(current?.metadata["position"] ?? 0) > position ? void 0 : next
  );
}

// store/format.ts
import { promisify as promisify2 } from "node:util";
import { gunzip, gzip } from "node:zlib";
var versioned = (bytes) => Buffer.concat([Buffer.of(FORMAT_VERSION), bytes]);
var versionedText = (text5) => Buffer.from(String.fromCharCode(FORMAT_VERSION) + text5);
function unversioned(bytes) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  assertReadable(buffer.readUInt8());
  return buffer.subarray(1);
}
var assertReadableItem = (item) => assertReadable(Number(item["v"]));
function assertReadable(version) {
  if (version === FORMAT_VERSION) return;
  throw new StoreFault(
    "UnknownFormatError",
    `this has format ${version}, but this release reads format ${FORMAT_VERSION} only: run the release that wrote it, or begin anew (a run on this machine: delete its folder)`
  );
}
var chunkSize = 256 * 1024;
var deflated2 = promisify2(gzip);
var inflated = promisify2(gunzip);
var zip = async (bytes, level) => Buffer.from(await deflated2(bytes, { chunkSize, ...level === void 0 ? {} : { level } }));
var unzip = (bytes) => inflated(bytes, { chunkSize });

// store/segment-bytes.ts
var count3 = plain();
var address3 = plain();
var totalsShape = recordOf({
  coverageFrom: nullable(count3),
  firstMinute: nullable(count3),
  creators: count3,
  posts: count3,
  holders: count3,
  volume: integer,
  buyVolume: integer,
  creatorVolume: integer,
  trades: count3,
  buys: count3,
  references: mapOf(
    tupleOf({
      creatorCounted: integer,
      creatorPlain: integer,
      postCounted: integer,
      postPlain: integer,
      liquidity: integer
    })
  )
});
var changesShape = listOf(recordOf({ before: nullable(tokenShape), after: tokenShape }));
var headShape = recordOf({
  rules: count3,
  minute: count3,
  firstBlock: count3,
  last: blockShape,
  tokens: changesShape,
  owners: listOf(recordOf({ owner: address3, before: ownerShape, after: ownerShape })),
  totals: recordOf({ before: totalsShape, after: totalsShape }),
  references: referencesShape,
  hooks: listOf(address3),
  facts: count3
});
var rowFields = {
  token: address3,
  before: stateShape,
  after: stateShape,
  rangesBefore: rangesShape,
  ranges: rangesShape,
  candle: nullable(candleShape)
};
var rowsShape = listOf(recordOf({ ...rowFields, description: tokenShape }));
var swapsShape2 = listOf(recordOf(swapShapes));
var balancesShape = listOf(
  tupleOf({ token: address3, holder: address3, before: integer, after: integer })
);
function segmentBytes(segment) {
  const { rows: rows3, swaps: swaps2, balances } = segment;
  const lines = [
    headShape.write(segment),
    rowsShape.write(rows3),
    swapsShape2.write(swaps2),
    balancesShape.write(balances)
  ];
  return versioned(Buffer.from(lines.map((line2) => JSON.stringify(line2)).join("\n")));
}
function linesOf(text5, wanted) {
  const lines = [];
  for (let from2 = 0; lines.length < wanted; ) {
    const end = text5.indexOf("\n", from2);
    const to2 = end < 0 ? text5.length : end;
    lines.push(JSON.parse(text5.toString("utf8", from2, to2)));
    from2 = to2 + 1;
  }
  return lines;
}
function segmentFrom(segment) {
  const [head = null, rows3 = [], swaps2 = [], balances = []] = linesOf(unversioned(segment), 4);
  return {
    ...headShape.read(head),
    rows: rowsShape.read(rows3),
    swaps: swapsShape2.read(swaps2),
    balances: balancesShape.read(balances)
  };
}
function activeRow(json2) {
  const { token: token2 = null, after = null, before: before2 = null, description = null } = json2;
  return {
    token: address3.read(token2),
    after: stateShape.read(after),
    get before() {
      return stateShape.read(before2);
    },
    get description() {
      return tokenShape.read(description);
    }
  };
}
function segmentStatesFrom(segment) {
  const [head = null, rows3 = []] = linesOf(unversioned(segment), 2);
  const { minute, tokens, owners, totals, references: references2 } = headShape.read(head);
  return { minute, tokens, owners, totals, references: references2, rows: rows3.map(activeRow) };
}

// snapshot/index-record.ts
var minuteShape = nullable(plain());
var indexShape = recordOf({
  minute: minuteShape,
  baseMinute: minuteShape,
  members: mapOf(recordOf({ kind: plain(), quantity: integer })),
  since: mapOf(plain()),
  divisor: integer,
  valueE8: integer
});
var pointsShape = listOf(tupleOf({ minute: plain(), valueE8: integer }));
var closesShape = listOf(recordOf({ hour: plain(), caps: mapOf(integer) }));
var barShape = nullable(
  recordOf({
    at: plain(),
    open: integer,
    high: integer,
    low: integer,
    close: integer,
    creatorVolume: integer,
    postVolume: integer,
    trades: plain(),
    active: mapOf(plain())
  })
);
var pastShape = recordOf({
  index: indexShape,
  bars: recordOf(byInterval(() => barShape))
});
var savedShape = recordOf({
  past: pastShape,
  points: pointsShape,
  closes: closesShape,
  needed: listOf(plain()),
  recordedMinute: minuteShape
});
var indexJson = (state) => savedShape.write({ ...state, past: state, needed: [...state.needed].sort() });
function indexFrom(json2) {
  const { past: past2, points: points2, closes, needed, recordedMinute } = savedShape.read(json2);
  return {
    ...emptyIndexState(),
    ...past2,
    points: [...points2],
    closes,
    needed: new Set(needed),
    unwritten: byInterval((interval2) => [past2.bars[interval2] ?? []].flat()),
    recordedMinute
  };
}
var recordShape = recordOf({
  n: plain(),
  minute: plain(),
  corrections: plain(),
  past: pastShape,
  points: pointsShape,
  tokens: listOf(recordOf({ token: tokenShape, state: stateShape }))
});
function recordOfEngine(engine, after) {
  const { n, corrections, index, market } = engine;
  return {
    n,
    corrections,
    minute: minuteOfEngine(engine) ?? 0,
    past: { index: index.index, bars: { ...index.bars } },
    points: index.points.filter(({ minute }) => after === null || minute > after),
    tokens: [...index.needed].sort().flatMap((address5) => {
      const number = market.byAddress.get(address5);
      if (number === void 0) return [];
      const token2 = tokenLine.read(market.descriptions[number]);
      return [{ token: token2, state: { ...emptyState, ...market.states.recordAt(number, 0) } }];
    })
  };
}
async function saveRecord(record, bucket) {
  const { n, minute } = record;
  const text5 = Buffer.from(JSON.stringify(recordShape.write(record)));
  const digest2 = sha256Of(text5).slice(0, 8);
  const key = `${objectPrefixes.index}${padded(n, 12)}-${minuteText(minute)}-${digest2}`;
  const bytes = Buffer.concat([Buffer.of(FORMAT_VERSION), await zip(text5)]);
  await bucket.put(key, bytes, { contentType: "application/octet-stream", ifNoneMatch: "*" });
}
var LOOKED_BACK = 2e4;
async function listRecords(bucket, to2, back = LOOKED_BACK) {
  const from2 = `${objectPrefixes.index}${padded(Math.max(0, to2 - back), 12)}`;
  const names2 = [];
  for await (const { key } of bucket.list(objectPrefixes.index, from2)) {
    const [, n, minute] = /(\d{12})-(\d{8})-[0-9a-f]{8}$/.exec(key) ?? [];
    if (minute !== void 0 && Number(n) <= to2) names2.push({ key, n: Number(n), minute: Number(minute) });
  }
  return names2.reverse();
}
async function readRecord({ key }, bucket) {
  const object = await bucket.read(key);
  if (object?.bytes[0] !== FORMAT_VERSION) return void 0;
  const text5 = await unzip(object.bytes.subarray(1)).catch(() => void 0);
  if (!text5 || !key.endsWith(sha256Of(text5).slice(0, 8))) return void 0;
  return recordShape.read(JSON.parse(Buffer.from(text5).toString()));
}

// snapshot/checkpoint.ts
var PIECE = 1e4;
var LEVEL = 1;
var segmentsShape = listOf(tupleOf({ minute: plain(), key: plain(), sha256: plain() }));
var startsShape = listOf(
  recordOf({ minute: nullable(plain()), references: referencesShape, totals: totalsShape })
);
var lineShape = listOf(
  tupleOf({
    minute: plain(),
    volume: integer,
    buyVolume: integer,
    creatorVolume: integer,
    trades: plain(),
    buys: plain()
  })
);
async function checkpointBytes(engine) {
  const { market } = engine;
  const parts = [Buffer.of(FORMAT_VERSION)];
  const add = async (piece) => {
    const bytes = await zip(piece, LEVEL);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    parts.push(length, bytes);
  };
  await add(Buffer.from(JSON.stringify(headerOf(engine))));
  for (const array of arraysOf(market)) await add(array);
  const hourPrices = market.descriptions.map((_, number) => market.hourPrices[number] ?? "");
  for (const lines of [market.descriptions, hourPrices, [...market.owners].map(ownerLine)]) {
    for (let from2 = 0; from2 < lines.length; from2 += PIECE) {
      await add(Buffer.from(lines.slice(from2, from2 + PIECE).join("\n")));
    }
  }
  return Buffer.concat(parts);
}
function headerOf(engine) {
  const { n, last, corrections, target, segments, starts, totals, index, market } = engine;
  return {
    n,
    last,
    corrections,
    target,
    segments: segmentsShape.write(segments),
    starts: startsShape.write(starts),
    totals: lineShape.write(totals),
    index: indexJson(index),
    others: [...market.others.keys()],
    states: market.states.saved().header,
    sums: market.sums.saved().header,
    redescribed: [...market.redescribed],
    young: market.young,
    reowned: [...market.reowned]
  };
}
var arraysOf = ({ states, sums, columns }) => [
  ...states.saved().pieces,
  ...sums.saved().pieces,
  ...Object.values(columns).map(
    ({ buffer, BYTES_PER_ELEMENT }) => new Uint8Array(buffer, 0, states.count * BYTES_PER_ELEMENT)
  )
];
var ownerLine = ([address5, { lastRow, oldestCreatorToken, sums }]) => JSON.stringify([address5, lastRow, oldestCreatorToken, sums.map(({ quote, number }) => [quote, number])]);
async function engineFrom(bytes) {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let from2 = 1;
  const next = async () => {
    const start = from2 + 4;
    from2 = start + view.readUInt32LE(from2);
    const piece = await unzip(view.subarray(start, from2));
    return Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
  };
  const header = JSON.parse((await next()).toString());
  const engine = engineOf(header);
  const { market } = engine;
  for (const array of arraysOf(market)) array.set(await next());
  while (market.descriptions.length < market.states.count) {
    for (const line2 of linesOf2(await next())) market.descriptions.push(line2);
  }
  for (const [number, line2] of market.descriptions.entries()) {
    if (line2 !== "") market.byAddress.set(addressOfLine(line2), number);
  }
  while (market.hourPrices.length < market.states.count) {
    for (const line2 of linesOf2(await next())) market.hourPrices.push(line2);
  }
  while (from2 < view.length) for (const line2 of linesOf2(await next())) readOwner(market, line2);
  return engine;
}
function* linesOf2(piece) {
  for (let from2 = 0; from2 <= piece.length; ) {
    const end = piece.indexOf(10, from2);
    const to2 = end < 0 ? piece.length : end;
    yield piece.toString("utf8", from2, to2);
    from2 = to2 + 1;
  }
}
function readOwner({ owners }, line2) {
  const [address5, lastRow, oldestCreatorToken, sums] = JSON.parse(line2);
  owners.set(address5, {
    lastRow,
    oldestCreatorToken,
    sums: sums.map(([quote, number]) => ({ quote, number }))
  });
}
function engineOf(header) {
  const { n, last, corrections, target, segments, starts, totals, index } = header;
  const market = {
    ...emptyMarket(),
    states: new WindowedRecords(marketFields, header.states),
    sums: new WindowedRecords(sumFields, header.sums),
    young: header.young,
    others: new Map(header.others.map((quote, index2) => [quote, index2])),
    redescribed: new Map(header.redescribed),
    reowned: new Map(header.reowned)
  };
  growColumns(market.columns, header.states.count);
  const engine = {
    ...emptyEngine(),
    n,
    last,
    corrections,
    target,
    market,
    starts: [...startsShape.read(starts)],
    segments: [...segmentsShape.read(segments)],
    totals: [...lineShape.read(totals)],
    index: indexFrom(index)
  };
  engine.savedMinute = minuteOfEngine(engine);
  return engine;
}
var sha8Of = (bytes) => sha256Of(bytes).slice(0, 8);
var LAYOUT = sha8Of(Buffer.from(JSON.stringify([FORMAT_VERSION, marketFields, sumFields, windows])));
var prefixes = {
  daily: `${objectPrefixes.dailyCheckpoints}${LAYOUT}/`,
  recent: `${objectPrefixes.recentCheckpoints}${LAYOUT}/`
};
var dayOf2 = (minute) => Math.floor(minute / 1440);
async function saveCheckpoint(engine, bucket) {
  const reached = minuteOfEngine(engine);
  if (reached === null) return null;
  const bytes = await checkpointBytes(engine);
  const sha8 = sha8Of(bytes);
  const { n: loaded, savedMinute } = engine;
  const { n, minute } = engine.target ?? { n: loaded, minute: reached };
  const isDaily = engine.target === null && (savedMinute === null || dayOf2(savedMinute) !== dayOf2(minute));
  const name = [padded(n, 12), minuteText(minute), padded(loaded, 12), sha8].join("-");
  const key = `${isDaily ? prefixes.daily : prefixes.recent}${name}`;
  await bucket.put(key, bytes, { contentType: "application/octet-stream" });
  engine.savedMinute = reached;
  return { key, n, minute, loaded, sha8 };
}
async function listCheckpoints(bucket) {
  const names2 = [];
  for (const prefix of Object.values(prefixes)) {
    for await (const { key } of bucket.list(prefix)) {
      const [, n, minute, loaded, sha8] = /(\d{12})-(\d{8})-(\d{12})-([0-9a-f]{8})$/.exec(key) ?? [];
      if (sha8 === void 0) continue;
      names2.push({ key, n: Number(n), minute: Number(minute), loaded: Number(loaded), sha8 });
    }
  }
  return names2.sort((a, b) => b.n - a.n || b.loaded - a.loaded);
}
async function readCheckpoint({ key, sha8 }, bucket) {
  const object = await bucket.read(key);
  return object && sha8Of(object.bytes) === sha8 ? engineFrom(object.bytes) : void 0;
}

// market/board/past-ranks.ts
function ranksThen({ coverageFrom: coverageFrom2, minute }, { sure, fullest, mayHaveSwap: mayHaveSwap2 }) {
  if (!isCovered(coverageFrom2, startOf(minute, "30d"))) return () => "unknown";
  const ranksOn = (board4) => new Map(board4.map((key, at) => [key, at + 1]));
  const [ranks, most2] = [ranksOn(sure), ranksOn(fullest)];
  return (key) => {
    const rank = ranks.get(key) ?? null;
    return rank === (most2.get(key) ?? null) && !mayHaveSwap2(key) ? rank : "unknown";
  };
}
var previousRank = (rank, hasState) => ({
  isNew: rank === "unknown" ? null : hasState && rank === null,
  previousRank: rank === "unknown" ? null : rank
});

// market/board/row.ts
function boardRows(market, kind, period2) {
  const { [period2]: sure } = market.boards;
  const { [period2]: fullest } = market.fullestBoards;
  const numbersOf = (board4) => board4.map(({ number }) => number);
  const rankThen = ranksThen(market, {
    sure: numbersOf(sure[kind]),
    fullest: numbersOf(fullest[kind]),
    mayHaveSwap: (number) => mayHaveSwap(market.valuations[period2], number)
  });
  return market.boards.now[kind].map((entry, at) => {
    const then = rankThen(entry.number);
    const baseline = baselineOf(market, entry, period2);
    return {
      ...figuresOf(market, entry, { rank: at + 1, window: period2 }),
      ...boardFigures(market, entry),
      ...previousRank(then, market.hasState(period2)),
      periodStart: startOf(market.minute, period2),
      baseline,
      changes: changesOf(market, entry, baseline)
    };
  });
}
var trendingRows = (market, timeframe2, order) => market.trending[timeframe2][order].map((entry, at) => ({
  ...figuresOf(market, entry, { rank: at + 1, window: timeframe2 }),
  rankVolume: isCoveredByHour(coverageFrom(entry.token), startOf(market.minute, timeframe2)) ? market.since[timeframe2].rankVolume.exactly(entry.number) : null,
  changeE2: (isByChange(order) ? listChange : priceChange)(market, entry, timeframe2).percentE2
}));
function summaryOf(market, entry, rank) {
  const onBoard2 = market.boards.now[entry.token.kind].findIndex(({ number }) => number === entry.number);
  return { ...figuresOf(market, entry, { rank, window: "24h" }), boardRank: onBoard2 < 0 ? null : onBoard2 + 1 };
}
function creatorTokenOf({ at: { now } }, number) {
  const creator = creatorNumberOf(now, number);
  return creator === void 0 ? null : now.tokenOf(creator);
}
function figuresOf(market, { number, token: token2 }, { rank, window }) {
  const { now, [window]: then } = market.at;
  const isKnown = isKnownSince(market, token2, window);
  return {
    rank,
    position: rank,
    volume: isKnown ? amountSince("cumVolumeMicroUsd", now, then)(number) : null,
    trades: isKnown ? countSince("cumTrades", now, then)(number) : null,
    // Last: a spread that comes first takes V8 ten times as long.
    ...tokensNow(market)(number)
  };
}
var isKnownSince = (market, token2, name) => isCovered(coverageFrom(token2), startOf(market.minute, name));
var tokensNow = memoizedBy((market) => {
  const { now, "24h": dayAgo } = market.at;
  const { worthOf: worthOf2, volume24h } = market.valuations.now;
  return memoized((number) => {
    const token2 = now.tokenOf(number);
    const isDayKnown = isKnownSince(market, token2, "24h");
    return {
      token: token2,
      creatorToken: creatorTokenOf(market, number),
      nameFlags: market.nameFlagsOf(token2),
      holders: holdersIn(now, number, token2),
      volume24h: isDayKnown ? volume24h.exactly(number) : null,
      totalVolume: isImported(token2) ? null : now.read("cumVolumeMicroUsd", number),
      creatorEarnings24h: isDayKnown ? amountSince("cumEarnedMicroUsd", now, dayAgo)(number) : null,
      creatorEarnings: isImported(token2) ? null : now.read("cumEarnedMicroUsd", number),
      trades24h: isDayKnown ? countSince("cumTrades", now, dayAgo)(number) : null,
      change24hE2: priceChange(market, { number, token: token2 }, "24h").percentE2,
      change7dE2: priceChange(market, { number, token: token2 }, "7d").percentE2,
      ...figuresOfWorth(worthOf2(number))
    };
  });
});
var holdersIn = (market, number, token2) => isImported(token2) ? null : market.read("holders", number);
function priceChange(market, { number, token: token2 }, name) {
  const base = basePriceAt({ market: market.at[name], start: startOf(market.minute, name) }, number, token2);
  return changeOf(base, market.valuations.now.worthOf(number).priceUsdE36 || null);
}
function listChange(market, { number }, timeframe2) {
  const base = listBaseAt(market.at.now, market.since[timeframe2], number);
  return changeOf(base, market.valuations.now.worthOf(number).priceUsdE36 || null);
}
function hourlyCapsOf({ hourlyCaps }, token2) {
  const caps = hourlyCaps.map((each) => each.get(token2.address) ?? null);
  return isImported(token2) && caps.includes(null) ? null : caps;
}
function boardFigures(market, { number, token: token2 }) {
  const { at, valuations, minute, coverageFrom: from2 } = market;
  const { now } = at;
  const { worthOf: worthOf2, portfolioOf, engagement24h } = valuations.now;
  const { priceUsdE36: priceUsdE362, marketCap } = worthOf2(number);
  const supply = now.read("supply", number);
  const circulatingSupply = supply - now.read("selfHeld", number);
  const portfolio = portfolioOf(number);
  const isDayKnown = isCoveredByHour(coverageFrom(token2), startOf(minute, "24h"));
  const isScoreKnown = token2.kind === "creator" || isDayKnown;
  const scoreUnit = token2.kind === "creator" ? 1n : 1000000n;
  return {
    supply,
    circulatingSupply,
    circulatingMarketCap: marketCapMicroUsd(priceUsdE362, circulatingSupply),
    portfolio: portfolio && { ...portfolio, coverageFrom: from2 },
    portfolioValue: portfolio ? countedOf(portfolio) : marketCap,
    engagement: isDayKnown ? engagement24h.exactly(number) : null,
    hourlyCaps: isDayKnown ? hourlyCapsOf(market, token2) : null,
    scoreE6: isScoreKnown ? boardScore[token2.kind](valuations.now, number) * scoreUnit : null
  };
}
function changesOf(market, { number, token: token2 }, baseline) {
  const { at, valuations, minute } = market;
  const { worthOf: worthOf2, volume24h } = valuations.now;
  const worth = worthOf2(number);
  const isKnown = isCovered(coverageFrom(token2), startOf(minute, "24h"));
  return {
    price: changeOf(baseline.priceUsdE36, worth.priceUsdE36),
    marketCap: changeOf(baseline.marketCap, worth.marketCap),
    volume: changeOf(baseline.volume24h, isKnown ? volume24h.exactly(number) : null),
    holders: changeOf(wholeOf(baseline.holders), wholeOf(holdersIn(at.now, number, token2)))
  };
}
var wholeOf = (count4) => count4 === null ? null : BigInt(count4);
var unknownBaseline = {
  is: null,
  priceUsdE36: null,
  marketCap: null,
  holders: null,
  volume24h: null
};
function baselineOf(market, { number, token: token2 }, period2) {
  const start = startOf(market.minute, period2);
  if (isImported(token2) && isYounger(token2, start)) return unknownBaseline;
  if (isYounger(token2, start)) {
    const { priceUsdE36: priceUsdE363, supply } = token2.launch;
    const marketCap2 = priceUsdE363 === null ? null : marketCapMicroUsd(priceUsdE363, supply);
    return { is: "launch", priceUsdE36: priceUsdE363, marketCap: marketCap2, holders: 0, volume24h: 0n };
  }
  const { market: then, worthOf: worthOf2, volume24h } = market.valuations[period2];
  const { priceUsdE36: priceUsdE362, marketCap } = figuresOfWorth(worthOf2(number));
  return {
    is: "period",
    priceUsdE36: priceUsdE362,
    marketCap,
    holders: holdersIn(then, number, token2),
    volume24h: isCovered(coverageFrom(token2), start - 86400) ? volume24h.exactly(number) : null
  };
}

// market/board/discovery.ts
var HOURS_BEFORE = 24n;
var risingScore = ({
  rankVolume1h,
  rankVolume25h
}) => ({
  over: HOURS_BEFORE * (rankVolume1h + RISING_OFFSET_MICRO_USD),
  under: rankVolume25h - rankVolume1h + HOURS_BEFORE * RISING_OFFSET_MICRO_USD
});
function risingTokens(market) {
  const { tokenOf } = market.at.now;
  const scoreOf = (number) => risingScore(rankVolumes(market, number));
  const numbers = risingNumbers(market);
  const about = new Float64Array(market.at.now.count);
  for (const number of numbers) {
    const { over, under } = scoreOf(number);
    about[number] = Number(over) / Number(under);
  }
  const key = { about, exactly: scoreOf };
  return ranked(numbers, tokenOf, [key, ...tieKeys(market.valuations.now)], DISCOVER_SIZE);
}
var risingRows = (market, rising2 = risingTokens(market)) => rising2.map((entry, at) => {
  const parts = risingParts(market, entry);
  const { over, under } = risingScore(parts);
  return { parts, scoreE6: divideHalfAway(over * 1000000n, under), ...summaryOf(market, entry, at + 1) };
});
function risingNumbers(market) {
  const { now, "1h": hourAgo } = market.at;
  const { launchedAt, isImported: isImported2 } = now.coins();
  const isKnown = (number) => isImported2[number] === 0 || isCoveredByHour(launchedAt[number], startOf(market.minute, "25h"));
  const { change, youngFrom: youngFrom2 } = market.since["1h"];
  const isUp = (number) => {
    const exactly = () => priceChange(market, { number, token: now.tokenOf(number) }, "1h").isUp === true;
    return launchedAt[number] < youngFrom2 ? isAbove(change[number], 1, exactly) : exactly();
  };
  const walletHours = countGrowth("cumEngagement", now, hourAgo).about;
  const numbers = [];
  for (let number = 0; number < now.count; number++) {
    if (walletHours[number] < RISING_MIN_WALLET_HOURS || !isKnown(number)) continue;
    if (isUp(number)) numbers.push(number);
  }
  return numbers;
}
function rankVolumes({ at }, number) {
  const { now, "1h": hourAgo, "25h": dayBeforeThat } = at;
  return {
    rankVolume1h: amountSince("cumRankVolumeMicroUsd", now, hourAgo)(number),
    rankVolume25h: amountSince("cumRankVolumeMicroUsd", now, dayBeforeThat)(number)
  };
}
var risingParts = (market, entry) => ({
  walletHours1h: countSince("cumEngagement", market.at.now, market.at["1h"])(entry.number),
  change1hE2: priceChange(market, entry, "1h").percentE2,
  ...rankVolumes(market, entry.number)
});
function launchRows(market) {
  const end = asOf(market.minute);
  const { coins, tokenOf } = market.at.now;
  const young = createdSince(market.at.now, end - NEW_LAUNCH_DAYS * 86400);
  const entries = shortlisted(young, [{ about: coins().launchedAt, isWhole: true }], DISCOVER_SIZE).map((number) => ({ number, token: tokenOf(number) })).sort((a, b) => byLaunch(b.token, a.token));
  return entries.slice(0, DISCOVER_SIZE).map((entry, at) => {
    const { token: token2, number } = entry;
    const summary2 = summaryOf(market, entry, at + 1);
    const { priceUsdE36: priceUsdE362 } = token2.launch;
    return {
      ageSeconds: end - token2.launchedAt.timestamp,
      launchPriceUsdE36: priceUsdE362,
      changeSinceLaunchE2: changeOf(priceUsdE362, summary2.priceUsdE36).percentE2,
      tradesSinceLaunch: market.at.now.read("cumTrades", number),
      buyersSinceLaunch: market.at.now.read("cumEngagement", number),
      ...summary2
    };
  });
}
function createdSince({ count: count4, coins }, seconds) {
  const { launchedAt, isImported: isImported2 } = coins();
  const numbers = [];
  for (let number = 0; number < count4; number++) {
    if (launchedAt[number] >= seconds && isImported2[number] === 0) numbers.push(number);
  }
  return numbers;
}

// market/board/lists.ts
var listsOf = (market) => ({
  boards: {
    creator: byName(periods, (period2) => boardRows(market, "creator", period2)),
    post: byName(periods, (period2) => boardRows(market, "post", period2))
  },
  trending: byName(
    timeframes,
    (timeframe2) => byName(trendingOrders, (order) => trendingRows(market, timeframe2, order))
  ),
  rising: risingRows(market),
  launches: launchRows(market)
});

// market/board/screener.ts
var screenedFigures = {
  priceUsdE36: BigInt,
  marketCap: BigInt,
  effectiveMarketCap: BigInt,
  liquidity: BigInt,
  holders: Number,
  volume24h: BigInt,
  totalVolume: BigInt,
  creatorEarnings24h: BigInt,
  creatorEarnings: BigInt,
  trades24h: Number,
  change24hE2: BigInt,
  change7dE2: BigInt,
  rankVolume24h: BigInt,
  launchedAt: Number
};
var screenedFigureNames = Object.keys(screenedFigures);
var screenedAt = ({ figures }, at) => byName(screenedFigureNames, (name) => {
  const value = figures[name][at] ?? null;
  return value === null ? null : screenedFigures[name](value);
});
function screenedNumbers({ at, valuations, since }) {
  const { trades, rankVolume } = since["24h"];
  const traded = [];
  for (let number = 0; number < trades.about.length; number++) {
    if (trades.about[number] > 0) traded.push(number);
  }
  const keys = [wholeKey(rankVolume), ...tieKeys(valuations.now)];
  const numbers = rankedNumbers(traded, at.now.tokenOf, { keys, size: SCREENER_SIZE });
  return { traded: traded.length, numbers, keys };
}
function screenedTokens(market) {
  const { now } = market.at;
  const { traded, numbers } = screenedNumbers(market);
  const { isCreator } = now.coins();
  const isPost = (number) => isCreator[number] !== 1;
  const creatorTokenOf2 = creatorTokensIn(now);
  return {
    traded,
    kinds: numbers.map((number) => isPost(number) ? "post" : "creator"),
    descriptions: numbers.map(now.textOf),
    creatorTokens: numbers.map((number) => isPost(number) ? creatorTokenOf2(number) : null),
    figures: now.withScratch(() => figuresIn(market, numbers))
  };
}
function figuresIn(market, numbers) {
  const { valuations, since, minute } = market;
  const { now, "24h": dayAgo } = market.at;
  const { isImported: isImported2, launchedAt } = now.coins();
  const start = startOf(minute, "24h");
  const { trades, rankVolume } = since["24h"];
  const worths = numbers.map((number) => figuresOfWorth(valuations.now.worthOnce(number)));
  const ofAll = ({ about, exactly }) => numbers.map((number) => {
    const value = about[number];
    return value < SAFE ? value : exactly(number);
  });
  const total = (field2) => ofAll({ about: now.column(field2), exactly: (number) => now.read(field2, number) });
  const known2 = (values2, isKnown = () => false) => values2.map((value, at) => {
    const number = numbers[at];
    return isImported2[number] === 1 && !isKnown(launchedAt[number]) ? null : value;
  });
  const inDay = (values2) => known2(values2, (from2) => isCovered(from2, start));
  const priced2 = (figure3) => worths.map((worth) => {
    const value = worth[figure3];
    return value !== null && value < SAFE ? Number(value) : value;
  });
  return {
    priceUsdE36: priced2("priceUsdE36"),
    marketCap: priced2("marketCap"),
    effectiveMarketCap: priced2("effectiveMarketCap"),
    liquidity: priced2("liquidity"),
    holders: known2(total("holders")),
    volume24h: inDay(ofAll(valuations.now.volume24h)),
    totalVolume: known2(total("cumVolumeMicroUsd")),
    creatorEarnings24h: inDay(ofAll(amountGrowth("cumEarnedMicroUsd", now, dayAgo))),
    creatorEarnings: known2(total("cumEarnedMicroUsd")),
    trades24h: inDay(ofAll(trades)),
    change24hE2: changesIn(market, "24h", { numbers, worths }),
    change7dE2: changesIn(market, "7d", { numbers, worths }),
    rankVolume24h: known2(ofAll(rankVolume), (from2) => isCoveredByHour(from2, start)),
    launchedAt: known2(numbers.map((number) => launchedAt[number]))
  };
}
function changesIn({ valuations, minute, at: { now } }, name, {
  numbers,
  worths
}) {
  const start = startOf(minute, name);
  const { launchedAt } = now.coins();
  const { priceOf, approximation } = valuations[name];
  const { price: priceNow } = valuations.now.approximation;
  return numbers.map((number, at) => {
    const price3 = worths[at]?.priceUsdE36 ?? null;
    if (price3 === null) return null;
    const isYounger2 = launchedAt[number] >= start;
    const base = isYounger2 ? now.tokenOf(number).launch.priceUsdE36 : approximation.price[number];
    if (!base) return null;
    if (typeof base === "bigint") return changeE2(base, price3);
    return changeAbout(base, priceNow[number]) ?? changeE2(priceOf(number), price3);
  });
}
function creatorTokensIn(now) {
  const described4 = memoized((number) => ({ description: now.textOf(number) }));
  return (post) => creatorTokenIn(now, post, described4);
}
function creatorTokenIn(now, number, described4) {
  const { quotes, isCreator, launchedAt } = now.coins();
  const quote = quotes[number];
  const isOwn = quote >= 0 && isCreator[quote] === 1 && launchedAt[quote] < launchedAt[number];
  const found2 = isOwn ? quote : creatorNumberOf(now, number);
  if (found2 !== void 0) return described4(found2);
  const address5 = creatorAddressAt(now, number);
  return address5 && { address: address5, description: null };
}
function boardFactsOf({ creator, post }, currencies2) {
  const ranks = [creator, post].flatMap((board4) => board4.map(({ address: address5 }, at) => [address5, at + 1]));
  const listed2 = [...creator, ...post].map(namedToken);
  return { boardRanks: new Map(ranks), flagsOf: nameFlagsBeside({ listed: listed2, currencies: currencies2 }) };
}
function screenerRow({ launchedAt, ...figures }, { token: token2, creatorToken }, { rank, position, boardRanks, flagsOf, seconds }) {
  return {
    ...figures,
    rank,
    position,
    token: token2,
    creatorToken: token2.kind === "creator" ? token2 : creatorToken,
    nameFlags: flagsOf(token2),
    volume: figures.volume24h,
    trades: figures.trades24h,
    boardRank: boardRanks.get(token2.address) ?? null,
    ageSeconds: launchedAt === null ? null : seconds - launchedAt
  };
}

// market/board/totals.ts
var totalsAt = (line2, seconds) => line2[countUpTo(line2, Math.floor(seconds / 60) - 1) - 1] ?? emptyTotals;
var between = (from2, to2) => ({
  volume: to2.volume - from2.volume,
  buyVolume: to2.buyVolume - from2.buyVolume,
  creatorVolume: to2.creatorVolume - from2.creatorVolume,
  trades: to2.trades - from2.trades,
  buys: to2.buys - from2.buys
});
function marketVolume({ line: line2, firstMinute, coverageFrom: coverageFrom2 }, minute, period2) {
  const [start, end] = [startOf(minute, period2), asOf(minute)];
  const startBefore = 2 * start - end;
  const isKnownBefore = startBefore >= firstMinute * 60 && isCovered(coverageFrom2, startBefore);
  const count4 = stepsOf(period2);
  const width = windows[period2].stepMinutes * 60;
  const totals = Array.from({ length: count4 + 1 }, (_, at) => totalsAt(line2, start + at * width));
  const buckets = totals.slice(1).map((to2, at) => ({
    start: start + at * width,
    totals: isCovered(coverageFrom2, start + at * width) ? between(totals[at] ?? emptyTotals, to2) : null
  }));
  const atStart = totalsAt(line2, start);
  return {
    period: period2,
    minute,
    coverageFrom: coverageFrom2,
    totals: isCovered(coverageFrom2, start) ? between(atStart, totalsAt(line2, end)) : null,
    previousVolume: isKnownBefore ? atStart.volume - totalsAt(line2, startBefore).volume : null,
    buckets
  };
}
var dayCountsOf = ({ at, minute, since }) => ({
  born: createdSince(at.now, startOf(minute, "24h")).length,
  active: since["24h"].trades.about.reduce((count4, trades) => count4 + Number(trades > 0), 0)
});
function marketStats({ totals: { now, history }, ...facts }) {
  const { minute, references: references2, counts, lists, index } = facts;
  const sumOf2 = (...parts) => valueInUsd(now, references2, parts);
  const { change, volume: volume3 } = lists.trending["24h"];
  const [gainer = null] = change;
  const day3 = marketVolume(history, minute, "24h");
  const isKnown = day3.totals !== null;
  return {
    day: day3,
    index: {
      valueE8: index.valueE8,
      change24hE2: changeOf(index.startValues["24h"], index.valueE8).percentE2
    },
    counted: { creator: sumOf2("creatorCounted"), post: sumOf2("postCounted") },
    marketCap: sumOf2("creatorPlain", "postPlain"),
    liquidity: sumOf2("liquidity"),
    tokens: { creator: now.creators, post: now.posts },
    born: isKnown ? counts.born : null,
    active: isKnown ? counts.active : null,
    holders: now.coverageFrom === null ? BigInt(now.holders) : null,
    // A token launched in the hour before is compared with its price an hour after the launch.
    topGainer: isCovered(now.coverageFrom, youngFrom(minute, "24h")) && gainer?.changeE2 != null ? gainer : null,
    topVolume: isKnown ? volume3[0] ?? null : null
  };
}
function valueInUsd({ references: totals }, references2, parts) {
  return [...totals].reduce((value, [currency2, sums]) => {
    const rate = references2.get(currency2);
    const sum2 = parts.reduce((total, part3) => total + sums[part3], 0n);
    return rate ? value + microUsdOf(sum2, rate.heldUsdE36, rate.decimals) : value;
  }, 0n);
}

// market/index/index-answer.ts
function indexAnswer({ boards }, figures, period2) {
  const { startValues, ...now } = figures;
  const rows3 = { creator: boards.creator[period2], post: boards.post[period2] };
  const byKind = (of) => ({
    creator: of(rows3.creator),
    post: of(rows3.post)
  });
  return {
    ...now,
    period: period2,
    startValueE8: startValues[period2],
    change: changeOf(startValues[period2], now.valueE8),
    volumes: byKind((some) => known(some, "volume")?.reduce((sum2, volume3) => sum2 + volume3, 0n) ?? null),
    trades: known([...rows3.creator, ...rows3.post], "trades")?.reduce((sum2, trades) => sum2 + trades, 0) ?? null,
    active: byKind((some) => known(some, "trades")?.filter((trades) => trades > 0).length ?? null),
    top: byKind((some) => some.slice(0, INDEX_TOP))
  };
}
function known(rows3, name) {
  const values2 = rows3.flatMap(
    ({ [name]: value }) => value === null ? [] : [value]
  );
  return values2.length === rows3.length ? values2 : null;
}
function constituentsOf(seats, index) {
  const { valueE8, divisor: divisor2, coverageFrom: coverageFrom2, minute } = index;
  const counted2 = seats.reduce((sum2, seat) => sum2 + seat.counted, 0n);
  const rows3 = seats.toSorted((a, b) => Number(b.counted - a.counted) || byLaunch(a.token, b.token)).map((seat, at) => ({
    ...seat,
    rank: at + 1,
    weightE4: counted2 === 0n ? 0n : divideHalfAway(seat.counted * PERCENT_E4, counted2),
    contributionE8: contributionOf2(seat, divisor2),
    since: index.since.get(seat.token.address) ?? minute
  }));
  return { minute, valueE8, divisor: divisor2, coverageFrom: coverageFrom2, counted: counted2, rows: rows3 };
}
var PERCENT_E4 = 1000000n;
function contributionOf2({ counted: counted2, countedDayBefore: before2 }, divisor2) {
  if (before2 === null || divisor2 === 0n) return null;
  return indexValue(counted2, divisor2) - indexValue(before2, divisor2);
}
var seatsOf = (market, { members }) => [...members].flatMap(([address5, { quantity }]) => seatOf(market, address5, quantity) ?? []);
function seatOf(market, address5, quantity) {
  const { now, "24h": dayBefore } = market.at;
  const number = now.numberOf(address5);
  if (number === void 0) return null;
  return {
    token: now.tokenOf(number),
    creatorToken: creatorTokenOf(market, number),
    priceUsdE36: market.valuations.now.worthOf(number).priceUsdE36 || null,
    quantity,
    counted: countedAt(now, number, quantity),
    countedDayBefore: market.hasState("24h") ? countedThen(dayBefore, address5, quantity) : null
  };
}
function countedThen(market, address5, quantity) {
  const number = market.numberOf(address5);
  return number === void 0 ? 0n : countedAt(market, number, quantity);
}

// market/index/index-hours.ts
var INDEX_HOURS = 7 * 24;
function indexHoursOf(points2, { minute, coverageFrom: coverageFrom2 }) {
  const first = intervalAt("hour", minute) - INDEX_HOURS + 1;
  const bars = /* @__PURE__ */ new Map();
  let last = null;
  for (const point of points2) {
    for (const bar2 of barsAfter("hour", last, { ...point, traded: [] })) {
      if (bar2.at >= first) bars.set(bar2.at, bar2);
      last = bar2;
    }
  }
  return { minute, coverageFrom: coverageFrom2, bars: [...bars.values()].map(storedBar) };
}

// schemas/currencies.ts
var zora = { symbol: "ZORA", name: "Zora", decimals: 18 };
var usdc = { symbol: "USDC", name: "USD Coin", decimals: 6 };
var ether = {
  eth: { address: "0x0000000000000000000000000000000000000000", symbol: "ETH", name: "Ether", decimals: 18 },
  weth: {
    address: "0x4200000000000000000000000000000000000006",
    symbol: "WETH",
    name: "Wrapped Ether",
    decimals: 18
  }
};
var currencies = {
  base: {
    zora: { address: "0x1111111111166b7fe7bd91427724b487980afc69", ...zora },
    ...ether,
    usdc: { address: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", ...usdc }
  },
  "base-sepolia": {
    zora: { address: "0x1111111111166b7fe7bd91427724b487980afc69", ...zora },
    ...ether,
    usdc: { address: "0x036cbd53842c5426634e7929541ec2318f3dcf7e", ...usdc }
  },
  devnet: {
    zora: { address: "0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0", ...zora },
    usdc: { address: "0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9", ...usdc }
  }
};
var currenciesOf = (chain) => Object.entries(currencies).flatMap(([name, known2]) => name === chain ? Object.values(known2) : []);

// schemas/time-syntax.ts
var DAY = "(\\d{4})-(\\d\\d)-(\\d\\d)";
var CLOCK = "(\\d\\d):(\\d\\d)(?::(\\d\\d)(?:[.,](\\d+))?)?";
var OFFSET = " ?([Zz]|UTC|GMT|[-+ ](?:\\d\\d)(?::?\\d\\d)?)(?: UTC)?(?:\\[[\\w/+-]+\\])?";
var CALENDAR = `${DAY}(?:[Tt ]${CLOCK}(?:${OFFSET})?)?`;
var UNIX = "(\\d{10})(?:\\.(\\d+))?|(\\d{13})(?:\\d{3}|\\d{6})?";
var WRITTEN = new RegExp(`^(?:${CALENDAR}|${UNIX})$`);
function readTime(text5) {
  const parts = WRITTEN.exec(text5.trim());
  if (!parts) return null;
  const [, year, month, day3, hour2, minute, second, decimals, offset2, unix, unixDecimals, unixMs] = parts;
  if (unixMs !== void 0) return { ms: Number(unixMs), isDay: false };
  if (unix !== void 0) return { ms: Number(unix) * 1e3 + milliseconds(unixDecimals), isDay: false };
  const date = Date.UTC(Number(year), Number(month) - 1, Number(day3));
  if (new Date(date).toISOString().slice(0, 10) !== `${year}-${month}-${day3}`) return null;
  if (hour2 === void 0) return { ms: date, isDay: true };
  const shift = offsetMinutes(offset2);
  const clock = [Number(hour2), Number(minute), Number(second ?? 0)];
  if (shift === null || clock[0] > 23 || clock[1] > 59 || clock[2] > 59) return null;
  const seconds = clock[0] * 3600 + (clock[1] - shift) * 60 + clock[2];
  return { ms: date + seconds * 1e3 + milliseconds(decimals), isDay: false };
}
var milliseconds = (decimals = "") => Number(decimals.slice(0, 3).padEnd(3, "0"));
function offsetMinutes(text5 = "Z") {
  const [, sign, hours2, minutes = "0"] = /^([-+ ])(\d\d):?(\d\d)?$/.exec(text5) ?? [];
  if (sign === void 0) return 0;
  if (Number(hours2) > 23 || Number(minutes) > 59) return null;
  return (sign === "-" ? -1 : 1) * (Number(hours2) * 60 + Number(minutes));
}
var ALLOWED = "a date such as 2026-01-31, a time such as 2026-01-31T12:00:00Z or 2026-01-31 14:00:00.5+02:00, or Unix seconds";
var timeSyntax = {
  schema: { type: "string", pattern: WRITTEN.source.replaceAll("?:", "") },
  allowed: ALLOWED,
  description: "ISO 8601 with any offset (none: UTC) and any number of decimals, or Unix seconds",
  isRead: (text5) => readTime(text5) !== null
};

// schemas/swap-cursor.ts
var cursorOf = ({ blockNumber, logIndex, timestamp }) => `${blockNumber}.${logIndex}.${timestamp}`;
var CURSOR = /^(\d{1,15})\.(\d{1,9})\.(\d{1,12})$/;
function readBefore(text5) {
  const [, block, index, timestamp] = CURSOR.exec(text5.trim()) ?? [];
  if (block !== void 0) {
    const place2 = { blockNumber: Number(block), logIndex: Number(index), timestamp: Number(timestamp) };
    return { place: place2, seconds: place2.timestamp + 1 };
  }
  const time2 = readTime(text5);
  return time2 && { place: null, seconds: time2.ms / 1e3 };
}
var beforeSyntax = {
  schema: { type: "string", minLength: 1, maxLength: 64 },
  allowed: `the cursor of a swap, or ${timeSyntax.allowed}`,
  description: `A cursor, or ${timeSyntax.description}`,
  isRead: (text5) => readBefore(text5) !== null
};

// schemas/change-fields.ts
var board = fieldsOf();
var changed = (kind, from2, words2) => board(orNull(kind), from2, { ...words2, group: "change" });
var changeFields = {
  price_change_percent: changed(percent, (row2) => row2.changes.price.percentE2, {
    description: "Price change over the period",
    sorts: ["price_change", "change"]
  }),
  price_is_up: changed(flag2, (row2) => row2.changes.price.isUp, { description: "The price rose" }),
  market_cap_change_percent: changed(percent, (row2) => row2.changes.marketCap.percentE2, {
    description: "Market cap change over the period",
    sorts: ["market_cap_change"]
  }),
  market_cap_change_value: changed(usd, (row2) => row2.changes.marketCap.value, {
    description: "Market cap now minus at the start, USD"
  }),
  market_cap_is_up: changed(flag2, (row2) => row2.changes.marketCap.isUp, {
    description: "The market cap rose"
  }),
  volume_change_percent: changed(percent, (row2) => row2.changes.volume.percentE2, {
    description: "24 h volume now compared with 24 h volume at the start",
    sorts: ["volume_change"]
  }),
  volume_is_up: changed(flag2, (row2) => row2.changes.volume.isUp, { description: "The 24 h volume rose" }),
  holders_change_percent: changed(percent, (row2) => row2.changes.holders.percentE2, {
    description: "Holders change over the period; null from 0 holders",
    sorts: ["holders_change"]
  }),
  holders_change_value: changed(difference, (row2) => row2.changes.holders.value, {
    description: "Holders now minus at the start"
  }),
  holders_is_up: changed(flag2, (row2) => row2.changes.holders.isUp, {
    description: "The number of holders rose"
  }),
  historical_price: changed(price, (row2) => row2.baseline?.priceUsdE36 ?? null, {
    description: "USD price at the start"
  }),
  historical_market_cap: changed(usd, (row2) => row2.baseline?.marketCap ?? null, {
    description: "Market cap at the start, USD"
  }),
  historical_volume: changed(usd, (row2) => row2.baseline?.volume24h ?? null, {
    description: "Volume of the 24 hours before the start, USD"
  }),
  historical_holders: changed(count2, (row2) => row2.baseline?.holders ?? null, {
    description: "Holders at the start"
  }),
  historical_baseline: changed(choice(["launch", "period"]), (row2) => row2.baseline?.is ?? null, {
    description: "The time of comparison: the start of the period, or the launch of a younger token"
  })
};

// schemas/earnings.ts
var figure = fieldsOf();
var page = fieldsOf();
var earningFields = {
  creator_earnings_24h: figure(orNull(usd), (row2) => row2.creatorEarnings24h, {
    description: "Fees of the last 24 hours paid to the creator, USD at the time of each payment; of a creator token with those of its posts",
    sorts: ["earnings"]
  }),
  creator_earnings_total: figure(orNull(usd), (row2) => row2.creatorEarnings, {
    description: "The same since launch; null if coverage_from is set"
  })
};
var feeFields = {
  fees_to_creator: page(orNull(usd), (row2) => feesOf(row2, ownEarnings), {
    description: "Fees of the token\u2019s own trades since launch paid to its payout recipient, USD; null, like the other three, if coverage_from is set"
  }),
  fees_to_platform: page(orNull(usd), (row2) => feesOf(row2, (s) => s.cumPlatformFeesMicroUsd), {
    description: "To the platform that the token was launched at"
  }),
  fees_to_referrers: page(orNull(usd), (row2) => feesOf(row2, (s) => s.cumReferrerFeesMicroUsd), {
    description: "To whoever sent the traders"
  }),
  fees_to_protocol: page(orNull(usd), (row2) => feesOf(row2, (s) => s.cumProtocolFeesMicroUsd), {
    description: "To the protocol, and to Doppler, whose curves its pools have"
  })
};
var ownEarnings = ({ cumEarnedMicroUsd, cumPostsEarnedMicroUsd }) => cumEarnedMicroUsd - cumPostsEarnedMicroUsd;
var feesOf = ({ token: token2, state }, sum2) => isImported(token2) ? null : sum2(state);

// schemas/name-flags.ts
var flag3 = fieldsOf();
var nameFlagFields = {
  mixed_script: flag3(flag2, ({ isMixedScript: isMixedScript2 }) => isMixedScript2, {
    description: "Symbol or name mixes letters of similar-looking scripts, such as Latin and Cyrillic"
  }),
  lookalike_of: flag3(orNull(address2), ({ lookalikeOf }) => lookalikeOf, {
    description: "The token on a board, or the reference currency, that this one\u2019s symbol or name looks like by its letters and digits (UTS 39), though it is another\u2019s; null: none, or this is the original"
  })
};

// schemas/portfolio-fields.ts
var part = fieldsOf();
var portfolioFields = {
  token_market_cap: part(usd, (sum2) => sum2.tokenMarketCap, "Market cap of the creator token"),
  token_counted: part(usd, (sum2) => sum2.tokenCounted, {
    description: "The part that counts: at most 25 \xD7 the quote amount in its pool"
  }),
  posts_market_cap: part(usd, (sum2) => sum2.postsMarketCap, "Sum of the market caps of all posts"),
  posts_counted: part(usd, (sum2) => sum2.postsCounted, {
    description: "The part that counts: the token and its posts together count for at most 25 \xD7 the quote amount in the token\u2019s pool"
  }),
  posts_count: part(count2, (sum2) => sum2.postsCount, "Posts of the creator"),
  coverage_from: part(orNull(time), (sum2) => sum2.coverageFrom, {
    description: "Set if this service\u2019s history begins at this time: older posts without a log since then are not included"
  })
};

// schemas/token-row.ts
var shownSymbol = ({ symbol, address: address5 }) => symbol || shortAddress(address5);
var shownName = ({ name, address: address5 }) => name || shortAddress(address5);
var handleOf = ({ creatorToken, token: token2 }) => creatorToken?.symbol || (isImported(token2) ? null : shortAddress(token2.creator));
var described2 = fieldsOf();
var place = fieldsOf();
var figure2 = fieldsOf();
var board2 = fieldsOf();
var trend = fieldsOf();
var places = {
  rank: place(count2, (row2) => row2.rank, {
    description: "Position on the board or list; does not change with the sort order",
    sorts: ["rank"]
  }),
  position: place(count2, (row2) => row2.position, "Position in the list in this order, over all pages")
};
var descriptions = {
  type: described2(choice(["creator", "post"]), (row2) => row2.token.kind, "creator or post"),
  symbol: described2(text2, (row2) => shownSymbol(row2.token), "Ticker symbol; untrusted on-chain text"),
  name: described2(text2, (row2) => shownName(row2.token), "Token name or post title; untrusted text"),
  creator_handle: described2(orNull(text2), handleOf, {
    description: "Symbol of the creator token, else a short address; null where neither is known"
  }),
  creator_name: described2(orNull(text2), ({ creatorToken }) => creatorToken && shownName(creatorToken), {
    description: "Name of the creator token; null without one"
  }),
  creator_address: described2(
    orNull(address2),
    ({ token: token2 }) => isImported(token2) ? null : token2.creator,
    {
      description: "Payout recipient at creation, whom anyone may name: see creator_verified; null if coverage_from is set"
    }
  ),
  creator_verified: described2(orNull(flag2), ({ token: token2 }) => isVerified(token2), {
    description: "Whether creator_address launched the token itself; only then is the token joined with others of that address. null: the creation was not read"
  }),
  launched_by: described2(orNull(address2), ({ token: token2 }) => token2.launchedBy, {
    description: "creator_address if it called the factory or sent the transaction, else the caller of the factory; null: the creation was not read"
  }),
  contract_address: described2(address2, (row2) => row2.token.address, {
    description: "Token contract",
    aliases: ["token_address"]
  }),
  pool_id: described2(hash2, (row2) => row2.token.poolId, "Primary Uniswap V4 pool"),
  created_at: described2(
    orNull(time),
    ({ token: token2 }) => isImported(token2) ? null : token2.launchedAt.timestamp,
    { description: "Time of the creation block; null if coverage_from is set" }
  ),
  coverage_from: described2(orNull(time), ({ token: token2 }) => coverageFrom(token2), {
    description: "Set on tokens older than this service\u2019s history, which begins at this time: figures of windows that begin earlier, total volume, extremes, holders and the creator are null"
  })
};
var coverage = {
  description: "Set if this service\u2019s history begins later than the platform: at this time. Figures that need older history are null"
};
var nameFlags = figure2(recordKind(nameFlagFields), (row2) => row2.nameFlags, {
  description: "Warnings about the names, since anyone may call a token anything"
});
var trades24h = figure2(orNull(count2), (row2) => row2.trades24h, {
  description: "Swaps of the last 24 hours"
});
var liquidity = figure2(orNull(usd), (row2) => row2.liquidity, {
  description: "Both sides of the hook\u2019s liquidity at the current price"
});
var backing = {
  effective_market_cap: figure2(orNull(usd), (row2) => row2.effectiveMarketCap, {
    description: "market_cap, limited to 25 \xD7 the least quote-side liquidity on the token\u2019s path to USD"
  }),
  effective_market_cap_formatted: figure2(usdText, (row2) => row2.effectiveMarketCap, "Display text"),
  thin_liquidity: figure2(orNull(flag2), isThin, {
    description: "market_cap exceeds 25 \xD7 that liquidity: hardly anyone could sell at this price"
  })
};
function isThin({ marketCap, effectiveMarketCap }) {
  return marketCap === null || effectiveMarketCap === null ? null : marketCap > effectiveMarketCap;
}
var ofBoards = (kind) => ({ ...orNull(kind), schema: kind.schema });
var boardFields = {
  ...places,
  type: descriptions.type,
  symbol: descriptions.symbol,
  name: descriptions.name,
  handle: board2(orNull(text2), handleOf, {
    description: "Symbol of the creator token, else a short address; null where neither is known",
    aliases: ["creator_handle"]
  }),
  creator_name: descriptions.creator_name,
  name_flags: nameFlags,
  creator_address: descriptions.creator_address,
  creator_verified: descriptions.creator_verified,
  launched_by: descriptions.launched_by,
  contract_address: descriptions.contract_address,
  pool_id: descriptions.pool_id,
  price_usd: board2(ofBoards(price), (row2) => row2.priceUsdE36, {
    description: "Pool price in USD",
    sorts: ["price"]
  }),
  market_cap: board2(ofBoards(usd), (row2) => row2.marketCap, {
    description: "Price \xD7 total supply, USD",
    display: ["post"],
    sorts: ["market_cap"]
  }),
  ...backing,
  circulating_supply: board2(amount, (row2) => row2.circulatingSupply, {
    description: "Total supply minus the token contract\u2019s own balance"
  }),
  circulating_market_cap: board2(ofBoards(usd), (row2) => row2.circulatingMarketCap, {
    description: "Price \xD7 circulating supply, USD"
  }),
  total_supply: board2(amount, (row2) => row2.supply, "Minted minus burned, whole tokens"),
  portfolio_value: board2(
    ofBoards(usdText),
    (row2) => row2.portfolioValue,
    "Display text of portfolio_value_raw"
  ),
  portfolio_value_raw: board2(ofBoards(usd), (row2) => row2.portfolioValue, {
    description: "Limited market caps of the creator\u2019s token and posts, USD; on posts the market cap"
  }),
  portfolio: board2(orNull(recordKind(portfolioFields)), (row2) => row2.portfolio, {
    description: "Parts of a creator\u2019s portfolio; null on posts"
  }),
  volume_24h: board2(orNull(usd), (row2) => row2.volume24h, {
    description: "Volume of the last 24 hours, USD",
    display: ["creator", "post"]
  }),
  total_volume: board2(orNull(usd), (row2) => row2.totalVolume, {
    description: "Volume since launch, USD",
    display: ["creator", "post"],
    sorts: ["total_volume"]
  }),
  volume_period: board2(orNull(usd), (row2) => row2.volume, {
    description: "Volume of the period, USD",
    sorts: ["volume"]
  }),
  unique_holders: board2(orNull(count2), (row2) => row2.holders, {
    description: "Addresses with a balance",
    aliases: ["holders_count"],
    sorts: ["holders"]
  }),
  engagement: board2(orNull(count2), (row2) => row2.engagement, {
    description: `(wallet, UTC hour) pairs of the last 24 hours with a swap of at least ${formatUsd(ENGAGEMENT_MIN_MICRO_USD)}`
  }),
  sparkline_24h: board2(orNull(shape), (row2) => row2.hourlyCaps, {
    description: "effective_market_cap at the ends of the last 24 UTC hours, oldest first, from 0 for the least to 100 for the most of them; null where it was below $2,500, and in place of the list where the day is not known whole"
  }),
  ...earningFields,
  trades_24h: trades24h,
  trades_period: board2(orNull(count2), (row2) => row2.trades, "Swaps of the period"),
  liquidity_usd: liquidity,
  change_24h: board2(orNull(percentText), (row2) => row2.change24hE2, {
    description: "Signed display text of change_24h_percent"
  }),
  change_24h_percent: board2(orNull(percent), (row2) => row2.change24hE2, {
    description: "Price change over 24 hours, or since launch if that is later"
  }),
  is_new: board2(orNull(flag2), (row2) => row2.isNew, {
    description: "The token was not on this board at the start of the period; null, like previous_rank, if that needs history older than this service\u2019s"
  }),
  previous_rank: board2(orNull(count2), (row2) => row2.previousRank, {
    description: "Rank on this board at the start of the period"
  }),
  rank_change: board2(orNull(difference), (row2) => row2.previousRank && row2.previousRank - row2.rank, {
    description: "Ranks gained since the start of the period"
  }),
  score: board2(orNull(score), (row2) => row2.scoreE6, {
    description: "The board\u2019s sort key: portfolio_value_raw for creators, engagement for posts"
  }),
  created_at: descriptions.created_at,
  coverage_from: descriptions.coverage_from,
  period_start: board2(time, (row2) => row2.periodStart, "Start of the period"),
  data_source: board2(choice(["onchain"]), () => "onchain", "Source of the figures"),
  ...changeFields
};
var listedFields = {
  ...places,
  symbol: descriptions.symbol,
  name: descriptions.name,
  contract_address: descriptions.contract_address,
  type: descriptions.type,
  price_usd: figure2(orNull(price), (row2) => row2.priceUsdE36, {
    description: "Pool price in USD; null without a route to USD"
  }),
  market_cap: figure2(orNull(usd), (row2) => row2.marketCap, {
    description: "Price \xD7 total supply, USD",
    sorts: ["market_cap"]
  }),
  ...backing,
  volume_24h: figure2(orNull(usd), (row2) => row2.volume24h, "Volume of the last 24 hours, USD"),
  holders_count: figure2(orNull(count2), (row2) => row2.holders, {
    description: "Addresses with a balance",
    aliases: ["unique_holders"],
    sorts: ["holders"]
  }),
  change_24h: figure2(orNull(percent), (row2) => row2.change24hE2, {
    description: "Price change over 24 hours, percent, or since launch if that is later"
  }),
  change_24h_percent: figure2(orNull(percent), (row2) => row2.change24hE2, {
    description: "The same as change_24h, under the name used on every row"
  }),
  change_7d: figure2(orNull(percent), (row2) => row2.change7dE2, {
    description: "Price change over 7 days, percent, or since launch if that is later"
  }),
  creator_handle: descriptions.creator_handle,
  creator_name: descriptions.creator_name,
  name_flags: nameFlags,
  creator_address: descriptions.creator_address,
  creator_verified: descriptions.creator_verified,
  launched_by: descriptions.launched_by,
  trades_24h: trades24h,
  liquidity_usd: liquidity,
  pool_id: descriptions.pool_id,
  created_at: descriptions.created_at,
  coverage_from: descriptions.coverage_from,
  total_volume: figure2(orNull(usd), (row2) => row2.totalVolume, "Volume since launch, USD"),
  ...earningFields
};
var trendingFields = {
  ...listedFields,
  volume: trend(orNull(usd), (row2) => row2.volume, {
    description: "Volume of the timeframe, USD",
    sorts: ["volume"]
  }),
  rank_volume: trend(orNull(usd), (row2) => row2.rankVolume, {
    description: "Growth of the largest net position of each (wallet, UTC hour) in the timeframe, USD; buying and selling again adds nothing",
    sorts: ["rank_volume"]
  }),
  change: trend(orNull(percent), (row2) => row2.changeE2, {
    description: "Price change over the timeframe, percent, or since launch if that is later; in the lists ordered by it, since an hour after launch",
    sorts: ["change"]
  }),
  trade_count: trend(orNull(count2), (row2) => row2.trades, "Swaps of the timeframe")
};

// schemas/discover-row.ts
var summary = fieldsOf();
var part2 = fieldsOf();
var rising = fieldsOf();
var launch = fieldsOf();
var boardNames = { creator: "creators", post: "posts" };
var summaryFields = {
  ...listedFields,
  z100_board: summary(
    orNull(choice(Object.values(boardNames))),
    ({ boardRank, token: token2 }) => boardRank === null ? null : boardNames[token2.kind],
    { description: "The board that the token is on; null: none" }
  ),
  z100_rank: summary(orNull(count2), (row2) => row2.boardRank, "Its rank there")
};
var risingPartFields = {
  rank_volume_1h: part2(usd, (row2) => row2.rankVolume1h, {
    description: "Growth of the largest net position of each (wallet, UTC hour) in the last hour, USD"
  }),
  rank_volume_25h: part2(usd, (row2) => row2.rankVolume25h, "The same in the last 25 hours"),
  wallet_hours_1h: part2(count2, (row2) => row2.walletHours1h, {
    description: "(wallet, UTC hour) pairs counted in the last hour, at least 3"
  }),
  change_1h: part2(orNull(percent), (row2) => row2.change1hE2, {
    description: "Price change over an hour, percent, or since launch if that is later"
  })
};
var risingFields = {
  ...summaryFields,
  rising_score: rising(ratio, (row2) => row2.scoreE6, {
    description: "(rank_volume_1h + 50) / ((rank_volume_25h - rank_volume_1h) / 24 + 50)"
  }),
  components: rising(recordKind(risingPartFields), (row2) => row2.parts, "Inputs of the score")
};
var launchFields = {
  ...summaryFields,
  age_seconds: launch(count2, (row2) => row2.ageSeconds, "Seconds since the creation block"),
  launch_block: launch(count2, (row2) => row2.token.launchedAt.blockNumber, "The creation block"),
  launch_transaction_hash: launch(hash2, (row2) => row2.token.launchedAt.transactionHash, {
    description: "The transaction that created it"
  }),
  launch_price_usd: launch(orNull(price), (row2) => row2.launchPriceUsdE36, {
    description: "First pool price in USD; null without a route to USD"
  }),
  change_since_launch: launch(orNull(percent), (row2) => row2.changeSinceLaunchE2, {
    description: "Price change since then, percent"
  }),
  trades: launch(count2, (row2) => row2.tradesSinceLaunch, "Swaps since launch"),
  buyers: launch(count2, (row2) => row2.buyersSinceLaunch, {
    description: `(wallet, UTC hour) pairs since launch with a swap of at least ${formatUsd(ENGAGEMENT_MIN_MICRO_USD)}`
  }),
  volume: launch(orNull(usd), (row2) => row2.totalVolume, "Volume since launch, USD"),
  cursor: launch(text2, ({ token: token2 }) => cursorOf(token2.launchedAt), {
    description: "Its place among the launches, opaque: `cursor` takes it"
  })
};
var matchNames = ["symbol", "handle", "address", "name", "creator_address"];
var matchKinds = ["exact", "prefix", "word", "contains"];
var match = fieldsOf();
var found = fieldsOf();
var matchFields = {
  field: match(choice(matchNames), (row2) => row2.field, "The field that matches"),
  kind: match(choice(matchKinds), (row2) => row2.kind, "Kind of match, best first")
};
var foundFields = {
  ...summaryFields,
  match: found(recordKind(matchFields), (row2) => row2.match, "How the search found the token")
};

// schemas/candles.ts
var slot = fieldsOf();
var price2 = orNull(price);
var pricesIn = (currency2, of) => ({
  ...currency2 === "usd" ? { price_usd: slot(price2, closeUsd, { description: CLOSE, aliases: ["price", "close"] }) } : {
    price_usd: slot(price2, closeUsd, CLOSE),
    price: slot(price2, (row2) => of(row2).close, {
      description: "Pool price at the end of the slot, in the currency of the answer",
      aliases: ["close"]
    })
  },
  open: slot(price2, (row2) => of(row2).open, {
    description: "The close of the slot before; in the slot of the launch, the launch price; null, like high, low and volume, if the slot begins before the token\u2019s coverage_from"
  }),
  high: slot(price2, (row2) => of(row2).high, "Highest price, open and close included"),
  low: slot(price2, (row2) => of(row2).low, "Lowest price, open and close included")
});
var closeUsd = ({ usd: usd2 }) => usd2.close;
var CLOSE = "Pool price at the end of the slot, in USD at the quote\u2019s rate then";
var fieldsIn = (currency2) => ({
  timestamp: slot(count2, (row2) => row2.start, "Start of the slot, Unix seconds"),
  datetime: slot(time, (row2) => row2.start, "The same as text"),
  ...pricesIn(currency2, (row2) => row2[currency2]),
  volume_usd: slot(orNull(usd), (row2) => row2.volume, {
    description: "Volume of the slot, USD; null if it begins before the token\u2019s coverage_from"
  }),
  trades: slot(orNull(count2), (row2) => row2.trades, "Swaps of the slot"),
  market_cap: slot(orNull(usd), (row2) => row2.marketCap, "Close in USD \xD7 total supply"),
  filled: slot(orNull(flag2), (row2) => row2.isFilled, "The token\u2019s own price was not set in the slot"),
  partial: slot(flag2, (row2) => row2.isPartial, "The slot is not over yet")
});
var flows = {
  buys: slot(orNull(count2), (row2) => row2.buys, "Swaps that bought the token"),
  buy_volume: slot(orNull(usd), (row2) => row2.buyVolume, "Their part of the volume, USD"),
  volume_quote: slot(orNull(amount), inWholeQuotes, {
    description: "Volume in the quote currency, whole units, floored to 6 decimals"
  })
};
var priceStepFields = { ...fieldsIn("usd"), ...flows };
function inWholeQuotes({ volumeQuote, quoteDecimals }) {
  if (volumeQuote === null) return null;
  const missing = TOKEN_DECIMALS - quoteDecimals;
  return missing < 0 ? volumeQuote / 10n ** BigInt(-missing) : volumeQuote * 10n ** BigInt(missing);
}
var candleFields = {
  usd: { ...fieldsIn("usd"), ...flows },
  quote: { ...fieldsIn("quote"), ...flows }
};

// schemas/creator.ts
var day = fieldsOf();
var sum = fieldsOf();
var page2 = fieldsOf();
var earningsDayFields = {
  date: day(time, (row2) => row2.start, "Start of the UTC day"),
  timestamp: day(count2, (row2) => row2.start, "The same in Unix seconds"),
  creator_earnings: day(
    usd,
    (row2) => row2.earned,
    "Fees paid to the creator on it, USD at the time of each payment"
  ),
  from_token: day(usd, (row2) => row2.earned - row2.ofPosts, "Part of it: by trades of the creator token"),
  from_posts: day(usd, (row2) => row2.ofPosts, "Part of it: by trades of posts"),
  partial: day(flag2, (row2) => row2.isPartial, "The day is not over yet")
};
var creatorEarningsFields = {
  creator_earnings_24h: sum(orNull(usd), (row2) => row2.last24h, {
    description: "Fees of the last 24 hours paid to the creator, by the token\u2019s trades and those of its posts, USD"
  }),
  creator_earnings_total: sum(orNull(usd), (row2) => row2.total, {
    description: "The same since the token\u2019s launch; null, like all sums here, if coverage_from is set"
  }),
  from_token: sum(
    orNull(usd),
    (row2) => row2.total === null || row2.ofPosts === null ? null : row2.total - row2.ofPosts,
    "Part of it: by trades of the creator token"
  ),
  from_posts: sum(orNull(usd), (row2) => row2.ofPosts, "Part of it: by trades of posts"),
  fees_to_platform: sum(orNull(usd), (row2) => row2.toPlatform, {
    description: "Fees of the creator token\u2019s own trades that went to the platform it was launched at"
  }),
  fees_to_referrers: sum(orNull(usd), (row2) => row2.toReferrers, "To whoever sent the traders"),
  fees_to_protocol: sum(orNull(usd), (row2) => row2.toProtocol, "To the protocol and to Doppler"),
  coverage_from: sum(orNull(time), (row2) => row2.coverageFrom, {
    description: "Set if the creator token is older than this service\u2019s history, which begins here"
  }),
  by_day: sum(listKind(earningsDayFields), (row2) => row2.days, "By UTC days, oldest first")
};
var summaryKind = recordKind(summaryFields);
var summaryText = { schema: summaryKind.schema, write: (text5) => text5 };
var summaryTexts = {
  schema: { type: "array", items: summaryKind.schema },
  write: (texts) => `[${texts.join(",")}]`
};
var creatorFields = {
  creator_address: page2(orNull(address2), (row2) => row2.address, {
    description: "The creator\u2019s address; null where it is not known because the token is older than the history"
  }),
  handle: page2(text2, (row2) => row2.handle, "Symbol of the creator token, else a short address"),
  token: page2(orNull(summaryText), (row2) => row2.token, "The creator token; null without one"),
  portfolio: page2(orNull(recordKind(portfolioFields)), (row2) => row2.portfolio, {
    description: "What the token and its posts are worth, and what of it counts; null without a creator token"
  }),
  earnings: page2(orNull(recordKind(creatorEarningsFields)), (row2) => row2.earnings, {
    description: "What they paid to whom; null without a creator token"
  }),
  posts: page2(summaryTexts, (row2) => row2.posts.rows, "Posts that the creator launched: a page of them"),
  posts_total: page2(
    count2,
    (row2) => row2.posts.total,
    "Number of these posts among the creator\u2019s newest 1,000 launches"
  ),
  posts_offset: page2(count2, (row2) => row2.posts.offset, "Posts before this page"),
  posts_next_offset: page2(orNull(count2), (row2) => row2.posts.next, {
    description: "Offset of the next page; null: this is the last"
  }),
  last_updated: page2(time, (row2) => row2.asOf, "The time of the figures")
};

// schemas/printed.ts
var cell = fieldsOf();
var printedFields = (kinds2) => Object.fromEntries(
  Object.entries(kinds2).map(([key, [{ schema }, description]]) => [
    key,
    cell({ schema, write: (text5) => text5 }, (row2) => row2[key] ?? "null", description)
  ])
);

// schemas/board-history.ts
var HISTORY_DAYS = 366;
var boardHistoryFields = printedFields({
  date: [
    { schema: { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\d$" } },
    "UTC day; the row is of the last snapshot published of it"
  ],
  timestamp: [count2, "Time of that snapshot, Unix seconds"],
  board: [choice(["creators", "posts"]), "The board that the token was on"],
  rank: [count2, "Its rank"],
  score: [orNull(score), "The board\u2019s sort key: portfolio_value_raw for creators, engagement for posts"],
  price_usd: [orNull(price), "Pool price in USD"],
  market_cap: [orNull(usd), "Price \xD7 total supply, USD"],
  partial: [flag2, "The day is not over: the row is of the newest snapshot"]
});

// market/interval.ts
var DAY2 = 1440;
var candleIntervals = {
  "1m": { minutes: 1, first: 0, keptMinutes: 8 * DAY2 },
  "5m": { minutes: 5, first: 0, keptMinutes: 8 * DAY2 },
  "15m": { minutes: 15, first: 0, keptMinutes: 8 * DAY2 },
  "1h": { minutes: 60, first: 0, keptMinutes: 90 * DAY2 },
  "4h": { minutes: 240, first: 0, keptMinutes: 90 * DAY2 },
  "1d": { minutes: DAY2, first: 0, keptMinutes: null },
  "1w": { minutes: 7 * DAY2, first: 4 * DAY2, keptMinutes: null }
};
var candleIntervalNames = Object.keys(candleIntervals);

// schemas/parameter-syntax.ts
var NUMBER_MAX = 999999999999999;
var integerParameter = (minimum, maximum) => ({
  schema: { type: "integer", minimum, maximum: maximum ?? NUMBER_MAX },
  allowed: maximum === void 0 ? `${minimum} or more, at most 15 digits` : `${minimum}-${maximum}`
});
var decimal = {
  schema: { type: "number", minimum: 0, maximum: NUMBER_MAX },
  allowed: "a decimal of 0 or more, such as 12.5, with at most 18 decimals",
  description: "At most 18 decimals; `1e-7` is understood"
};
var signedDecimal = {
  schema: { type: "number", minimum: -NUMBER_MAX, maximum: NUMBER_MAX },
  allowed: "a decimal, such as 12.5 or -3, with at most 18 decimals",
  description: "At most 18 decimals; `1e-7` is understood"
};
var textParameter = (minimum, maximum) => ({
  ...lengthWithin(minimum, maximum),
  description: "Surrounding spaces are ignored",
  normal: (text5) => text5.trim()
});
var soughtFor = (minimum, maximum) => ({
  ...lengthWithin(minimum, maximum),
  description: "Its length is measured after normalisation: lower case, NFKC, without surrounding spaces, invisible characters and one leading `@`, `$` or `#`",
  normal: soughtText
});
var lengthWithin = (minLength, maxLength) => ({
  schema: { type: "string", minLength, maxLength },
  allowed: `at least ${minLength} character${minLength === 1 ? "" : "s"}, at most ${maxLength}`
});

// schemas/token-cursor.ts
var CURSOR2 = /^(\d{1,12})\.(\d{1,8})\.([0-9a-f]{40})(?:\.(\d{1,9}))?$/;
var tokenCursorSyntax = {
  schema: { type: "string", pattern: CURSOR2.source },
  allowed: "the cursor of the link to the next page"
};

// schemas/token-id.ts
var CHAIN = "(?:base[_:]|(?:eip155:)?8453(?::|/erc20:))?";
var ID = new RegExp(`^${CHAIN}(?:0x)?([0-9a-f]{40}|[0-9a-f]{64})(?::8453)?$`, "i");
var ADDRESS_DIGITS = 40;
function readTokenId(text5) {
  const digits = ID.exec(text5.trim())?.[1]?.toLowerCase();
  if (digits === void 0) return null;
  return digits.length === ADDRESS_DIGITS ? { address: `0x${digits}`, pool: null } : { address: null, pool: `0x${digits}` };
}
var MEANT_AS_ID = /^(?:base_|eip155:|0x[0-9a-f]+$|0x.{20,}|.*:8453$|[0-9a-f]{32,}$|.*0x[0-9a-f]{40})/is;
var isBrokenId = (text5) => MEANT_AS_ID.test(text5.trim()) && readTokenId(text5) === null;
function readSymbols(text5) {
  return [.../* @__PURE__ */ new Set([foldText(text5), soughtText(text5)])].filter((symbol) => symbol !== "");
}
var PREFIX2 = /^0x[0-9a-f]{0,39}$/i;
var searchSyntax = {
  ...soughtFor(2, 100),
  isRead: (text5) => PREFIX2.test(text5.trim()) || !isBrokenId(text5)
};
var ID_ALLOWED = "an address (0x and 40 hex digits) or a pool id (0x and 64)";
var tokenSyntax = {
  schema: { type: "string", minLength: 1, maxLength: 128 },
  allowed: `a symbol, ${ID_ALLOWED}`,
  description: "A leading `$` or `@` of a symbol is ignored; an address may also be written `base_0x\u2026` or `0x\u2026:8453`",
  normal: soughtText,
  isRead: (text5) => !isBrokenId(text5)
};

// schemas/week-syntax.ts
var DAY_MS = 864e5;
var WEEK = /^(\d{4})-W(\d\d)$/;
function weekText(week2) {
  const thursday = new Date(firstMinuteOf("week", week2) * 6e4 + 3 * DAY_MS);
  const year = thursday.getUTCFullYear();
  const number = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / DAY_MS / 7) + 1;
  return `${year}-W${String(number).padStart(2, "0")}`;
}
function weekFrom(text5) {
  const [, year, number] = WEEK.exec(text5) ?? [];
  if (year === void 0) return null;
  const first = intervalAt("week", Date.UTC(Number(year), 0, 4) / 6e4);
  const week2 = first + Number(number) - 1;
  return weekText(week2) === text5 ? week2 : null;
}
var weekSyntax = {
  schema: { type: "string", pattern: WEEK.source },
  allowed: "an ISO 8601 week such as 2026-W47",
  isRead: (text5) => weekFrom(text5) !== null
};

// schemas/parameters.ts
var flags = ["true", "false", "1", "0"];
var flag4 = (name, description, fallback) => ({
  names: [name],
  description,
  values: flags,
  fallback,
  same: [fallback === "true" ? "1" : "0"]
});
var word = (names2, description, [values2, fallback]) => ({ names: names2, description, values: values2, fallback });
var text4 = (name, description, more = {}) => ({ names: [name], description, values: null, fallback: null, ...more });
var rows = (most2, fallback = most2) => text4("limit", `Rows of the answer, 1-${most2}`, {
  syntax: integerParameter(1, most2),
  fallback: String(fallback)
});
var lengths = ["timeframe", "period"];
var orders = ["sort_order", "order"];
var period = word(lengths, "Period for changes and volumes, or covered by the price history", [
  periods,
  "24h"
]);
var timeframe = word(lengths, "Period in which a token must have traded", [timeframes, "24h"]);
var sortBy = (values2, fallback, same = []) => ({ ...word(["sort_by", "sort"], "Sort key", [[...values2, ...same], fallback]), same });
var sortOrder = word(
  orders,
  "desc: highest first; asc: lowest first. Unknown values come last in both",
  [["desc", "asc"], "desc"]
);
var limit = rows(BOARD_SIZE);
var discoverLimit = rows(DISCOVER_SIZE, 20);
var snapshotsLimit = rows(100, 20);
var swapsLimit = rows(100, 50);
var offset = text4("offset", "Rows to skip, 0 or more", {
  syntax: integerParameter(0),
  fallback: "0"
});
var includeChanges = flag4("include_changes", "false omits the change and historical fields", "true");
var values = word(
  ["values"],
  "display returns volume_24h, total_volume and, on posts, market_cap as formatted text",
  [["number", "display"], "number"]
);
var envelope = flag4(
  "envelope",
  "true wraps the list: {data, meta: {total, page, per_page}}",
  "false"
);
var snapshot = text4("snapshot", "Id of a snapshot of the last 15 minutes, to pin paging to it");
var asOfTime = text4(
  "as_of",
  "As it was published: by the last snapshot of a UTC hour that is not later than this time; a date alone means its end. Since the start of the day before for everyone, earlier from the tier professional on",
  { syntax: timeSyntax }
);
var week = text4("week", "ISO 8601 week. Default: the last one that is over", { syntax: weekSyntax });
var historyDays = text4("days", `UTC days, 1-${HISTORY_DAYS}, today included`, {
  syntax: integerParameter(1, HISTORY_DAYS),
  fallback: "90"
});
var strict = flag4("strict", "true rejects unknown parameters instead of ignoring them", "false");
var timeOrder = word(orders, "desc: newest first; asc: oldest first", [["desc", "asc"], "desc"]);
var side = word(["type"], "Only buys or only sells of the token", [["buy", "sell", "all"], "all"]);
var minValue = text4(
  "min_value",
  "Only swaps worth at least this many US dollars, compared before rounding",
  { syntax: decimal, fallback: "0" }
);
var tokenFilter = text4(
  "token",
  "Only swaps of this token: its address, its pool, or a symbol, which may be that of several tokens",
  { syntax: tokenSyntax }
);
var fill = flag4("fill", "false omits steps without a price of the token\u2019s own pool", "true");
var candleInterval = word(
  ["resolution", "interval"],
  "Length of a slot of UTC time; weeks start on Monday",
  [candleIntervalNames, "1h"]
);
var candleLimit = rows(1e3, 300);
var candleFill = word(
  ["fill"],
  "last fills slots without a price of the token\u2019s own pool with the price before, at the quote\u2019s USD of the slot\u2019s end; none omits them",
  [["last", "none"], "last"]
);
var currency = word(
  ["currency"],
  "Currency of the prices: US dollars, or what the token is priced in",
  [["usd", "quote"], "usd"]
);
var candlesFrom = text4("from", "No slot that ends before this time", { syntax: timeSyntax });
var candlesTo = text4("to", "No slot that begins after this time; a date alone means its end", {
  syntax: timeSyntax
});
var candlesBefore = text4("before", "Only slots that begin before this time, to page backwards", {
  syntax: timeSyntax
});
var tokenField = {
  names: ["field"],
  description: "Field to look up; without it, all tokens are listed",
  values: ["symbol", "name", "address", "creator"],
  fallback: null
};
var tokenValue = text4(
  "value",
  "The value to find, compared without regard to case, width and spacing; a creator is an address or a handle",
  { syntax: textParameter(1, 256) }
);
var include = text4(
  "include",
  "Parts to add, separated by commas: metrics, swaps (up to 50), holders (up to 50), price_history (24 hours)",
  { syntax: textParameter(1, 100) }
);
var ADDRESSES_MAX = 100;
var addresses = text4(
  "addresses",
  `Addresses of at most ${ADDRESSES_MAX} tokens, separated by commas`,
  { syntax: textParameter(1, 8e3) }
);
var tokensCursor = text4(
  "cursor",
  "Where the list of all tokens goes on, from the link to its next page",
  { syntax: tokenCursorSyntax }
);
var launchOrder = word(orders, "Of all tokens: desc: newest first; asc: oldest first", [
  ["desc", "asc"],
  "desc"
]);
var searchText = text4("q", "Part of a symbol, name or address, or the id of a pool", {
  syntax: searchSyntax,
  isRequired: true
});
var from = text4("from", "First time; a date alone means its start. Default: 7 days before `to`", {
  syntax: timeSyntax
});
var to = text4("to", "Last time; a date alone means its end. Default: now", { syntax: timeSyntax });
var before = text4(
  "before",
  "Only swaps before the one with this `cursor`, or before a time; a date alone means its start. Default: now",
  { syntax: beforeSyntax }
);
var launchKind = word(["kind"], "Only creator tokens or only posts", [
  ["all", "creator", "post"],
  "all"
]);
var atLeast = (name, what) => text4(name, `Only tokens with at least so ${what} since launch`, {
  syntax: integerParameter(0),
  fallback: "0"
});
var minTrades = atLeast("min_trades", "many swaps");
var minBuyers = atLeast(
  "min_buyers",
  `many (wallet, UTC hour) pairs with a swap of ${formatUsd(ENGAGEMENT_MIN_MICRO_USD)} or more`
);
var minVolume = text4(
  "min_volume",
  "Only tokens with at least this volume since launch, US dollars",
  { syntax: decimal, fallback: "0" }
);
var launchCursor = text4(
  "cursor",
  "Only tokens launched before the one with this `cursor`, or before a time",
  { syntax: beforeSyntax }
);
var holderInterval = word(["interval"], "Step length, in UTC", [["1h", "1d"], "1d"]);
var earningsDays = text4("days", "UTC days of earnings, 1-60, today included", {
  syntax: integerParameter(1, 60),
  fallback: "30"
});
var interval = {
  ...word(["interval"], "Step length, in UTC: 1h is hourly, 1d daily, 1w weekly, from Monday", [
    ["hourly", "daily", "weekly", "1h", "1d", "1w"],
    "daily"
  ]),
  same: ["1d"]
};
var barLimit = text4("limit", "The newest intervals, instead of those since `from`, 1-260", {
  syntax: integerParameter(1, 260)
});

// schemas/operation.ts
var DOCUMENT_CACHE = "public, max-age=20, stale-while-revalidate=10, stale-if-error=86400";
var NOT_CACHED = "no-store";
var FIXED_CACHE = "public, max-age=300, stale-while-revalidate=60, stale-if-error=86400";
var MINUTE_CACHE = "public, max-age=60, stale-while-revalidate=30, stale-if-error=86400";
var LASTING_CACHE = "public, max-age=31536000, immutable";
var publishedOperation = (path, description, { documentParameters = [], rest = [], body }) => ({
  path,
  description,
  needs: "key",
  documentParameters,
  rest: [...rest, strict],
  body,
  cacheControl: DOCUMENT_CACHE,
  ...rest.includes(asOfTime) ? { lastingCacheControl: LASTING_CACHE } : {}
});
var readOperation = (path, description, { rest = [], body }) => ({
  path,
  description,
  needs: "key",
  documentParameters: null,
  rest: [...rest, strict],
  body,
  cacheControl: NOT_CACHED
});
var fixedOperation = (facts, cacheControl = FIXED_CACHE) => ({
  ...facts,
  needs: "nothing",
  documentParameters: null,
  rest: [strict],
  cacheControl
});
var fixedTextOperation = (path, description, [mediaType, cacheControl]) => fixedOperation(
  { path, description, mediaType: `${mediaType}; charset=utf-8`, body: { type: "string" } },
  cacheControl
);

// schemas/recap.ts
var RECAP_ROWS = 10;
var token = {
  contract_address: [address2, "Token contract"],
  type: [choice(["creator", "post"]), "creator or post"],
  symbol: [text2, "Ticker symbol; untrusted on-chain text"],
  name: [text2, "Token name or post title; untrusted text"],
  creator_handle: [orNull(text2), "Symbol of the creator token, else a short address"],
  creator_address: [orNull(address2), "Payout recipient at creation"]
};
var priced = {
  price_usd: [
    orNull(price),
    "Pool price in USD at the end of the week; of a token that left, at its beginning"
  ],
  market_cap: [orNull(usd), "Price \xD7 total supply, USD, at the same time"],
  change_7d: [
    orNull(percent),
    "Price change over the 7 days, percent, or since launch if that is later; null for a token that left"
  ]
};
var moveFields = printedFields({
  ...token,
  rank: [orNull(count2), "Rank at the end of the week; null: not on the board"],
  previous_rank: [orNull(count2), "Rank at its beginning; null: not on the board"],
  rank_change: [orNull(difference), "Ranks gained in the week"],
  score: [orNull(score), "The board\u2019s sort key, at the same time as the price"],
  ...priced
});
var highFields = printedFields({
  ...token,
  rank: [count2, "Rank at the end of the week"],
  all_time_high: [price, "Highest price up to the end of the week, USD"],
  previous_all_time_high: [price, "Highest price up to its beginning, USD"],
  ...priced
});
var newTokenFields = printedFields({
  ...token,
  created_at: [time, "Time of the creation block"],
  volume: [orNull(usd), "Volume of the week, USD"],
  ...priced
});
var indexRecapFields = printedFields({
  open: [points, "The Z100 Index at the beginning of the week"],
  high: [points, "Its highest value"],
  low: [points, "Its lowest value"],
  close: [points, "Its value at the end of the week"],
  change_percent: [orNull(percent), "Change from open to close"]
});
var most = (rows3, maxItems) => ({
  ...rows3,
  schema: { ...rows3.schema, maxItems }
});
var moves = listKind(moveFields);
var onBoard = fieldsOf();
var boardRecapFields = {
  entered: onBoard(most(moves, BOARD_SIZE), (row2) => row2.entered, "On the board at the end alone, by rank"),
  left: onBoard(
    most(moves, BOARD_SIZE),
    (row2) => row2.left,
    "On the board at the beginning alone, by rank then"
  ),
  rose: onBoard(most(moves, RECAP_ROWS), (row2) => row2.rose, "Those that gained most ranks"),
  fell: onBoard(most(moves, RECAP_ROWS), (row2) => row2.fell, "Those that lost most ranks")
};
var field = fieldsOf();
var recapFields = {
  week: field(text2, (row2) => weekText(row2.week), "ISO 8601 week, Monday to Sunday in UTC"),
  from: field(time, (row2) => row2.from, "Time of the documents at its beginning"),
  to: field(time, (row2) => row2.to, "Time of the documents at its end"),
  from_snapshot_id: field(text2, (row2) => row2.snapshots.from, "Their snapshot"),
  to_snapshot_id: field(text2, (row2) => row2.snapshots.to, "Their snapshot"),
  partial: field(flag2, (row2) => row2.isPartial, {
    description: "The first documents that are kept are of the week itself: it is compared with them"
  }),
  index: field(recordKind(indexRecapFields), (row2) => row2.index, "The Z100 Index"),
  creators_board: field(recordKind(boardRecapFields), (row2) => row2.creators, "The board of creators"),
  posts_board: field(recordKind(boardRecapFields), (row2) => row2.posts, "The board of posts"),
  new_highs: field(orNull(most(listKind(highFields), RECAP_ROWS)), (row2) => row2.highs, {
    description: "Tokens on either board at the end, older than the week, that reached a new highest price in it, those that exceeded the former one most first; null: the former ones were not known any more when this was made"
  }),
  launches: field(most(listKind(newTokenFields), RECAP_ROWS), (row2) => row2.launches, {
    description: "Of the 100 most traded tokens of the week those launched in it, by volume"
  })
};

// schemas/history-operations.ts
var historyOperations = {
  boardHistory: readOperation(
    "/v1/z100/history/{id}",
    "Rank and score of a token by UTC day, on each day that it was on its board, oldest first",
    {
      rest: [historyDays, envelope],
      body: { type: "array", maxItems: HISTORY_DAYS, items: rowSchema(boardHistoryFields) }
    }
  ),
  recap: {
    ...readOperation("/v1/z100/recap", "What a week has changed on both boards and the index, made each Monday", {
      rest: [week],
      body: rowSchema(recapFields)
    }),
    mayBeAbsent: true,
    lastingCacheControl: LASTING_CACHE
  }
};

// schemas/holder-history.ts
var step = fieldsOf();
var holderStepFields = {
  timestamp: step(count2, (row2) => row2.start, "Start of the step, Unix seconds"),
  datetime: step(time, (row2) => row2.start, "The same as text"),
  holders_count: step(orNull(count2), (row2) => row2.holders, {
    description: "Addresses with a balance at the end of the step; null if coverage_from is set on the token"
  }),
  top10_concentration: step(orNull(fourPlaces), (row2) => row2.top10PercentE4, {
    description: "Share of the total supply of the ten largest, percent, as last looked at by the end of the step, every ten minutes at most; null until then"
  }),
  partial: step(flag2, (row2) => row2.isPartial, "The step is not over yet")
};

// schemas/z100-index.ts
var answer = fieldsOf();
var bar = fieldsOf();
var names = { type: "array", items: { type: "string" } };
var indexCoverage = { description: `${coverage.description}; the index begins there, too` };
var indexFields = {
  period: answer(choice(periods), (row2) => row2.period, "The requested period"),
  index_value: answer(points, (row2) => row2.valueE8, "The Z100 Index now"),
  total_volume: answer(orNull(usd), bothVolumes, {
    description: "Volume of both boards in the period, USD; null if that of some row is"
  }),
  total_trades: answer(orNull(count2), (row2) => row2.trades, "Swaps of both boards in the period"),
  creator_volume: answer(orNull(usd), (row2) => row2.volumes.creator, "Volume of the creators board"),
  post_volume: answer(orNull(usd), (row2) => row2.volumes.post, "Volume of the posts board"),
  active_creators: answer(orNull(count2), (row2) => row2.active.creator, {
    description: "Rows of the creators board that traded in the period"
  }),
  active_posts: answer(orNull(count2), (row2) => row2.active.post, {
    description: "Rows of the posts board that traded in the period"
  }),
  top_creators: answer(
    json(names),
    (row2) => row2.top.creator.map((one) => handleOf(one) ?? shownSymbol(one.token)),
    { description: "Handles of the top ten of the creators board" }
  ),
  top_posts: answer(json(names), (row2) => row2.top.post.map(({ token: token2 }) => shownSymbol(token2)), {
    description: "Symbols of the top ten of the posts board"
  }),
  timestamp: answer(count2, (row2) => asOf(row2.minute), "The time of the figures, Unix seconds"),
  index_change_percent: answer(orNull(percent), (row2) => row2.change.percentE2, {
    description: "Change of the index over the period; null if the index is younger"
  }),
  index_value_start: answer(orNull(points), (row2) => row2.startValueE8, {
    description: "The index at the start of the period; null if the index is younger"
  }),
  divisor: answer(orNull(divisor), (row2) => row2.divisor || null, {
    description: "Dollars per index point, exact decimal text; null before the first point"
  }),
  constituents_count: answer(count2, (row2) => row2.members.size, {
    description: "Members of the index; 0 before its first point"
  }),
  coverage_from: answer(orNull(time), (row2) => row2.coverageFrom, indexCoverage),
  as_of: answer(time, (row2) => asOf(row2.minute), "The same time, ISO 8601")
};
function bothVolumes({ volumes: { creator, post } }) {
  return creator === null || post === null ? null : creator + post;
}
var barRow = (interval2, stored, asOf2) => ({
  ...stored,
  end: firstMinuteOf(interval2, stored.at + 1) * 60,
  asOf: asOf2
});
var indexBarFields = {
  timestamp: bar(count2, (row2) => row2.end, "End of the interval, Unix seconds"),
  date: bar(time, (row2) => row2.end, "The same, ISO 8601"),
  index_value: bar(points, (row2) => row2.close, {
    description: "The index at the end of the interval, or now if it is partial",
    aliases: ["close"]
  }),
  open: bar(points, (row2) => row2.open, {
    description: "The close of the interval before; of the first one the index at its first minute"
  }),
  high: bar(points, (row2) => row2.high, "The highest value"),
  low: bar(points, (row2) => row2.low, "The lowest value"),
  change_percent: bar(orNull(percent), (row2) => changeE2(row2.open, row2.close), {
    description: "Change from open to close"
  }),
  total_volume: bar(usd, (row2) => row2.creatorVolume + row2.postVolume, {
    description: "Volume of the tokens that were members in each minute, USD"
  }),
  total_trades: bar(count2, (row2) => row2.trades, "Their swaps"),
  creator_volume: bar(usd, (row2) => row2.creatorVolume, "Part of the volume from creator tokens"),
  post_volume: bar(usd, (row2) => row2.postVolume, "Part of the volume from post tokens"),
  active_creators: bar(count2, (row2) => row2.activeCreators, "Creator tokens that traded"),
  active_posts: bar(count2, (row2) => row2.activePosts, "Post tokens that traded"),
  partial: bar(flag2, (row2) => row2.end > row2.asOf, "The interval is not over yet")
};
var indexHourFields = Object.fromEntries(
  Object.entries(indexBarFields).filter(([key]) => !/volume|trades|active/.test(key))
);
var ofHours = fieldsOf();
var indexHoursFields = {
  hours: ofHours(
    listKind(indexHourFields),
    (row2) => row2.bars.map((each) => barRow("hour", each, asOf(row2.minute))),
    {
      description: "The last seven days hour by hour, oldest first; an hour without a block keeps the value before"
    }
  ),
  coverage_from: ofHours(orNull(time), (row2) => row2.coverageFrom, indexCoverage),
  timestamp: ofHours(count2, (row2) => asOf(row2.minute), "The time of the figures, Unix seconds"),
  last_updated: ofHours(time, (row2) => asOf(row2.minute), "The same, ISO 8601")
};
var member = fieldsOf();
var whole4 = fieldsOf();
var constituentFields = {
  rank: member(count2, (row2) => row2.rank, "Rank by weight"),
  type: descriptions.type,
  symbol: descriptions.symbol,
  name: descriptions.name,
  creator_handle: descriptions.creator_handle,
  contract_address: descriptions.contract_address,
  quantity: member(exactAmount, (row2) => row2.quantity, {
    description: "Quantity in whole tokens, exact: its total supply when last reviewed or seated"
  }),
  price_usd: member(orNull(price), (row2) => row2.priceUsdE36, {
    description: "Pool price in USD; null without a route to USD"
  }),
  counted_usd: member(usd, (row2) => row2.counted, {
    description: "Quantity \xD7 price, at most 25 \xD7 the least quote-side liquidity on its path"
  }),
  weight_percent: member(fourPlaces, (row2) => row2.weightE4, {
    description: "Its share of what all members count for, percent"
  }),
  contribution_24h: member(orNull(pointsChange), (row2) => row2.contributionE8, {
    description: "Index points that the quantity brought in 24 hours: what it counts for less what it counted for then, over the divisor of now; null if the history does not reach back that far"
  }),
  since: member(time, (row2) => asOf(row2.since), "Member without interruption since this time")
};
var write = rowWriter(constituentFields);
var rows2 = {
  schema: { type: "array", maxItems: 2 * INDEX_SEATS, items: rowSchema(constituentFields) },
  write: (members) => `[${members.map(write).join(",\n")}]`
};
var constituentsFields = {
  index_value: whole4(points, (row2) => row2.valueE8, "The Z100 Index now"),
  divisor: whole4(orNull(divisor), (row2) => row2.divisor || null, {
    description: "Dollars per index point, exact decimal text; null before the first point"
  }),
  counted_usd: whole4(usd, (row2) => row2.counted, {
    description: "Sum of what all members count for, USD; divided by the divisor it is the index"
  }),
  constituents_count: whole4(count2, (row2) => row2.rows.length, {
    description: "Members of the index; 0 before its first point"
  }),
  coverage_from: whole4(orNull(time), (row2) => row2.coverageFrom, indexCoverage),
  timestamp: whole4(count2, (row2) => asOf(row2.minute), "The time of the figures, Unix seconds"),
  as_of: whole4(time, (row2) => asOf(row2.minute), "The same time, ISO 8601"),
  constituents: whole4(rows2, (row2) => row2.rows, "All members, the heaviest first")
};

// schemas/market-totals.ts
var step2 = fieldsOf();
var volume = fieldsOf();
var stats = fieldsOf();
var all = fieldsOf();
var sumOf = (of) => ({ totals }) => totals && of(totals);
var volumeOf2 = sumOf(({ volume: volume3 }) => volume3);
var buyVolumeOf = sumOf(({ buyVolume }) => buyVolume);
var sellVolumeOf = sumOf(({ volume: volume3, buyVolume }) => volume3 - buyVolume);
var tradesOf = sumOf(({ trades }) => trades);
var buysOf = sumOf(({ buys }) => buys);
var sellsOf = sumOf(({ trades, buys }) => trades - buys);
var bucketFields = {
  timestamp: step2(count2, (bucket) => bucket.start, "Start of the step, Unix seconds"),
  datetime: step2(time, (bucket) => bucket.start, "The same, ISO 8601"),
  volume_usd: step2(orNull(usd), volumeOf2, "Volume of the step, USD; null before coverage_from"),
  buy_volume: step2(orNull(usd), buyVolumeOf, "Part of it: buys"),
  sell_volume: step2(orNull(usd), sellVolumeOf, "Part of it: sells"),
  trades: step2(orNull(count2), tradesOf, "Swaps of the step")
};
var volumeFields = {
  period: volume(choice(periods), (row2) => row2.period, "The requested period"),
  total_volume: volume(orNull(usd), volumeOf2, {
    description: "Volume of all tokens in the period, USD; null if the period begins before coverage_from",
    aliases: ["volume_usd"]
  }),
  creator_volume: volume(
    orNull(usd),
    sumOf((sums) => sums.creatorVolume),
    "Part of it: creator tokens"
  ),
  post_volume: volume(
    orNull(usd),
    sumOf((sums) => sums.volume - sums.creatorVolume),
    "Part of it: post tokens"
  ),
  buy_volume: volume(orNull(usd), buyVolumeOf, "Part of it: buys"),
  sell_volume: volume(orNull(usd), sellVolumeOf, "Part of it: sells"),
  total_trades: volume(orNull(count2), tradesOf, "Swaps in the period"),
  total_buys: volume(orNull(count2), buysOf, "Part of them: buys"),
  total_sells: volume(orNull(count2), sellsOf, "Part of them: sells"),
  previous_volume: volume(orNull(usd), (row2) => row2.previousVolume, {
    description: "Volume of the previous period, USD; null if the history does not reach back that far"
  }),
  volume_change_percent: volume(orNull(percent), changeOfVolume, "Change against the previous period"),
  bucket_seconds: volume(count2, (row2) => windows[row2.period].stepMinutes * 60, "Length of a step"),
  buckets: volume(listKind(bucketFields), (row2) => row2.buckets, {
    description: "Equal steps from the period\u2019s start, oldest first; they add up to the totals, each rounded on its own"
  }),
  coverage_from: volume(orNull(time), (row2) => row2.coverageFrom, coverage),
  timestamp: volume(count2, (row2) => asOf(row2.minute), "The time of the figures, Unix seconds"),
  last_updated: volume(time, (row2) => asOf(row2.minute), "The same, ISO 8601")
};
function changeOfVolume({ previousVolume, totals }) {
  return changeOf(previousVolume, volumeOf2({ totals })).percentE2;
}
var statsFields = {
  total_market_cap: stats(usd, ({ counted: counted2 }) => counted2.creator + counted2.post, {
    description: "Market cap of all tokens, USD; everything priced through one pool counts for at most 25 \xD7 what that pool holds"
  }),
  total_market_cap_plain: stats(usd, (row2) => row2.marketCap, {
    description: "Price \xD7 total supply, summed over all tokens, USD"
  }),
  creator_market_cap: stats(usd, (row2) => row2.counted.creator, {
    description: "Part of total_market_cap: creator tokens"
  }),
  post_market_cap: stats(usd, (row2) => row2.counted.post, "Part of total_market_cap: posts"),
  total_volume_24h: stats(orNull(usd), ({ day: day3 }) => volumeOf2(day3), {
    description: "Volume of the last 24 hours, USD; null if they begin before coverage_from"
  }),
  buy_volume_24h: stats(orNull(usd), ({ day: day3 }) => buyVolumeOf(day3), "Part of it: buys"),
  sell_volume_24h: stats(orNull(usd), ({ day: day3 }) => sellVolumeOf(day3), "Part of it: sells"),
  volume_change_24h: stats(orNull(percent), ({ day: day3 }) => changeOfVolume(day3), {
    description: "Change against the 24 hours before, percent; null if the history does not reach back that far"
  }),
  total_trades_24h: stats(orNull(count2), ({ day: day3 }) => tradesOf(day3), "Swaps of the last 24 hours"),
  buys_24h: stats(orNull(count2), ({ day: day3 }) => buysOf(day3), "Part of them: buys"),
  sells_24h: stats(orNull(count2), ({ day: day3 }) => sellsOf(day3), "Part of them: sells"),
  bucket_seconds: stats(count2, ({ day: day3 }) => windows[day3.period].stepMinutes * 60, "Length of a step"),
  buckets: stats(listKind(bucketFields), ({ day: day3 }) => day3.buckets, {
    description: "Equal steps of these 24 hours, as in v1/market/volume"
  }),
  total_tokens: stats(count2, ({ tokens }) => tokens.creator + tokens.post, {
    description: "Tokens known to the service"
  }),
  total_creators: stats(count2, ({ tokens }) => tokens.creator, "Part of them: creator tokens"),
  total_posts: stats(count2, ({ tokens }) => tokens.post, "Part of them: post tokens"),
  active_tokens_24h: stats(orNull(count2), (row2) => row2.active, {
    description: "Tokens with a swap in the last 24 hours; null if these begin before coverage_from"
  }),
  new_tokens_24h: stats(orNull(count2), (row2) => row2.born, {
    description: "Tokens created in the last 24 hours; null if these begin before coverage_from"
  }),
  total_holders: stats(orNull(count2), (row2) => row2.holders, {
    description: "Holders summed over tokens: a wallet is a holder of each token it holds; null if coverage_from is set"
  }),
  total_liquidity_usd: stats(usd, (row2) => row2.liquidity, {
    description: "Reference currency (ZORA, ETH, dollars) in the pools of tokens quoted in it, USD"
  }),
  index_value: stats(points, ({ index }) => index.valueE8, "The Z100 Index now"),
  index_change_24h: stats(orNull(percent), ({ index }) => index.change24hE2, {
    description: "Its change over 24 hours, percent; null if the index is younger"
  }),
  top_gainer: stats(orNull(recordKind(trendingFields)), (row2) => row2.topGainer, {
    description: `Largest price change (\`change\`) of the tokens traded in the last 24 hours with ${formatUsd(LIQUIDITY_MIN_MICRO_USD)} of liquidity on their path: first of v1/market/trending/24h/change`
  }),
  top_volume: stats(orNull(recordKind(trendingFields)), (row2) => row2.topVolume, {
    description: "Largest volume of the last 24 hours: first of v1/market/trending/24h/volume"
  }),
  coverage_from: stats(orNull(time), ({ day: day3 }) => day3.coverageFrom, {
    description: `${coverage.description}. Totals are then those of the tokens with a log since`
  }),
  timestamp: stats(count2, ({ day: day3 }) => asOf(day3.minute), "The time of the figures, Unix seconds"),
  last_updated: stats(time, ({ day: day3 }) => asOf(day3.minute), "The same, ISO 8601")
};
var allFields = {
  period: all(choice(periods), ({ index }) => index.period, "The requested period"),
  timestamp: all(count2, ({ index }) => asOf(index.minute), "The time of the figures, Unix seconds"),
  last_updated: all(time, ({ index }) => asOf(index.minute), "The same, ISO 8601"),
  total_creators: all(count2, ({ creators }) => creators.length, "Rows of the creators board"),
  total_posts: all(count2, ({ posts }) => posts.length, "Rows of the posts board"),
  index: all(recordKind(indexFields), (row2) => row2.index, "As v1/z100/index"),
  creators: all(listKind(boardFields), (row2) => row2.creators, "As v1/z100/creators"),
  posts: all(listKind(boardFields), (row2) => row2.posts, "As v1/z100/posts")
};

// schemas/published-day.ts
var minutesOf = ({ from: from2, to: to2 }) => to2 - from2 + 1;
function gapsOf({ from: from2, to: to2, published }) {
  const known2 = [from2 - 1, ...published, to2 + 1];
  return known2.slice(1).flatMap((minute, at) => {
    const gap2 = { from: (known2[at] ?? minute) + 1, to: minute - 1 };
    return minutesOf(gap2) > 0 ? [gap2] : [];
  });
}
function hoursOf({ from: from2, to: to2, published }) {
  const hours2 = [];
  for (let start = from2; start <= to2; ) {
    const end = Math.min(to2, start - start % 60 + 59);
    const isWithin = (minute) => minute >= start && minute <= end;
    hours2.push({ from: start, to: end, published: published.filter(isWithin).length });
    start = end + 1;
  }
  return hours2;
}
var span = fieldsOf();
var hour = fieldsOf();
var day2 = fieldsOf();
var gapSpanFields = {
  from: span(time, (row2) => row2.from * 60, "Start of its first minute"),
  to: span(time, (row2) => asOf(row2.to), "End of its last minute"),
  minutes: span(count2, minutesOf, "Its minutes")
};
var publishedHourFields = {
  from: hour(time, (row2) => row2.from * 60, "Start of the hour, or of the 24 hours"),
  minutes: hour(count2, minutesOf, "Its minutes, up to the newest snapshot"),
  published: hour(count2, (row2) => row2.published, "Those of which a snapshot was published")
};
var publishedDayFields = {
  from: day2(time, (row2) => row2.from * 60, {
    description: "Start of the 24 hours, or of the first snapshot if that was later"
  }),
  to: day2(time, (row2) => asOf(row2.to), "End of the newest snapshot\u2019s minute"),
  minutes: day2(count2, minutesOf, "Minutes between them"),
  published: day2(count2, (row2) => row2.published.length, "Minutes of which a snapshot was published"),
  hours: day2(listKind(publishedHourFields), hoursOf, "The same by hour of UTC, oldest first"),
  gaps: day2(listKind(gapSpanFields), gapsOf, {
    description: "Minutes without a snapshot of their own, oldest first: their trades are in the next snapshot, which came later"
  })
};
var statusDayOperation = fixedOperation(
  {
    path: "/v1/status/day",
    description: "The last 24 hours: which minutes were published, hour by hour, and which were not",
    body: rowSchema(publishedDayFields)
  },
  MINUTE_CACHE
);

// schemas/screener.ts
var row = fieldsOf();
var screenerFields = {
  ...summaryFields,
  rank_volume_24h: row(orNull(usd), (each) => each.rankVolume24h, {
    description: "Growth of the largest net position of each (wallet, UTC hour) in 24 hours, USD; buying and selling again adds nothing. The tokens with most of it are screened, and `rank` is by it"
  }),
  age_seconds: row(orNull(count2), (each) => each.ageSeconds, {
    description: "Seconds since the creation block; null if coverage_from is set"
  })
};
var screens = {
  market_cap: { figure: "marketCap", places: 6, what: "Market cap, US dollars" },
  liquidity: { figure: "liquidity", places: 6, what: "Liquidity of its pool, US dollars" },
  volume_24h: { figure: "volume24h", places: 6, what: "Volume of 24 hours, US dollars" },
  trades_24h: { figure: "trades24h", places: 0, what: "Swaps of 24 hours" },
  holders: { figure: "holders", places: 0, what: "Holders" },
  age: { figure: "launchedAt", places: 0, what: "Age, seconds" },
  change_24h: { figure: "change24hE2", places: 2, what: "Price change of 24 hours, percent", isSigned: true }
};
var screenNames = Object.keys(screens);
var widest = ({ isSigned }) => ({
  min: isSigned ? `-${NUMBER_MAX}` : "0",
  max: String(NUMBER_MAX)
});
function bound(name, edge, limit2) {
  const screen = screens[name];
  return text4(`${edge}_${name}`, `${screen.what}: ${limit2}. A token of which it is unknown is left out`, {
    syntax: screen.isSigned ? signedDecimal : decimal,
    fallback: widest(screen)[edge]
  });
}
var screenerParameters = [
  word(["kind"], "Only creator tokens or only posts", [["all", "creator", "post"], "all"]),
  word(["thin_liquidity"], "Only tokens whose market cap is, or is not, more than their liquidity carries", [
    ["all", "true", "false"],
    "all"
  ]),
  ...screenNames.flatMap((name) => [bound(name, "min", "at least"), bound(name, "max", "at most")]),
  sortBy(["rank", ...screenNames], "rank", ["rank_volume"])
];

// schemas/site-pages.ts
var sitePages = [
  {
    path: "/",
    title: "The market now",
    description: "Creator tokens and post tokens at a glance: what leads, what moved, who trades, who earns.",
    group: "market",
    label: "Home"
  },
  {
    path: "/boards",
    title: "Z100 boards",
    description: "The top 100 creator and post tokens, recomputed from the chain every minute.",
    group: "market",
    label: "Boards"
  },
  {
    path: "/z100-index",
    title: "Z100 Index",
    description: "The market in one number: its leading creator and post tokens, with a base of 1,000 at launch.",
    group: "market",
    label: "Index"
  },
  {
    path: "/trending",
    title: "Trending",
    description: "The most traded tokens, by volume, market cap, price change or new holders.",
    group: "market",
    label: "Trending"
  },
  {
    path: "/rising",
    title: "Rising",
    description: "Tokens whose last-hour volume far exceeds their daily average.",
    group: "market",
    label: "Rising"
  },
  {
    path: "/new-launches",
    title: "New launches",
    description: `Tokens launched in the last ${NEW_LAUNCH_DAYS} days, newest first.`,
    group: "market",
    label: "New"
  },
  {
    path: "/recap",
    title: "Recap of the week",
    description: "Who entered, left, rose and fell in a week, new highs and launches.",
    group: "market",
    label: "Week"
  },
  {
    path: "/live",
    title: "Live swaps",
    description: "Every swap in real time, including those undone by a reorg.",
    group: "market",
    label: "Live"
  },
  {
    path: "/proof",
    title: "Proof",
    description: "The block, block hash and digests behind every published figure, and how to verify them.",
    group: "market",
    label: "Proof"
  },
  {
    path: "/status",
    title: "Status",
    description: "The last 24 hours by what was published: each minute, and what was late.",
    group: "market"
  },
  {
    path: "/token",
    title: "Token",
    description: "Price, market data, holders and swaps of a token.",
    group: "market",
    isOfOneReader: true
  },
  {
    path: "/creator",
    title: "Creator",
    description: "A creator\u2019s token and posts, what they are worth and what they earned.",
    group: "market",
    isOfOneReader: true
  },
  {
    path: "/wallet",
    title: "Wallet",
    description: "The swaps of a wallet in the last 90 days.",
    group: "market",
    isOfOneReader: true
  },
  {
    path: "/search",
    title: "Search",
    description: "Tokens by symbol, name, creator or address.",
    group: "market",
    isOfOneReader: true
  },
  {
    path: "/account",
    title: "Account",
    description: "Your API keys, your limits, and what you have used of them.",
    group: "market",
    isOfOneReader: true
  },
  {
    path: "/docs/start",
    title: "Start",
    description: "Get a key, send a first request, and find your way around.",
    group: "docs",
    label: "Docs"
  },
  {
    path: "/docs/api",
    title: "API reference",
    description: "Every operation of the API with its parameters, responses and errors.",
    group: "docs"
  },
  {
    path: "/docs/stream",
    title: "Stream",
    description: "The public swap stream: events, ids, replay and limits.",
    group: "docs"
  },
  {
    path: "/docs/errors",
    title: "Errors",
    description: "Every error code, what causes it and what to do about it.",
    group: "docs"
  },
  {
    path: "/docs/methodology",
    title: "Methodology",
    description: "How every figure is computed.",
    group: "docs"
  },
  {
    path: "/docs/changes",
    title: "Changes",
    description: "What is new, and what will never change within /v1.",
    group: "docs"
  }
];
var all2 = sitePages;
var siteNavigation = all2.flatMap(
  ({ path, label }) => label === void 0 ? [] : [[path, label]]
);
var crawledPages = all2.flatMap(
  ({ path, isOfOneReader }) => isOfOneReader ? [] : [path]
);

// schemas/site.ts
var SITE_ASSETS = "assets/";
var SITE_STYLE = "style.css";
var SITE_ICON = "icon.svg";
var SITE_IMAGES = `${SITE_ASSETS}share/`;
var SITE_TEXTS = "text/";
var METHODOLOGY_TEXT = `/${SITE_TEXTS}methodology.md`;
var PAGE_CACHE = "public, max-age=0, s-maxage=60, must-revalidate";
var contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ");
var iconLink = `<link rel="icon" href="/${SITE_ICON}" type="image/svg+xml">
<link rel="apple-touch-icon" href="/${SITE_IMAGES}icon-180.png">`;
var notFoundPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Nothing here \xB7 z100</title>
${iconLink}
<link rel="stylesheet" href="/${SITE_STYLE}">
</head>
<body>
<header class="top"><a class="mark" href="/">z100</a>
<nav aria-label="Pages">${siteNavigation.map(([path, label]) => `<a href="${path}">${label}</a>`).join("")}</nav></header>
<main>
<div class="title"><h1>There is nothing at this address</h1>
<p><a href="/">The boards</a> lead to every page. The API lies below /v1: <a href="/docs/api">its reference</a>.</p></div>
</main>
</body>
</html>
`;

// schemas/swap.ts
var PLACES = 6;
var amount2 = {
  schema: { type: "number", minimum: 0 },
  write: ({ base, decimals }) => {
    const excess = decimals - PLACES;
    const floored = excess > 0 ? base / 10n ** BigInt(excess) : base;
    return decimalText(floored, Math.min(decimals, PLACES), PLACES);
  }
};
var swapUsd = {
  schema: { type: "number", minimum: 0 },
  write: (value) => decimalText(value, 6, PLACES)
};
var side2 = fieldsOf();
var line = fieldsOf();
var sideFields = {
  address: side2(address2, (row2) => row2.address, "Contract; zero for the chain\u2019s own currency"),
  symbol: side2(orNull(text2), (row2) => row2.symbol, {
    description: "Ticker symbol; untrusted text; null for an unknown currency"
  }),
  name: side2(orNull(text2), (row2) => row2.name, "Name; untrusted text; null for an unknown currency"),
  decimals: side2(count2, (row2) => row2.decimals, "Decimals of the base unit"),
  amount: side2(amount2, (row2) => row2, "Whole units, floored to 6 decimals"),
  amount_raw: side2(text2, ({ base }) => String(base), "Base units, exact")
};
var tokenSide = ({ swap, token: token2 }) => ({ base: swap.amountToken, ...token2 });
var quoteSide = ({ swap, quote }) => ({ base: swap.amountQuote, ...quote });
var sideIn = (row2) => row2.swap.isBuy ? quoteSide(row2) : tokenSide(row2);
var sideOut = (row2) => row2.swap.isBuy ? tokenSide(row2) : quoteSide(row2);
var swapFields = {
  transaction_hash: line(hash2, ({ swap }) => swap.transactionHash, {
    description: "Transaction",
    aliases: ["tx_hash"]
  }),
  block_number: line(count2, ({ swap }) => swap.blockNumber, "Block"),
  block_hash: line(hash2, ({ swap }) => swap.blockHash, "Its hash"),
  log_index: line(count2, ({ swap }) => swap.logIndex, "Index of the log in the block"),
  cursor: line(text2, ({ swap }) => cursorOf(swap), "Its place, opaque: `before` takes it"),
  timestamp: line(count2, ({ swap }) => swap.timestamp, "Time of the block, Unix seconds"),
  timestamp_ms: line(orNull(count2), ({ swap }) => swap.timestampMs, {
    description: "Time of the block, Unix milliseconds; null where it is not proven. Several blocks share a second: the order of swaps is (block_number, log_index)"
  }),
  datetime: line(time, ({ swap }) => swap.timestamp, "The same as text"),
  pool_id: line(hash2, ({ swap }) => swap.poolId, {
    description: "Uniswap V4 pool",
    aliases: ["pool_address"]
  }),
  token_symbol: line(text2, ({ token: token2 }) => token2.symbol ?? shortAddress(token2.address), {
    description: "Ticker symbol of the pool\u2019s token; untrusted text"
  }),
  token_address: line(address2, ({ token: token2 }) => token2.address, "The pool\u2019s token"),
  is_buy: line(flag2, ({ swap }) => swap.isBuy, "The token was bought"),
  type: line(choice(["buy", "sell"]), ({ swap }) => swap.isBuy ? "buy" : "sell", {
    description: "Whether the token was bought or sold"
  }),
  from_address: line(orNull(address2), ({ swap }) => swap.from, {
    description: "Sender of the token\u2019s last transfer in the transaction; null if there is none"
  }),
  to_address: line(orNull(address2), ({ swap }) => swap.to, "Recipient of that transfer"),
  trader: line(address2, ({ swap }) => swap.trader, {
    description: "The trader: as named by a trusted router; if it names none, the counterparty of that transfer; else the sender of the transaction"
  }),
  amount_in: line(amount2, sideIn, "What went into the pool, whole units of token_in"),
  amount_out: line(amount2, sideOut, "What came out, whole units of token_out"),
  amount: line(amount2, tokenSide, "Whole tokens, bought or sold"),
  price_per_token: line(orNull(price), ({ swap }) => swap.paidUsdE36 || null, {
    description: "US dollars per whole token, fees included; null without a route to USD"
  }),
  volume_usd: line(swapUsd, ({ swap }) => swap.volumeMicroUsd, {
    description: "Value of the quote side, US dollars to 6 decimals",
    aliases: ["usd_value"]
  }),
  token_in: line(recordKind(sideFields), sideIn, "What went into the pool"),
  token_out: line(recordKind(sideFields), sideOut, "What came out"),
  confirmed: line(flag2, (row2) => row2.isConfirmed, {
    description: "Its minute is sealed; before that a reorganisation of the chain may retract it"
  })
};
var swapFilters = [
  { parameter: side, admits: (type) => (swap) => type === "all" || swap.isBuy === (type === "buy") },
  {
    parameter: minValue,
    admits: (dollars) => {
      const least2 = atto(dollars);
      return ({ volumeMicroUsd }) => volumeMicroUsd * ATTO_PER_MICRO >= least2;
    }
  },
  { parameter: tokenFilter, admits: isOfToken }
];
function isOfToken(value) {
  const id = readTokenId(value);
  if (id) return ({ token: token2, poolId }) => token2 === id.address || poolId === id.pool;
  const symbols = readSymbols(value);
  return ({ token: token2 }, hasSymbol) => symbols.some((symbol) => hasSymbol(token2, symbol));
}
var ATTO_DIGITS = 18;
var ATTO_PER_MICRO = 10n ** 12n;
function atto(dollars) {
  const [whole5 = "0", fraction = ""] = dollars.split(".");
  return BigInt(whole5 + fraction.padEnd(ATTO_DIGITS, "0"));
}

// schemas/token-page.ts
var page3 = fieldsOf();
var { rank: _rank, position: _position, ...described3 } = listedFields;
var { price_usd, market_cap, volume_24h, trades_24h, liquidity_usd } = listedFields;
var supplies = {
  total_supply: page3(amount, ({ state }) => state.supply, "Minted minus burned, whole tokens"),
  circulating_supply: page3(amount, (row2) => row2.circulatingSupply, {
    description: "Total supply minus the token contract\u2019s own balance"
  }),
  circulating_market_cap: page3(orNull(usd), (row2) => row2.circulatingMarketCap, {
    description: "Price \xD7 circulating supply, USD"
  })
};
var source = { description: "Source of the figures" };
var onchain = choice(["onchain"]);
var detailFields = {
  ...described3,
  ...feeFields,
  ...supplies,
  uri: page3(orNull(text2), ({ token: token2 }) => token2.uri, {
    description: "Contract URI of its metadata as the chain has it; untrusted. null: none, longer than 512 characters, or not an ipfs, ar, https or http address"
  }),
  data_source: page3(onchain, () => "onchain", source),
  last_updated: page3(time, (row2) => row2.asOf, "The time of the figures")
};
var tokenFields2 = {
  symbol: page3(text2, ({ token: token2 }) => shownSymbol(token2), "Ticker symbol; untrusted text"),
  name: page3(text2, ({ token: token2 }) => shownName(token2), "Name; untrusted text"),
  address: page3(address2, ({ token: token2 }) => token2.address, "Token contract")
};
var metricFields = {
  price_usd,
  market_cap,
  ...supplies,
  holders_count: page3(orNull(count2), (row2) => row2.holders, {
    description: "Addresses with a balance; null if coverage_from is set"
  }),
  volume_24h,
  total_volume: page3(orNull(usd), (row2) => row2.totalVolume, {
    description: "Volume since launch, USD; null if coverage_from is set"
  }),
  trades_24h,
  price_change_24h: page3(orNull(percent), (row2) => row2.change24hE2, {
    description: "Price change over 24 hours, percent, or since launch if that is later"
  }),
  liquidity_usd,
  all_time_high: page3(
    orNull(price),
    ({ token: token2, state }) => isImported(token2) ? null : state.athUsdE36 || null,
    {
      description: "Highest close of a minute in which the token\u2019s own price was set; price_usd may exceed it"
    }
  ),
  ath_at: page3(orNull(time), ({ token: token2, state }) => endOf(token2, state.athMinute), {
    description: "When it was first reached: the end of that minute"
  }),
  all_time_low: page3(
    orNull(price),
    ({ token: token2, state }) => isImported(token2) ? null : state.atlUsdE36 || null,
    { description: "Lowest such close" }
  ),
  atl_at: page3(orNull(time), ({ token: token2, state }) => endOf(token2, state.atlMinute), {
    description: "When it was first reached"
  }),
  coverage_from: page3(orNull(time), ({ token: token2 }) => coverageFrom(token2), {
    description: "Set on tokens older than this service\u2019s history, which begins here"
  })
};
var endOf = (token2, minute) => isImported(token2) || minute === 0 ? null : asOf(minute);
var itself = (value) => value;
var metricsFields = {
  token: page3(recordKind(tokenFields2), itself, "The token"),
  metrics: page3(recordKind(metricFields), itself, "Its figures"),
  last_updated: page3(time, (row2) => row2.asOf, "The time of the figures")
};
var holder = fieldsOf();
var holderPage = fieldsOf();
var spread = fieldsOf();
var holderFields = {
  rank: holder(count2, (row2) => row2.rank, "Rank among the holders"),
  address: holder(address2, (row2) => row2.address, "Address of the holder"),
  balance: holder(amount, (row2) => row2.balance, "Whole tokens, floored to 6 decimals"),
  balance_raw: holder(text2, (row2) => String(row2.balance), "Base units, exact"),
  percentage: holder(fourPlaces, (row2) => row2.percentE4, "Share of the total supply, percent"),
  value_usd: holder(orNull(usd), (row2) => row2.value, "At the current price, USD"),
  type: holder(orNull(choice(["contract", "eoa"])), ({ isContract }) => holderType(isContract), {
    description: "Whether it had code of its own when first checked; null until then"
  }),
  label: holder(orNull(choice(["creator"])), ({ isCreator }) => isCreator ? "creator" : null, {
    description: "creator: the payout recipient at creation, if creator_verified. Pools, hooks and the token itself are not listed"
  })
};
function holderType(isContract) {
  return isContract === null ? null : isContract ? "contract" : "eoa";
}
var shareOf = (count4) => ({
  description: `Share of the total supply of the ${count4} largest, percent`
});
var distributionFields = {
  top10_concentration: spread(fourPlaces, (row2) => row2.top10PercentE4, shareOf(10)),
  top25_concentration: spread(fourPlaces, (row2) => row2.top25PercentE4, shareOf(25)),
  top50_concentration: spread(fourPlaces, (row2) => row2.top50PercentE4, shareOf(50)),
  top100_concentration: spread(fourPlaces, (row2) => row2.top100PercentE4, shareOf(100)),
  gini_coefficient: spread(fourPlaces, (row2) => row2.giniE4, "Inequality among the holders, 0 to 1"),
  whale_count: spread(count2, (row2) => row2.whaleCount, "Holders of at least 1 % of the supply"),
  whale_percentage: spread(fourPlaces, (row2) => row2.whalePercentE4, {
    description: "Their share of the total supply, percent"
  })
};
var holderTypeFields = {
  contract_holders: holderPage(orNull(count2), ({ types }) => types?.contracts ?? null, {
    description: "Holders that had code of their own when first checked; null until all are checked"
  }),
  eoa_holders: holderPage(orNull(count2), ({ types }) => types?.others ?? null, {
    description: "The others, including delegated accounts (EIP-7702); null until all are checked"
  }),
  scope: holderPage(choice(["top100"]), () => "top100", "Which holders are counted: the largest 100")
};
var holdersFields = {
  token: holderPage(recordKind(tokenFields2), (row2) => row2.page, "The token"),
  total_holders: holderPage(orNull(count2), (row2) => row2.page.holders, {
    description: "Addresses with a balance; null if coverage_from is set"
  }),
  distribution: holderPage(orNull(recordKind(distributionFields)), (row2) => row2.distribution, {
    description: `Distribution of the supply among holders, without pools, hooks, burnt and vesting tokens; null if coverage_from is set, and for a token that more than ${COUNTED_HOLDERS_MAX.toLocaleString("en-US")} addresses have held`,
    aliases: ["distribution_adjusted"]
  }),
  holder_types: holderPage(recordKind(holderTypeFields), itself, "Contracts and other addresses"),
  holders: holderPage(listKind(holderFields), (row2) => row2.holders, "The largest holders; empty if unknown"),
  coverage_from: holderPage(orNull(time), ({ page: page5 }) => coverageFrom(page5.token), {
    description: "Set on tokens older than this service\u2019s history, which begins here"
  }),
  data_source: holderPage(onchain, () => "onchain", source),
  last_updated: holderPage(time, (row2) => row2.page.asOf, "The time of the figures")
};

// schemas/token-parts.ts
var INCLUDED_ROWS = 50;
var tokenParts = {
  metrics: { ...rowSchema(metricFields), description: "If included: its figures" },
  swaps: {
    type: "array",
    maxItems: INCLUDED_ROWS,
    items: rowSchema(swapFields),
    description: "If included: its newest swaps"
  },
  holders: {
    type: "array",
    maxItems: INCLUDED_ROWS,
    items: rowSchema(holderFields),
    description: "If included: its largest holders; empty if unknown, or too many to be listed now"
  },
  price_history: {
    type: "array",
    maxItems: Math.max(...periods.map(stepsOf)),
    items: rowSchema(priceStepFields),
    description: "If included: its price history of 24 hours"
  }
};
var tokenPartNames = Object.keys(tokenParts);
var detail = rowSchema(detailFields);
var tokenSchema = {
  ...detail,
  properties: { ...detail["properties"], ...tokenParts }
};

// schemas/operations.ts
var listOf2 = (items) => ({ type: "array", maxItems: BOARD_SIZE, items });
var paging = [limit, offset];
var forms = [envelope, snapshot];
var past = [asOfTime];
var page4 = (limit2) => [limit2, offset, envelope];
var boardSorts = Object.keys(sortKeys(boardFields));
var board3 = (noun, path, ownSort) => publishedOperation(path, `The 100 ${noun} of the board, with their changes over a period`, {
  documentParameters: [period],
  rest: [
    ...paging,
    sortBy(boardSorts, "rank", [ownSort]),
    sortOrder,
    includeChanges,
    values,
    ...forms,
    ...past
  ],
  body: listOf2(rowSchema(boardFields))
});
var discovery = (description, path, items, own = []) => publishedOperation(path, description, {
  rest: [discoverLimit, offset, ...forms, ...own],
  body: { ...listOf2(items), maxItems: DISCOVER_SIZE }
});
var swaps = listOf2(rowSchema(swapFields));
var filters = swapFilters.map(({ parameter }) => parameter);
var filtersOfToken = filters.filter((parameter) => parameter !== tokenFilter);
var operations = {
  // Published as documents.
  creators: board3("creators", "/v1/z100/creators", "value"),
  posts: board3("posts", "/v1/z100/posts", "engagement"),
  index: publishedOperation("/v1/z100/index", "The Z100 Index with the trading activity of both boards", {
    documentParameters: [period],
    rest: past,
    body: rowSchema(indexFields)
  }),
  indexHours: publishedOperation("/v1/z100/index/hours", "The Z100 Index of the last seven days, hour by hour", {
    body: rowSchema(indexHoursFields)
  }),
  constituents: publishedOperation(
    "/v1/z100/index/constituents",
    "All members of the Z100 Index, heaviest first, with their quantities and weights",
    { rest: past, body: rowSchema(constituentsFields) }
  ),
  all: publishedOperation("/v1/all", "Both boards and the index in one response", {
    documentParameters: [period],
    rest: [includeChanges, values, snapshot, ...past],
    body: rowSchema(allFields)
  }),
  trending: publishedOperation("/v1/market/trending", "The top 100 tokens traded in a timeframe", {
    documentParameters: [timeframe, sortBy(trendingSorts, "volume", ["rank"])],
    rest: [...paging, sortOrder, ...forms, ...past],
    body: listOf2(rowSchema(trendingFields))
  }),
  volume: publishedOperation(
    "/v1/market/volume",
    "Market-wide volume in equal steps, with the previous period\u2019s total",
    { documentParameters: [period], body: rowSchema(volumeFields) }
  ),
  stats: publishedOperation("/v1/market/stats", "Market-wide statistics", {
    rest: past,
    body: rowSchema(statsFields)
  }),
  rising: discovery(
    "Tokens that attracted unusually high net buying in the last hour, compared with the day before",
    "/v1/discover/rising",
    rowSchema(risingFields)
  ),
  launches: discovery(
    `Tokens created in the last ${NEW_LAUNCH_DAYS} days, newest first`,
    "/v1/discover/new-launches",
    rowSchema(launchFields),
    [
      launchCursor,
      launchKind,
      minTrades,
      minBuyers,
      minVolume
    ]
  ),
  screener: publishedOperation(
    "/v1/tokens/screener",
    `Every token traded in the last 24 hours, filtered and ordered: the ${SCREENER_SIZE.toLocaleString("en-US")} with the largest rank volume; X-Left-Out says how many more have traded`,
    {
      rest: [...paging, ...screenerParameters, sortOrder, ...forms],
      body: listOf2(rowSchema(screenerFields))
    }
  ),
  status: {
    ...publishedOperation("/v1/status", "The latest snapshot and the health of the service", { body: statusSchema }),
    needs: "nothing"
  },
  statusDay: statusDayOperation,
  // Answered from the tables.
  token: readOperation("/v1/tokens/{id}", "One token, with all that a page about it shows if it is included", {
    rest: [include],
    body: tokenSchema
  }),
  metrics: readOperation("/v1/tokens/{id}/metrics", "Figures of one token", { body: rowSchema(metricsFields) }),
  priceHistory: readOperation("/v1/tokens/{id}/price-history", "Price history of a token in equal steps of UTC time", {
    rest: [period, fill, envelope],
    body: { ...listOf2(rowSchema(priceStepFields)), maxItems: Math.max(...periods.map(stepsOf)) }
  }),
  candles: {
    ...readOperation(
      "/v1/tokens/{id}/candles",
      "Candles of a token on a grid of UTC time, oldest first: the newest, or those before a time. 1m, 5m and 15m are kept for 8 days, 1h and 4h for 90 days, 1d and 1w for ever",
      {
        rest: [
          candleInterval,
          candleLimit,
          candlesBefore,
          candlesFrom,
          candlesTo,
          candleFill,
          currency,
          envelope
        ],
        body: { ...listOf2(rowSchema(candleFields.usd)), maxItems: 1e3 }
      }
    ),
    lastingCacheControl: LASTING_CACHE
  },
  holders: readOperation("/v1/tokens/{id}/holders", "The largest holders of a token and its supply distribution", {
    rest: [limit],
    body: rowSchema(holdersFields)
  }),
  holderHistory: readOperation(
    "/v1/tokens/{id}/holders/history",
    "Holders of a token over time: 168 hours or 60 days, oldest first",
    {
      rest: [holderInterval, envelope],
      body: { ...listOf2(rowSchema(holderStepFields)), maxItems: 168 }
    }
  ),
  creator: readOperation("/v1/creators/{id}", "A creator: token, posts, portfolio and earnings", {
    rest: [earningsDays, discoverLimit, offset, timeOrder],
    body: rowSchema(creatorFields)
  }),
  walletSwaps: readOperation("/v1/wallets/{id}/swaps", "Swaps of a wallet in the last 90 days, newest first", {
    rest: [swapsLimit, ...filters, before, envelope],
    body: swaps
  }),
  tokenSwaps: readOperation(
    "/v1/tokens/{id}/swaps",
    "Swaps of one token: the last 500 before a time within the last 8 days",
    {
      rest: [...page4(swapsLimit), ...filtersOfToken, timeOrder, before],
      body: swaps
    }
  ),
  recentSwaps: readOperation(
    "/v1/market/recent-swaps",
    `Recent swaps of all tokens: the last ${RECENT_SWAPS.toLocaleString("en-US")} within ${REPLAY_HOURS} hours`,
    { rest: [...page4(limit), ...filters, timeOrder, before], body: swaps }
  ),
  tokens: readOperation(
    "/v1/tokens",
    "Tokens: all that were ever launched; or by symbol, name, address or creator, those on a board first, then the oldest; or those at some addresses, in their order",
    {
      rest: [
        tokenField,
        tokenValue,
        addresses,
        tokensCursor,
        launchOrder,
        ...page4(limit)
      ],
      body: listOf2(rowSchema(summaryFields))
    }
  ),
  historical: {
    ...readOperation("/v1/z100/historical", "The Z100 Index in equal steps of UTC time, oldest first", {
      rest: [
        from,
        to,
        interval,
        barLimit,
        candlesBefore,
        envelope
      ],
      // 31 days in hours, the most.
      body: { ...listOf2(rowSchema(indexBarFields)), maxItems: 745 }
    }),
    tier: "professional"
  },
  ...historyOperations,
  usage: {
    ...readOperation("/v1/usage", "Your account\u2019s requests in this hour; this call is not counted", {
      body: rowSchema(usageFields)
    }),
    isUncounted: true
  },
  snapshots: readOperation("/v1/snapshots", "Published snapshots, newest first: the last 1,000 up to a time", {
    rest: [to, ...page4(snapshotsLimit)],
    body: listOf2(rowSchema(snapshotFields))
  }),
  snapshot: readOperation(
    "/v1/snapshots/{id}",
    "A snapshot\u2019s manifest: its documents and their digests, kept for 90 days",
    { body: manifestSchema }
  ),
  search: readOperation("/v1/search", "Tokens on either board that match a text, best match first", {
    rest: [searchText, ...page4(limit)],
    body: listOf2(rowSchema(foundFields))
  }),
  // Texts: descriptions of the API, and what browsers and crawlers read.
  openapi: fixedOperation({
    path: "/v1/openapi.json",
    description: "The OpenAPI 3.1 description of this API",
    mediaType: "application/json; charset=utf-8",
    body: {
      type: "object",
      properties: {
        openapi: { type: "string", const: "3.1.0", description: "Version of OpenAPI" },
        info: { type: "object", description: "What the API is" },
        paths: { type: "object", description: "Its operations" }
      },
      required: ["openapi", "info", "paths"],
      additionalProperties: true
    }
  }),
  tokenPage: fixedTextOperation(
    "/v1/token-pages/{id}",
    "The HTML page of a token, also at /token/{id}; title and preview name the token",
    ["text/html", PAGE_CACHE]
  ),
  robots: fixedTextOperation("/v1/robots.txt", "Rules for crawlers, also at /robots.txt", ["text/plain", PAGE_CACHE]),
  sitemap: fixedTextOperation(
    "/v1/sitemap.xml",
    "The sitemap of the pages and of the tokens on both boards, also at /sitemap.xml",
    ["application/xml", PAGE_CACHE]
  ),
  llms: fixedTextOperation("/v1/llms.txt", "A short guide to this API for language models", [
    "text/plain",
    FIXED_CACHE
  ])
};
var operationEntries = Object.entries(operations);

// schemas/documents.ts
var documentName = ({ path }, parameterValues) => [path.slice(1), ...parameterValues].join("/");
var documents = Object.entries(operations).flatMap(
  ([name, operation]) => (operation.documentParameters ? combinations(operation.documentParameters) : []).map(
    (parameterValues) => ({
      name: documentName(operation, parameterValues),
      operation: name,
      parameterValues
    })
  )
);
function combinations(parameters) {
  return parameters.reduce(
    (chosen, { values: values2, same = [] }) => chosen.flatMap(
      (before2) => (values2 ?? []).filter((value) => !same.includes(value)).map((value) => [...before2, value])
    ),
    [[]]
  );
}
var edgeTable = Object.fromEntries(
  Object.values(operations).flatMap(({ path, documentParameters, rest }) => {
    if (!documentParameters) return [];
    const named = documentParameters.map(({ names: names2, values: values2, ...each }) => ({
      names: names2,
      values: values2,
      ...defaultOf(each)
    }));
    const others = rest.map(({ names: names2, ...each }) => ({ names: names2, ...defaultOf(each) }));
    return [[path, { documentParameters: named, rest: others }]];
  })
);
function defaultOf({ fallback, same }) {
  return same?.length ? { fallback, same } : { fallback };
}
var OWN_SORT = "timestamp";
function appliedOf({ documentParameters, rest }, sent) {
  const known2 = [...documentParameters ?? [], ...rest].map(
    ({ names: names2, fallback }) => [names2[0], sent[names2[0]] ?? fallback]
  );
  const { timeframe: timeframe2, sort_by: sort, sort_order: order } = Object.fromEntries(known2);
  return {
    ...order ? { sort: `${sort ?? OWN_SORT};${order}` } : {},
    ...timeframe2 ? { period: timeframe2 } : {}
  };
}

// snapshot/documents.ts
function snapshotOf(engine, origin, arrays) {
  const market = rankedMarket(windowsOf(engine, arrays), currenciesOf(origin.chain ?? ""));
  return snapshotFrom(engine, market, origin);
}
function snapshotFrom(engine, market, { switches = 0, ...origin }) {
  const { n, last } = engine;
  if (last === null) throw new EmptyEngineError();
  const figures = figuresOf2(engine);
  const id = snapshotId({ n, last, minute: market.minute });
  return { id, last, ...figures, ...rowsOf(market, figures.index), ...origin, switches };
}
function figuresOf2(engine) {
  const { n, corrections, starts } = engine;
  const now = totalsOf(engine);
  const { firstMinute, coverageFrom: coverageFrom2 } = now;
  const minute = minuteOfEngine(engine);
  if (firstMinute === null || minute === null) throw new EmptyEngineError();
  const history = { line: engine.totals, firstMinute, coverageFrom: coverageFrom2 };
  return {
    n,
    corrections,
    minute,
    firstMinute,
    coverageFrom: coverageFrom2,
    references: starts[0]?.references ?? /* @__PURE__ */ new Map(),
    totals: { now, history },
    index: { ...indexFigures(engine.index, minute), coverageFrom: coverageFrom2 },
    points: engine.index.points
  };
}
var rowsOf = (market, index) => ({
  lists: listsOf(market),
  counts: dayCountsOf(market),
  seats: seatsOf(market, index),
  screened: screenedTokens(market)
});
var publishedDocuments = documents.flatMap(
  ({ operation, ...rest }) => operation === "status" ? [] : [{ ...rest, operation }]
);
var falls = timeframes.map((timeframe2) => {
  const parameterValues = [timeframe2, "change_asc"];
  return { name: documentName(operations.trending, parameterValues), operation: "trending", parameterValues };
});
var storedDocuments = [
  ...publishedDocuments.filter(({ operation }) => operation !== "all" && operation !== "screener"),
  ...falls
];
var listOf3 = (write4, rows3) => ({
  text: `[${rows3.map(write4).join(",\n")}]`,
  total: rows3.length
});
var firstPageOf = (write4, rows3) => ({
  ...listOf3(write4, rows3.slice(0, DISCOVER_PAGE)),
  total: rows3.length,
  limit: DISCOVER_PAGE,
  whole: listOf3(write4, rows3).text
});
var DISCOVER_PAGE = Number(discoverLimit.fallback);
var boardText = rowWriter(boardFields);
var indexRow = rowWriter(indexFields);
var hours = rowWriter(indexHoursFields);
var constituents = rowWriter(constituentsFields);
var all3 = rowWriter(allFields);
var trendingRow = rowWriter(trendingFields);
var volume2 = rowWriter(volumeFields);
var stats2 = rowWriter(statsFields);
var risingRow = rowWriter(risingFields);
var launchRow = rowWriter(launchFields);
var screenedRow = rowWriter(screenerFields);
var snapshotInfoOf = ({ id, n, switches, last, minute }) => ({
  id,
  n,
  switches,
  minute,
  blockNumber: last.number,
  blockHash: last.hash
});
var snapshotMetadata = (facts) => ({
  snapshot: facts.id,
  position: String(orderOf(facts)),
  block: String(facts.blockNumber),
  "block-hash": facts.blockHash,
  time: isoTime(asOf(facts.minute))
});
var objectOf = (text5) => ({ text: text5, total: 1 });
var screenedMarketOf = ({
  screened,
  lists
}) => ({
  ...screened,
  boards: {
    creator: lists.boards.creator["24h"].map(({ token: token2 }) => token2),
    post: lists.boards.post["24h"].map(({ token: token2 }) => token2)
  }
});
function screenerPage(snapshot2) {
  const { minute, chain, screened } = snapshot2;
  const { boards } = screenedMarketOf(snapshot2);
  const facts = { ...boardFactsOf(boards, currenciesOf(chain ?? "")), seconds: asOf(minute) };
  const rows3 = screened.descriptions.slice(0, BOARD_SIZE).map((description, at) => {
    const creator = screened.creatorTokens[at]?.description ?? null;
    const described4 = {
      token: tokenLine.read(description),
      creatorToken: creator === null ? null : tokenLine.read(creator)
    };
    return screenerRow(screenedAt(screened, at), described4, { ...facts, rank: at + 1, position: at + 1 });
  });
  const { length: total } = screened.descriptions;
  return { ...listOf3(screenedRow, rows3), total, limit: BOARD_SIZE, leftOut: screened.traded - total };
}
var builders = {
  creators: ({ lists }, [period2]) => listOf3(boardText, lists.boards.creator[period2]),
  posts: ({ lists }, [period2]) => listOf3(boardText, lists.boards.post[period2]),
  index: ({ lists, index }, [period2]) => objectOf(indexRow(indexAnswer(lists, index, period2))),
  indexHours: (snapshot2) => objectOf(hours(indexHoursOf(snapshot2.points, snapshot2))),
  constituents: ({ seats, index }) => objectOf(constituents(constituentsOf(seats, index))),
  all: ({ lists, index }, [period2]) => {
    const { creator, post } = lists.boards;
    const answer2 = indexAnswer(lists, index, period2);
    return objectOf(
      all3({ creators: creator[period2], posts: post[period2], index: answer2 })
    );
  },
  trending: ({ lists }, [timeframe2, order]) => listOf3(trendingRow, lists.trending[timeframe2][order]),
  volume: ({ minute, totals }, [period2]) => objectOf(volume2(marketVolume(totals.history, minute, period2))),
  stats: (snapshot2) => objectOf(stats2(marketStats(snapshot2))),
  rising: ({ lists }) => firstPageOf(risingRow, lists.rising),
  launches: ({ lists }) => firstPageOf(launchRow, lists.launches),
  screener: screenerPage
};

// snapshot/follow.ts
import { LRUCache as LRUCache2 } from "lru-cache";

// market/log.ts
function effectiveEntries(entries) {
  const sealed = [];
  for (const entry of entries) {
    if (entry.is === "sealed") sealed.push(entry);
    else while (isAfter(sealed.at(-1), entry.minute)) sealed.pop();
  }
  return sealed;
}
var isAfter = (entry, minute) => entry !== void 0 && (minute === null || entry.minute > minute);

// store/log.ts
var LOWERED = 0.5;
function openLog(table, bucket, { rewindWaitMs = 0 } = {}) {
  const { pk } = marketKeys.logEntry(0);
  return {
    ledger: table,
    async tail() {
      for await (const item of table.query({ pk, isDescending: true, limit: 1 })) return entryFrom(item);
      return void 0;
    },
    async *entriesAfter(n) {
      const from2 = marketKeys.logEntry(n + 1).sk;
      for await (const item of table.query({ pk, from: from2 })) yield entryFrom(item);
    },
    async *entriesBefore(n) {
      const to2 = marketKeys.logEntry(n - 1).sk;
      for await (const item of table.query({ pk, to: to2, isDescending: true })) yield entryFrom(item);
    },
    async append(entry) {
      const item = itemOfEntry(entry);
      if (await table.put(item, "absent")) return true;
      const current = await table.read(item);
      return current !== void 0 && JSON.stringify(entryFrom(current)) === JSON.stringify(entry);
    },
    async putSegment(segment) {
      const bytes = segmentBytes(segment);
      const reference = referenceOf(segment.minute, sha256Of(bytes));
      await bucket.put(reference.key, await zip(bytes), { contentType: "application/gzip" });
      return reference;
    },
    readSegment: async (reference) => segmentFrom(await bytesOf(bucket, reference)),
    readSegmentStates: async (reference) => segmentStatesFrom(await bytesOf(bucket, reference)),
    applied: () => readAppliedOf(table),
    putApplied(applied) {
      const item = itemOfApplied(applied);
      return table.put(item, { olderThan: Number(item["pos"]) });
    },
    async readersGone() {
      if (rewindWaitMs > 0) await new Promise((resolve) => setTimeout(resolve, rewindWaitMs));
    }
  };
}
async function* effectiveBackwards(log, before2) {
  let ceiling = Number.POSITIVE_INFINITY;
  for await (const entry of log.entriesBefore(before2)) {
    if (entry.is === "rewound") ceiling = Math.min(ceiling, entry.minute ?? -1);
    else if (entry.minute <= ceiling) yield entry;
  }
}
async function readAppliedOf(table) {
  const item = await table.read(marketKeys.applied);
  return item && appliedFrom(item);
}
var bytesOf = async (bucket, reference) => bytesIn(reference, await readSegmentObject(bucket, reference));
async function readSegmentObject(bucket, { key }) {
  const object = await bucket.read(key);
  if (!object) throw new SegmentMissingError(key);
  return object.bytes;
}
async function bytesIn({ key, sha256: digest2 }, object) {
  const bytes = await unzip(object).catch(() => void 0);
  if (!bytes || sha256Of(bytes) !== digest2) throw new SegmentDigestError(key);
  return bytes;
}
var itemOfEntry = (entry) => ({
  ...marketKeys.logEntry(entry.n),
  is: entry.is,
  v: FORMAT_VERSION,
  minute: entry.minute ?? void 0,
  entry: logEntryBytes.write(entry)
});
function entryFrom(item) {
  assertReadableItem(item);
  return logEntryBytes.read(item["entry"]);
}
var itemOfApplied = ({ n, minute, last, isLowered }) => ({
  ...marketKeys.applied,
  pos: isLowered ? n - LOWERED : n,
  minute: minute ?? void 0,
  last: last ? JSON.stringify(last) : void 0
});
function appliedFrom(item) {
  const pos = Number(item["pos"]);
  const { minute, last } = item;
  return {
    n: Math.ceil(pos),
    minute: minute === void 0 ? null : Number(minute),
    last: last === void 0 ? null : JSON.parse(String(last)),
    isLowered: !Number.isInteger(pos)
  };
}
function referenceOf(minute, digest2) {
  const day3 = padded(Math.floor(minute / 1440), 5);
  const name = `${minuteText(minute)}-${digest2.slice(0, 8)}.gz`;
  return { minute, key: `${objectPrefixes.segments}${day3}/${name}`, sha256: digest2 };
}
var SegmentMissingError = class extends Error {
  name = "SegmentMissingError";
  constructor(key) {
    super(`${key} is in the log and not in the bucket`);
  }
};
var SegmentDigestError = class extends Error {
  name = "SegmentDigestError";
  constructor(key) {
    super(`${key} does not have the digest that the log names`);
  }
};

// snapshot/follow.ts
var BATCH = 32;
var PARALLEL_READS2 = 32;
var CACHED_ROWS = 4e4;
function cachedSegments(log) {
  const cache = new LRUCache2({
    maxSize: CACHED_ROWS,
    sizeCalculation: ({ rows: rows3, owners }) => rows3.length + owners.length + 1
  });
  return async (reference) => {
    const cached = cache.get(reference.key);
    if (cached) return cached;
    const segment = await log.readSegmentStates(reference);
    cache.set(reference.key, segment);
    return segment;
  };
}
async function followLog(warm, following) {
  const kept2 = warm && warm.n <= following.to ? warm : void 0;
  const engine = kept2 ?? await startEngine(following);
  const { n, minute } = engine.target ?? { n: engine.n, minute: minuteOfEngine(engine) };
  const entries = await entriesBetween(following, n);
  if (minute !== null && lowestRewind(entries) < minute) return followLog(void 0, following);
  if (engine.target && !await finishLoading(engine, engine.target, following)) return engine;
  const sealed = effectiveEntries(entries);
  const rewinds = entries.filter((entry) => entry.is === "rewound");
  const noteTaken = (upTo) => {
    for (; rewinds[0] && rewinds[0].n <= upTo; rewinds.shift()) noteRewind(engine, rewinds[0]);
  };
  for (let from2 = 0; from2 < sealed.length; from2 += BATCH) {
    for await (const entry of advanced(engine, sealed.slice(from2, from2 + BATCH), following)) {
      noteTaken(entry.n);
      noteRecord(engine);
      if (following.isOver()) return engine;
    }
  }
  engine.n = entries.at(-1)?.n ?? engine.n;
  noteTaken(engine.n);
  return engine;
}
function noteRewind(engine, { cause }) {
  if (cause === "omission") engine.corrections += 1;
}
function noteRecord(engine) {
  const { index } = engine;
  if (!index.isRecordDue) return;
  index.unsaved.push(recordOfEngine(engine, index.recordedMinute));
  index.recordedMinute = minuteOfEngine(engine);
}
async function entriesBetween({ log, to: to2 }, after) {
  const entries = [];
  if (after >= to2) return entries;
  for await (const entry of log.entriesAfter(after)) {
    if (entry.n > to2) break;
    entries.push(entry);
  }
  return entries;
}
async function* advanced(engine, batch, { read, beforeNext = async () => {
} }) {
  const newest = batch.at(-1);
  if (!newest) return;
  const references2 = [...batch.map(({ segment }) => segment), ...passingAt(engine, newest).flat()];
  const segments = await readAll(references2, read);
  for (const entry of batch) {
    await beforeNext(engine, entry);
    advance(engine, entry, ({ key }) => segments.get(key));
    yield entry;
  }
}
async function readAll(references2, read) {
  const each = new Map(references2.map((reference) => [reference.key, reference]));
  return new Map(
    await mapParallel([...each.values()], PARALLEL_READS2, async (reference) => {
      return [reference.key, await read(reference)];
    })
  );
}
var FAR_MINUTES = 3 * 1440;
async function startEngine(following) {
  const { bucket, log, to: to2 } = following;
  const record = await newestRecord(following);
  const checkpoints = (await listCheckpoints(bucket)).filter(({ n }) => n <= to2);
  for await (const name of inForce(checkpoints, log, to2)) {
    if (record && record.minute - name.minute > FAR_MINUTES) break;
    const engine = await readCheckpoint(name, bucket);
    if (engine) return engine;
  }
  return record ? { ...emptyEngine(), target: { n: record.n, minute: record.minute } } : emptyEngine();
}
async function newestRecord({ bucket, log, to: to2 }) {
  for (let back = LOOKED_BACK; ; back *= 4) {
    const { value: record } = await inForce(await listRecords(bucket, to2, back), log, to2).next();
    if (record || back >= to2) return record;
  }
}
async function* inForce(names2, log, to2) {
  const later = log.entriesBefore(to2 + 1);
  let reach = Number.POSITIVE_INFINITY;
  let next = await later.next();
  for (const name of names2) {
    while (!next.done && next.value.n > name.n) {
      reach = Math.min(reach, lowestRewind([next.value]));
      next = await later.next();
    }
    if (reach >= name.minute) yield name;
  }
}
var lowest = Number.NEGATIVE_INFINITY;
var lowestRewind = (entries) => Math.min(...entries.map((entry) => entry.is === "rewound" ? entry.minute ?? lowest : Infinity));
async function finishLoading(engine, target, following) {
  const entries = await entriesUpTo(target, following);
  const left = entries.filter(({ n }) => n > engine.n);
  for (let from2 = 0; from2 < left.length; from2 += BATCH) {
    const batch = left.slice(from2, from2 + BATCH);
    const segments = await readAll(
      batch.map(({ segment }) => segment),
      following.read
    );
    for (const entry of batch) {
      const segment = segments.get(entry.segment.key);
      if (segment) load(engine, entry, segment, target.minute);
    }
    if (following.isOver() && from2 + BATCH < left.length) return false;
  }
  await restoreIndex(engine, target, following);
  engine.target = null;
  return true;
}
async function entriesUpTo({ n, minute }, { log }) {
  const entries = [];
  for await (const entry of effectiveBackwards(log, n + 1)) {
    entries.push(entry);
    if (entry.minute <= minute - LONGEST_WINDOW_MINUTES) break;
  }
  return entries.reverse();
}
async function restoreIndex(engine, target, { bucket, log }) {
  const names2 = inForce(await listRecords(bucket, target.n), log, target.n);
  const wanted = [];
  for await (const name of names2) {
    wanted.push(name);
    if (name.minute < target.minute - KEPT_MINUTES) break;
  }
  const records = await mapParallel(wanted, BATCH, (name) => readRecord(name, bucket));
  const [newest] = records;
  if (!newest || newest.n !== target.n)
    throw new StoreFault("RecordMissingError", `the index record of entry ${target.n} has gone`);
  const { index, market } = engine;
  const { past: past2 } = newest;
  index.index = past2.index;
  Object.assign(index.bars, past2.bars);
  Object.assign(
    index.unwritten,
    byInterval((interval2) => [past2.bars[interval2] ?? []].flat())
  );
  index.points = records.toReversed().flatMap((record) => record?.points ?? []);
  index.recordedMinute = newest.minute;
  index.needed = new Set(newest.tokens.map(({ token: token2 }) => token2.address));
  engine.corrections = newest.corrections;
  const inactive = newest.tokens.filter(({ token: token2 }) => !market.byAddress.has(token2.address));
  enterAll(
    market,
    inactive.map(({ token: token2, state }) => [token2, state])
  );
}

// store/memory.ts
function openMemoryTable(clock = () => 0) {
  const items = /* @__PURE__ */ new Map();
  const partitions = /* @__PURE__ */ new Map();
  const isLive = (item) => item !== void 0 && item["tomb"] !== true && !(Number(item["ttl"] ?? Infinity) <= clock());
  return {
    items,
    async read(key) {
      const item = items.get(keyText(key));
      return isLive(item) ? item : void 0;
    },
    async put(item, condition) {
      if (!holds(items.get(keyText(item)), condition)) return false;
      const put = withoutUndefined(item);
      items.set(keyText(item), put);
      const partition = partitions.get(item.pk) ?? /* @__PURE__ */ new Map();
      partitions.set(item.pk, partition.set(item.sk, put));
      return true;
    },
    async *query(span2) {
      const partition = partitions.get(span2.pk)?.values() ?? [];
      const isWanted = (item) => isLive(item) || span2.withTombs === true && item["tomb"] === true;
      yield* ordered(
        [...partition].filter((item) => isIn2(span2, item) && isWanted(item)),
        span2
      );
    },
    async readMany(keys) {
      const ids = new Set(keys.map(keyText));
      return [...ids].map((id) => items.get(id)).filter(isLive);
    },
    async *scan() {
      for (const item of items.values()) if (isLive(item)) yield item;
    }
  };
}
function holds(current, condition) {
  if (condition === "absent") return current === void 0;
  return current?.["pos"] === void 0 || Number(current["pos"]) < condition.olderThan;
}
var isIn2 = ({ pk, from: from2, to: to2 }, { pk: own, sk }) => own === pk && (from2 === void 0 || sk >= from2) && (to2 === void 0 || sk <= to2);
function ordered(items, { isDescending, limit: limit2 }) {
  items.sort((a, b) => Buffer.compare(Buffer.from(a.sk), Buffer.from(b.sk)));
  return (isDescending ? items.reverse() : items).slice(0, limit2);
}
var withoutUndefined = (item) => Object.fromEntries(Object.entries(item).filter(([, value]) => value !== void 0));
function openMemoryBucket() {
  let version = 0;
  const objects = /* @__PURE__ */ new Map();
  return {
    objects,
    read: async (key) => objects.get(key),
    async put(key, bytes, { contentType, cacheControl, metadata = {}, ifNoneMatch, ifMatch } = {}) {
      const current = objects.get(key);
      if (ifNoneMatch && current) return "conflict";
      if (ifMatch && ifMatch !== current?.etag) return "conflict";
      version += 1;
      objects.set(key, {
        bytes,
        etag: `"${version}"`,
        metadata,
        ...contentType === void 0 ? {} : { contentType },
        ...cacheControl === void 0 ? {} : { cacheControl }
      });
      return "stored";
    },
    async *list(prefix, startAfter2 = "") {
      for (const key of [...objects.keys()].sort()) {
        const object = objects.get(key);
        if (object && key.startsWith(prefix) && key > startAfter2) yield { key, size: object.bytes.length };
      }
    },
    async remove(key) {
      objects.delete(key);
    }
  };
}

// schemas/list-text.ts
var recordsIn = (list) => partsOf2(list).map(cellsIn);
var cellsIn = (object) => Object.fromEntries(
  partsOf2(object).map((part3) => {
    const end = endOfString(part3, part3.indexOf('"'));
    return [String(JSON.parse(part3.slice(0, end + 1))), part3.slice(part3.indexOf(":", end) + 1).trim()];
  })
);
var textIn = (cells, key) => String(JSON.parse(cells[key] ?? '""') ?? "");
function partsOf2(text5) {
  const parts = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at < text5.length; at++) {
    const character = text5[at];
    if (character === '"') at = endOfString(text5, at);
    else if (character === "[" || character === "{") {
      depth += 1;
      if (depth === 1) start = at + 1;
    } else if (character === "," && depth === 1 || isEnd(character) && --depth === 0) {
      parts.push(text5.slice(start, at));
      start = at + 1;
    }
  }
  return parts.map((part3) => part3.trim()).filter((part3) => part3 !== "");
}
var isEnd = (character) => character === "]" || character === "}";
function endOfString(text5, start) {
  let at = start + 1;
  while (at < text5.length && text5[at] !== '"') at += text5[at] === "\\" ? 2 : 1;
  return at;
}

// store/board-days.ts
var PARALLEL_PUTS2 = 16;
async function putBoardDays(ledger, days) {
  await mapParallel(
    days,
    PARALLEL_PUTS2,
    ({ token: token2, ...attributes }) => ledger.put({ ...marketKeys.boardDay(token2, attributes.day), ...attributes }, "absent")
  );
}

// snapshot/recap.ts
var CREATORS = "v1/z100/creators/7d";
var POSTS = "v1/z100/posts/7d";
var INDEX = "v1/z100/index/7d";
var HOURS = "v1/z100/index/hours";
var TRADED = "v1/market/trending/7d/volume";
var recapDocuments = [CREATORS, POSTS, INDEX, HOURS, TRADED];
var write2 = rowWriter(recapFields);
function recapText({ week: week2, start, end, highs }) {
  const [from2, to2] = [asOf(start.minute), asOf(end.minute)];
  return write2({
    week: week2,
    from: from2,
    to: to2,
    snapshots: { from: start.id, to: end.id },
    isPartial: start.minute >= firstMinuteOf("week", week2),
    index: indexRecap(start, end),
    creators: boardRecap(CREATORS, start, end),
    posts: boardRecap(POSTS, start, end),
    highs,
    launches: launchesOf(end, firstMinuteOf("week", week2))
  });
}
var boardRowsIn = (of) => [
  ...recordsOf(of, CREATORS),
  ...recordsOf(of, POSTS)
];
var withWeekChange = (row2) => ({
  ...row2,
  change_7d: row2["price_change_percent"] ?? "null"
});
var recordsOf = ({ texts }, name) => recordsIn(texts.get(name) ?? "[]");
var addressOf = (row2) => textIn(row2, "contract_address");
var rankOf = (row2) => Number(row2["rank"]);
function boardRecap(name, start, end) {
  const [before2, after] = [recordsOf(start, name), recordsOf(end, name)];
  const ranks = new Map(before2.map((row2) => [addressOf(row2), rankOf(row2)]));
  const present = new Set(after.map(addressOf));
  const moved = after.flatMap((row2) => {
    const previous = ranks.get(addressOf(row2));
    if (previous === void 0) return [];
    const gained = previous - rankOf(row2);
    const cells = { ...withWeekChange(row2), previous_rank: String(previous), rank_change: String(gained) };
    return [{ gained, cells }];
  });
  const unplaced = { rank_change: "null" };
  const most2 = (direction) => moved.filter(({ gained }) => gained * direction > 0).sort((a, b) => (b.gained - a.gained) * direction).slice(0, RECAP_ROWS).map(({ cells }) => cells);
  return {
    entered: after.filter((row2) => !ranks.has(addressOf(row2))).map((row2) => ({ ...withWeekChange(row2), ...unplaced, previous_rank: "null" })),
    left: before2.filter((row2) => !present.has(addressOf(row2))).map((row2) => ({ ...row2, ...unplaced, previous_rank: row2["rank"] ?? "null", rank: "null" })),
    rose: most2(1),
    fell: most2(-1)
  };
}
var POINT_PLACES = 4;
function pointsIn(text5 = "0") {
  const [whole5 = "0", fraction = ""] = text5.split(".");
  return BigInt(whole5 + fraction.padEnd(POINT_PLACES, "0"));
}
function indexRecap(start, end) {
  const valueAt = ({ texts }) => pointsIn(cellsIn(texts.get(INDEX) ?? "{}")["index_value"]);
  const [open, close] = [valueAt(start), valueAt(end)];
  const hours2 = recordsIn(cellsIn(end.texts.get(HOURS) ?? "{}")["hours"] ?? "[]").filter(
    ({ timestamp }) => Number(timestamp) > asOf(start.minute)
  );
  const values2 = [open, close, ...hours2.flatMap(({ high, low }) => [pointsIn(high), pointsIn(low)])];
  const [lowest2 = open, ...higher] = values2.sort((a, b) => a < b ? -1 : 1);
  const change = changeE2(open, close);
  const printed2 = (points2) => decimalText(points2, POINT_PLACES, POINT_PLACES);
  return {
    open: printed2(open),
    high: printed2(higher.at(-1) ?? lowest2),
    low: printed2(lowest2),
    close: printed2(close),
    change_percent: change === null ? "null" : decimalText(change, 2, 2)
  };
}
function launchesOf(end, from2) {
  const since = isoTime(from2 * 60);
  return recordsOf(end, TRADED).filter((row2) => row2["created_at"] !== "null" && textIn(row2, "created_at") >= since).slice(0, RECAP_ROWS);
}

// snapshot/days.ts
var DAY_HOURS = 24;
var WEEK_HOURS = 7 * DAY_HOURS;
var PARALLEL_READS3 = 16;
async function endDay(day3, stores, now) {
  const { kept: kept2, ledger } = stores;
  if (await kept2.isDayEnded(day3)) return;
  const last = await kept2.lastHour((day3 + 1) * DAY_HOURS - 1, day3 * DAY_HOURS);
  if (last) {
    const texts = await textsOf(kept2, last);
    await putBoardDays(ledger, boardRowsIn(texts).map(placeOn(day3, last.manifest.minute)));
  }
  const week2 = intervalAt("week", day3 * DAY_HOURS * 60);
  const isSunday = intervalAt("week", (day3 + 1) * DAY_HOURS * 60) > week2;
  if (isSunday) await recapWeek(week2, stores, now);
  await kept2.markDayEnded(day3);
}
var placeOn = (day3, minute) => (row2) => ({
  token: addressIn(row2),
  day: day3,
  minute,
  board: textIn(row2, "type") === "creator" ? "creators" : "posts",
  rank: row2["rank"] ?? "null",
  score: row2["score"] ?? "null",
  priceUsd: row2["price_usd"] ?? "null",
  marketCap: row2["market_cap"] ?? "null"
});
async function firstHour(kept2, first, last) {
  let oldest;
  for await (const hour2 of kept2.hoursBack(last, first)) oldest = hour2;
  return oldest === void 0 ? void 0 : kept2.hour(oldest);
}
async function textsOf(kept2, { manifest, documents: documents2 }) {
  const texts = await mapParallel(recapDocuments, PARALLEL_READS3, async (name) => {
    const digest2 = documents2[name];
    return [name, digest2 && await kept2.document(digest2) || ""];
  });
  return {
    id: manifest.snapshot_id,
    minute: manifest.minute,
    texts: new Map(texts.filter(([, text5]) => text5))
  };
}
async function recapWeek(week2, stores, now) {
  const { kept: kept2 } = stores;
  const from2 = hourOfMinute(firstMinuteOf("week", week2));
  const to2 = from2 + WEEK_HOURS - 1;
  const before2 = await kept2.lastHour(from2 - 1, from2 - DAY_HOURS);
  const [first, last] = [before2 ?? await firstHour(kept2, from2, to2), await kept2.lastHour(to2, from2)];
  if (!first || !last || first.hour === last.hour) return;
  const [start, end] = [await textsOf(kept2, first), await textsOf(kept2, last)];
  const isKnown = now - start.minute * 60 < keptSeconds.minute;
  const highs = isKnown ? await highsOf(stores.history(), start, end) : null;
  await kept2.putRecap(week2, recapText({ week: week2, start, end, highs }));
}
var addressIn = (row2) => textIn(row2, "contract_address").toLowerCase();
function byRise(a, b) {
  const [left, right] = [a.now * b.before, b.now * a.before];
  return left > right ? -1 : left < right ? 1 : 0;
}
async function highsOf(history, start, end) {
  const rows3 = boardRowsIn(end);
  const tokens = await history.current(rows3.map(addressIn));
  const found2 = await mapParallel(rows3, PARALLEL_READS3, async (row2) => {
    const token2 = tokens.get(addressIn(row2));
    const now = token2 && await history.stateAt(token2.address, end.minute);
    if (!now || now.athMinute <= start.minute) return [];
    const { athUsdE36: before2 } = await history.stateAt(token2.address, start.minute);
    return before2 === 0n ? [] : [{ row: row2, now: now.athUsdE36, before: before2 }];
  });
  return found2.flat().sort(byRise).slice(0, RECAP_ROWS).map(({ row: row2, now, before: before2 }) => ({
    ...withWeekChange(row2),
    all_time_high: significantText(now),
    previous_all_time_high: significantText(before2)
  }));
}

// schemas/validate-documents.ts
var schemas2 = Object.fromEntries(
  operationEntries.flatMap(
    ([name, { documentParameters, body }]) => documentParameters ? [[name, body]] : []
  )
);
var validators2 = compiled(schemas2);

// schemas/validator.ts
var faultsOf = ({ errors }) => (errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ""}`);

// store/screened.ts
function writeScreened(market) {
  const { traded, kinds: kinds2, descriptions: descriptions2, figures, boards } = market;
  const creatorTokens = /* @__PURE__ */ new Map();
  const creators = market.creatorTokens.map((creatorToken) => {
    const description = creatorToken?.description ?? null;
    if (description === null) return null;
    const known2 = creatorTokens.get(description);
    if (known2 !== void 0) return known2;
    creatorTokens.set(description, creatorTokens.size);
    return creatorTokens.size - 1;
  });
  const header = {
    traded,
    tokens: descriptions2.length,
    creatorTokens: creatorTokens.size,
    boards: { creator: boards.creator.length, post: boards.post.length },
    figures: screenedFigureNames
  };
  const lines = [
    JSON.stringify(header),
    ...descriptions2,
    ...creatorTokens.keys(),
    ...[...boards.creator, ...boards.post].map(tokenLine.write),
    kinds2.join(),
    creators.join(),
    ...screenedFigureNames.map((name) => figures[name].join())
  ];
  return versionedText(lines.join("\n"));
}
var SLOTS2 = PINNED_MINUTES + 1;
var keyOf2 = (minute) => `${objectPrefixes.screened}${padded(minute % SLOTS2, 2)}`;
var openScreened = (bucket) => ({
  async put({ id, blockNumber, blockHash, ...snapshot2 }, bytes) {
    const metadata = {
      snapshot: id,
      position: String(orderOf(snapshot2)),
      block: String(blockNumber),
      "block-hash": blockHash
    };
    await bucket.put(keyOf2(snapshot2.minute), bytes, { contentType: "application/octet-stream", metadata });
  },
  async read(minute) {
    const object = await bucket.read(keyOf2(minute));
    if (!object) return void 0;
    const { snapshot: id = "", position, block, "block-hash": blockHash } = object.metadata;
    if (minuteOfSnapshotId(id) !== minute) return void 0;
    const order = Number(position);
    const switches = switchesOf(order);
    const n = order - orderOf({ switches, n: 0 });
    const snapshot2 = { id, n, switches, minute, blockNumber: Number(block), blockHash };
    return { snapshot: snapshot2, bytes: object.bytes };
  }
});

// snapshot/publish.ts
var PARALLEL_PUTS3 = 16;
var JSON_TYPE = "application/json; charset=utf-8";
var InvalidDocumentError = class extends Error {
  name = "InvalidDocumentError";
  document;
  errors;
  constructor({ name }, errors, cause) {
    super(`${name} is not published: ${errors.join("; ")}`, { cause });
    this.document = name;
    this.errors = errors;
  }
};
var OvertakenError = class extends Error {
};
async function publish(snapshot2, { bucket, documents: store }, builders2) {
  const manifests = openManifests(bucket);
  const current = await manifests.newest();
  if (current && isNoOlder(current, snapshot2)) return unchanged(current);
  try {
    const { prepared, failures } = prepareAll(snapshot2, builders2);
    if (store) {
      await openScreened(bucket).put(snapshotInfoOf(snapshot2), writeScreened(screenedMarketOf(snapshot2)));
      await putStored(snapshot2, store, { prepared, failures });
    }
    const stored = await putAll(snapshot2, bucket, prepared.filter(isPublished));
    const documents2 = { ...kept(current, failures), ...stored };
    const manifest = manifestFrom(snapshot2, { documents: documents2, failures });
    if (!await manifests.put(manifest)) throw new OvertakenError(manifestKey);
    return { manifest, failures };
  } catch (error) {
    if (error instanceof OvertakenError) return unchanged(await manifests.newest() ?? null);
    throw error;
  }
}
async function prepareStored(snapshot2, store, builders2) {
  const { prepared, failures } = prepareAll(snapshot2, builders2);
  await putStored(snapshot2, store, { prepared, failures });
  return failures;
}
var unchanged = (manifest) => ({ manifest, failures: [] });
function isNoOlder(manifest, snapshot2) {
  const isComplete = manifest.unpublished.length === 0 && manifest.code_version === snapshot2.codeVersion;
  const [published, own] = [infoOfManifest(manifest), snapshotInfoOf(snapshot2)];
  if (isEarlierOfAnother(own, published)) return true;
  const ahead = orderOf(published) - orderOf(own);
  return ahead > 0 || ahead === 0 && isComplete;
}
var isEarlierOfAnother = (own, published) => (own.switches ?? 0) > (published.switches ?? 0) && own.minute < published.minute;
function prepareAll(snapshot2, builders2) {
  const all4 = /* @__PURE__ */ new Set([...publishedDocuments, ...storedDocuments]);
  const outcomes = [...all4].map((document) => prepare(snapshot2, document, builders2));
  return {
    failures: outcomes.filter(isFailure),
    prepared: outcomes.flatMap((outcome) => isFailure(outcome) ? [] : [outcome])
  };
}
var isFailure = (outcome) => outcome instanceof InvalidDocumentError;
var isPublished = ({ document }) => publishedDocuments.includes(document);
async function putStored(snapshot2, store, { prepared, failures }) {
  const facts = snapshotInfoOf(snapshot2);
  const newest = await store.newest();
  if (newest && newest.n >= facts.n && failures.length === 0) return;
  const stored = prepared.filter(({ document }) => storedDocuments.includes(document));
  await mapParallel(
    stored,
    PARALLEL_PUTS3,
    ({ document: { name }, whole: whole5 }) => store.putDocument({ name, snapshot: facts, text: whole5 })
  );
  await store.putNewest(facts);
}
async function putAll(snapshot2, bucket, prepared) {
  const stored = await mapParallel(prepared, PARALLEL_PUTS3, async (one) => {
    return [one.document.name, await putDocument(one, snapshot2, bucket)];
  });
  return Object.fromEntries(stored);
}
function prepare(snapshot2, document, builders2) {
  const { operation, parameterValues } = document;
  try {
    const { text: text5, total, limit: limit2, whole: whole5 = text5, leftOut } = builders2[operation](snapshot2, parameterValues);
    const isValid = validators2[operation];
    if (!isValid(JSON.parse(text5))) return new InvalidDocumentError(document, faultsOf(isValid));
    const bytes = Buffer.from(text5);
    const pages = operations[operation].body["type"] === "array" ? pagesOf(total, limit2) : {};
    const left = leftOut === void 0 ? {} : { "left-out": String(leftOut) };
    const facts = { ...pages, ...left, ...appliedTo(document) };
    return { document, bytes, whole: whole5, sha256: sha256Of(bytes), total, facts };
  } catch (error) {
    return new InvalidDocumentError(document, [String(error)], error);
  }
}
async function putDocument({ document: { name, operation }, bytes, sha256, total, facts: described4 }, snapshot2, bucket) {
  const facts = { ...described4, sha256 };
  let id = snapshot2.id;
  await putOver(bucket, name, (current) => {
    const stored = current?.metadata ?? {};
    if (current && isOvertaken(stored, snapshotInfoOf(snapshot2))) throw new OvertakenError(name);
    const isSame = Object.entries(facts).every(([key, text5]) => stored[key] === text5);
    if (isSame) {
      id = stored["snapshot"] ?? snapshot2.id;
      return void 0;
    }
    id = snapshot2.id;
    const metadata = { ...snapshotMetadata(snapshotInfoOf(snapshot2)), ...facts };
    return { bytes, contentType: JSON_TYPE, cacheControl: operations[operation].cacheControl, metadata };
  });
  return { sha256, total, snapshot_id: id };
}
function isOvertaken({ position, snapshot: snapshot2 = "" }, own) {
  const order = Number(position ?? 0);
  const minute = minuteOfSnapshotId(snapshot2) ?? 0;
  return order > orderOf(own) || isEarlierOfAnother(own, { switches: switchesOf(order), minute });
}
var pagesOf = (total, limit2) => limit2 === void 0 ? { total: String(total) } : { total: String(total), limit: String(limit2) };
function appliedTo({ operation, parameterValues }) {
  const asked = (operations[operation].documentParameters ?? []).map(
    ({ names: names2 }, at) => [names2[0], parameterValues[at]]
  );
  return appliedOf(operations[operation], Object.fromEntries(asked));
}
function manifestFrom({ id, n, switches, last, minute, firstMinute, corrections, chain, codeVersion }, { documents: documents2, failures }) {
  return {
    snapshot_id: id,
    log_position: n,
    log_switches: switches,
    minute,
    as_of: isoTime(asOf(minute)),
    block_number: last.number,
    block_hash: last.hash,
    history_from: isoTime(firstMinute * 60),
    corrections,
    chain,
    rules_version: RULES_VERSION,
    code_version: codeVersion,
    documents: documents2,
    unpublished: failures.map(({ document }) => document)
  };
}
function kept(before2, failures) {
  const entries = failures.map(({ document }) => [document, before2?.documents[document]]);
  return Object.fromEntries(entries.flatMap(([name, entry]) => entry ? [[name, entry]] : []));
}

// snapshot/keep.ts
var PARALLEL_DOCUMENTS = 16;
async function keepHour(kept2, { bucket, documents: documents2, manifest }) {
  const hour2 = hourOfMinute(manifest.minute);
  if (await kept2.hour(hour2)) return;
  const published = await mapParallel(
    Object.entries(manifest.documents),
    PARALLEL_DOCUMENTS,
    async ([name, { sha256 }]) => {
      const bytes = (await bucket.read(name))?.bytes;
      return bytes && sha256Of(bytes) === sha256 ? keepText(kept2, name, Buffer.from(bytes).toString()) : [];
    }
  );
  const ofTables = await mapParallel(
    storedDocuments.filter(({ name }) => !(name in manifest.documents)),
    PARALLEL_DOCUMENTS,
    async ({ name }) => {
      const found2 = await documents2.readDocument(name, manifest.minute);
      return found2?.snapshot.id === manifest.snapshot_id ? keepText(kept2, name, found2.text) : [];
    }
  );
  await kept2.putHour({ hour: hour2, manifest, documents: Object.fromEntries([...published, ...ofTables].flat()) });
}
var keepText = async (kept2, name, text5) => [[name, await kept2.putDocument(text5)]];
async function keepUnpublished(kept2, snapshot2, builders2) {
  const [bucket, documents2] = [openMemoryBucket(), openDocuments(openMemoryTable())];
  const { manifest } = await publish(snapshot2, { bucket, documents: documents2 }, builders2);
  if (manifest) await keepHour(kept2, { bucket, documents: documents2, manifest });
}
var noKeeper = { beforeNext: async () => {
}, beforePublishing: async () => {
}, failures: [] };
function openKeeper({ days, bucket, documents: documents2, origin, builders: builders2, now }) {
  const { kept: kept2 } = days;
  const failures = [];
  const newest = memoized((_) => openManifests(bucket).newest());
  const end = async (day3) => {
    try {
      await endDay(day3, days, now);
    } catch (error) {
      failures.push(error instanceof Error ? error : new Error(String(error)));
    }
  };
  return {
    failures,
    async beforeNext(engine, next) {
      const minute = minuteOfEngine(engine);
      if (minute === null || dayOf3(minute) === dayOf3(next.minute)) return;
      const hour2 = hourOfMinute(minute);
      const published = await newest("newest");
      if (published && hourOfMinute(published.minute) >= hour2) return;
      if (!await kept2.hour(hour2)) await keepUnpublished(kept2, snapshotOf(engine, origin), builders2);
      await end(dayOf3(minute));
    },
    async beforePublishing(minute) {
      const manifest = await openManifests(bucket).newest();
      if (!manifest || hourOfMinute(manifest.minute) >= hourOfMinute(minute)) return;
      await keepHour(kept2, { bucket, documents: documents2, manifest });
      await end(dayOf3(minute) - 1);
    }
  };
}
var dayOf3 = (minute) => intervalAt("day", minute);

// store/logs.ts
var OWN_RULES = `${FOLD_VERSION}.${RULES_VERSION}`;
var FIRST_LOG = "";
var nothingLive = { log: FIRST_LOG, publisher: "", switches: 0, past: [] };
var ownPrefixes = [
  objectPrefixes.recentCheckpoints,
  objectPrefixes.dailyCheckpoints,
  objectPrefixes.index
];

// snapshot/role.ts
var OWN_PUBLISHER = `${OWN_RULES}/${LAYOUT}`;
var alone = { live: nothingLive, isLive: true };
async function roleOf(own) {
  if (!own) return alone;
  const { logs, log, publisher } = own;
  const live = await logs.live();
  if (live.publisher === "" && live.log === log) {
    await logs.putLive({ log, publisher, past: [publisher] }, live);
    return roleOf(own);
  }
  return { live, isLive: live.log === log && live.publisher === publisher };
}
async function takeOver({ logs, log, publisher }, { live }, { minute, published }) {
  const isReady = minute >= (published ?? minute) && !live.past.includes(publisher);
  const isDone = isReady && await logs.putLive({ log, publisher, past: [...live.past, publisher] }, live);
  return isDone ? { live: await logs.live(), isLive: true } : { live, isLive: false };
}
var ENDED_SECONDS = 600;
async function refoldOf(logs, now, { published, from: from2 }) {
  const { past: past2 } = await logs.live();
  const next = (await logs.publishers()).filter(({ publisher, at }) => !past2.includes(publisher) && now - at < ENDED_SECONDS).sort((a, b) => b.at - a.at)[0];
  if (!next) return null;
  const left = Math.max(1, published - (next.minute ?? from2));
  return { rulesVersion: rulesOf(next), to: published, minutes: left, seconds: secondsLeft(next, left) };
}
var rulesOf = ({ publisher }) => Number(/^\d+\.(\d+)\//.exec(publisher)?.[1] ?? 0);
function secondsLeft({ first, minute, at }, left) {
  const done = (minute ?? 0) - (first.minute ?? minute ?? 0);
  return done > 0 ? Math.round(left * (at - first.at) / done) : null;
}

// snapshot/status.ts
var STATUS_KEY = operations.status.path.slice(1);
var isOld = (seconds, now) => now - seconds > STALE_AFTER_SECONDS;
function reasonsFor(manifest, { now, applied, gap: gap2, chainTrouble, failure }) {
  const reasons = manifest.unpublished.map(
    (name) => `${name} could not be published; its last good version stays`
  );
  if (failure !== void 0) {
    reasons.push(`the last rebuild failed: ${failure instanceof Error ? failure.name : "unknown"}`);
  }
  if (gap2) {
    const endpoints = gap2.endpoints.join(", ") || "no endpoint";
    reasons.push(`logs are missing at block ${gap2.block}: ${gap2.missing} (asked: ${endpoints})`);
  }
  const trouble = chainTrouble && !isOld(chainTrouble.seenAt, now) ? chainTrouble : void 0;
  if (trouble && trouble.offSince !== null) {
    reasons.push(
      `block times differ from the schedule since block ${trouble.offSince}: figures are right but cost more calls`
    );
  }
  if (!isOld(asOf(manifest.minute), now)) return reasons;
  reasons.push(`figures are as of ${manifest.as_of}, more than ${STALE_AFTER_SECONDS} seconds ago`);
  const sealedTo = applied && applied.minute !== null ? asOf(applied.minute) : null;
  if (trouble && trouble.stillSince !== null)
    reasons.push(`the chain stands still since ${isoTime(trouble.stillSince)}`);
  else if (trouble && trouble.lateAt !== null)
    reasons.push(`the chain is behind the clock: its newest block is of ${isoTime(trouble.lateAt)}`);
  if (applied?.isLowered) reasons.push("minutes of the log are being rolled back");
  else if (trouble) return reasons;
  else if (sealedTo !== null && isOld(sealedTo, now)) {
    reasons.push(`the log of minutes reaches ${isoTime(sealedTo)}: it is catching up, or stands still`);
  } else if (sealedTo !== null) {
    reasons.push(`the log of minutes has gone on to ${isoTime(sealedTo)}; the snapshot follows`);
  }
  return reasons;
}
var write3 = rowWriter(statusFields);
async function publishStatus({ bucket, table }, health) {
  const manifest = await openManifests(bucket).newest();
  if (!manifest) return;
  const checkedAt = Math.floor(health.now);
  const from2 = Math.floor(Date.parse(manifest.history_from) / 6e4);
  const progress = { published: manifest.minute, from: from2 };
  const text5 = write3({
    manifest,
    checkedAt,
    reasons: reasonsFor(manifest, health),
    gap: health.gap ?? null,
    refold: health.logs ? await refoldOf(health.logs, checkedAt, progress) : null
  });
  const snapshot2 = infoOfManifest(manifest);
  await table?.put({ snapshot: snapshot2, checkedAt, text: text5 });
  const metadata = { ...snapshotMetadata(snapshot2), checked: String(checkedAt) };
  const next = {
    bytes: Buffer.from(text5),
    contentType: "application/json; charset=utf-8",
    cacheControl: operations.status.cacheControl,
    metadata
  };
  await putOver(
    bucket,
    STATUS_KEY,
    (current) => current && isLater(current.metadata, metadata) ? void 0 : next
  );
}
var OLD_STATUS_SECONDS = 180;
async function isStatusOld(bucket, now) {
  const checked = Number((await bucket.read(STATUS_KEY))?.metadata["checked"] ?? 0);
  return now - checked > OLD_STATUS_SECONDS;
}
function isLater(one, other) {
  const aheadBy = (name) => Number(one[name] ?? 0) - Number(other[name] ?? 0);
  return (aheadBy("position") || aheadBy("checked")) > 0;
}

// snapshot/rebuild.ts
var BUDGET_MS = 4e4;
var CHECKPOINT_MINUTES = 10;
var PARALLEL_PUTS4 = 16;
async function rebuild(stores, options) {
  const { now = () => Date.now() / 1e3, warm = {} } = options;
  let applied;
  let role = await roleOf(stores.own);
  const publishHealth = async (outcome) => {
    const { gaps, chainTrouble: troubles, own, published: bucket, status: table } = stores;
    const isDue = role.isLive || await isStatusOld(bucket, now());
    if (!isDue) return;
    const [gap2, chainTrouble] = await Promise.all([gaps?.read(), troubles?.read()]);
    const health = { now: now(), applied, gap: gap2, chainTrouble, logs: own?.logs, ...outcome };
    await publishStatus({ bucket, table }, health);
  };
  try {
    applied = await stores.log.applied();
    const run = await publishApplied(stores, { ...options, warm, role, now: now() }, applied);
    role = run.role;
    await noteProgress(stores, { now: now(), applied, engine: warm.engine });
    await publishHealth({});
    return run.manifest;
  } catch (failure) {
    await publishHealth({ failure }).catch(() => {
    });
    throw failure;
  }
}
async function noteProgress({ own }, {
  now,
  applied,
  engine
}) {
  const minute = engine ? minuteOfEngine(engine) : null;
  const at = Math.floor(now);
  await own?.logs.putProgress({
    publisher: own.publisher,
    log: own.log,
    minute,
    sealed: applied?.minute ?? null,
    at
  });
}
async function publishApplied(stores, {
  clock,
  warm,
  chain,
  codeVersion,
  builders: builders2 = builders,
  report,
  role,
  now
}, applied) {
  const { log, segments } = stores;
  const start = clock();
  if (!applied || applied.isLowered || applied.minute === null) return { manifest: null, role };
  warm.read ??= cachedSegments(log);
  const { engine: kept2, read } = warm;
  delete warm.engine;
  const isOver = () => clock() - start > BUDGET_MS;
  const origin = { chain: chain ?? null, codeVersion: codeVersion ?? null, switches: role.live.switches };
  const keeper = keeperOf(stores, { role, origin, builders: builders2, now });
  const { beforeNext } = keeper;
  const following = { log, bucket: segments, read, to: applied.n, isOver, beforeNext };
  const engine = await followLog(kept2, following);
  await putBars(log.ledger, engine.n, takeUnwritten(engine.index));
  await mapParallel(engine.index.unsaved.splice(0), PARALLEL_PUTS4, (record) => saveRecord(record, segments));
  warm.engine = engine;
  const isCaughtUp = engine.n === applied.n && engine.target === null;
  const hasCheckpoint = isCheckpointDue(engine, isCaughtUp);
  if (hasCheckpoint) {
    delete warm.arrays;
    await saveCheckpoint(engine, segments);
  }
  const heldRates = [...engine.starts[0]?.references.values() ?? []].filter(
    ({ outside }) => outside > 0
  ).length;
  const run = {
    n: engine.n,
    applied: applied.n,
    minute: minuteOfEngine(engine),
    activeTokens: engine.market.byAddress.size,
    hasCheckpoint,
    heldRates
  };
  if (!isCaughtUp) {
    report?.({ ...run, failures: keeper.failures });
    return { manifest: null, role };
  }
  warm.arrays ??= new ArrayPool();
  warm.arrays.reclaim();
  const snapshot2 = snapshotOf(engine, origin, warm.arrays);
  await keeper.beforePublishing(snapshot2.minute);
  const outcome = await publishFrom(stores, { snapshot: snapshot2, role, builders: builders2 });
  report?.({ ...run, failures: [...outcome.failures, ...keeper.failures] });
  return outcome;
}
function keeperOf({ days, documents: documents2, published: bucket }, { role, ...publishing }) {
  return days && documents2 && role.isLive ? openKeeper({ days, bucket, documents: documents2, ...publishing }) : noKeeper;
}
var NEAR_MINUTES = 5;
async function publishFrom({ published: bucket, documents: documents2, own }, { snapshot: snapshot2, role, builders: builders2 }) {
  const into = documents2 ? { bucket, documents: documents2 } : { bucket };
  if (!own || role.isLive) return { ...await publish(snapshot2, into, builders2), role };
  const { minute } = snapshot2;
  const published = (await openManifests(bucket).newest())?.minute;
  if (published !== void 0 && minute < published - NEAR_MINUTES)
    return { manifest: null, failures: [], role };
  const isOtherLog = own.log !== role.live.log;
  const failures = documents2 && isOtherLog ? await prepareStored(snapshot2, documents2, builders2) : [];
  if (failures.length > 0) return { manifest: null, failures, role };
  const taken = await takeOver(own, role, { minute, published });
  if (!taken.isLive) return { manifest: null, failures, role };
  const { switches } = taken.live;
  return { ...await publish({ ...snapshot2, switches }, into, builders2), role: taken };
}
function isCheckpointDue(engine, isCaughtUp) {
  const { savedMinute } = engine;
  const minute = minuteOfEngine(engine);
  if (minute === null || minute === savedMinute) return false;
  return !isCaughtUp || savedMinute === null || minute - savedMinute >= CHECKPOINT_MINUTES;
}

// store/table.ts
import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  CreateTableCommand,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ResourceInUseException,
  ScanCommand,
  waitUntilTableExists
} from "@aws-sdk/client-dynamodb";

// store/attributes.ts
function toAttribute(value) {
  if (typeof value === "string") return { S: value };
  if (typeof value === "boolean") return { BOOL: value };
  return value instanceof Uint8Array ? { B: value } : { N: String(value) };
}
function toAttributes(item) {
  const wire = {};
  for (const [name, value] of Object.entries(item)) {
    if (value !== void 0) wire[name] = toAttribute(value);
  }
  return wire;
}
function fromAttributes(wire) {
  return Object.fromEntries(
    Object.entries(wire).map(([name, value]) => [name, fromAttribute(name, value)])
  );
}
function fromAttribute(name, { S, N, BOOL, B }) {
  const value = S ?? (N === void 0 ? void 0 : numberFrom(N)) ?? BOOL ?? B;
  if (value === void 0)
    throw new StoreFault(
      "UnknownAttributeError",
      `attribute ${name} holds neither text, number, flag nor bytes`
    );
  return value;
}
function numberFrom(text5) {
  const value = Number(text5);
  const isExact = Number.isSafeInteger(value) || !/^-?\d+$/.test(text5);
  return isExact ? value : BigInt(text5);
}

// store/table.ts
var agent = { keepAlive: true, maxSockets: 64 };
var BATCH_GET_MAX = 100;
var PARALLEL_REQUESTS = 16;
var MAX_ATTEMPTS = 8;
function newClient() {
  const client = new DynamoDBClient({
    maxAttempts: MAX_ATTEMPTS,
    // Otherwise the SDK resolves the middleware stack for every command.
    cacheMiddleware: true,
    requestHandler: { httpAgent: agent, httpsAgent: agent }
  });
  for (const name of ["loggerMiddleware", "getUserAgentMiddleware"]) client.middlewareStack.remove(name);
  return client;
}
function openTable(name, options = {}) {
  const { clock = () => Date.now() / 1e3, consistency = "strong", client = newClient() } = options;
  const reading = { TableName: name, ConsistentRead: consistency === "strong" };
  const isLive = (item) => item !== void 0 && item["tomb"] !== true && !isExpired(item, clock());
  return {
    async read({ pk, sk }) {
      const answer2 = await client.send(new GetItemCommand({ ...reading, Key: toAttributes({ pk, sk }) }));
      const item = answer2.Item && fromAttributes(answer2.Item);
      return isLive(item) ? item : void 0;
    },
    async put(item, condition) {
      const put = { TableName: name, Item: toAttributes(item), ...expressionOf(condition) };
      try {
        await client.send(new PutItemCommand(put));
        return true;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false;
        throw error;
      }
    },
    async *query(span2) {
      if (span2.from !== void 0 && span2.to !== void 0 && span2.from > span2.to) return;
      const isWanted = (item) => isLive(item) || span2.withTombs === true && item["tomb"] === true;
      let left = span2.limit ?? Number.POSITIVE_INFINITY;
      let page5 = { ...reading, ...queryOf(span2) };
      while (left > 0) {
        const answer2 = await client.send(new QueryCommand(page5));
        const items = (answer2.Items ?? []).map((wire) => fromAttributes(wire)).filter(isWanted);
        yield* items.slice(0, left);
        left -= items.length;
        if (!answer2.LastEvaluatedKey) return;
        page5 = { ...page5, ExclusiveStartKey: answer2.LastEvaluatedKey };
      }
    },
    async readMany(keys) {
      const read = (batch) => batchGet(client, reading, batch);
      const found2 = (await mapParallel(batchesOf(keys), PARALLEL_REQUESTS, read)).flat();
      return found2.map((wire) => fromAttributes(wire)).filter(isLive);
    },
    async *scan() {
      let ExclusiveStartKey;
      do {
        const page5 = await client.send(
          new ScanCommand({ ...reading, ...ExclusiveStartKey ? { ExclusiveStartKey } : {} })
        );
        yield* (page5.Items ?? []).map((wire) => fromAttributes(wire)).filter(isLive);
        ExclusiveStartKey = page5.LastEvaluatedKey;
      } while (ExclusiveStartKey);
    }
  };
}
async function ensureTables(names2) {
  const client = newClient();
  const { partitionKey, sortKey } = tables.market;
  for (const TableName of names2) {
    const command = new CreateTableCommand({
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [
        { AttributeName: partitionKey, AttributeType: "S" },
        { AttributeName: sortKey, AttributeType: "S" }
      ],
      KeySchema: [
        { AttributeName: partitionKey, KeyType: "HASH" },
        { AttributeName: sortKey, KeyType: "RANGE" }
      ]
    });
    await client.send(command).catch((error) => {
      if (!(error instanceof ResourceInUseException)) throw error;
    });
    await waitUntilTableExists({ client, maxWaitTime: 60, minDelay: 1 }, { TableName });
  }
  client.destroy();
}
var isExpired = (item, nowSeconds) => typeof item["ttl"] === "number" && item["ttl"] <= nowSeconds;
function expressionOf(condition) {
  if (condition === "absent") return { ConditionExpression: "attribute_not_exists(pk)" };
  return {
    ConditionExpression: "attribute_not_exists(pos) OR pos < :n",
    ExpressionAttributeValues: { ":n": toAttribute(condition.olderThan) }
  };
}
var LAST = "\u{10FFFF}";
function queryOf({ pk, from: from2, to: to2, isDescending = false, limit: limit2 = Number.POSITIVE_INFINITY }) {
  const hasSpan = from2 !== void 0 || to2 !== void 0;
  return {
    KeyConditionExpression: hasSpan ? "pk = :pk AND sk BETWEEN :from AND :to" : "pk = :pk",
    ExpressionAttributeValues: toAttributes({
      ":pk": pk,
      ...hasSpan ? { ":from": from2 ?? " ", ":to": to2 ?? LAST } : {}
    }),
    ScanIndexForward: !isDescending,
    ...Number.isFinite(limit2) ? { Limit: Math.max(1, limit2) } : {}
  };
}
var batchesOf = (keys) => chunked([...new Map(keys.map((key) => [keyText(key), key])).values()], BATCH_GET_MAX);
async function batchGet(client, { TableName, ConsistentRead }, batch) {
  const found2 = [];
  let Keys = batch.map(({ pk, sk }) => toAttributes({ pk, sk }));
  for (let attempt = 0; Keys && Keys.length > 0; attempt++) {
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 25 * 2 ** Math.min(attempt, 6)));
    const command = new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead } } });
    const answer2 = await client.send(command);
    found2.push(...answer2.Responses?.[TableName] ?? []);
    Keys = answer2.UnprocessedKeys?.[TableName]?.Keys;
  }
  return found2;
}

// test/support/counted-client.ts
function countedClient(note) {
  const client = newClient();
  client.middlewareStack.add(
    (next) => async (args) => {
      Object.assign(args.input, { ReturnConsumedCapacity: "TOTAL" });
      const answer2 = await next(args);
      const consumed = "ConsumedCapacity" in answer2.output ? answer2.output.ConsumedCapacity : void 0;
      for (const capacity of [consumed ?? []].flat()) {
        const units = "CapacityUnits" in capacity ? capacity.CapacityUnits ?? 0 : 0;
        note(units, "Item" in args.input ? "write" : "read");
      }
      return answer2;
    },
    { step: "initialize" }
  );
  return client;
}

// test/support/memory-stores.ts
function memoryBucket() {
  const inner = openMemoryBucket();
  const bucket = {
    ...inner,
    puts: [],
    beforePut: async () => {
    },
    async put(key, bytes, options) {
      await bucket.beforePut(key);
      const outcome = await inner.put(key, bytes, options);
      if (outcome === "stored") bucket.puts.push(key);
      return outcome;
    }
  };
  return bucket;
}

// test/support/market-history.ts
var HISTORY_ZORA = `0x${"11".repeat(20)}`;
var hashOf = (number) => `0x${number.toString(16).padStart(64, "0")}`;
var lastBlockOf = (minute) => ({
  number: minute * 30 + 29,
  hash: hashOf(minute),
  timestamp: minute * 60 + 58
});

// test/support/exact-market.ts
function lastSwapOf(market, number) {
  const token2 = market.tokenOf(number);
  const own = market.read("lastSwapMinute", number);
  if (token2.kind === "post") return own;
  const { inToken, byAddress } = postsOf(market, number);
  return byAddress.reduce(
    (last, posts) => Math.max(last, posts.lastSwapMinute),
    Math.max(own, inToken?.lastSwapMinute ?? 0)
  );
}

// bench/measuring.ts
import { existsSync } from "node:fs";
var median = (values2) => quantile(values2, 0.5);
function quantile(values2, share) {
  const sorted = [...values2].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
var ratios = (ours, theirs) => theirs.map((value, round) => (ours[round] ?? Number.NaN) / value);
function say(text5) {
  process.stdout.write(`${text5}
`);
}
function startTimer() {
  const [cpu, wall] = [process.cpuUsage(), performance.now()];
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { cpuMs: (user + system) / 1e3, wallMs: performance.now() - wall };
  };
}
async function timeOf(work) {
  const time2 = startTimer();
  await work();
  return time2();
}
async function inTurns(names2, { rounds, warmUp = 0 }, measure2) {
  const results = Object.fromEntries(names2.map((name) => [name, []]));
  for (let round = -warmUp; round < rounds; round += 1) {
    const first = (round + warmUp) % names2.length;
    for (const name of [...names2.slice(first), ...names2.slice(0, first)]) {
      const result = await measure2(name, round);
      if (round >= 0) results[name].push(result);
    }
  }
  return results;
}
var here = (file) => new URL(file, import.meta.url).pathname;
function isInstalled(name) {
  const isHere = existsSync(here(`node_modules/${name}`));
  if (!isHere) say(`skipped: ${name} is not installed (npm ci --prefix bench)`);
  return isHere;
}
var TIMEOUT_MS = 60 * 6e4;
function watchMemory() {
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, process.memoryUsage.rss() / 2 ** 20);
  };
  const timer = setInterval(look, 20);
  return {
    stop() {
      look();
      clearInterval(timer);
      return peak;
    }
  };
}

// bench/duckdb-ranking.ts
var PACKAGE = "@duckdb/node-api";
function duckdbLists({ boards, trending }) {
  const numbers = (places2) => places2.map(({ number }) => number);
  return Object.fromEntries([
    ...boardTimes.flatMap((name) => [
      [`creators at ${name}`, numbers(boards[name].creator)],
      [`posts at ${name}`, numbers(boards[name].post)]
    ]),
    ...timeframes.flatMap(
      (name) => trendingOrders.map((order) => [`${order} in ${name}`, numbers(trending[name][order])])
    )
  ]);
}
function prepareRanking(market) {
  const { valuations, since, minute } = market;
  return () => {
    const numbers = boardTokens(valuations.now, minute);
    return duckdbLists({
      boards: Object.fromEntries(
        boardTimes.map((name) => [name, boardsAt(valuations[name], numbers)])
      ),
      trending: Object.fromEntries(
        timeframes.map((name) => [name, trendingAt(valuations.now, since[name])])
      )
    });
  };
}
async function startPeer(market) {
  if (!isInstalled(PACKAGE)) return null;
  const { DuckDBInstance } = await import(PACKAGE);
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  const columns = columnsOf2(market);
  const names2 = Object.keys(columns);
  await connection.run(`create table tokens (${names2.map((name) => `${name} double`).join(", ")})`);
  const appender = await connection.createAppender("tokens");
  for (let number = 0; number < market.at.now.count; number++) {
    for (const name of names2) appender.appendDouble(columns[name]?.[number] ?? 0);
    appender.endRow();
  }
  appender.closeSync();
  const prepared = [];
  for (const [name, query] of Object.entries(queries()))
    prepared.push([name, await connection.prepare(query)]);
  return {
    async rank() {
      const lists = {};
      for (const [name, statement] of prepared) {
        const result = await statement.runAndReadAll();
        lists[name] = result.getColumns()[0] ?? [];
      }
      return lists;
    },
    close: () => connection.closeSync()
  };
}
function queries() {
  const list = (where, score2, moment) => `select number from tokens where ${where}
     order by ${score2} desc, volume_day_${moment} desc, cap_${moment} desc, launch limit 100`;
  return Object.fromEntries([
    ...boardTimes.flatMap((name) => {
      const where = `price_${name} > 0 and is_active = 1 and last_${name} > 0 and is_creator =`;
      return [
        [`creators at ${name}`, list(`${where} 1`, `portfolio_${name}`, name)],
        [`posts at ${name}`, list(`${where} 0`, `engagement_day_${name}`, name)]
      ];
    }),
    ...timeframes.flatMap(
      (name) => trendingOrders.map((order) => {
        const score2 = {
          volume: `volume_${name}`,
          rank_volume: `rank_volume_${name}`,
          market_cap: "cap_now",
          change: `change_${name}`,
          change_asc: `fall_${name}`,
          holders: "holders"
        };
        const money = ["volume", "rank_volume", "holders"].includes(order) ? "" : "and is_liquid = 1";
        const where = `trades_now > trades_${name} and price_now > 0 ${money}`;
        return [`${order} in ${name}`, list(where, score2[order], "now")];
      })
    )
  ]);
}
function columnsOf2(market) {
  const { now } = market.at;
  const numbers = boardTokens(market.valuations.now, market.minute);
  const active = /* @__PURE__ */ new Set([...numbers.creator, ...numbers.post]);
  const columns = {
    number: column(market, (number) => number),
    launch: column(market, (number) => {
      const { launchedAt } = now.tokenOf(number);
      return launchedAt.blockNumber * 2 ** 20 + launchedAt.logIndex;
    }),
    is_creator: column(market, (number) => Number(now.tokenOf(number).kind === "creator")),
    is_active: column(market, (number) => Number(active.has(number))),
    is_liquid: column(market, (number) => Number(isLiquid(market.valuations.now, number))),
    holders: column(market, (number) => now.read("holders", number)),
    trades_30d: column(market, (number) => market.at["30d"].read("cumTrades", number))
  };
  for (const name of boardTimes) Object.assign(columns, momentColumns(market, name));
  for (const name of timeframes) Object.assign(columns, windowColumns(market, name));
  return columns;
}
var column = ({ at }, value) => new Float64Array(at.now.count).map((_, number) => value(number));
function momentColumns(market, name) {
  const view = market.at[name];
  const { worthOf: worthOf2, portfolioOf, volume24h, engagement24h } = market.valuations[name];
  return {
    [`trades_${name}`]: column(market, (number) => view.read("cumTrades", number)),
    [`last_${name}`]: column(market, (number) => lastSwapOf(view, number)),
    [`price_${name}`]: column(market, (number) => Number(worthOf2(number).priceUsdE36)),
    [`cap_${name}`]: column(market, (number) => Number(worthOf2(number).marketCap)),
    [`portfolio_${name}`]: column(market, (number) => {
      const portfolio = portfolioOf(number);
      return portfolio ? Number(countedOf(portfolio)) : 0;
    }),
    [`volume_day_${name}`]: column(market, (number) => Number(volume24h.exactly(number))),
    [`engagement_day_${name}`]: column(market, engagement24h.exactly)
  };
}
function windowColumns(market, name) {
  const { now, [name]: then } = market.at;
  const changeOf2 = (number) => {
    const base = listBaseAt(now, market.since[name], number);
    const price3 = market.valuations.now.worthOf(number).priceUsdE36;
    return base && price3 ? Number(price3) / Number(base) : 0;
  };
  return {
    [`volume_${name}`]: column(
      market,
      (number) => Number(now.read("cumVolumeMicroUsd", number) - then.read("cumVolumeMicroUsd", number))
    ),
    [`rank_volume_${name}`]: column(
      market,
      (number) => Number(amountSince("cumRankVolumeMicroUsd", now, then)(number))
    ),
    [`change_${name}`]: column(market, changeOf2),
    [`fall_${name}`]: column(market, (number) => {
      const change = changeOf2(number);
      return change === 0 ? 0 : 1 / change;
    })
  };
}

// bench/file-bucket.ts
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
function fileBucket(folder2) {
  return {
    async read(key) {
      const bytes = await readFile(join(folder2, key)).catch(undefinedIfAbsent);
      return bytes && { bytes, etag: "", metadata: {} };
    },
    async put(key, bytes) {
      const path = join(folder2, key);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, bytes);
      return "stored";
    },
    async *list(prefix, startAfter2 = "") {
      const names2 = (await readdir(folder2, { recursive: true })).sort();
      for (const key of names2) {
        if (!key.startsWith(prefix) || key <= startAfter2) continue;
        const file = await stat(join(folder2, key));
        if (file.isFile()) yield { key, size: file.size };
      }
    },
    remove: (key) => rm(join(folder2, key), { force: true })
  };
}
function undefinedIfAbsent(error) {
  if (error.code !== "ENOENT") throw error;
}

// bench/synthetic-market.ts
var START = 29e6;
var LIFETIME = 29 * 1440;
var X96 = 2 ** 96;
var E18 = 10n ** 18n;

// test/support/facts.ts
var hex = (value, bytes) => `0x${BigInt(value).toString(16).padStart(bytes * 2, "0")}`;
var address4 = (value) => hex(value, 20);
var ZORA = address4(4369);
var HOOK = address4(64);
var MANAGER = address4(65);
var ONE_X96 = 2n ** 96n;
var USD = 10n ** 36n;
var WHOLE2 = 10n ** 18n;

// test/support/swap-feed.ts
var TOKENS = [16, 17, 18].map(address4);
var NAMED = { address: TOKENS[0], symbol: "ANN", name: "Ann" };

// bench/synthetic-minutes.ts
function entryOf(segment, at) {
  const { minute } = segment;
  return { n: at + 1, is: "sealed", minute, firstBlock: minute * 30, last: lastBlockOf(minute), segment };
}

// bench/rebuild-once.ts
var WARM_UP_MINUTES = 6;
var PEER_MAX_TOKENS = 2e5;
var LISTS_MINUTES = 9;
var LISTS_WARM_UP_MINUTES = 4;
var ROUNDS = 5;
var WARM_UP_ROUNDS = 3;
var readUnits = 0;
var [folder = ""] = process.argv.slice(2);
process.stdout.write(`${JSON.stringify(await measure())}
`);
process.exit();
async function measure() {
  const [segments, published] = [fileBucket(folder), memoryBucket()];
  const generated = JSON.parse(await readFile2(join2(folder, "generated.json"), "utf8"));
  const name = `bench-${randomUUID()}`;
  await ensureTables([name]);
  const client = countedClient((units, kind) => {
    if (kind === "read") readUnits += units;
  });
  const table = openTable(name, { client });
  const [log, documents2] = [openLog(table, segments), openDocuments(table)];
  const [first, ...entries] = generated.sealed.map(entryOf);
  if (first) await seal(log, first);
  const memory = watchMemory();
  const warm = {};
  const runs = [];
  for (const [at, entry] of entries.entries()) {
    await seal(log, entry);
    const stores = { log, segments, published, ...at < entries.length - LISTS_MINUTES ? {} : { documents: documents2 } };
    runs.push(await timedRebuild(stores, warm));
  }
  const peakMb = memory.stop();
  const [cold] = runs;
  if (!cold || !warm.engine) throw new RangeError("nothing was rebuilt");
  const later = [
    ...runs.slice(WARM_UP_MINUTES, -LISTS_MINUTES),
    ...runs.slice(-LISTS_MINUTES).slice(LISTS_WARM_UP_MINUTES)
  ];
  const medianOf = (hasLists, pick) => median(later.filter((run) => !run.hasCheckpoint && run.hasLists === hasLists).map(pick));
  const of = (pick) => medianOf(false, pick);
  return {
    cold,
    segmentCpuMs: await loadSegments(log, generated.spread),
    warm: { cpuMs: of(({ cpuMs }) => cpuMs), readUnits: of((run) => run.readUnits) },
    lists: { cpuMs: medianOf(true, ({ cpuMs }) => cpuMs) },
    peakMb,
    ranking: await compareRanking(warm.engine)
  };
}
async function loadSegments(log, references2) {
  const engine = emptyEngine();
  const loadAll = async (from2, to2) => {
    for (const [at, segment] of [...references2.entries()].slice(from2, to2))
      load(engine, entryOf(segment, at), await log.readSegmentStates(segment), START);
  };
  const warmUp = references2.length / 5;
  await loadAll(0, warmUp);
  const { cpuMs } = await timeOf(() => loadAll(warmUp, references2.length));
  return cpuMs / (references2.length - warmUp);
}
async function seal(log, entry) {
  const { n, minute, last } = entry;
  await log.append(entry);
  await log.putApplied({ n, minute, last, isLowered: false });
}
async function timedRebuild(stores, warm) {
  readUnits = 0;
  let hasCheckpoint = false;
  const report = (run) => {
    hasCheckpoint = run.hasCheckpoint;
  };
  const time2 = await timeOf(() => rebuild(stores, { clock: () => performance.now(), warm, report }));
  return { ...time2, readUnits, hasCheckpoint, hasLists: "documents" in stores };
}
async function compareRanking(engine) {
  const market = rankedMarket(windowsOf(engine));
  const whole5 = duckdbLists(market);
  const peer = market.at.now.count <= PEER_MAX_TOKENS ? await startPeer(market) : null;
  const rank = { ours: prepareRanking(market), peer: () => peer?.rank() };
  const names2 = peer ? ["ours", "peer"] : ["ours"];
  const costs = await inTurns(
    names2,
    { rounds: ROUNDS, warmUp: WARM_UP_ROUNDS },
    async (name) => {
      let lists;
      const { cpuMs } = await timeOf(async () => {
        lists = await rank[name]();
      });
      if (!isDeepStrictEqual(lists, whole5)) throw new RangeError(`${name}: ranks otherwise`);
      return cpuMs;
    }
  );
  peer?.close();
  return {
    oursMs: median(costs.ours),
    peerMs: peer && median(costs.peer),
    ratios: peer ? ratios(costs.ours, costs.peer) : []
  };
}
