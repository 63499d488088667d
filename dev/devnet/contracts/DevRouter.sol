// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {IUnlockCallback} from "@uniswap/v4-core/src/interfaces/callback/IUnlockCallback.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";
import {BalanceDelta} from "@uniswap/v4-core/src/types/BalanceDelta.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {ModifyLiquidityParams, SwapParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";
import {DevErc20} from "./DevErc20.sol";

struct Hop {
    PoolKey key;
    bool zeroForOne;
}

/// Exact-in swaps along a path in one transaction. A router that is not named does not tell whom it swaps for.
contract DevRouter is IUnlockCallback {
    error NotAllowed();
    error TooLittle(uint256 received);

    IPoolManager internal immutable manager;
    bool internal immutable isNamed;
    address internal payer;

    constructor(IPoolManager manager_, bool isNamed_) {
        manager = manager_;
        isNamed = isNamed_;
    }

    function msgSender() external view returns (address) {
        if (!isNamed) revert NotAllowed();
        return payer;
    }

    function swap(Hop[] calldata hops, uint256 amountIn, uint256 minimumOut, address recipient) external {
        payer = msg.sender;
        bytes memory result = manager.unlock(abi.encodeCall(this.swapUnlocked, (hops, amountIn, recipient)));
        uint256 received = abi.decode(result, (uint256));
        if (received < minimumOut) revert TooLittle(received);
    }

    /// Adds or removes a position of the router's own.
    function provide(PoolKey calldata key, int24 tickLower, int24 tickUpper, int256 liquidityDelta) external {
        payer = msg.sender;
        ModifyLiquidityParams memory change = ModifyLiquidityParams(tickLower, tickUpper, liquidityDelta, 0);
        manager.unlock(abi.encodeCall(this.provideUnlocked, (key, change)));
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        if (msg.sender != address(manager)) revert NotAllowed();
        (bool isDone, bytes memory result) = address(this).call(data);
        if (isDone) return result;
        assembly {
            revert(add(result, 32), mload(result))
        }
    }

    function swapUnlocked(Hop[] calldata hops, uint256 amountIn, address recipient) external returns (uint256) {
        if (msg.sender != address(this)) revert NotAllowed();
        uint256 amount = amountIn;
        uint256 paid;
        for (uint256 i; i < hops.length; i++) {
            (uint256 used, uint256 received) = _swap(hops[i], amount);
            if (i == 0) paid = used;
            else if (used < amount) manager.take(_in(hops[i]), recipient, amount - used);
            amount = received;
        }
        _pay(_in(hops[0]), paid);
        Hop calldata last = hops[hops.length - 1];
        Currency out = last.zeroForOne ? last.key.currency1 : last.key.currency0;
        if (amount > 0) manager.take(out, recipient, amount);
        return amount;
    }

    function provideUnlocked(PoolKey calldata key, ModifyLiquidityParams calldata change) external {
        if (msg.sender != address(this)) revert NotAllowed();
        (BalanceDelta delta,) = manager.modifyLiquidity(key, change, "");
        _balance(key.currency0, delta.amount0());
        _balance(key.currency1, delta.amount1());
    }

    function _swap(Hop calldata hop, uint256 amount) internal returns (uint256 used, uint256 received) {
        uint160 limit = hop.zeroForOne ? TickMath.MIN_SQRT_PRICE + 1 : TickMath.MAX_SQRT_PRICE - 1;
        BalanceDelta delta = manager.swap(hop.key, SwapParams(hop.zeroForOne, -int256(amount), limit), _hookData());
        int128 paid = hop.zeroForOne ? delta.amount0() : delta.amount1();
        int128 got = hop.zeroForOne ? delta.amount1() : delta.amount0();
        return (uint128(-paid), uint128(got));
    }

    /// A router that is not named takes the share of whoever sent the trader.
    function _hookData() internal view returns (bytes memory) {
        return isNamed ? bytes("") : abi.encode(address(this));
    }

    function _in(Hop calldata hop) internal pure returns (Currency) {
        return hop.zeroForOne ? hop.key.currency0 : hop.key.currency1;
    }

    function _balance(Currency currency, int128 amount) internal {
        if (amount < 0) _pay(currency, uint128(-amount));
        if (amount > 0) manager.take(currency, payer, uint128(amount));
    }

    function _pay(Currency currency, uint256 amount) internal {
        manager.sync(currency);
        DevErc20(Currency.unwrap(currency)).transferFrom(payer, address(manager), amount);
        manager.settle();
    }
}
