// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {IHooks} from "@uniswap/v4-core/src/interfaces/IHooks.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {LaunchResultV2} from "./foundation/FoundationTypes.sol";
import {FoundationGraphFactory} from "./foundation-graph/FoundationGraphFactory.sol";
import {FoundationLaunchAccount} from "./foundation-graph/FoundationLaunchAccount.sol";
import {LaunchHashes} from "./router/LaunchHashes.sol";
import {LaunchHashesV1} from "./router-v1/LaunchHashesV1.sol";
import {
    ComponentKindV1,
    LaunchKindV1,
    LaunchModesV1,
    LaunchPermitV1,
    LaunchStampV1,
    StampedComponent
} from "./router-v1/LaunchTypesV1.sol";
import {ServiceLaunchStampRouterV1} from "./ServiceLaunchStampRouterV1.sol";

/// @notice A Foundation graph launch as its permit's `callHash` commits to it.
/// @param graphFactory Opens the controller's account and makes token, ledger, hook and pool.
/// @param graphFactoryCodeHash Code hash that the graph factory must have.
/// @param recipe abi.encode of the graph factory's recipe.
struct GraphCall {
    FoundationGraphFactory graphFactory;
    bytes32 graphFactoryCodeHash;
    bytes recipe;
}

/// @title Launch stamp router, version 1, of the generation that stamps Foundation graphs too
/// @notice Everything that router V1 is, and `launchGraph`, on Ethereum alone. Its stamps and getters are router V1's;
/// a stranger tells a graph by its kind.
contract EthereumLaunchStampRouterV1 is ServiceLaunchStampRouterV1 {
    /// @notice The profile of every permit for a graph.
    bytes32 public constant PROFILE_OF_GRAPHS = keccak256("service.foundation-graph.v1");

    uint256 private constant ETHEREUM_CHAIN = 1;
    int24 private constant GRAPH_TICK_SPACING = 60;

    error WrongProfile(bytes32 permitted);
    error PoolIdMismatch(bytes32 computed, bytes32 made);

    constructor(IPoolManager poolManager_, address initialOwner)
        ServiceLaunchStampRouterV1(poolManager_, initialOwner)
    {
        if (block.chainid != ETHEREUM_CHAIN) revert WrongChain(block.chainid);
    }

    /// @notice Carries out a Foundation graph launch as an authority permitted it, and stamps it with kind 2. The value is
    /// the creator's first purchase; it may be zero. Modules belong to nobody's launch and are not stamped.
    /// @param permit Mode single; `graphHash` is keccak256(abi.encode(graphFactory, graphFactoryCodeHash, account)),
    /// `poolHash` keccak256(abi.encode(poolKey, sqrtPriceX96)), `callHash` keccak256(abi.encode(call)).
    /// @return launchId keccak256(abi.encode(PROTOCOL, CHAIN_ID, router, controller, nonce)).
    function launchGraph(GraphCall calldata call, LaunchPermitV1 calldata permit, bytes calldata signature)
        external
        payable
        oneLaunchAtATime
        returns (bytes32 launchId)
    {
        uint256 balanceBefore = address(this).balance - msg.value;
        bytes32 permitDigest = _spendPermit(permit, signature);
        if (permit.mode != LaunchModesV1.SINGLE) revert WrongMode(permit.mode);
        if (permit.profile != PROFILE_OF_GRAPHS) revert WrongProfile(permit.profile);
        bytes32 computed = keccak256(abi.encode(call));
        if (computed != permit.callHash) revert CallHashMismatch(permit.callHash, computed);
        _requireSteps(_stepsOf(computed, permit.value), permit.stepsHash);

        _requireCode(address(call.graphFactory), call.graphFactoryCodeHash);
        FoundationLaunchAccount account = call.graphFactory.openAccount(permit.controller);
        computed = keccak256(abi.encode(call.graphFactory, call.graphFactoryCodeHash, account));
        if (computed != permit.graphHash) revert GraphHashMismatch(permit.graphHash, computed);

        LaunchResultV2 memory made = account.launch{value: msg.value}(call.recipe);
        _requirePool(made, permit.poolHash);
        launchId = LaunchHashes.ofLaunchId(PROTOCOL, CHAIN_ID, address(this), permit.controller, permit.nonce);
        _stamp(
            launchId,
            CHAIN_ID,
            permitDigest,
            LaunchStampV1({
                kind: LaunchKindV1.FoundationGraph,
                token: made.token,
                hook: made.hook,
                poolManager: address(poolManager),
                poolId: made.poolId,
                routeLauncher: address(account),
                routePayloadHash: permit.callHash,
                componentSetHash: 0,
                stampHash: 0
            }),
            _componentsOf(made)
        );
        _requireNoResidue(balanceBefore, made.token);
    }

    function _stepsOf(bytes32 callHash, uint256 value) private pure returns (bytes32) {
        bytes32[] memory steps = new bytes32[](1);
        steps[0] = LaunchHashesV1.ofStep(this.launchGraph.selector, callHash, value);
        return keccak256(abi.encode(steps));
    }

    /// @dev The pool is that of token and hook, at the permitted price.
    function _requirePool(LaunchResultV2 memory made, bytes32 permitted) private pure {
        PoolKey memory key = PoolKey({
            currency0: Currency.wrap(address(0)),
            currency1: Currency.wrap(made.token),
            fee: 0,
            tickSpacing: GRAPH_TICK_SPACING,
            hooks: IHooks(made.hook)
        });
        bytes32 computed = keccak256(abi.encode(key));
        if (computed != made.poolId) revert PoolIdMismatch(computed, made.poolId);
        computed = keccak256(abi.encode(key, made.sqrtPriceX96));
        if (computed != permitted) revert PoolHashMismatch(permitted, computed);
    }

    function _componentsOf(LaunchResultV2 memory made) private view returns (StampedComponent[] memory components) {
        components = new StampedComponent[](3);
        components[0] = StampedComponent(made.token, ComponentKindV1.Token, made.token.codehash);
        components[1] = StampedComponent(made.hook, ComponentKindV1.Hook, made.hook.codehash);
        components[2] = StampedComponent(made.ledger, ComponentKindV1.Vault, made.ledger.codehash);
    }
}
