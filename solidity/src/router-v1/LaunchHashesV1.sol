// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {LaunchCall, LaunchChild, LaunchExternal} from "../router/LaunchTypes.sol";
import {ILaunchRouterV1} from "./ILaunchRouterV1.sol";
import {
    LaunchPermitV1,
    LaunchStampV1,
    RegisterCall,
    RegisteredComponent,
    StampedComponent
} from "./LaunchTypesV1.sol";

/// @title Every hash that router V1 adds to those of a multi-role launch
/// @notice The router decides by these, and the vector test recomputes them from the same code.
library LaunchHashesV1 {
    string internal constant DOMAIN_NAME = "Service Launch Router";
    string internal constant DOMAIN_VERSION = "1";

    /// @notice keccak256 of the EIP-712 type string of `LaunchPermitV1`.
    bytes32 internal constant PERMIT_TYPEHASH = keccak256(
        "LaunchPermitV1(address controller,bytes32 requestHash,bytes32 contextHash,bytes32 economicsHash,bytes32 instructionPolicyHash,bytes32 graphHash,bytes32 poolHash,bytes32 callHash,uint256 value,uint256 nonce,uint64 validAfter,uint64 deadline,bytes32 profile,uint8 mode,bytes32 stepsHash)"
    );
    bytes32 internal constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    /// @notice EIP-712 domain separator of the router at `router`.
    function ofDomain(uint256 chainId, address router) internal pure returns (bytes32) {
        return keccak256(
            abi.encode(
                DOMAIN_TYPEHASH,
                keccak256(bytes(DOMAIN_NAME)),
                keccak256(bytes(DOMAIN_VERSION)),
                chainId,
                router
            )
        );
    }

    /// @notice The final EIP-712 digest that an authority signs.
    function ofPermit(bytes32 domainSeparator, LaunchPermitV1 calldata permit) internal pure returns (bytes32) {
        return keccak256(
            abi.encodePacked(hex"1901", domainSeparator, keccak256(abi.encode(PERMIT_TYPEHASH, permit)))
        );
    }

    /// @notice Every component's hash, the same as router V2 computes from the creation code itself.
    function ofComponents(RegisteredComponent[] memory components) internal pure returns (bytes32[] memory hashes) {
        hashes = new bytes32[](components.length);
        for (uint256 i = 0; i < hashes.length; ++i) {
            hashes[i] = keccak256(abi.encode(components[i]));
        }
    }

    function ofChildren(LaunchChild[] memory children) internal pure returns (bytes32[] memory hashes) {
        hashes = new bytes32[](children.length);
        for (uint256 i = 0; i < hashes.length; ++i) {
            hashes[i] = keccak256(abi.encode(children[i]));
        }
    }

    function ofExternals(LaunchExternal[] memory externals) internal pure returns (bytes32[] memory hashes) {
        hashes = new bytes32[](externals.length);
        for (uint256 i = 0; i < hashes.length; ++i) {
            hashes[i] = keccak256(abi.encode(externals[i]));
        }
    }

    /// @notice The three lists of hashes, each in its order, encoded together: a multi-role launch's `graphHash`.
    function ofGraph(bytes32[] memory components, bytes32[] memory children, bytes32[] memory externals)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(abi.encode(components, children, externals));
    }

    /// @notice The pool and the price it starts at.
    function ofPool(RegisterCall memory call) internal pure returns (bytes32) {
        return keccak256(abi.encode(call.poolKey, call.sqrtPriceX96));
    }

    /// @notice A plan's `callHash`: the whole call as one tuple parameter, with creation codes as hashes.
    function ofRegisterCall(RegisterCall memory call) internal pure returns (bytes32) {
        return keccak256(abi.encode(call));
    }

    /// @notice One transaction of a launch: which entry point, what it carries out, and the wei sent along.
    /// @param subject `callHash` of `launch` and `register`, the component's hash of `deployComponent`.
    function ofStep(bytes4 entryPoint, bytes32 subject, uint256 value) internal pure returns (bytes32) {
        return keccak256(abi.encode(entryPoint, subject, value));
    }

    /// @notice `stepsHash` of a launch in one call.
    function ofLaunchSteps(bytes32 callHash, uint256 value) internal pure returns (bytes32) {
        bytes32[] memory steps = new bytes32[](1);
        steps[0] = ofStep(ILaunchRouterV1.launch.selector, callHash, value);
        return keccak256(abi.encode(steps));
    }

    /// @notice `stepsHash` of a plan: every component in graph order without value, then the registration with all of it.
    function ofPlanSteps(bytes32[] memory componentHashes, bytes32 callHash, uint256 value)
        internal
        pure
        returns (bytes32)
    {
        uint256 deploys = componentHashes.length;
        bytes32[] memory steps = new bytes32[](deploys + 1);
        for (uint256 i = 0; i < deploys; ++i) {
            steps[i] = ofStep(ILaunchRouterV1.deployComponent.selector, componentHashes[i], 0);
        }
        steps[deploys] = ofStep(ILaunchRouterV1.register.selector, callHash, value);
        return keccak256(abi.encode(steps));
    }

    /// @notice The stamped accounts, components first, then children.
    function ofComponentSet(StampedComponent[] memory components) internal pure returns (bytes32) {
        return keccak256(abi.encode(components));
    }

    /// @notice What `stampProof` answers: everything that the stamp says, for this launch of this router.
    function ofStamp(bytes32 launchId, uint256 chainId, address router, LaunchStampV1 memory stamp)
        internal
        pure
        returns (bytes32)
    {
        return keccak256(
            abi.encode(
                launchId,
                chainId,
                router,
                stamp.kind,
                stamp.token,
                stamp.hook,
                stamp.poolManager,
                stamp.poolId,
                stamp.routeLauncher,
                stamp.routePayloadHash,
                stamp.componentSetHash
            )
        );
    }

    /// @notice A single launch without its creation codes.
    function registered(LaunchCall calldata call) internal pure returns (RegisterCall memory result) {
        result.components = new RegisteredComponent[](call.components.length);
        for (uint256 i = 0; i < call.components.length; ++i) {
            result.components[i] = RegisteredComponent(
                call.components[i].roleMask,
                call.components[i].salt,
                keccak256(call.components[i].initCode),
                call.components[i].runtimeCodeHash
            );
        }
        result.children = call.children;
        result.externals = call.externals;
        result.poolKey = call.poolKey;
        result.sqrtPriceX96 = call.sqrtPriceX96;
        result.liquidity = call.liquidity;
        result.nativeLiquidityWei = call.nativeLiquidityWei;
        result.initialBuyWei = call.initialBuyWei;
        result.minimumTokensOut = call.minimumTokensOut;
    }
}
