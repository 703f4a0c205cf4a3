// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {ModuleRegistry} from "./ModuleRegistry.sol";
import {NativeLauncher} from "./NativeLauncher.sol";
import {NativeLaunch, Program, Recipe} from "./NativeTypes.sol";

/// @title Source version `module-native-v1`
contract ModuleNativeLauncherV1 is NativeLauncher {
    event ModuleNativeLaunched(
        bytes32 indexed launchId,
        address indexed token,
        address indexed launchWallet,
        address poolManager,
        bytes32 poolId,
        address hook,
        bytes32 recipeHash,
        bytes32 launchKey
    );
    event ModuleNativeProgramBound(
        bytes32 indexed launchId,
        address indexed token,
        address indexed runtime,
        bytes32 programHash,
        bytes32[] packageIds,
        bytes32[] familyIds,
        address[] instances,
        bytes32[] instanceHashes
    );
    event ModuleNativeConfigurationBound(
        bytes32 indexed launchId,
        address indexed token,
        bytes32 metadataHash,
        bytes32 configurationHash,
        bytes recipe
    );
    event ModuleNativeTokenIdentityBound(
        bytes32 indexed launchId,
        address indexed token,
        bytes32 tokenCodeHash,
        string name,
        string symbol,
        uint8 decimals,
        uint256 totalSupply
    );

    constructor(IPoolManager poolManager_, ModuleRegistry registry_, address platform)
        NativeLauncher(poolManager_, registry_, platform, "ModuleNativeLauncherV1")
    {}

    function launchIdentityVersion() external pure returns (uint256) {
        return 1;
    }

    function _domain() internal pure override returns (bytes32) {
        return keccak256("module-native-v1");
    }

    function _stamp(address token, Recipe memory recipe, bytes memory encoded, Program memory program)
        internal
        override
    {
        NativeLaunch storage made = _kept(token);
        bytes32 launchId = made.launchId;
        emit ModuleNativeLaunched(
            launchId,
            token,
            made.launchWallet,
            address(poolManager),
            made.poolId,
            made.hook,
            made.recipeHash,
            made.launchKey
        );
        _bindProgram(launchId, token, program);
        emit ModuleNativeConfigurationBound(launchId, token, made.metadataHash, program.configurationHash, encoded);
        emit ModuleNativeTokenIdentityBound(
            launchId, token, token.codehash, recipe.name, recipe.symbol, 18, recipe.totalSupply
        );
    }

    function _bindProgram(bytes32 launchId, address token, Program memory program) private {
        emit ModuleNativeProgramBound(
            launchId,
            token,
            address(runtime),
            program.programHash,
            program.packageIds,
            program.familyIds,
            program.instances,
            program.instanceHashes
        );
    }
}
