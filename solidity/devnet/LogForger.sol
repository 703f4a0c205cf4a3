// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// Emits whatever logs it is told, on development chains: events that look like another contract's.
contract LogForger {
    struct Forged {
        bytes32[] topics;
        bytes data;
    }

    error TopicCountUnsupported(uint256 count);

    function forge(Forged[] calldata logs) external {
        for (uint256 i = 0; i < logs.length; ++i) {
            bytes32[] calldata topics = logs[i].topics;
            bytes memory data = logs[i].data;
            if (topics.length != 3 && topics.length != 4) revert TopicCountUnsupported(topics.length);
            bool isFour = topics.length == 4;
            (bytes32 first, bytes32 second, bytes32 third) = (topics[0], topics[1], topics[2]);
            bytes32 fourth = isFour ? topics[3] : bytes32(0);
            assembly ("memory-safe") {
                switch isFour
                case 0 { log3(add(data, 32), mload(data), first, second, third) }
                default { log4(add(data, 32), mload(data), first, second, third, fourth) }
            }
        }
    }
}
