// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {LaunchChild, LaunchComponent, LaunchExternal} from "../router/LaunchTypes.sol";

/// @title The shapes that router V1 adds to those of a multi-role launch
/// @notice Field order is part of the protocol: every hash is over `abi.encode` of these shapes.

/// @notice What kind of launch a stamp is. Router V1 issues `CustomGraph`; `FoundationGraph` is reserved for Ethereum's
/// graph launches, whose router is a later generation of this one.
enum LaunchKindV1 {
    None,
    CustomGraph,
    FoundationGraph
}

/// @notice What a component is to its launch, as its stamp says it.
enum ComponentKindV1 {
    Other,
    Token,
    Hook,
    Initializer,
    Vault,
    Module
}

/// @notice A component whose creation code stands for itself by its hash: the code came with an earlier step.
struct RegisteredComponent {
    uint32 roleMask;
    bytes32 salt;
    bytes32 initCodeHash;
    bytes32 runtimeCodeHash;
}

/// @notice `LaunchCall` without creation codes: what a plan's last step carries.
struct RegisterCall {
    RegisteredComponent[] components;
    LaunchChild[] children;
    LaunchExternal[] externals;
    PoolKey poolKey;
    uint160 sqrtPriceX96;
    uint128 liquidity;
    uint256 nativeLiquidityWei;
    uint256 initialBuyWei;
    uint256 minimumTokensOut;
}

/// @notice One deploy step of a plan: a component whole, and the rest of its graph by hashes.
/// @param ordinal The component's place in its graph, and the step's place in its plan; from 0.
/// @param componentHashes Hash of every component, in graph order.
/// @param children All children of the graph, so that those of this component are known to be all.
/// @param externalHashes Hash of every external, in order.
struct ComponentStep {
    uint16 ordinal;
    LaunchComponent component;
    bytes32[] componentHashes;
    LaunchChild[] children;
    bytes32[] externalHashes;
}

/// @notice What a permit authority signs (EIP-712): the permit of a multi-role launch, and how it is carried out.
/// @param callHash Hash of the `LaunchCall` of a single launch, of the `RegisterCall` of a plan.
/// @param value Exactly the wei of the one transaction that buys; deploy steps carry none.
/// @param profile keccak256 of the profile's name; only profile 4.0 may launch without a first buy.
/// @param mode One of `LaunchModesV1`.
/// @param stepsHash Hash of every transaction of the launch, in order.
struct LaunchPermitV1 {
    address controller;
    bytes32 requestHash;
    bytes32 contextHash;
    bytes32 economicsHash;
    bytes32 instructionPolicyHash;
    bytes32 graphHash;
    bytes32 poolHash;
    bytes32 callHash;
    uint256 value;
    uint256 nonce;
    uint64 validAfter;
    uint64 deadline;
    bytes32 profile;
    uint8 mode;
    bytes32 stepsHash;
}

/// @notice A stamped account: one entry of the list that `componentSetHash` covers, in the order of its events.
struct StampedComponent {
    address account;
    ComponentKindV1 kind;
    bytes32 runtimeCodeHash;
}

/// @notice What a launch left behind.
/// @param routeLauncher Who launched: the controller.
/// @param routePayloadHash `callHash` of the permit.
struct LaunchStampV1 {
    LaunchKindV1 kind;
    address token;
    address hook;
    address poolManager;
    bytes32 poolId;
    address routeLauncher;
    bytes32 routePayloadHash;
    bytes32 componentSetHash;
    bytes32 stampHash;
}

/// @notice How a permit is carried out.
library LaunchModesV1 {
    /// @notice All in one call of `launch`.
    uint8 internal constant SINGLE = 0;
    /// @notice One `deployComponent` a component, in graph order, then `register`: a transaction each.
    uint8 internal constant SEQUENTIAL = 1;
    /// @notice The same calls in one batch of the controller's account.
    uint8 internal constant ATOMIC = 2;
}
