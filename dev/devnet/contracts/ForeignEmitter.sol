// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;

/// A stranger's contract that forges logs of three or four topics.
contract ForeignEmitter {
    function emitLog(bytes32[] calldata topics, bytes calldata data) external {
        bytes memory copy = data;
        bytes32 a = topics[0];
        bytes32 b = topics[1];
        bytes32 c = topics[2];
        if (topics.length == 3) {
            assembly {
                log3(add(copy, 32), mload(copy), a, b, c)
            }
            return;
        }
        bytes32 d = topics[3];
        assembly {
            log4(add(copy, 32), mload(copy), a, b, c, d)
        }
    }
}
