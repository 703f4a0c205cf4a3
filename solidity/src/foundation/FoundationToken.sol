// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {FoundationRecipe} from "./FoundationTypes.sol";

/// @title The fixed-supply token of a Foundation launch
/// @notice Its whole supply is minted to the factory, which puts it into the pool. No owner, no further minting; what it
/// says of itself never changes.
contract FoundationToken is ERC20 {
    /// @notice The account that launched it.
    address public immutable creator;
    /// @notice keccak-256 of abi.encode(name, symbol, description, imageURI, website, socialData).
    bytes32 public immutable metadataHash;

    string public description;
    string public imageURI;
    string public website;
    bytes public socialData;

    constructor(FoundationRecipe memory recipe, address creator_, address holder) ERC20(recipe.name, recipe.symbol) {
        creator = creator_;
        description = recipe.description;
        imageURI = recipe.imageURI;
        website = recipe.website;
        socialData = recipe.socialData;
        metadataHash = keccak256(
            abi.encode(
                recipe.name, recipe.symbol, recipe.description, recipe.imageURI, recipe.website, recipe.socialData
            )
        );
        _mint(holder, recipe.totalSupply);
    }
}

/// @title Makes the tokens of one factory
/// @notice A factory with the token's code in it would be larger than Ethereum lets a contract be.
contract FoundationTokenMaker {
    address public immutable factory;

    error NotFactory(address caller);

    constructor() {
        factory = msg.sender;
    }

    /// @return token whose whole supply the factory holds.
    function make(bytes32 salt, FoundationRecipe calldata recipe, address creator) external returns (FoundationToken) {
        if (msg.sender != factory) revert NotFactory(msg.sender);
        return new FoundationToken{salt: salt}(recipe, creator, factory);
    }
}
