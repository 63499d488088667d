// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {StrangersRouter} from "./StrangersRouter.sol";

/// A stranger's router that names whom it swaps for.
contract PretendingRouter is StrangersRouter {
    constructor(IPoolManager manager_) StrangersRouter(manager_) {}

    function msgSender() external view returns (address) {
        return recipient;
    }
}
