// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {IUnlockCallback} from "@uniswap/v4-core/src/interfaces/callback/IUnlockCallback.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";
import {BalanceDelta} from "@uniswap/v4-core/src/types/BalanceDelta.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {SwapParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";
import {DevErc20} from "./DevErc20.sol";
import {Hop} from "./DevRouter.sol";

/// A stranger's router, which no hook trusts: it swaps with its own money for others.
abstract contract StrangersRouter is IUnlockCallback {
    error NotAllowed();

    IPoolManager internal immutable manager;
    /// Whom it swaps for.
    address internal recipient;

    constructor(IPoolManager manager_) {
        manager = manager_;
    }

    /// One swap for each name, each paid out to that name.
    function swapAs(Hop calldata hop, uint256 amountIn, address[] calldata names) external {
        for (uint256 i; i < names.length; i++) {
            recipient = names[i];
            manager.unlock(abi.encode(hop, amountIn));
        }
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        if (msg.sender != address(manager)) revert NotAllowed();
        (Hop memory hop, uint256 amountIn) = abi.decode(data, (Hop, uint256));
        uint160 limit = hop.zeroForOne ? TickMath.MIN_SQRT_PRICE + 1 : TickMath.MAX_SQRT_PRICE - 1;
        BalanceDelta delta = manager.swap(hop.key, SwapParams(hop.zeroForOne, -int256(amountIn), limit), "");
        (Currency paid, Currency got) =
            hop.zeroForOne ? (hop.key.currency0, hop.key.currency1) : (hop.key.currency1, hop.key.currency0);
        (int128 owed, int128 due) =
            hop.zeroForOne ? (delta.amount0(), delta.amount1()) : (delta.amount1(), delta.amount0());
        manager.sync(paid);
        DevErc20(Currency.unwrap(paid)).transfer(address(manager), uint128(-owed));
        manager.settle();
        manager.take(got, recipient, uint128(due));
        return "";
    }
}
