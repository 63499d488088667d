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
import {DevToken} from "./DevToken.sol";
import {HookPositions, Position} from "./HookPositions.sol";

interface IMsgSender {
    function msgSender() external view returns (address);
}

/// Taxes snipers, says each trade, and pays the creator by selling the fees that its positions earned. Its address
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
            _sellFees(key, pool);
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
    /// currency at the end of the path: a post's fees pass through the creator token's pool.
    function _sellFees(PoolKey memory key, Pool storage pool) internal {
        (uint256 ofToken, uint256 ofQuote) = _collect(key, pool);
        Currency quote = _other(key, pool.token);
        if (ofToken > 0) ofQuote += _sell(key, pool.token, ofToken);
        pool.swaps++;
        if (pool.swaps % 5 == 0) ofQuote -= _remint(key, pool, ofQuote / 5);
        while (!(quote == zora)) {
            DevToken token = DevToken(Currency.unwrap(quote));
            PoolKey memory next = token.getPoolKey();
            if (ofQuote > 0) ofQuote = _sell(next, address(token), ofQuote);
            quote = _other(next, address(token));
        }
        if (ofQuote > 0) manager.take(quote, pool.payoutRecipient, ofQuote);
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

    /// Sells within the pool, not below its launch price; what does not sell is kept. Returns what came in.
    function _sell(PoolKey memory key, address token, uint256 amount) internal returns (uint256) {
        bool zeroForOne = Currency.unwrap(key.currency0) == token;
        uint160 limit = address(key.hooks) == address(this)
            ? pools[key.toId()].launchSqrtPriceX96
            : HookPositions(address(key.hooks)).launchSqrtPriceX96(key.toId());
        uint160 price = _sqrtPriceX96(key.toId());
        uint256 sold;
        uint256 received;
        if (zeroForOne ? price > limit : price < limit) {
            BalanceDelta delta = manager.swap(key, SwapParams(zeroForOne, -int256(amount), limit), "");
            sold = uint128(zeroForOne ? -delta.amount0() : -delta.amount1());
            received = uint128(zeroForOne ? delta.amount1() : delta.amount0());
        }
        if (sold < amount) manager.take(Currency.wrap(token), address(this), amount - sold);
        return received;
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
