// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// Emits many logs that belong to no source, on development chains: a stranger's transaction.
contract LogNoise {
    /// Emits `count` logs with four topics that follow from `seed`. About 2,000 gas a log.
    function topics(uint256 count, uint256 seed) external {
        assembly ("memory-safe") {
            mstore(0, seed)
            for { let i := 0 } lt(i, count) { i := add(i, 1) } {
                mstore(32, i)
                let topic := keccak256(0, 64)
                log4(0, 0, topic, not(topic), xor(topic, seed), add(topic, 1))
            }
        }
    }

    /// Emits `count` logs without topics and data. About 450 gas a log: 60,000 fit into a block of 60 million gas.
    function bare(uint256 count) external {
        assembly ("memory-safe") {
            for { let i := 0 } lt(i, count) { i := add(i, 1) } { log0(0, 0) }
        }
    }
}
