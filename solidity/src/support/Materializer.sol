// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// @title What do these creation codes become when the router deploys them?
/// @notice Never deployed. Its runtime is put in place of the router's code for one `eth_call` (state override), so
/// that every constructor runs with the sender, address and chain state it will have in the launch, in graph order.
contract Materializer {
    error LengthsDiffer(uint256 salts, uint256 creationCodes);
    error ChildAlreadyExists(uint256 index, address account);
    error ComponentCreationFailed(uint256 index, bytes reason);
    error ComponentWithoutCode(uint256 index, address account);
    error ChildWithoutCode(uint256 index, address account);

    /// @param salts CREATE2 salts of the components, in graph order.
    /// @param initCodes Their creation bytecodes with constructor arguments.
    /// @param children Predicted accounts of the contracts that the constructors make.
    /// @return accounts Where the components came to stand.
    /// @return componentRuntimes The code there, once all components are deployed.
    /// @return childRuntimes The code at `children`.
    function materialize(bytes32[] calldata salts, bytes[] calldata initCodes, address[] calldata children)
        external
        returns (address[] memory accounts, bytes[] memory componentRuntimes, bytes[] memory childRuntimes)
    {
        if (salts.length != initCodes.length) revert LengthsDiffer(salts.length, initCodes.length);
        for (uint256 i = 0; i < children.length; ++i) {
            if (children[i].code.length != 0) revert ChildAlreadyExists(i, children[i]);
        }
        accounts = new address[](salts.length);
        for (uint256 i = 0; i < salts.length; ++i) {
            accounts[i] = _create2(i, salts[i], initCodes[i]);
        }
        componentRuntimes = new bytes[](salts.length);
        for (uint256 i = 0; i < accounts.length; ++i) {
            componentRuntimes[i] = accounts[i].code;
            if (componentRuntimes[i].length == 0) revert ComponentWithoutCode(i, accounts[i]);
        }
        childRuntimes = new bytes[](children.length);
        for (uint256 i = 0; i < children.length; ++i) {
            childRuntimes[i] = children[i].code;
            if (childRuntimes[i].length == 0) revert ChildWithoutCode(i, children[i]);
        }
    }

    function _create2(uint256 index, bytes32 salt, bytes memory initCode) private returns (address account) {
        assembly ("memory-safe") {
            account := create2(0, add(initCode, 32), mload(initCode), salt)
        }
        if (account != address(0)) return account;
        bytes memory reason;
        assembly ("memory-safe") {
            reason := mload(64)
            mstore(reason, returndatasize())
            returndatacopy(add(reason, 32), 0, returndatasize())
            mstore(64, add(add(reason, 32), and(add(returndatasize(), 31), not(31))))
        }
        revert ComponentCreationFailed(index, reason);
    }
}
