// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {NativeCommitments} from "../../src/module-native/NativeCommitments.sol";
import {Program, Recipe} from "../../src/module-native/NativeTypes.sol";

/// @title The commitments of native launches, callable for any launcher and chain
contract NativeCommitmentsHarness {
    struct Commitments {
        bytes32 recipeHash;
        bytes32 launchKey;
        bytes32 launchId;
        bytes32[] instanceHashes;
        bytes32 programHash;
        bytes32 configurationHash;
        bytes32 metadataHash;
    }

    function commitments(
        bytes32 domain,
        uint256 chainId,
        address launcher,
        address launchWallet,
        bytes calldata encoded,
        bytes32[] calldata codeHashes
    ) external pure returns (Commitments memory made) {
        Recipe memory recipe = abi.decode(encoded, (Recipe));
        made.recipeHash = keccak256(abi.encode(recipe));
        made.launchKey = NativeCommitments.launchKey(launchWallet, recipe.salt);
        made.launchId = NativeCommitments.launchId(domain, chainId, launcher, made.launchKey, made.recipeHash);
        Program memory program = NativeCommitments.program(made.launchId, recipe.modules, codeHashes);
        made.instanceHashes = program.instanceHashes;
        made.programHash = program.programHash;
        made.configurationHash = program.configurationHash;
        made.metadataHash = NativeCommitments.metadataHash(recipe);
    }
}
