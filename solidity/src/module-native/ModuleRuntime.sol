// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {Module} from "./NativeTypes.sol";

/// @notice What a module's instance is told of a launch. A module that refuses ends the launch.
interface IModule {
    function bind(bytes32 launchId, address token, bytes calldata configuration) external;
}

/// @title Runs the programs of a launcher's launches
/// @notice Binds each module of a launch to it, in recorded order, with its configuration.
contract ModuleRuntime {
    address public immutable launcher;
    mapping(bytes32 launchId => address[]) private _instances;

    error NotLauncher(address caller);
    error InstanceWithoutCode(address instance);

    constructor() {
        launcher = msg.sender;
    }

    function run(bytes32 launchId, address token, Module[] calldata modules) external {
        if (msg.sender != launcher) revert NotLauncher(msg.sender);
        for (uint256 i = 0; i < modules.length; ++i) {
            address instance = modules[i].instance;
            if (instance.code.length == 0) revert InstanceWithoutCode(instance);
            _instances[launchId].push(instance);
            IModule(instance).bind(launchId, token, modules[i].configuration);
        }
    }

    function instancesOf(bytes32 launchId) external view returns (address[] memory) {
        return _instances[launchId];
    }
}
