// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

import {IHooks} from "@uniswap/v4-core/src/interfaces/IHooks.sol";
import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";
import {BalanceDelta, BalanceDeltaLibrary} from "@uniswap/v4-core/src/types/BalanceDelta.sol";
import {BeforeSwapDelta, BeforeSwapDeltaLibrary} from "@uniswap/v4-core/src/types/BeforeSwapDelta.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolId} from "@uniswap/v4-core/src/types/PoolId.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {ModifyLiquidityParams, SwapParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";
import {IHouse} from "./DevErc20.sol";
import {DevToken} from "./DevToken.sol";
import {HookPositions, Position} from "./HookPositions.sol";

interface IMsgSender {
    function msgSender() external view returns (address);
}

/// Taxes snipers, says each trade, and pays out the fees that its positions earned. Its address
/// ends in 0x10C0: afterInitialize, beforeSwap, afterSwap.
contract DevHook is HookPositions {
    event Swapped(
        address indexed sender,
        address indexed swapSender,
        bool isTrustedSwapSenderAddress,
        PoolKey key,
        bytes32 indexed poolKeyHash,
        SwapParams params,
        int128 amount0,
        int128 amount1,
        bool isCoinBuy,
        bytes hookData,
        uint160 sqrtPriceX96
    );

    /// What a payment gave each, in its currency; the platform's hooks pay nothing in the token itself any more.
    struct MarketRewardsV4 {
        uint256 creatorPayoutAmountCurrency;
        uint256 creatorPayoutAmountCoin;
        uint256 platformReferrerAmountCurrency;
        uint256 platformReferrerAmountCoin;
        uint256 tradeReferrerAmountCurrency;
        uint256 tradeReferrerAmountCoin;
        uint256 protocolAmountCurrency;
        uint256 protocolAmountCoin;
        uint256 dopplerAmountCurrency;
        uint256 dopplerAmountCoin;
    }

    event CoinMarketRewardsV4(
        address coin,
        address currency,
        address payoutRecipient,
        address platformReferrer,
        address tradeReferrer,
        address protocolRewardRecipient,
        address dopplerRecipient,
        MarketRewardsV4 marketRewards
    );
    event CreatorCoinRewards(
        address indexed coin,
        address currency,
        address creator,
        address protocol,
        uint256 creatorAmount,
        uint256 protocolAmount
    );

    address internal constant PROTOCOL = 0x00000000000000000000000000000000000f00D1;
    address internal constant DOPPLER = 0x00000000000000000000000000000000000F00d2;
    uint256 internal constant ALL_SHARES = 10_000;
    /// DevToken's coinType of a creator token.
    uint8 internal constant CREATOR = 0;

    uint256 internal constant LAUNCH_FEE = 990_000;
    uint256 internal constant FEE = 10_000;
    uint256 internal constant LAUNCH_SECONDS = 10;
    uint24 internal constant OVERRIDE_FEE_FLAG = 0x400000;
    /// Ranges that are minted from fees lie on a grid of their own, so that there are few of them.
    int24 internal constant GRID = 2_000;
    uint256 internal constant MAX_POSITIONS = 4;

    constructor(IPoolManager manager_, address factory_, Currency zora_) HookPositions(manager_, factory_, zora_) {}

    // Callbacks of the PoolManager. It makes none for calls of the hook itself.

    function afterInitialize(address sender, PoolKey calldata key, uint160 sqrtPriceX96, int24)
        external
        only(address(manager))
        returns (bytes4)
    {
        if (sender != factory) revert NotAllowed();
        Pool storage pool = pools[key.toId()];
        pool.launchedAt = uint64(block.timestamp);
        pool.launchSqrtPriceX96 = sqrtPriceX96;
        return IHooks.afterInitialize.selector;
    }

    function beforeSwap(address sender, PoolKey calldata key, SwapParams calldata, bytes calldata)
        external
        view
        only(address(manager))
        returns (bytes4, BeforeSwapDelta, uint24)
    {
        uint256 fee = _isTrader(sender) ? _feeNow(pools[key.toId()].launchedAt) : 0;
        return (IHooks.beforeSwap.selector, BeforeSwapDeltaLibrary.ZERO_DELTA, uint24(fee) | OVERRIDE_FEE_FLAG);
    }

    function afterSwap(
        address sender,
        PoolKey calldata key,
        SwapParams calldata params,
        BalanceDelta delta,
        bytes calldata hookData
    ) external only(address(manager)) returns (bytes4, int128) {
        if (_isTrader(sender)) {
            Pool storage pool = pools[key.toId()];
            _sellFees(key, pool, _tradeReferrer(hookData));
            _emitSwapped(sender, key, params, delta, hookData, pool.token);
        }
        return (IHooks.afterSwap.selector, 0);
    }

    /// Another hook that sells its fees here is no trader, nor is the order book.
    function _isTrader(address sender) internal view virtual returns (bool) {
        return !isInternal[sender];
    }

    /// 99 % at launch, falling to 1 % within ten seconds.
    function _feeNow(uint256 launchedAt) internal view returns (uint256) {
        uint256 age = block.timestamp - launchedAt;
        return age >= LAUNCH_SECONDS ? FEE : LAUNCH_FEE - ((LAUNCH_FEE - FEE) * age) / LAUNCH_SECONDS;
    }

    function _emitSwapped(
        address sender,
        PoolKey calldata key,
        SwapParams calldata params,
        BalanceDelta delta,
        bytes calldata hookData,
        address token
    ) internal {
        address swapSender;
        try IMsgSender(sender).msgSender() returns (address named) {
            swapSender = named;
        } catch {}
        emit Swapped(
            sender,
            swapSender,
            isRouter[sender],
            key,
            PoolId.unwrap(key.toId()),
            params,
            delta.amount0(),
            delta.amount1(),
            // By direction, as the platform's hook has it: a buy may be too small to receive anything.
            Currency.unwrap(params.zeroForOne ? key.currency1 : key.currency0) == token,
            hookData,
            _sqrtPriceX96(key.toId())
        );
    }

    // Fees

    /// Collects what the positions earned, puts a fifth of it back now and then, and pays out the rest in the
    /// currency at the end of the path: a post's fees pass through the creator token's pool. What a pool on the way
    /// does not take is paid out in the currency that it is in.
    function _sellFees(PoolKey memory key, Pool storage pool, address tradeReferrer) internal {
        (uint256 amount, uint256 ofQuote) = _collect(key, pool);
        Currency currency = Currency.wrap(pool.token);
        amount = _sellFor(key, pool, Payment(currency, amount, tradeReferrer)) + ofQuote;
        currency = _other(key, pool.token);
        pool.swaps++;
        if (pool.swaps % 5 == 0) amount -= _remint(key, pool, amount / 5);
        while (IHouse(factory).getVersionForDeployedCoin(Currency.unwrap(currency)) > 0) {
            PoolKey memory next = DevToken(Currency.unwrap(currency)).getPoolKey();
            amount = _sellFor(next, pool, Payment(currency, amount, tradeReferrer));
            currency = _other(next, Currency.unwrap(currency));
        }
        _reward(pool, Payment(currency, amount, tradeReferrer));
    }

    struct Payment {
        Currency currency;
        uint256 amount;
        address tradeReferrer;
    }

    /// Sells what is to be paid, and pays out what does not sell. Returns what came in.
    function _sellFor(PoolKey memory key, Pool storage pool, Payment memory due) internal returns (uint256) {
        if (due.amount == 0) return 0;
        (uint256 received, uint256 left) = _sell(key, Currency.unwrap(due.currency), due.amount);
        due.amount = left;
        if (left > 0) _reward(pool, due);
        return received;
    }

    /// Pays everyone their share of fees. The platform says it for each trade, even where there is nothing to pay.
    function _reward(Pool storage pool, Payment memory due) internal virtual {
        DevToken token = DevToken(pool.token);
        address platform = token.platformReferrer();
        MarketRewardsV4 memory paid;
        paid.creatorPayoutAmountCurrency = (due.amount * 6_250) / ALL_SHARES;
        if (platform != address(0)) paid.platformReferrerAmountCurrency = (due.amount * 2_500) / ALL_SHARES;
        if (due.tradeReferrer != address(0)) paid.tradeReferrerAmountCurrency = (due.amount * 500) / ALL_SHARES;
        paid.dopplerAmountCurrency = (due.amount * 125) / ALL_SHARES;
        paid.protocolAmountCurrency = due.amount - paid.creatorPayoutAmountCurrency
            - paid.platformReferrerAmountCurrency - paid.tradeReferrerAmountCurrency - paid.dopplerAmountCurrency;
        _pay(due.currency, platform, paid.platformReferrerAmountCurrency);
        _pay(due.currency, due.tradeReferrer, paid.tradeReferrerAmountCurrency);
        _pay(due.currency, pool.payoutRecipient, paid.creatorPayoutAmountCurrency);
        _pay(due.currency, DOPPLER, paid.dopplerAmountCurrency);
        _pay(due.currency, PROTOCOL, paid.protocolAmountCurrency);
        emit CoinMarketRewardsV4(
            pool.token,
            Currency.unwrap(due.currency),
            pool.payoutRecipient,
            platform,
            due.tradeReferrer,
            PROTOCOL,
            DOPPLER,
            paid
        );
        if (token.coinType() == CREATOR) {
            _emitCreatorRewards(pool, due.currency, paid.creatorPayoutAmountCurrency, paid.protocolAmountCurrency);
        }
    }

    /// Of a creator token the same again, in the form of the first hooks.
    function _emitCreatorRewards(Pool storage pool, Currency currency, uint256 ofCreator, uint256 ofProtocol)
        internal
    {
        emit CreatorCoinRewards(
            pool.token, Currency.unwrap(currency), pool.payoutRecipient, PROTOCOL, ofCreator, ofProtocol
        );
    }

    function _pay(Currency currency, address to, uint256 amount) internal {
        if (amount > 0) manager.take(currency, to, amount);
    }

    /// Whom a router names in the data for the hook as the one who sent the trader.
    function _tradeReferrer(bytes calldata hookData) internal pure returns (address) {
        return hookData.length >= 20 ? abi.decode(hookData, (address)) : address(0);
    }

    function _collect(PoolKey memory key, Pool storage pool) internal returns (uint256 ofToken, uint256 ofQuote) {
        BalanceDelta earned = BalanceDeltaLibrary.ZERO_DELTA;
        uint256 count = pool.positions.length;
        for (uint256 i; i < count; i++) {
            Position storage position = pool.positions[i];
            ModifyLiquidityParams memory nothing =
                ModifyLiquidityParams(position.tickLower, position.tickUpper, 0, 0);
            (, BalanceDelta fees) = manager.modifyLiquidity(key, nothing, "");
            earned = earned + fees;
        }
        uint256 of0 = uint128(earned.amount0());
        uint256 of1 = uint128(earned.amount1());
        return Currency.unwrap(key.currency0) == pool.token ? (of0, of1) : (of1, of0);
    }

    /// Sells within the pool, not below its launch price. Returns what came in, and how much did not sell.
    function _sell(PoolKey memory key, address token, uint256 amount)
        internal
        returns (uint256 received, uint256 left)
    {
        bool zeroForOne = Currency.unwrap(key.currency0) == token;
        uint160 limit = address(key.hooks) == address(this)
            ? pools[key.toId()].launchSqrtPriceX96
            : HookPositions(address(key.hooks)).launchSqrtPriceX96(key.toId());
        uint160 price = _sqrtPriceX96(key.toId());
        uint256 sold;
        if (zeroForOne ? price > limit : price < limit) {
            BalanceDelta delta = manager.swap(key, SwapParams(zeroForOne, -int256(amount), limit), "");
            sold = uint128(zeroForOne ? -delta.amount0() : -delta.amount1());
            received = uint128(zeroForOne ? delta.amount1() : delta.amount0());
        }
        left = amount - sold;
    }

    /// Mints quote currency behind the price, where it buys tokens back. Returns how much it took.
    function _remint(PoolKey memory key, Pool storage pool, uint256 amount) internal returns (uint256) {
        bool isQuote1 = Currency.unwrap(key.currency0) == pool.token;
        int24 tick = TickMath.getTickAtSqrtPrice(_sqrtPriceX96(key.toId()));
        int24 floor = (tick / GRID) * GRID;
        if (tick < floor) floor -= GRID;
        (int24 lower, int24 upper) = isQuote1 ? (floor - GRID, floor) : (floor + GRID, floor + 2 * GRID);
        uint128 liquidity = _liquidityFor(lower, upper, amount, !isQuote1);
        if (liquidity == 0 || !_note(pool, lower, upper, liquidity)) return 0;
        ModifyLiquidityParams memory change = ModifyLiquidityParams(lower, upper, int256(uint256(liquidity)), 0);
        (BalanceDelta delta, BalanceDelta fees) = manager.modifyLiquidity(key, change, "");
        BalanceDelta owed = delta - fees;
        return uint128(isQuote1 ? -owed.amount1() : -owed.amount0());
    }

    /// Adds to the pool's list of positions; false where it is full.
    function _note(Pool storage pool, int24 lower, int24 upper, uint128 liquidity) internal returns (bool) {
        uint256 count = pool.positions.length;
        for (uint256 i; i < count; i++) {
            Position storage position = pool.positions[i];
            if (position.tickLower == lower && position.tickUpper == upper) {
                position.liquidity += liquidity;
                return true;
            }
        }
        if (count >= MAX_POSITIONS) return false;
        pool.positions.push(Position(lower, upper, liquidity));
        return true;
    }
}
