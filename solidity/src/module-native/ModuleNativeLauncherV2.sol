// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {NativeFeeMath} from "../native20/NativeFeeMath.sol";
import {ModuleRegistry} from "./ModuleRegistry.sol";
import {NativeLauncher} from "./NativeLauncher.sol";
import {NativeLaunch, Program, Recipe} from "./NativeTypes.sol";

/// @title Source version `module-native-v2`
/// @notice As V1, under names of its own; the launch event says the protocol's fee.
contract ModuleNativeLauncherV2 is NativeLauncher {
    event ModuleNativeLaunchedV2(
        bytes32 indexed launchId,
        address indexed token,
        address indexed launchWallet,
        address poolManager,
        bytes32 poolId,
        address hook,
        bytes32 recipeHash,
        bytes32 launchKey,
        uint16 protocolFeeBps
    );
    event ModuleNativeProgramBoundV2(
        bytes32 indexed launchId,
        address indexed token,
        address indexed runtime,
        bytes32 programHash,
        bytes32[] packageIds,
        bytes32[] familyIds,
        address[] instances,
        bytes32[] instanceHashes
    );
    event ModuleNativeConfigurationBoundV2(
        bytes32 indexed launchId,
        address indexed token,
        bytes32 metadataHash,
        bytes32 configurationHash,
        bytes recipe
    );
    event ModuleNativeTokenIdentityBoundV2(
        bytes32 indexed launchId,
        address indexed token,
        bytes32 tokenCodeHash,
        string name,
        string symbol,
        uint8 decimals,
        uint256 totalSupply
    );

    constructor(IPoolManager poolManager_, ModuleRegistry registry_, address platform)
        NativeLauncher(poolManager_, registry_, platform, "ModuleNativeLauncherV2")
    {}

    function launchIdentityVersion() external pure returns (uint256) {
        return 2;
    }

    function _domain() internal pure override returns (bytes32) {
        return keccak256("module-native-v2");
    }

    function _stamp(address token, Recipe memory recipe, bytes memory encoded, Program memory program)
        internal
        override
    {
        NativeLaunch storage made = _kept(token);
        bytes32 launchId = made.launchId;
        emit ModuleNativeLaunchedV2(
            launchId,
            token,
            made.launchWallet,
            address(poolManager),
            made.poolId,
            made.hook,
            made.recipeHash,
            made.launchKey,
            uint16(NativeFeeMath.PLATFORM_FEE_BPS)
        );
        _bindProgram(launchId, token, program);
        emit ModuleNativeConfigurationBoundV2(launchId, token, made.metadataHash, program.configurationHash, encoded);
        emit ModuleNativeTokenIdentityBoundV2(
            launchId, token, token.codehash, recipe.name, recipe.symbol, 18, recipe.totalSupply
        );
    }

    function _bindProgram(bytes32 launchId, address token, Program memory program) private {
        emit ModuleNativeProgramBoundV2(
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
