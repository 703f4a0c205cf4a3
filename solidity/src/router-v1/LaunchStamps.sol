// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {LaunchChild, LaunchExternal, LaunchRoles} from "../router/LaunchTypes.sol";
import {LaunchHashesV1} from "./LaunchHashesV1.sol";
import {
    ComponentKindV1,
    LaunchKindV1,
    LaunchStampV1,
    RegisterCall,
    RegisteredComponent,
    StampedComponent
} from "./LaunchTypesV1.sol";

/// @title What stands where: the stamps of router V1
/// @notice A stranger recomputes every stamp from its events and these getters alone.
abstract contract LaunchStamps {
    mapping(address token => bytes32) public launchIdByToken;
    mapping(bytes32 poolId => bytes32) public launchIdByPool;
    /// @notice Launch of a component or child. Externals belong to nobody.
    mapping(address component => bytes32) public launchIdByComponent;
    /// @notice Code hash that a component or child was stamped with.
    mapping(address component => bytes32) public componentRuntimeCodeHash;
    mapping(bytes32 launchId => LaunchStampV1) public launchStamp;

    event ServiceLaunchRouteStampedV1(
        bytes32 indexed launchId,
        LaunchKindV1 indexed kind,
        bytes32 indexed routePayloadHash,
        bytes32 componentSetHash,
        bytes32 permitDigest
    );
    event ServiceComponentStampedV1(
        bytes32 indexed launchId,
        address indexed component,
        ComponentKindV1 indexed kind,
        bytes32 runtimeCodeHash
    );
    event ServiceLaunchStampedV1(
        bytes32 indexed launchId,
        address indexed token,
        address indexed hook,
        address poolManager,
        bytes32 poolId,
        bytes32 stampHash
    );
    error AccountListedTwice(address account);

    /// @notice Everything that `stampHash` commits to is in the stamp, so this is its proof.
    function stampProof(bytes32 launchId) external view returns (bytes32) {
        return launchStamp[launchId].stampHash;
    }

    /// @dev The order of the events is part of the protocol: route, components, children, launch.
    function _stamp(
        bytes32 launchId,
        uint256 chainId,
        bytes32 permitDigest,
        LaunchStampV1 memory stamp,
        StampedComponent[] memory components
    ) internal {
        stamp.componentSetHash = LaunchHashesV1.ofComponentSet(components);
        stamp.stampHash = LaunchHashesV1.ofStamp(launchId, chainId, address(this), stamp);
        launchStamp[launchId] = stamp;
        launchIdByToken[stamp.token] = launchId;
        launchIdByPool[stamp.poolId] = launchId;

        emit ServiceLaunchRouteStampedV1(
            launchId, stamp.kind, stamp.routePayloadHash, stamp.componentSetHash, permitDigest
        );
        for (uint256 i = 0; i < components.length; ++i) {
            _stampComponent(launchId, components[i]);
        }
        emit ServiceLaunchStampedV1(
            launchId, stamp.token, stamp.hook, stamp.poolManager, stamp.poolId, stamp.stampHash
        );
    }

    /// @dev The accounts to be stamped: components in graph order, then children.
    function _stampedComponents(RegisterCall memory call, address[] memory accounts)
        internal
        pure
        returns (StampedComponent[] memory components)
    {
        components = new StampedComponent[](accounts.length + call.children.length);
        for (uint256 i = 0; i < accounts.length; ++i) {
            RegisteredComponent memory component = call.components[i];
            components[i] = StampedComponent(accounts[i], _kindOf(component.roleMask), component.runtimeCodeHash);
        }
        for (uint256 i = 0; i < call.children.length; ++i) {
            LaunchChild memory child = call.children[i];
            components[accounts.length + i] =
                StampedComponent(child.account, _kindOf(child.roleMask), child.runtimeCodeHash);
        }
    }

    /// @dev An external stands once, and is nothing of this launch's own. It is not stamped: it belongs to nobody.
    function _requireExternalsApart(bytes32 launchId, LaunchExternal[] memory externals) internal view {
        for (uint256 i = 0; i < externals.length; ++i) {
            address account = externals[i].account;
            if (launchIdByComponent[account] == launchId) revert AccountListedTwice(account);
            for (uint256 j = 0; j < i; ++j) {
                if (externals[j].account == account) revert AccountListedTwice(account);
            }
        }
    }

    function _stampComponent(bytes32 launchId, StampedComponent memory component) private {
        if (launchIdByComponent[component.account] != 0) revert AccountListedTwice(component.account);
        launchIdByComponent[component.account] = launchId;
        componentRuntimeCodeHash[component.account] = component.runtimeCodeHash;
        emit ServiceComponentStampedV1(launchId, component.account, component.kind, component.runtimeCodeHash);
    }

    /// @dev Of several roles the first of: token, hook, initializer, vault, module.
    function _kindOf(uint32 roleMask) private pure returns (ComponentKindV1) {
        if (roleMask & LaunchRoles.TOKEN != 0) return ComponentKindV1.Token;
        if (roleMask & LaunchRoles.HOOK != 0) return ComponentKindV1.Hook;
        if (roleMask & LaunchRoles.INITIALIZER != 0) return ComponentKindV1.Initializer;
        if (roleMask & LaunchRoles.FEE_VAULT != 0) return ComponentKindV1.Vault;
        if (roleMask & LaunchRoles.MODULE != 0) return ComponentKindV1.Module;
        return ComponentKindV1.Other;
    }
}
