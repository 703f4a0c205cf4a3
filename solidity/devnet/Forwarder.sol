// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// A contract that calls for whoever asks, on development chains: what it launches is its own.
contract Forwarder {
    error CallFailed(bytes reason);

    function forward(address to, bytes calldata data) external payable returns (bytes memory result) {
        bool ok;
        (ok, result) = to.call{value: msg.value}(data);
        if (!ok) revert CallFailed(result);
    }
}
