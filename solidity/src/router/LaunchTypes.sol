// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";

/// @title The shapes a multi-role launch is described, hashed, signed and stamped with
/// @notice Field order is part of the protocol: every hash of a launch is over `abi.encode` of these shapes.

/// @notice A contract the router deploys itself (scope 0).
/// @param roleMask Sum of `LaunchRoles` bits; 3 is a token that is its own hook; 0 is an auxiliary contract.
/// @param salt CREATE2 salt. Its first 20 bytes are the controller; 12 are free for mining.
/// @param initCode Creation bytecode followed by the ABI-encoded constructor arguments.
/// @param runtimeCodeHash keccak256 of the code the account must have.
struct LaunchComponent {
    uint32 roleMask;
    bytes32 salt;
    bytes initCode;
    bytes32 runtimeCodeHash;
}

/// @notice A contract that a component's constructor deploys (scope 1).
/// @param parentIndex Index of that component in `LaunchCall.components`.
struct LaunchChild {
    uint16 parentIndex;
    uint32 roleMask;
    address account;
    bytes32 runtimeCodeHash;
}

/// @notice A contract that stands already and that the launch depends on (scope 2).
struct LaunchExternal {
    uint32 roleMask;
    address account;
    bytes32 runtimeCodeHash;
}

/// @notice One whole launch.
/// @param components Deployed in this order, so a later one can name an earlier one's address.
/// @param poolKey Native currency first, the launched token second, LP fee 0.
/// @param sqrtPriceX96 Price the pool is initialised at, token per native unit, Q64.96 square root.
/// @param liquidity Liquidity units given to the seeder.
/// @param nativeLiquidityWei Must be 0: the supported projects seed with their token only.
/// @param initialBuyWei Wei spent on the controller's own buy inside the launch; 0 for none.
/// @param minimumTokensOut Raw tokens that buy must at least return; 0 only without a buy.
struct LaunchCall {
    LaunchComponent[] components;
    LaunchChild[] children;
    LaunchExternal[] externals;
    PoolKey poolKey;
    uint160 sqrtPriceX96;
    uint128 liquidity;
    uint256 nativeLiquidityWei;
    uint256 initialBuyWei;
    uint256 minimumTokensOut;
}

/// @notice What a permit authority signs (EIP-712). Nothing is stamped that this does not cover.
/// @param controller The only sender that may use the permit.
/// @param value Exactly the wei to be sent along.
/// @param nonce Usable once per controller and router.
/// @param validAfter First second (block time) at which the permit can be used.
/// @param deadline Last second at which it can be used.
struct LaunchPermit {
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
}

/// @notice Role bits of a component, child or external.
library LaunchRoles {
    uint32 internal constant TOKEN = 1;
    uint32 internal constant HOOK = 2;
    uint32 internal constant INITIALIZER = 4;
    uint32 internal constant LIQUIDITY_CUSTODY = 8;
    uint32 internal constant FEE_VAULT = 16;
    uint32 internal constant MODULE = 32;
}

/// @notice Which of the launch's three lists an account stands in.
library LaunchScopes {
    uint8 internal constant COMPONENT = 0;
    uint8 internal constant CHILD = 1;
    uint8 internal constant EXTERNAL = 2;
}
