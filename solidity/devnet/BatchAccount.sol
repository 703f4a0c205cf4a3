// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// Code for a wallet that batches, by EIP-7702, on development chains: ERC-7821's `execute` in its plain mode, for the
/// account itself only. All calls or none; each has the account as its sender.
contract BatchAccount {
    struct Call {
        address to;
        uint256 value;
        bytes data;
    }

    /// ERC-7821: a single batch, no optional data.
    bytes32 private constant PLAIN_BATCH = bytes32(uint256(0x01) << 248);

    error NotThisAccount(address caller);
    error ModeUnsupported(bytes32 mode);
    error BatchCallFailed(uint256 index, bytes reason);

    receive() external payable {}

    function supportsExecutionMode(bytes32 mode) external pure returns (bool) {
        return mode == PLAIN_BATCH;
    }

    /// @param executionData abi.encode(Call[]); a call to the zero address is one to this account.
    function execute(bytes32 mode, bytes calldata executionData) external payable {
        if (msg.sender != address(this)) revert NotThisAccount(msg.sender);
        if (mode != PLAIN_BATCH) revert ModeUnsupported(mode);
        Call[] memory calls = abi.decode(executionData, (Call[]));
        for (uint256 i = 0; i < calls.length; ++i) {
            address to = calls[i].to == address(0) ? address(this) : calls[i].to;
            (bool ok, bytes memory reason) = to.call{value: calls[i].value}(calls[i].data);
            if (!ok) revert BatchCallFailed(i, reason);
        }
    }
}
