// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {DevHook} from "./DevHook.sol";

/// As the platform's hooks were before 2.5.0: to them every sender is a trader. Creator tokens and posts have a hook
/// each, so a post's fees, which its hook sells through the creator token's pool, are reported there as a trade.
contract OldHook is DevHook {
    constructor(IPoolManager manager_, address factory_, Currency zora_) DevHook(manager_, factory_, zora_) {}

    function _isTrader(address) internal pure override returns (bool) {
        return true;
    }
}
