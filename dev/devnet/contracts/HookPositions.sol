// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

import {IHooks} from "@uniswap/v4-core/src/interfaces/IHooks.sol";
import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {IUnlockCallback} from "@uniswap/v4-core/src/interfaces/callback/IUnlockCallback.sol";
import {FullMath} from "@uniswap/v4-core/src/libraries/FullMath.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";
import {BalanceDelta, BalanceDeltaLibrary} from "@uniswap/v4-core/src/types/BalanceDelta.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolId} from "@uniswap/v4-core/src/types/PoolId.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {ModifyLiquidityParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";
import {DevToken} from "./DevToken.sol";

struct Position {
    int24 tickLower;
    int24 tickUpper;
    uint128 liquidity;
}

/// What the platform's hooks say of a pool.
struct PoolCoin {
    address coin;
    Position[] positions;
}

struct Change {
    int24 tickLower;
    int24 tickUpper;
    int256 liquidityDelta;
}

/// Owns the liquidity of every launched pool: opens it, and hands it over when the token migrates.
abstract contract HookPositions is IUnlockCallback {
    error NotAllowed();

    struct Pool {
        address token;
        uint64 launchedAt;
        uint32 swaps;
        address payoutRecipient;
        uint160 launchSqrtPriceX96;
        Position[] positions;
    }

    uint256 internal constant Q96 = 1 << 96;

    IPoolManager internal immutable manager;
    address internal immutable factory;
    /// Where every path ends; fees are paid out in it.
    Currency internal immutable zora;
    mapping(PoolId => Pool) internal pools;
    mapping(address => bool) internal isHook;
    mapping(address => bool) internal isRouter;
    /// Hooks and order books, which swap for the platform.
    mapping(address => bool) internal isInternal;

    constructor(IPoolManager manager_, address factory_, Currency zora_) {
        manager = manager_;
        factory = factory_;
        zora = zora_;
    }

    function admit(address[] calldata hooks, address[] calldata routers, address[] calldata books)
        external
        only(factory)
    {
        for (uint256 i; i < hooks.length; i++) isHook[hooks[i]] = isInternal[hooks[i]] = true;
        for (uint256 i; i < routers.length; i++) isRouter[routers[i]] = true;
        for (uint256 i; i < books.length; i++) isInternal[books[i]] = true;
    }

    modifier only(address caller) {
        if (msg.sender != caller) revert NotAllowed();
        _;
    }

    // Launch and migration

    function launchSqrtPriceX96(PoolId id) external view returns (uint160) {
        return pools[id].launchSqrtPriceX96;
    }

    function getPoolCoin(PoolKey calldata key) external view returns (PoolCoin memory) {
        Pool storage pool = pools[key.toId()];
        return PoolCoin(pool.token, pool.positions);
    }

    /// The factory opens a pool with tokens that this hook holds already, each range on the token's side.
    function open(PoolKey calldata key, address token, int24[2][] calldata ranges, uint256[] calldata amounts)
        external
        only(factory)
    {
        Pool storage pool = pools[key.toId()];
        pool.token = token;
        pool.payoutRecipient = DevToken(token).payoutRecipient();
        bool isCurrency0 = Currency.unwrap(key.currency0) == token;
        for (uint256 i; i < ranges.length; i++) {
            uint128 liquidity = _liquidityFor(ranges[i][0], ranges[i][1], amounts[i], isCurrency0);
            pool.positions.push(Position(ranges[i][0], ranges[i][1], liquidity));
        }
        _change(key, pool.positions, 1);
    }

    /// The token moves its pool: all positions leave here and are minted again by `to`.
    function migrate(PoolKey calldata from, HookPositions to) external returns (PoolKey memory next) {
        Pool storage pool = pools[from.toId()];
        if (msg.sender != pool.token) revert NotAllowed();
        next = from;
        next.hooks = IHooks(address(to));
        Position[] memory positions = pool.positions;
        BalanceDelta freed = _change(from, positions, -1);
        from.currency0.transfer(address(to), uint128(freed.amount0()));
        from.currency1.transfer(address(to), uint128(freed.amount1()));
        delete pool.positions;
        to.adopt(next, pool.token, _sqrtPriceX96(from.toId()), pool.launchSqrtPriceX96, positions);
    }

    function adopt(
        PoolKey calldata key,
        address token,
        uint160 sqrtPriceX96,
        uint160 launchSqrtPriceX96_,
        Position[] calldata positions
    ) external {
        if (!isHook[msg.sender]) revert NotAllowed();
        manager.initialize(key, sqrtPriceX96);
        Pool storage pool = pools[key.toId()];
        pool.token = token;
        pool.payoutRecipient = DevToken(token).payoutRecipient();
        pool.launchSqrtPriceX96 = launchSqrtPriceX96_;
        for (uint256 i; i < positions.length; i++) {
            // Burning rounds down and minting up: a little less liquidity than was freed.
            uint128 liquidity = positions[i].liquidity - positions[i].liquidity / 1e9 - 1;
            pool.positions.push(Position(positions[i].tickLower, positions[i].tickUpper, liquidity));
        }
        _change(key, pool.positions, 1);
    }

    function _change(PoolKey memory key, Position[] memory positions, int256 sign)
        internal
        returns (BalanceDelta)
    {
        Change[] memory changes = new Change[](positions.length);
        for (uint256 i; i < positions.length; i++) {
            changes[i] = Change(
                positions[i].tickLower, positions[i].tickUpper, sign * int256(uint256(positions[i].liquidity))
            );
        }
        return abi.decode(manager.unlock(abi.encode(key, changes)), (BalanceDelta));
    }

    function unlockCallback(bytes calldata data) external only(address(manager)) returns (bytes memory) {
        (PoolKey memory key, Change[] memory changes) = abi.decode(data, (PoolKey, Change[]));
        BalanceDelta total = BalanceDeltaLibrary.ZERO_DELTA;
        for (uint256 i; i < changes.length; i++) {
            ModifyLiquidityParams memory change = ModifyLiquidityParams(
                changes[i].tickLower, changes[i].tickUpper, changes[i].liquidityDelta, 0
            );
            (BalanceDelta delta,) = manager.modifyLiquidity(key, change, "");
            total = total + delta;
        }
        _balance(key.currency0, total.amount0());
        _balance(key.currency1, total.amount1());
        return abi.encode(total);
    }

    function _balance(Currency currency, int128 amount) internal {
        if (amount > 0) manager.take(currency, address(this), uint128(amount));
        if (amount >= 0) return;
        manager.sync(currency);
        currency.transfer(address(manager), uint128(-amount));
        manager.settle();
    }

    // Arithmetic

    function _other(PoolKey memory key, address token) internal pure returns (Currency) {
        return Currency.unwrap(key.currency0) == token ? key.currency1 : key.currency0;
    }

    /// Slot 6 of the PoolManager maps pool ids to their state; the first word holds the price in its low 160 bits.
    function _sqrtPriceX96(PoolId id) internal view returns (uint160) {
        return uint160(uint256(manager.extsload(keccak256(abi.encode(id, uint256(6))))));
    }

    /// Liquidity of a range that holds `amount` of one currency only.
    function _liquidityFor(int24 lower, int24 upper, uint256 amount, bool is0) internal pure returns (uint128) {
        uint160 a = TickMath.getSqrtPriceAtTick(lower);
        uint160 b = TickMath.getSqrtPriceAtTick(upper);
        if (!is0) return uint128(FullMath.mulDiv(amount, Q96, b - a));
        return uint128(FullMath.mulDiv(amount, FullMath.mulDiv(a, b, Q96), b - a));
    }
}
