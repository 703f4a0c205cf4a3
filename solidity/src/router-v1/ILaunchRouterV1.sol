// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {LaunchCall} from "../router/LaunchTypes.sol";
import {ComponentStep, LaunchPermitV1, RegisterCall} from "./LaunchTypesV1.sol";

/// @title The three ways into router V1
/// @notice `signature` is 65 bytes (r, s, v), low s, over the permit's EIP-712 digest. A call that fails reverts
/// everything it did.
interface ILaunchRouterV1 {
    /// @notice Carries out a whole launch as an authority permitted it.
    /// @param call The launch.
    /// @param permit Who may send it, when, with what value, and the hashes it must have; mode single.
    /// @return launchId keccak256(abi.encode(PROTOCOL, CHAIN_ID, router, controller, nonce)).
    function launch(LaunchCall calldata call, LaunchPermitV1 calldata permit, bytes calldata signature)
        external
        payable
        returns (bytes32 launchId);

    /// @notice Carries out the next deploy step of a plan; the permit stays unspent until `register`.
    /// @param step The component whole, and its graph by hashes.
    /// @param permit The whole plan's permit; mode sequential or atomic.
    /// @return account Where the component stands.
    function deployComponent(ComponentStep calldata step, LaunchPermitV1 calldata permit, bytes calldata signature)
        external
        returns (address account);

    /// @notice The last step of a plan: everything but the deployments, in one call.
    /// @param call The launch, with creation codes as hashes.
    /// @param permit The permit that every component was deployed under; spent here.
    /// @return launchId keccak256(abi.encode(PROTOCOL, CHAIN_ID, router, controller, nonce)).
    function register(RegisterCall calldata call, LaunchPermitV1 calldata permit, bytes calldata signature)
        external
        payable
        returns (bytes32 launchId);
}
