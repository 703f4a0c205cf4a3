// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {Module} from "../module-native/NativeTypes.sol";

/// @notice Everything that a Foundation launch is made from. The pool starts at its upper tick, with token alone.
/// @param creatorBuyFeeBps Creator's share of a buy, basis points: 0 to 1,000 in steps of 100.
/// @param creatorSellFeeBps The same for sells; V1 and V2 take one fee for both.
/// @param minInitialBuyTokens The least that the wei sent along must buy; unread when none is sent.
struct FoundationRecipe {
    bytes32 salt;
    string name;
    string symbol;
    uint256 totalSupply;
    string description;
    string imageURI;
    string website;
    bytes socialData;
    Module[] modules;
    int24 tickLower;
    int24 tickUpper;
    uint16 creatorBuyFeeBps;
    uint16 creatorSellFeeBps;
    uint256 minInitialBuyTokens;
}

/// @notice A module as a hook names it; `compositionHash` is keccak-256 of the `abi.encode` of all of them.
struct ModuleRef {
    address module;
    bytes32 packageId;
    bytes32 familyId;
    bytes32 configurationHash;
}

/// @notice What a launch came to.
/// @param sqrtPriceX96 Price at which the pool started.
/// @param initialBuyQuoteAmount Wei that the creator's purchase paid, fees among them.
struct LaunchResultV2 {
    address token;
    address hook;
    address ledger;
    bytes32 poolId;
    uint256 custodyId;
    uint128 liquidity;
    uint160 sqrtPriceX96;
    uint256 initialBuyQuoteAmount;
    uint256 initialBuyTokenAmount;
}

/// @notice A launch as its factory keeps it: every field of its event.
struct FoundationLaunch {
    address token;
    address creator;
    bytes32 poolId;
    address hook;
    address ledger;
    address quote;
    bytes32 metadataHash;
    bytes32 compositionHash;
    uint256 custodyId;
    uint256 initialBuyQuoteAmount;
    LaunchResultV2 result;
}

/// @notice What a hook is made with.
/// @param custody The only account that may add liquidity, once.
struct HookParameters {
    IPoolManager poolManager;
    address custody;
    address platform;
    address token;
    address creator;
    uint16 platformFeeBps;
    uint16 creatorBuyFeeBps;
    uint16 creatorSellFeeBps;
    ModuleRef[] modules;
}
