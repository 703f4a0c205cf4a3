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
            uint256 count = topics.length;
            if (count == 0 || count > 4) revert TopicCountUnsupported(count);
            bytes32[4] memory padded;
            for (uint256 j = 0; j < count; ++j) padded[j] = topics[j];
            _emit(count, padded, logs[i].data);
        }
    }

    function _emit(uint256 count, bytes32[4] memory topics, bytes memory data) private {
        (bytes32 first, bytes32 second, bytes32 third, bytes32 fourth) = (topics[0], topics[1], topics[2], topics[3]);
        assembly ("memory-safe") {
            switch count
            case 1 { log1(add(data, 32), mload(data), first) }
            case 2 { log2(add(data, 32), mload(data), first, second) }
            case 3 { log3(add(data, 32), mload(data), first, second, third) }
            default { log4(add(data, 32), mload(data), first, second, third, fourth) }
        }
    }
}
