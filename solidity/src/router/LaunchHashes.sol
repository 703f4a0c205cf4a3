// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {LaunchComponent, LaunchChild, LaunchExternal, LaunchCall, LaunchPermit} from "./LaunchTypes.sol";

/// @title Every hash of a multi-role launch, in one place
/// @notice The router decides by these, and the vector test recomputes them from the same code.
library LaunchHashes {
    /// @notice keccak256 of the EIP-712 type string of `LaunchPermit`.
    bytes32 internal constant PERMIT_TYPEHASH = keccak256(
        "LaunchPermit(address controller,bytes32 requestHash,bytes32 contextHash,bytes32 economicsHash,bytes32 instructionPolicyHash,bytes32 graphHash,bytes32 poolHash,bytes32 callHash,uint256 value,uint256 nonce,uint64 validAfter,uint64 deadline)"
    );
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant DOMAIN_NAME_HASH = keccak256("Service Multi Role Launch Router");
    bytes32 private constant DOMAIN_VERSION_HASH = keccak256("2");

    /// @notice A component's hash: its creation code enters as a hash.
    function ofComponent(LaunchComponent calldata component) internal pure returns (bytes32) {
        return keccak256(
            abi.encode(
                component.roleMask, component.salt, keccak256(component.initCode), component.runtimeCodeHash
            )
        );
    }

    function ofChild(LaunchChild calldata child) internal pure returns (bytes32) {
        return keccak256(abi.encode(child));
    }

    function ofExternal(LaunchExternal calldata external_) internal pure returns (bytes32) {
        return keccak256(abi.encode(external_));
    }

    /// @notice The three lists of hashes, each in its order, encoded together.
    function ofGraph(LaunchCall calldata call) internal pure returns (bytes32) {
        bytes32[] memory components = new bytes32[](call.components.length);
        for (uint256 i = 0; i < components.length; ++i) {
            components[i] = ofComponent(call.components[i]);
        }
        bytes32[] memory children = new bytes32[](call.children.length);
        for (uint256 i = 0; i < children.length; ++i) {
            children[i] = ofChild(call.children[i]);
        }
        bytes32[] memory externals = new bytes32[](call.externals.length);
        for (uint256 i = 0; i < externals.length; ++i) {
            externals[i] = ofExternal(call.externals[i]);
        }
        return keccak256(abi.encode(components, children, externals));
    }

    /// @notice The pool and the price it starts at. Not the pool id, which names no price.
    function ofPool(LaunchCall calldata call) internal pure returns (bytes32) {
        return keccak256(abi.encode(call.poolKey, call.sqrtPriceX96));
    }

    /// @notice The whole call as one tuple parameter, re-encoded here so that no other calldata layout counts.
    function ofCall(LaunchCall calldata call) internal pure returns (bytes32) {
        return keccak256(abi.encode(call));
    }

    /// @notice What a launch is, independent of who may send it and when.
    function ofArtifact(bytes32 graphHash, bytes32 poolHash, bytes32 callHash) internal pure returns (bytes32) {
        return keccak256(abi.encode(graphHash, poolHash, callHash));
    }

    /// @notice The launch's on-chain id: known before anything is signed.
    function ofLaunchId(bytes32 protocol, uint256 chainId, address router, address controller, uint256 nonce)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(abi.encode(protocol, chainId, router, controller, nonce));
    }

    /// @notice EIP-712 domain separator of the router at `router`.
    function ofDomain(uint256 chainId, address router) internal pure returns (bytes32) {
        return keccak256(abi.encode(DOMAIN_TYPEHASH, DOMAIN_NAME_HASH, DOMAIN_VERSION_HASH, chainId, router));
    }

    /// @notice The final EIP-712 digest that an authority signs.
    function ofPermit(bytes32 domainSeparator, LaunchPermit calldata permit) internal pure returns (bytes32) {
        return keccak256(
            abi.encodePacked(hex"1901", domainSeparator, keccak256(abi.encode(PERMIT_TYPEHASH, permit)))
        );
    }
}
