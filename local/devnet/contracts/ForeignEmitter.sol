// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

/// A stranger's contract that forges logs: any three topics beside topic0, any data.
contract ForeignEmitter {
    function emitLog(bytes32[4] calldata topics, bytes calldata data) external {
        bytes memory copy = data;
        bytes32 a = topics[0];
        bytes32 b = topics[1];
        bytes32 c = topics[2];
        bytes32 d = topics[3];
        assembly {
            log4(add(copy, 32), mload(copy), a, b, c, d)
        }
    }
}
