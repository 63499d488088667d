// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

/// Makes a call for whoever asks. What it launches names it as the factory's caller.
contract PassThrough {
    error CallFailed(bytes reason);

    function pass(address target, bytes calldata data) external {
        (bool isDone, bytes memory reason) = target.call(data);
        if (!isDone) revert CallFailed(reason);
    }
}
