// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {StrangersRouter} from "./StrangersRouter.sol";

/// A stranger's router without msgSender(): the hook learns nobody's name from it.
contract SilentRouter is StrangersRouter {
    constructor(IPoolManager manager_) StrangersRouter(manager_) {}
}
