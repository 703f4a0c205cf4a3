// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {LaunchCall} from "../../src/router/LaunchTypes.sol";
import {LaunchHashes} from "../../src/router/LaunchHashes.sol";
import {LaunchHashesV1} from "../../src/router-v1/LaunchHashesV1.sol";
import {
    LaunchPermitV1,
    LaunchStampV1,
    RegisterCall,
    StampedComponent
} from "../../src/router-v1/LaunchTypesV1.sol";

/// @title Router V1's own hash code, callable for any router and chain
contract RouterV1HashHarness {
    /// @dev One call of a wallet's batch, as EIP-5792 has it.
    struct WalletCall {
        address to;
        uint256 value;
        bytes data;
    }

    struct Case {
        bytes32 protocol;
        uint256 chainId;
        address router;
        LaunchCall call;
        LaunchPermitV1 permit;
        LaunchStampV1 stamp;
        StampedComponent[] components;
        WalletCall[] batch;
    }

    struct Hashes {
        bytes32[] componentHashes;
        bytes32 graphHash;
        bytes32 poolHash;
        bytes32 launchCallHash;
        bytes32 registerCallHash;
        bytes32 launchStepsHash;
        bytes32 planStepsHash;
        bytes32 launchId;
        bytes32 permitDigest;
        bytes32 componentSetHash;
        bytes32 stampHash;
        bytes32 atomicDigest;
    }

    function typehashes() external pure returns (bytes32 domain, bytes32 permit) {
        return (LaunchHashesV1.DOMAIN_TYPEHASH, LaunchHashesV1.PERMIT_TYPEHASH);
    }

    function hashes(Case calldata it) external pure returns (Hashes memory result) {
        RegisterCall memory registered = LaunchHashesV1.registered(it.call);
        uint256 value = it.permit.value;
        result.componentHashes = LaunchHashesV1.ofComponents(registered.components);
        result.graphHash = LaunchHashesV1.ofGraph(
            result.componentHashes,
            LaunchHashesV1.ofChildren(registered.children),
            LaunchHashesV1.ofExternals(registered.externals)
        );
        result.poolHash = LaunchHashesV1.ofPool(registered);
        result.launchCallHash = LaunchHashes.ofCall(it.call);
        result.registerCallHash = LaunchHashesV1.ofRegisterCall(registered);
        result.launchStepsHash = LaunchHashesV1.ofLaunchSteps(result.launchCallHash, value);
        result.planStepsHash =
            LaunchHashesV1.ofPlanSteps(result.componentHashes, result.registerCallHash, value);
        result.launchId =
            LaunchHashes.ofLaunchId(it.protocol, it.chainId, it.router, it.permit.controller, it.permit.nonce);
        result.permitDigest = LaunchHashesV1.ofPermit(LaunchHashesV1.ofDomain(it.chainId, it.router), it.permit);
        result.componentSetHash = LaunchHashesV1.ofComponentSet(it.components);
        result.stampHash = LaunchHashesV1.ofStamp(result.launchId, it.chainId, it.router, it.stamp);
        result.atomicDigest = keccak256(abi.encode(result.permitDigest, keccak256(abi.encode(it.batch))));
    }
}
