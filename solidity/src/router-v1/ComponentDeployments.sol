// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {LaunchChild} from "../router/LaunchTypes.sol";
import {RegisteredComponent} from "./LaunchTypesV1.sol";

/// @title Deployment of components by CREATE2, and what must stand and must not stand before and afterwards
abstract contract ComponentDeployments {
    error ParentIndexOutOfRange(uint256 childIndex, uint16 parentIndex);
    error ChildAlreadyDeployed(address account);
    error SaltNotControllers(uint256 componentIndex);
    error ComponentDeployFailed(uint256 componentIndex, bytes reason);
    error AccountWithoutCode(address account);
    error RuntimeCodeHashMismatch(address account, bytes32 declared, bytes32 actual);

    /// @dev Children of the components from `first` up to, but not with, `end` must not stand before those: an earlier
    /// launch's vault would pass as this one's.
    function _requireNoChildren(LaunchChild[] calldata children, uint256 components, uint256 first, uint256 end)
        internal
        view
    {
        for (uint256 i = 0; i < children.length; ++i) {
            uint16 parent = children[i].parentIndex;
            if (parent >= components) revert ParentIndexOutOfRange(i, parent);
            if (parent < first || parent >= end) continue;
            if (children[i].account.code.length != 0) revert ChildAlreadyDeployed(children[i].account);
        }
    }

    /// @dev Salts must name the controller: a copy of a pending launch could take its addresses otherwise.
    function _deploy(uint256 index, bytes32 salt, bytes memory initCode, address controller)
        internal
        returns (address account)
    {
        if (address(bytes20(salt)) != controller) revert SaltNotControllers(index);
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
        revert ComponentDeployFailed(index, reason);
    }

    /// @dev Where this router deploys a component (EIP-1014).
    function _accountOf(RegisteredComponent memory component) internal view returns (address) {
        return address(
            uint160(
                uint256(
                    keccak256(
                        abi.encodePacked(hex"ff", address(this), component.salt, component.initCodeHash)
                    )
                )
            )
        );
    }

    function _requireCode(address account, bytes32 declared) internal view {
        if (account.code.length == 0) revert AccountWithoutCode(account);
        if (account.codehash != declared) revert RuntimeCodeHashMismatch(account, declared, account.codehash);
    }
}
