// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// @notice What a token answers to `metadata()`.
struct Metadata {
    string description;
    string website;
    string image;
    bytes extraData;
}

/// @notice One module of a launch. Package and family are opaque; the instance is a deployed contract.
struct Module {
    bytes32 packageId;
    bytes32 familyId;
    address instance;
    bytes configuration;
}

/// @notice Everything that a native launch is made from; `abi.encode` of it travels in the call and in the log.
struct Recipe {
    bytes32 salt;
    string name;
    string symbol;
    uint256 totalSupply;
    Metadata metadata;
    Module[] modules;
    int24 tickLower;
    int24 tickUpper;
    uint160 sqrtPriceX96;
    uint16 creatorBuyFeeBps;
    uint16 creatorSellFeeBps;
    address creatorFeeRecipient;
}

/// @notice A launch as its source keeps it.
struct NativeLaunch {
    bytes32 launchId;
    address launchWallet;
    address hook;
    bytes32 poolId;
    bytes32 recipeHash;
    bytes32 launchKey;
    bytes32 programHash;
    bytes32 configurationHash;
    bytes32 metadataHash;
}

/// @notice What a launch commits to of its modules, each list in recorded order.
struct Program {
    bytes32 programHash;
    bytes32 configurationHash;
    bytes32[] packageIds;
    bytes32[] familyIds;
    address[] instances;
    bytes32[] instanceHashes;
}
