// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {Metadata, Module, Program, Recipe} from "./NativeTypes.sol";

/// @title Every hash of a native launch
/// @notice `vectors/module-native.json` fixes them for the contracts and for whoever recomputes them from the log.
library NativeCommitments {
    function launchKey(address launchWallet, bytes32 salt) internal pure returns (bytes32) {
        return keccak256(abi.encode(launchWallet, salt));
    }

    function launchId(bytes32 domain, uint256 chainId, address launcher, bytes32 key, bytes32 recipeHash)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(abi.encode(domain, chainId, launcher, key, recipeHash));
    }

    function metadataHash(Recipe memory recipe) internal pure returns (bytes32) {
        Metadata memory metadata = recipe.metadata;
        return keccak256(abi.encode(recipe.name, recipe.symbol, metadata));
    }

    function instanceHash(bytes32 id, uint256 index, Module memory module, bytes32 codeHash)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(
            abi.encode(
                id,
                index,
                module.packageId,
                module.familyId,
                module.instance,
                codeHash,
                keccak256(module.configuration)
            )
        );
    }

    /// @param codeHashes of the instances, in order.
    function program(bytes32 id, Module[] memory modules, bytes32[] memory codeHashes)
        internal
        pure
        returns (Program memory bound)
    {
        uint256 count = modules.length;
        bound.packageIds = new bytes32[](count);
        bound.familyIds = new bytes32[](count);
        bound.instances = new address[](count);
        bound.instanceHashes = new bytes32[](count);
        bytes32[] memory configurations = new bytes32[](count);
        for (uint256 i = 0; i < count; ++i) {
            bound.packageIds[i] = modules[i].packageId;
            bound.familyIds[i] = modules[i].familyId;
            bound.instances[i] = modules[i].instance;
            bound.instanceHashes[i] = instanceHash(id, i, modules[i], codeHashes[i]);
            configurations[i] = keccak256(modules[i].configuration);
        }
        bound.programHash = keccak256(abi.encode(bound.packageIds, bound.familyIds, bound.instanceHashes));
        bound.configurationHash = keccak256(abi.encode(configurations));
    }
}
