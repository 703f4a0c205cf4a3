// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {LaunchCall, LaunchPermit} from "../../src/router/LaunchTypes.sol";
import {LaunchHashes} from "../../src/router/LaunchHashes.sol";

/// @title The router's own hash code, callable for any router and chain
contract LaunchHashHarness {
    struct Hashes {
        bytes32[] componentHashes;
        bytes32[] childHashes;
        bytes32[] externalHashes;
        bytes32 graphHash;
        bytes32 poolHash;
        bytes32 callHash;
        bytes32 artifactHash;
    }

    function callHashes(LaunchCall calldata call) external pure returns (Hashes memory hashes) {
        hashes.componentHashes = new bytes32[](call.components.length);
        for (uint256 i = 0; i < call.components.length; ++i) {
            hashes.componentHashes[i] = LaunchHashes.ofComponent(call.components[i]);
        }
        hashes.childHashes = new bytes32[](call.children.length);
        for (uint256 i = 0; i < call.children.length; ++i) {
            hashes.childHashes[i] = LaunchHashes.ofChild(call.children[i]);
        }
        hashes.externalHashes = new bytes32[](call.externals.length);
        for (uint256 i = 0; i < call.externals.length; ++i) {
            hashes.externalHashes[i] = LaunchHashes.ofExternal(call.externals[i]);
        }
        hashes.graphHash = LaunchHashes.ofGraph(call);
        hashes.poolHash = LaunchHashes.ofPool(call);
        hashes.callHash = LaunchHashes.ofCall(call);
        hashes.artifactHash = LaunchHashes.ofArtifact(hashes.graphHash, hashes.poolHash, hashes.callHash);
    }

    function permitDigest(uint256 chainId, address router, LaunchPermit calldata permit)
        external
        pure
        returns (bytes32)
    {
        return LaunchHashes.ofPermit(LaunchHashes.ofDomain(chainId, router), permit);
    }

    function launchId(bytes32 protocol, uint256 chainId, address router, address controller, uint256 nonce)
        external
        pure
        returns (bytes32)
    {
        return LaunchHashes.ofLaunchId(protocol, chainId, router, controller, nonce);
    }
}
