// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {DevHook} from "./DevHook.sol";
import {DevToken} from "./DevToken.sol";

/// As the platform's hooks were before 2.5.0: to them every sender is a trader. Creator tokens and posts have a hook
/// each, so a post's fees, which its hook sells through the creator token's pool, are reported there as a trade.
contract OldHook is DevHook {
    constructor(IPoolManager manager_, address factory_, Currency zora_) DevHook(manager_, factory_, zora_) {}

    uint256 internal constant HALF = 5_000;

    function _isTrader(address) internal pure override returns (bool) {
        return true;
    }

    /// Of a creator token half goes to the creator and half to the protocol, said in a form of its own.
    function _reward(Pool storage pool, Payment memory due) internal override {
        if (DevToken(pool.token).coinType() != CREATOR) return super._reward(pool, due);
        uint256 ofCreator = (due.amount * HALF) / ALL_SHARES;
        _pay(due.currency, pool.payoutRecipient, ofCreator);
        _pay(due.currency, PROTOCOL, due.amount - ofCreator);
        _emitCreatorRewards(pool, due.currency, ofCreator, due.amount - ofCreator);
    }
}
