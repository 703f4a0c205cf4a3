// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {IUnlockCallback} from "@uniswap/v4-core/src/interfaces/callback/IUnlockCallback.sol";
import {IERC20Minimal} from "@uniswap/v4-core/src/interfaces/external/IERC20Minimal.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {PoolId} from "@uniswap/v4-core/src/types/PoolId.sol";
import {Currency, CurrencyLibrary} from "@uniswap/v4-core/src/types/Currency.sol";
import {BalanceDelta} from "@uniswap/v4-core/src/types/BalanceDelta.sol";
import {SwapParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";
import {ILiquiditySeeder} from "./native20/ILiquiditySeeder.sol";
import {LaunchHashes} from "./router/LaunchHashes.sol";
import {LaunchCall, LaunchChild, LaunchPermit, LaunchRoles, LaunchScopes} from "./router/LaunchTypes.sol";
import {PermitAuthorities} from "./router/PermitAuthorities.sol";

/// @title Multi-role launch stamp router, version 2
/// @notice One launch is one transaction, one permit, one stamp: the router deploys a project's contracts, initialises
/// and seeds its pool, makes the controller's optional first buy, and records what stands where. Anything that fails
/// reverts everything, the nonce included. The router keeps no ether and no tokens.
contract MultiRoleLaunchStampRouterV2 is PermitAuthorities, IUnlockCallback {
    /// @notice What a launch left behind.
    struct Stamp {
        address controller;
        address token;
        address hook;
        bytes32 poolId;
        bytes32 permitDigest;
    }

    /// @dev A launch's parts once deployed; indexes are into `components`.
    struct Launched {
        address[] components;
        uint256 tokenIndex;
        uint256 hookIndex;
        uint256 seederIndex;
    }

    /// @notice The only chain this router works on.
    uint256 public constant CHAIN_ID = 4663;
    bytes32 public constant PROTOCOL = keccak256("service.multi-role-launch-stamp-router.v2");

    /// @dev One above V4's smallest price: a buy may walk the whole pool.
    uint160 private constant LOWEST_PRICE_LIMIT = 4295128740;

    IPoolManager public immutable poolManager;
    /// @notice EIP-712 domain separator of this router.
    bytes32 public immutable domainSeparator;

    /// @notice Whether a controller's nonce is spent.
    mapping(address controller => mapping(uint256 nonce => bool)) public nonceUsed;
    /// @notice Whether a permit, by its EIP-712 digest, is spent.
    mapping(bytes32 permitDigest => bool) public permitUsed;
    mapping(address token => bytes32) public launchIdByToken;
    mapping(bytes32 poolId => bytes32) public launchIdByPool;
    /// @notice Launch of a component or child. Externals belong to nobody.
    mapping(address component => bytes32) public launchIdByComponent;
    mapping(bytes32 launchId => Stamp) public launchStamp;
    /// @notice keccak256(abi.encode(launchId, LaunchPermit)).
    mapping(bytes32 launchId => bytes32) public stampProof;
    /// @notice keccak256(abi.encode(roleMask, runtimeCodeHash, scope, resultIndex)).
    mapping(bytes32 launchId => mapping(address account => bytes32)) public componentProof;

    bool private launching;

    event MultiRoleLaunchStampedV2(
        bytes32 indexed launchId,
        address indexed token,
        address indexed hook,
        address controller,
        bytes32 poolId,
        bytes32 graphHash
    );
    event MultiRoleRouteStampedV2(
        bytes32 indexed launchId,
        bytes32 indexed contextHash,
        bytes32 indexed requestHash,
        bytes32 economicsHash,
        bytes32 instructionPolicyHash
    );
    event MultiRoleComponentStampedV2(
        bytes32 indexed launchId,
        address indexed component,
        uint32 indexed roleMask,
        bytes32 runtimeCodeHash,
        uint8 scope,
        uint16 resultIndex
    );
    event MultiRolePermitConsumedV2(bytes32 indexed permitDigest, address indexed controller, uint256 nonce);

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
    error ValueNotFunding(uint256 value, uint256 funding);
    error TokenRoleCount(uint256 count);
    error HookRoleCount(uint256 count);
    error InitializerRoleCount(uint256 count);
    /// @notice No component has the initializer role, and token and hook are different contracts.
    error SeederMissing();
    error PoolCurrency0NotNative(address currency0);
    error PoolCurrency1NotToken(address currency1, address token);
    error PoolHooksNotHook(address hooks, address hook);
    error PoolFeeNotZero(uint24 fee);
    error ParentIndexOutOfRange(uint256 childIndex, uint16 parentIndex);
    error ChildAlreadyDeployed(address account);
    error SaltNotControllers(uint256 componentIndex);
    error ComponentDeployFailed(uint256 componentIndex, bytes reason);
    error AccountWithoutCode(address account);
    error RuntimeCodeHashMismatch(address account, bytes32 declared, bytes32 actual);
    error AccountListedTwice(address account);
    error NotPoolManager(address caller);
    error BuyPartiallyFilled(uint256 initialBuyWei, int128 nativeDelta);
    error TooFewTokens(uint256 minimumTokensOut, int128 tokenDelta);
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
    constructor(IPoolManager poolManager_, address initialOwner) PermitAuthorities(initialOwner) {
        if (block.chainid != CHAIN_ID) revert WrongChain(block.chainid);
        if (address(poolManager_).code.length == 0) revert AccountWithoutCode(address(poolManager_));
        poolManager = poolManager_;
        domainSeparator = LaunchHashes.ofDomain(CHAIN_ID, address(this));
    }

    /// @notice Launches a project exactly as an authority permitted it.
    /// @param call The launch.
    /// @param permit Who may send it, when, with what value, and the hashes it must have.
    /// @param signature 65 bytes (r, s, v), low s, over the permit's EIP-712 digest.
    /// @return launchId keccak256(abi.encode(PROTOCOL, CHAIN_ID, router, controller, nonce)).
    function launch(LaunchCall calldata call, LaunchPermit calldata permit, bytes calldata signature)
        external
        payable
        oneLaunchAtATime
        returns (bytes32 launchId)
    {
        // What was here before this transaction's value: ether can be forced on the router, and must not lock it.
        uint256 balanceBefore = address(this).balance - msg.value;

        bytes32 permitDigest = _consumePermit(permit, signature);
        _requirePermittedHashes(call, permit);
        _requireFunding(call, permit.value);
        Launched memory launched = _assignRoles(call);
        _deploy(call, permit.controller, launched.components);
        _requirePoolKey(call.poolKey, launched);
        _requireDeclaredCode(call, launched.components);

        poolManager.initialize(call.poolKey, call.sqrtPriceX96);
        ILiquiditySeeder(launched.components[launched.seederIndex]).seedLiquidity(
            call.poolKey, call.sqrtPriceX96, call.liquidity
        );
        if (call.initialBuyWei != 0) {
            poolManager.unlock(
                abi.encode(call.poolKey, permit.controller, call.initialBuyWei, call.minimumTokensOut)
            );
        }

        _requireDeclaredCode(call, launched.components);
        launchId = LaunchHashes.ofLaunchId(PROTOCOL, CHAIN_ID, address(this), permit.controller, permit.nonce);
        _stamp(launchId, permitDigest, call, permit, launched);
        _requireNoResidue(balanceBefore, launched.components[launched.tokenIndex]);
    }

    /// @inheritdoc IUnlockCallback
    /// @dev The controller's first buy: exact input, the whole amount or nothing. PoolManager calls back only whom it
    /// was unlocked by, and only `launch` unlocks.
    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        if (msg.sender != address(poolManager)) revert NotPoolManager(msg.sender);
        (PoolKey memory key, address controller, uint256 initialBuyWei, uint256 minimumTokensOut) =
            abi.decode(data, (PoolKey, address, uint256, uint256));
        BalanceDelta delta = poolManager.swap(
            key,
            SwapParams({
                zeroForOne: true,
                amountSpecified: -int256(initialBuyWei),
                sqrtPriceLimitX96: LOWEST_PRICE_LIMIT
            }),
            ""
        );
        if (-int256(delta.amount0()) != int256(initialBuyWei)) {
            revert BuyPartiallyFilled(initialBuyWei, delta.amount0());
        }
        if (delta.amount1() <= 0 || uint128(delta.amount1()) < minimumTokensOut) {
            revert TooFewTokens(minimumTokensOut, delta.amount1());
        }
        poolManager.sync(CurrencyLibrary.ADDRESS_ZERO);
        poolManager.settle{value: initialBuyWei}();
        poolManager.take(key.currency1, controller, uint128(delta.amount1()));
        return "";
    }

    /// @dev Sender, value, window, nonce, signature, authority; then the permit is spent.
    function _consumePermit(LaunchPermit calldata permit, bytes calldata signature)
        private
        returns (bytes32 permitDigest)
    {
        // The domain was fixed for this chain at deployment; a fork with another id must not honour it.
        if (block.chainid != CHAIN_ID) revert WrongChain(block.chainid);
        if (msg.sender != permit.controller) revert WrongSender(permit.controller, msg.sender);
        if (msg.value != permit.value) revert WrongValue(permit.value, msg.value);
        if (block.timestamp < permit.validAfter) revert PermitNotYetValid(permit.validAfter, block.timestamp);
        if (block.timestamp > permit.deadline) revert PermitExpired(permit.deadline, block.timestamp);
        if (nonceUsed[permit.controller][permit.nonce]) revert NonceUsed(permit.controller, permit.nonce);
        permitDigest = LaunchHashes.ofPermit(domainSeparator, permit);
        _requireAuthority(permitDigest, signature);
        nonceUsed[permit.controller][permit.nonce] = true;
        permitUsed[permitDigest] = true;
    }

    function _requirePermittedHashes(LaunchCall calldata call, LaunchPermit calldata permit) private pure {
        bytes32 computed = LaunchHashes.ofGraph(call);
        if (computed != permit.graphHash) revert GraphHashMismatch(permit.graphHash, computed);
        computed = LaunchHashes.ofPool(call);
        if (computed != permit.poolHash) revert PoolHashMismatch(permit.poolHash, computed);
        computed = LaunchHashes.ofCall(call);
        if (computed != permit.callHash) revert CallHashMismatch(permit.callHash, computed);
    }

    function _requireFunding(LaunchCall calldata call, uint256 value) private pure {
        if (call.nativeLiquidityWei != 0) revert NativeLiquidityNotZero(call.nativeLiquidityWei);
        if ((call.initialBuyWei == 0) != (call.minimumTokensOut == 0)) {
            revert BuyTermsIncomplete(call.initialBuyWei, call.minimumTokensOut);
        }
        if (value != call.initialBuyWei) revert ValueNotFunding(value, call.initialBuyWei);
    }

    /// @dev Exactly one token, exactly one hook, at most one initializer; without one the combined contract seeds.
    function _assignRoles(LaunchCall calldata call) private pure returns (Launched memory launched) {
        uint256 tokens = 0;
        uint256 hooks = 0;
        uint256 initializers = 0;
        launched.components = new address[](call.components.length);
        for (uint256 i = 0; i < call.components.length; ++i) {
            uint32 roleMask = call.components[i].roleMask;
            if (roleMask & LaunchRoles.TOKEN != 0) (tokens, launched.tokenIndex) = (tokens + 1, i);
            if (roleMask & LaunchRoles.HOOK != 0) (hooks, launched.hookIndex) = (hooks + 1, i);
            if (roleMask & LaunchRoles.INITIALIZER != 0) (initializers, launched.seederIndex) = (initializers + 1, i);
        }
        if (tokens != 1) revert TokenRoleCount(tokens);
        if (hooks != 1) revert HookRoleCount(hooks);
        if (initializers > 1) revert InitializerRoleCount(initializers);
        if (initializers == 0) {
            if (launched.tokenIndex != launched.hookIndex) revert SeederMissing();
            launched.seederIndex = launched.tokenIndex;
        }
    }

    /// @dev Deploys every component in order. Children must not stand before: an earlier launch's vault would pass as
    /// this one's. Salts must name the controller: a copy of a pending launch could take its addresses otherwise.
    function _deploy(LaunchCall calldata call, address controller, address[] memory components) private {
        for (uint256 i = 0; i < call.children.length; ++i) {
            LaunchChild calldata child = call.children[i];
            if (child.parentIndex >= components.length) revert ParentIndexOutOfRange(i, child.parentIndex);
            if (child.account.code.length != 0) revert ChildAlreadyDeployed(child.account);
        }
        for (uint256 i = 0; i < components.length; ++i) {
            bytes32 salt = call.components[i].salt;
            if (address(bytes20(salt)) != controller) revert SaltNotControllers(i);
            components[i] = _create2(i, salt, call.components[i].initCode);
        }
    }

    function _create2(uint256 index, bytes32 salt, bytes memory initCode) private returns (address account) {
        assembly ("memory-safe") {
            account := create2(0, add(initCode, 32), mload(initCode), salt)
        }
        if (account != address(0)) return account;
        bytes memory reason;
        assembly ("memory-safe") {
            reason := mload(64)
            mstore(reason, returndatasize())
            returndatacopy(add(reason, 32), 0, returndatasize())
            mstore(64, add(add(reason, 32), and(add(returndatasize(), 31), not(31))))
        }
        revert ComponentDeployFailed(index, reason);
    }

    /// @dev LP fees would be locked for ever with the liquidity, so the pool has none.
    function _requirePoolKey(PoolKey calldata key, Launched memory launched) private pure {
        address token = launched.components[launched.tokenIndex];
        address hook = launched.components[launched.hookIndex];
        address currency0 = Currency.unwrap(key.currency0);
        address currency1 = Currency.unwrap(key.currency1);
        if (currency0 != address(0)) revert PoolCurrency0NotNative(currency0);
        if (currency1 != token) revert PoolCurrency1NotToken(currency1, token);
        if (address(key.hooks) != hook) revert PoolHooksNotHook(address(key.hooks), hook);
        if (key.fee != 0) revert PoolFeeNotZero(key.fee);
    }

    /// @dev Checked before anything calls into the accounts, and again before they are stamped.
    function _requireDeclaredCode(LaunchCall calldata call, address[] memory components) private view {
        for (uint256 i = 0; i < components.length; ++i) {
            _requireCode(components[i], call.components[i].runtimeCodeHash);
        }
        for (uint256 i = 0; i < call.children.length; ++i) {
            _requireCode(call.children[i].account, call.children[i].runtimeCodeHash);
        }
        for (uint256 i = 0; i < call.externals.length; ++i) {
            _requireCode(call.externals[i].account, call.externals[i].runtimeCodeHash);
        }
    }

    function _requireCode(address account, bytes32 declared) private view {
        if (account.code.length == 0) revert AccountWithoutCode(account);
        if (account.codehash != declared) revert RuntimeCodeHashMismatch(account, declared, account.codehash);
    }

    /// @dev The order of the events is part of the protocol: permit, route, components, children, externals, launch.
    function _stamp(
        bytes32 launchId,
        bytes32 permitDigest,
        LaunchCall calldata call,
        LaunchPermit calldata permit,
        Launched memory launched
    ) private {
        emit MultiRolePermitConsumedV2(permitDigest, permit.controller, permit.nonce);
        emit MultiRoleRouteStampedV2(
            launchId, permit.contextHash, permit.requestHash, permit.economicsHash, permit.instructionPolicyHash
        );
        _stampAccounts(launchId, call, launched.components);
        _stampLaunch(launchId, permitDigest, call, permit, launched);
    }

    function _stampAccounts(bytes32 launchId, LaunchCall calldata call, address[] memory components) private {
        for (uint256 i = 0; i < components.length; ++i) {
            (uint32 roleMask, bytes32 codeHash) = (call.components[i].roleMask, call.components[i].runtimeCodeHash);
            _stampAccount(launchId, components[i], roleMask, codeHash, LaunchScopes.COMPONENT, uint16(i));
        }
        for (uint256 i = 0; i < call.children.length; ++i) {
            (uint32 roleMask, bytes32 codeHash) = (call.children[i].roleMask, call.children[i].runtimeCodeHash);
            _stampAccount(launchId, call.children[i].account, roleMask, codeHash, LaunchScopes.CHILD, uint16(i));
        }
        for (uint256 i = 0; i < call.externals.length; ++i) {
            (uint32 roleMask, bytes32 codeHash) = (call.externals[i].roleMask, call.externals[i].runtimeCodeHash);
            _stampAccount(launchId, call.externals[i].account, roleMask, codeHash, LaunchScopes.EXTERNAL, uint16(i));
        }
    }

    function _stampAccount(
        bytes32 launchId,
        address account,
        uint32 roleMask,
        bytes32 codeHash,
        uint8 scope,
        uint16 resultIndex
    ) private {
        if (componentProof[launchId][account] != 0) revert AccountListedTwice(account);
        componentProof[launchId][account] = keccak256(abi.encode(roleMask, codeHash, scope, resultIndex));
        if (scope != LaunchScopes.EXTERNAL) launchIdByComponent[account] = launchId;
        emit MultiRoleComponentStampedV2(launchId, account, roleMask, codeHash, scope, resultIndex);
    }

    function _stampLaunch(
        bytes32 launchId,
        bytes32 permitDigest,
        LaunchCall calldata call,
        LaunchPermit calldata permit,
        Launched memory launched
    ) private {
        address token = launched.components[launched.tokenIndex];
        address hook = launched.components[launched.hookIndex];
        bytes32 poolId = PoolId.unwrap(call.poolKey.toId());
        launchStamp[launchId] = Stamp(permit.controller, token, hook, poolId, permitDigest);
        stampProof[launchId] = keccak256(abi.encode(launchId, permit));
        launchIdByToken[token] = launchId;
        launchIdByPool[poolId] = launchId;
        emit MultiRoleLaunchStampedV2(launchId, token, hook, permit.controller, poolId, permit.graphHash);
    }

    function _requireNoResidue(uint256 balanceBefore, address token) private view {
        if (address(this).balance != balanceBefore) revert NativeBalanceChanged(balanceBefore, address(this).balance);
        uint256 tokens = IERC20Minimal(token).balanceOf(address(this));
        if (tokens != 0) revert TokenBalanceNotZero(tokens);
    }
}
