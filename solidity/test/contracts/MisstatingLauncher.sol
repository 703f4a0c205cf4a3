// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IHooks} from "@uniswap/v4-core/src/interfaces/IHooks.sol";
import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {Currency, CurrencyLibrary} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolId} from "@uniswap/v4-core/src/types/PoolId.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {ModuleNativeLauncherV2} from "../../src/module-native/ModuleNativeLauncherV2.sol";
import {ModuleRuntime} from "../../src/module-native/ModuleRuntime.sol";
import {ModuleToken} from "../../src/module-native/ModuleToken.sol";
import {NativeCommitments} from "../../src/module-native/NativeCommitments.sol";
import {Metadata, NativeLaunch, Program, Recipe} from "../../src/module-native/NativeTypes.sol";

/// @title A release of `module-native-v2` with a fault: its tokens say of themselves what no launch committed to
/// @notice Everything else of a launch holds. It takes no modules, and its pool has no hook and no liquidity.
contract MisstatingLauncher {
    IPoolManager public immutable poolManager;
    ModuleRuntime public immutable runtime;
    mapping(address token => NativeLaunch) private _launches;

    error ModulesUnsupported(uint256 count);

    constructor(IPoolManager poolManager_) {
        poolManager = poolManager_;
        runtime = new ModuleRuntime();
    }

    function launchIdentityVersion() external pure returns (uint256) {
        return 2;
    }

    /// @notice Launches for the caller. @param encoded abi.encode(Recipe).
    function launch(bytes calldata encoded) external returns (address token) {
        Recipe memory recipe = abi.decode(encoded, (Recipe));
        if (recipe.modules.length != 0) revert ModulesUnsupported(recipe.modules.length);
        NativeLaunch memory made;
        made.launchWallet = msg.sender;
        made.recipeHash = keccak256(encoded);
        made.launchKey = NativeCommitments.launchKey(msg.sender, recipe.salt);
        made.launchId = NativeCommitments.launchId(
            keccak256("module-native-v2"), block.chainid, address(this), made.launchKey, made.recipeHash
        );
        made.metadataHash = NativeCommitments.metadataHash(recipe);
        token = _makeToken(recipe, made.launchKey);
        made.poolId = _makePool(token, recipe.sqrtPriceX96);
        Program memory program = NativeCommitments.program(made.launchId, recipe.modules, new bytes32[](0));
        made.programHash = program.programHash;
        made.configurationHash = program.configurationHash;
        _launches[token] = made;
        _stamp(token, recipe, encoded, program);
    }

    function getLaunch(address token)
        external
        view
        returns (
            bytes32 launchId,
            address launchWallet,
            address hook,
            address poolManager_,
            bytes32 poolId,
            bytes32 recipeHash
        )
    {
        NativeLaunch storage kept = _launches[token];
        return (
            kept.launchId, kept.launchWallet, kept.hook, address(poolManager), kept.poolId, kept.recipeHash
        );
    }

    function getLaunchIdentity(address token)
        external
        view
        returns (
            bytes32 launchId,
            bytes32 launchKey,
            bytes32 programHash,
            bytes32 configurationHash,
            bytes32 metadataHash,
            address runtime_
        )
    {
        NativeLaunch storage kept = _launches[token];
        return (
            kept.launchId,
            kept.launchKey,
            kept.programHash,
            kept.configurationHash,
            kept.metadataHash,
            address(runtime)
        );
    }

    /// @dev The fault.
    function _makeToken(Recipe memory recipe, bytes32 salt) private returns (address) {
        Metadata memory said = recipe.metadata;
        said.description = string.concat(said.description, ", and more than was committed to");
        return address(
            new ModuleToken{salt: salt}(
                recipe.name, recipe.symbol, recipe.totalSupply, said, recipe.creatorFeeRecipient, msg.sender
            )
        );
    }

    function _makePool(address token, uint160 sqrtPriceX96) private returns (bytes32) {
        PoolKey memory key = PoolKey({
            currency0: CurrencyLibrary.ADDRESS_ZERO,
            currency1: Currency.wrap(token),
            fee: 0,
            tickSpacing: 60,
            hooks: IHooks(address(0))
        });
        poolManager.initialize(key, sqrtPriceX96);
        return PoolId.unwrap(key.toId());
    }

    function _stamp(address token, Recipe memory recipe, bytes memory encoded, Program memory program) private {
        NativeLaunch storage made = _launches[token];
        bytes32 launchId = made.launchId;
        emit ModuleNativeLauncherV2.ModuleNativeLaunchedV2(
            launchId,
            token,
            made.launchWallet,
            address(poolManager),
            made.poolId,
            made.hook,
            made.recipeHash,
            made.launchKey,
            0
        );
        emit ModuleNativeLauncherV2.ModuleNativeProgramBoundV2(
            launchId,
            token,
            address(runtime),
            program.programHash,
            program.packageIds,
            program.familyIds,
            program.instances,
            program.instanceHashes
        );
        emit ModuleNativeLauncherV2.ModuleNativeConfigurationBoundV2(
            launchId, token, made.metadataHash, program.configurationHash, encoded
        );
        emit ModuleNativeLauncherV2.ModuleNativeTokenIdentityBoundV2(
            launchId, token, token.codehash, recipe.name, recipe.symbol, 18, recipe.totalSupply
        );
    }
}
