// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IModule} from "./ModuleRuntime.sol";

/// @title Keeps a note about a launch
/// @notice Its configuration is the note's bytes. Whoever binds keeps its own notes; nobody's are changed.
contract NoteModule is IModule {
    mapping(address runtime => mapping(bytes32 launchId => bytes)) public noteOf;

    event Noted(address indexed runtime, bytes32 indexed launchId, address indexed token, bytes note);

    function bind(bytes32 launchId, address token, bytes calldata configuration) external {
        noteOf[msg.sender][launchId] = configuration;
        emit Noted(msg.sender, launchId, token, configuration);
    }
}

/// @title Names the second from which a launch counts as open
/// @notice Its configuration is `abi.encode(uint64 opensAt)`; another length ends the launch.
contract OpeningModule is IModule {
    mapping(address runtime => mapping(bytes32 launchId => uint64)) public opensAt;

    error ConfigurationMalformed(uint256 length);

    function bind(bytes32 launchId, address, bytes calldata configuration) external {
        if (configuration.length != 32) revert ConfigurationMalformed(configuration.length);
        opensAt[msg.sender][launchId] = abi.decode(configuration, (uint64));
    }

    function isOpen(address runtime, bytes32 launchId) external view returns (bool) {
        return block.timestamp >= opensAt[runtime][launchId];
    }
}
