// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {PoolId} from "@uniswap/v4-core/src/types/PoolId.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {FoundationToken} from "../../src/foundation/FoundationToken.sol";
import {FoundationRecipe, ModuleRef} from "../../src/foundation/FoundationTypes.sol";

/// @title The commitments of Foundation launches, callable without a launch
contract FoundationCommitmentsHarness {
    /// @notice What a token of these words says of itself; the token's own code computes it.
    function metadataHash(
        string calldata name,
        string calldata symbol,
        string calldata description,
        string calldata imageURI,
        string calldata website,
        bytes calldata socialData
    ) external returns (bytes32) {
        FoundationRecipe memory recipe;
        (recipe.name, recipe.symbol, recipe.description) = (name, symbol, description);
        (recipe.imageURI, recipe.website, recipe.socialData) = (imageURI, website, socialData);
        return new FoundationToken(recipe, msg.sender, msg.sender).metadataHash();
    }

    /// @notice As the constructor of a hook computes it over the same type.
    function compositionHash(ModuleRef[] memory modules) external pure returns (bytes32) {
        return keccak256(abi.encode(modules));
    }

    function poolId(PoolKey memory key) external pure returns (bytes32) {
        return PoolId.unwrap(key.toId());
    }
}
