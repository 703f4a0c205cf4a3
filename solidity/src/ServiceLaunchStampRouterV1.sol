// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IERC5267} from "@openzeppelin/contracts/interfaces/IERC5267.sol";
import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {IERC20Minimal} from "@uniswap/v4-core/src/interfaces/external/IERC20Minimal.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {Currency} from "@uniswap/v4-core/src/types/Currency.sol";
import {ILiquiditySeeder} from "./native20/ILiquiditySeeder.sol";
import {LaunchHashes} from "./router/LaunchHashes.sol";
import {LaunchCall, LaunchRoles} from "./router/LaunchTypes.sol";
import {PermitAuthorities} from "./router/PermitAuthorities.sol";
import {ComponentDeployments} from "./router-v1/ComponentDeployments.sol";
import {FirstPurchase} from "./router-v1/FirstPurchase.sol";
import {ILaunchRouterV1} from "./router-v1/ILaunchRouterV1.sol";
import {LaunchHashesV1} from "./router-v1/LaunchHashesV1.sol";
import {LaunchStamps} from "./router-v1/LaunchStamps.sol";
import {
    ComponentStep,
    LaunchKindV1,
    LaunchModesV1,
    LaunchPermitV1,
    LaunchStampV1,
    RegisterCall
} from "./router-v1/LaunchTypesV1.sol";
import {PlanSteps} from "./router-v1/PlanSteps.sol";

/// @title Launch stamp router, version 1
/// @notice One launch is one permit and one stamp. `launch` carries it out in one call; a plan deploys its components
/// one call each by `deployComponent` and ends with `register`, which initialises and seeds the pool, makes the
/// controller's first buy and stamps, all in one call. A call that fails reverts everything it did. The router keeps
/// no ether and no tokens.
contract ServiceLaunchStampRouterV1 is
    PermitAuthorities,
    FirstPurchase,
    ComponentDeployments,
    PlanSteps,
    LaunchStamps,
    ILaunchRouterV1,
    IERC5267
{
    /// @dev A launch while it is carried out; indexes are into `accounts`, the components in graph order.
    struct Launching {
        RegisterCall call;
        bytes32 permitDigest;
        uint256 balanceBefore;
        address[] accounts;
        uint256 tokenIndex;
        uint256 hookIndex;
        uint256 initializerIndex;
    }

    bytes32 public constant PROTOCOL = keccak256("service-launch-stamp-router-v1");
    /// @notice The one profile whose launches may do without a first buy.
    bytes32 public constant PROFILE_WITHOUT_BUY = keccak256("service.custom-launch-profile.v4.0");

    uint256 private constant LAUNCH_CHAIN = 4663;
    uint256 private constant ETHEREUM = 1;

    /// @notice The chain this router was deployed on, and the only one it works on.
    uint256 public immutable CHAIN_ID;
    /// @notice EIP-712 domain separator of this router.
    bytes32 public immutable domainSeparator;

    /// @notice Whether a controller's nonce is spent.
    mapping(address controller => mapping(uint256 nonce => bool)) public nonceUsed;
    /// @notice Whether a permit, by its EIP-712 digest, is spent.
    mapping(bytes32 permitDigest => bool) public permitUsed;

    bool private launching;

    error WrongChain(uint256 chainId);
    error LaunchReentered();
    error WrongSender(address controller, address sender);
    error WrongValue(uint256 permitted, uint256 sent);
    error PermitNotYetValid(uint64 validAfter, uint256 blockTime);
    error PermitExpired(uint64 deadline, uint256 blockTime);
    error NonceUsed(address controller, uint256 nonce);
    error GraphHashMismatch(bytes32 permitted, bytes32 computed);
    error PoolHashMismatch(bytes32 permitted, bytes32 computed);
    error CallHashMismatch(bytes32 permitted, bytes32 computed);
    error NativeLiquidityNotZero(uint256 nativeLiquidityWei);
    error BuyTermsIncomplete(uint256 initialBuyWei, uint256 minimumTokensOut);
    error BuyMissing(bytes32 profile);
    error ValueNotFunding(uint256 value, uint256 funding);
    error TokenRoleCount(uint256 count);
    error HookRoleCount(uint256 count);
    error InitializerRoleCount(uint256 count);
    /// @notice A token that is its own hook is a multi-role launch's, by router version 2.
    error TokenIsHook(uint256 componentIndex);
    error PoolCurrency0NotNative(address currency0);
    error PoolCurrency1NotToken(address currency1, address token);
    error PoolHooksNotHook(address hooks, address hook);
    error PoolFeeNotZero(uint24 fee);
    error NativeBalanceChanged(uint256 before, uint256 afterwards);
    error TokenBalanceNotZero(uint256 balance);

    modifier oneLaunchAtATime() {
        if (launching) revert LaunchReentered();
        launching = true;
        _;
        launching = false;
    }

    /// @param poolManager_ Uniswap V4's PoolManager on this chain.
    /// @param initialOwner Manages permit authorities.
    constructor(IPoolManager poolManager_, address initialOwner)
        PermitAuthorities(initialOwner)
        FirstPurchase(poolManager_)
    {
        if (block.chainid != LAUNCH_CHAIN && block.chainid != ETHEREUM) revert WrongChain(block.chainid);
        if (address(poolManager_).code.length == 0) revert AccountWithoutCode(address(poolManager_));
        CHAIN_ID = block.chainid;
        domainSeparator = LaunchHashesV1.ofDomain(block.chainid, address(this));
    }

    /// @inheritdoc ILaunchRouterV1
    function launch(LaunchCall calldata call, LaunchPermitV1 calldata permit, bytes calldata signature)
        external
        payable
        oneLaunchAtATime
        returns (bytes32 launchId)
    {
        Launching memory it;
        it.balanceBefore = address(this).balance - msg.value;
        it.permitDigest = _spendPermit(permit, signature);
        if (permit.mode != LaunchModesV1.SINGLE) revert WrongMode(permit.mode);
        it.call = LaunchHashesV1.registered(call);
        bytes32[] memory componentHashes = LaunchHashesV1.ofComponents(it.call.components);
        _requirePermitted(it.call, componentHashes, LaunchHashes.ofCall(call), permit);
        _requireSteps(LaunchHashesV1.ofLaunchSteps(permit.callHash, permit.value), permit.stepsHash);
        _assignRoles(it);

        it.accounts = new address[](call.components.length);
        _requireNoChildren(call.children, it.accounts.length, 0, it.accounts.length);
        for (uint256 i = 0; i < it.accounts.length; ++i) {
            it.accounts[i] = _deploy(i, call.components[i].salt, call.components[i].initCode, permit.controller);
        }
        return _register(it, permit);
    }

    /// @inheritdoc ILaunchRouterV1
    function deployComponent(ComponentStep calldata step, LaunchPermitV1 calldata permit, bytes calldata signature)
        external
        oneLaunchAtATime
        returns (address account)
    {
        uint256 balanceBefore = address(this).balance;
        bytes32 permitDigest = _requirePermit(permit, signature);
        _requirePlan(permit);
        _advance(permitDigest, permit.mode, step);
        _requireStepOfPlan(step, permit);

        _requireNoChildren(step.children, step.componentHashes.length, step.ordinal, uint256(step.ordinal) + 1);
        account = _deploy(step.ordinal, step.component.salt, step.component.initCode, permit.controller);
        _requireCode(account, step.component.runtimeCodeHash);
        for (uint256 i = 0; i < step.children.length; ++i) {
            if (step.children[i].parentIndex != step.ordinal) continue;
            _requireCode(step.children[i].account, step.children[i].runtimeCodeHash);
        }
        if (address(this).balance != balanceBefore) {
            revert NativeBalanceChanged(balanceBefore, address(this).balance);
        }
        emit PlanComponentDeployedV1(permitDigest, step.ordinal, account);
    }

    /// @inheritdoc ILaunchRouterV1
    function register(RegisterCall calldata call, LaunchPermitV1 calldata permit, bytes calldata signature)
        external
        payable
        oneLaunchAtATime
        returns (bytes32 launchId)
    {
        Launching memory it;
        it.balanceBefore = address(this).balance - msg.value;
        it.permitDigest = _spendPermit(permit, signature);
        _requirePlan(permit);
        it.call = call;
        bytes32[] memory componentHashes = LaunchHashesV1.ofComponents(it.call.components);
        _requirePermitted(it.call, componentHashes, LaunchHashesV1.ofRegisterCall(it.call), permit);
        _requireSteps(
            LaunchHashesV1.ofPlanSteps(componentHashes, permit.callHash, permit.value), permit.stepsHash
        );
        _assignRoles(it);
        _requireComplete(it.permitDigest, permit.mode, componentHashes.length);

        it.accounts = new address[](componentHashes.length);
        for (uint256 i = 0; i < it.accounts.length; ++i) {
            it.accounts[i] = _accountOf(it.call.components[i]);
        }
        return _register(it, permit);
    }

    /// @inheritdoc IERC5267
    function eip712Domain()
        external
        view
        returns (
            bytes1 fields,
            string memory name,
            string memory version,
            uint256 chainId,
            address verifyingContract,
            bytes32 salt,
            uint256[] memory extensions
        )
    {
        return (
            hex"0f",
            LaunchHashesV1.DOMAIN_NAME,
            LaunchHashesV1.DOMAIN_VERSION,
            CHAIN_ID,
            address(this),
            bytes32(0),
            new uint256[](0)
        );
    }

    /// @dev Sender, window, nonce, signature, authority: what every step needs.
    function _requirePermit(LaunchPermitV1 calldata permit, bytes calldata signature)
        private
        view
        returns (bytes32 permitDigest)
    {
        // The domain was fixed for this chain at deployment; a fork with another id must not honour it.
        if (block.chainid != CHAIN_ID) revert WrongChain(block.chainid);
        if (msg.sender != permit.controller) revert WrongSender(permit.controller, msg.sender);
        if (block.timestamp < permit.validAfter) revert PermitNotYetValid(permit.validAfter, block.timestamp);
        if (block.timestamp > permit.deadline) revert PermitExpired(permit.deadline, block.timestamp);
        if (nonceUsed[permit.controller][permit.nonce]) revert NonceUsed(permit.controller, permit.nonce);
        permitDigest = LaunchHashesV1.ofPermit(domainSeparator, permit);
        _requireAuthority(permitDigest, signature);
    }

    /// @dev The same, and the value; then the permit is spent.
    function _spendPermit(LaunchPermitV1 calldata permit, bytes calldata signature)
        internal
        returns (bytes32 permitDigest)
    {
        permitDigest = _requirePermit(permit, signature);
        if (msg.value != permit.value) revert WrongValue(permit.value, msg.value);
        nonceUsed[permit.controller][permit.nonce] = true;
        permitUsed[permitDigest] = true;
    }

    /// @dev The permitted graph, pool and call, and terms of the buy that can be kept.
    function _requirePermitted(
        RegisterCall memory call,
        bytes32[] memory componentHashes,
        bytes32 callHash,
        LaunchPermitV1 calldata permit
    ) private pure {
        bytes32 computed = LaunchHashesV1.ofGraph(
            componentHashes, LaunchHashesV1.ofChildren(call.children), LaunchHashesV1.ofExternals(call.externals)
        );
        if (computed != permit.graphHash) revert GraphHashMismatch(permit.graphHash, computed);
        computed = LaunchHashesV1.ofPool(call);
        if (computed != permit.poolHash) revert PoolHashMismatch(permit.poolHash, computed);
        if (callHash != permit.callHash) revert CallHashMismatch(permit.callHash, callHash);

        if (call.nativeLiquidityWei != 0) revert NativeLiquidityNotZero(call.nativeLiquidityWei);
        if ((call.initialBuyWei == 0) != (call.minimumTokensOut == 0)) {
            revert BuyTermsIncomplete(call.initialBuyWei, call.minimumTokensOut);
        }
        if (call.initialBuyWei == 0 && permit.profile != PROFILE_WITHOUT_BUY) revert BuyMissing(permit.profile);
        if (permit.value != call.initialBuyWei) revert ValueNotFunding(permit.value, call.initialBuyWei);
    }

    /// @dev Exactly one token, one hook and one initializer; token and hook apart.
    function _assignRoles(Launching memory it) private pure {
        uint256 tokens = 0;
        uint256 hooks = 0;
        uint256 initializers = 0;
        for (uint256 i = 0; i < it.call.components.length; ++i) {
            uint32 roleMask = it.call.components[i].roleMask;
            if (roleMask & LaunchRoles.TOKEN != 0) (tokens, it.tokenIndex) = (tokens + 1, i);
            if (roleMask & LaunchRoles.HOOK != 0) (hooks, it.hookIndex) = (hooks + 1, i);
            if (roleMask & LaunchRoles.INITIALIZER != 0) (initializers, it.initializerIndex) = (initializers + 1, i);
        }
        if (tokens != 1) revert TokenRoleCount(tokens);
        if (hooks != 1) revert HookRoleCount(hooks);
        if (it.tokenIndex == it.hookIndex) revert TokenIsHook(it.tokenIndex);
        if (initializers != 1) revert InitializerRoleCount(initializers);
    }

    /// @dev Pool, seeding, first buy and stamp of a launch whose components stand.
    function _register(Launching memory it, LaunchPermitV1 calldata permit) private returns (bytes32 launchId) {
        _requirePoolKey(it);
        _requireDeclaredCode(it);

        poolManager.initialize(it.call.poolKey, it.call.sqrtPriceX96);
        ILiquiditySeeder(it.accounts[it.initializerIndex]).seedLiquidity(
            it.call.poolKey, it.call.sqrtPriceX96, it.call.liquidity
        );
        if (it.call.initialBuyWei != 0) {
            _buy(it.call.poolKey, permit.controller, it.call.initialBuyWei, it.call.minimumTokensOut);
        }

        _requireDeclaredCode(it);
        launchId = LaunchHashes.ofLaunchId(PROTOCOL, CHAIN_ID, address(this), permit.controller, permit.nonce);
        _stamp(
            launchId,
            CHAIN_ID,
            it.permitDigest,
            LaunchStampV1({
                kind: LaunchKindV1.CustomGraph,
                token: it.accounts[it.tokenIndex],
                hook: it.accounts[it.hookIndex],
                poolManager: address(poolManager),
                poolId: keccak256(abi.encode(it.call.poolKey)),
                routeLauncher: permit.controller,
                routePayloadHash: permit.callHash,
                componentSetHash: 0,
                stampHash: 0
            }),
            _stampedComponents(it.call, it.accounts)
        );
        _requireExternalsApart(launchId, it.call.externals);
        _requireNoResidue(it.balanceBefore, it.accounts[it.tokenIndex]);
    }

    /// @dev LP fees would be locked for ever with the liquidity, so the pool has none.
    function _requirePoolKey(Launching memory it) private pure {
        address token = it.accounts[it.tokenIndex];
        address hook = it.accounts[it.hookIndex];
        PoolKey memory key = it.call.poolKey;
        address currency0 = Currency.unwrap(key.currency0);
        address currency1 = Currency.unwrap(key.currency1);
        if (currency0 != address(0)) revert PoolCurrency0NotNative(currency0);
        if (currency1 != token) revert PoolCurrency1NotToken(currency1, token);
        if (address(key.hooks) != hook) revert PoolHooksNotHook(address(key.hooks), hook);
        if (key.fee != 0) revert PoolFeeNotZero(key.fee);
    }

    /// @dev Checked before anything calls into the accounts, and again before they are stamped.
    function _requireDeclaredCode(Launching memory it) private view {
        for (uint256 i = 0; i < it.accounts.length; ++i) {
            _requireCode(it.accounts[i], it.call.components[i].runtimeCodeHash);
        }
        for (uint256 i = 0; i < it.call.children.length; ++i) {
            _requireCode(it.call.children[i].account, it.call.children[i].runtimeCodeHash);
        }
        for (uint256 i = 0; i < it.call.externals.length; ++i) {
            _requireCode(it.call.externals[i].account, it.call.externals[i].runtimeCodeHash);
        }
    }

    function _requireNoResidue(uint256 balanceBefore, address token) internal view {
        if (address(this).balance != balanceBefore) revert NativeBalanceChanged(balanceBefore, address(this).balance);
        uint256 tokens = IERC20Minimal(token).balanceOf(address(this));
        if (tokens != 0) revert TokenBalanceNotZero(tokens);
    }
}
