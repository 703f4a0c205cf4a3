// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {IHooks} from "@uniswap/v4-core/src/interfaces/IHooks.sol";
import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {IUnlockCallback} from "@uniswap/v4-core/src/interfaces/callback/IUnlockCallback.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";
import {BalanceDelta} from "@uniswap/v4-core/src/types/BalanceDelta.sol";
import {Currency, CurrencyLibrary} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolId} from "@uniswap/v4-core/src/types/PoolId.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {ModifyLiquidityParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";
import {FeeVault} from "../native20/FeeVault.sol";
import {ModuleFeeSplit} from "../module-native/ModuleFeeSplit.sol";
import {ModuleRegistry} from "../module-native/ModuleRegistry.sol";
import {ModuleRuntime} from "../module-native/ModuleRuntime.sol";
import {ModuleToken, ModuleTokenMaker} from "../module-native/ModuleToken.sol";
import {NativeCommitments} from "../module-native/NativeCommitments.sol";
import {Module, NativeLaunch, Program, Recipe} from "../module-native/NativeTypes.sol";
import {EngineHook} from "./EngineHook.sol";

/// @title Source version `module-engine-v1`
/// @notice Launches a token with its modules and pool from one recipe, and is the hook of all these pools. Nobody owns it.
/// A launch is the wallet's by its own call, or by its signature whoever relays it.
contract ModuleEngineV1 is EngineHook, EIP712, ReentrancyGuard, IUnlockCallback {
    int24 private constant TICK_SPACING = 60;
    /// @notice Modules of one launch, at most.
    uint256 public constant MAX_MODULES = 32;
    bytes32 private constant DOMAIN = keccak256("module-engine-v1");
    bytes32 private constant LAUNCH_TYPEHASH =
        keccak256("LaunchFor(bytes32 recipeHash,address launchWallet,uint256 deadline)");

    ModuleRegistry public immutable registry;
    ModuleRuntime public immutable runtime;
    ModuleFeeSplit public immutable feeSplit;
    ModuleTokenMaker public immutable tokenMaker;

    mapping(bytes32 launchKey => bool) public launchKeyUsed;
    mapping(address token => NativeLaunch) private _launches;

    event ModuleEngineLaunched(
        bytes32 indexed launchId,
        address indexed token,
        address indexed launchWallet,
        address poolManager,
        bytes32 poolId,
        address hook,
        bytes32 recipeHash,
        bytes32 launchKey
    );
    event ModuleEngineProgramBound(
        bytes32 indexed launchId,
        address indexed token,
        address indexed runtime,
        bytes32 programHash,
        bytes32[] packageIds,
        bytes32[] familyIds,
        address[] instances,
        bytes32[] instanceHashes
    );
    event ModuleEngineConfigurationBound(
        bytes32 indexed launchId,
        address indexed token,
        bytes32 metadataHash,
        bytes32 configurationHash,
        bytes recipe
    );
    event ModuleEngineTokenIdentityBound(
        bytes32 indexed launchId,
        address indexed token,
        bytes32 tokenCodeHash,
        string name,
        string symbol,
        uint8 decimals,
        uint256 totalSupply
    );

    error RecipeNotCanonical();
    error TooManyModules(uint256 count);
    error LaunchKeyUsed(bytes32 launchKey);
    error LaunchExpired(uint256 deadline);
    error SignerNotLaunchWallet(address signer);
    error SupplyOutOfRange(uint256 supply);
    error TickRangeInvalid(int24 tickLower, int24 tickUpper);
    error WrongPrice(uint160 sqrtPriceX96);
    error SeedNotTokenOnly(int128 nativeDelta, int128 tokenDelta);

    constructor(IPoolManager poolManager_, ModuleRegistry registry_, address platform)
        EngineHook(poolManager_)
        EIP712("ModuleEngineV1", "1")
    {
        registry = registry_;
        runtime = new ModuleRuntime();
        feeSplit = new ModuleFeeSplit(platform);
        tokenMaker = new ModuleTokenMaker();
    }

    function launchIdentityVersion() external pure returns (uint256) {
        return 1;
    }

    /// @notice Launches for the caller. @param recipe abi.encode(Recipe).
    function launch(bytes calldata recipe) external returns (address token) {
        return _launch(recipe, msg.sender);
    }

    /// @notice Launches for a wallet that signed the recipe; anybody may send it, once.
    /// @param deadline Last second at which the signature counts.
    function launchFor(bytes calldata recipe, address launchWallet, uint256 deadline, bytes calldata signature)
        external
        returns (address token)
    {
        if (block.timestamp > deadline) revert LaunchExpired(deadline);
        bytes32 digest =
            _hashTypedDataV4(keccak256(abi.encode(LAUNCH_TYPEHASH, keccak256(recipe), launchWallet, deadline)));
        address signer = ECDSA.recover(digest, signature);
        if (signer != launchWallet) revert SignerNotLaunchWallet(signer);
        return _launch(recipe, launchWallet);
    }

    function getLaunch(address token)
        external
        view
        returns (
            bytes32 launchId,
            address launchWallet,
            address hook,
            address poolManager_,
            bytes32 poolId,
            bytes32 recipeHash
        )
    {
        NativeLaunch storage kept = _launches[token];
        address manager = kept.launchId == 0 ? address(0) : address(poolManager);
        return (kept.launchId, kept.launchWallet, kept.hook, manager, kept.poolId, kept.recipeHash);
    }

    function getLaunchIdentity(address token)
        external
        view
        returns (
            bytes32 launchId,
            bytes32 launchKey,
            bytes32 programHash,
            bytes32 configurationHash,
            bytes32 metadataHash,
            address runtime_
        )
    {
        NativeLaunch storage kept = _launches[token];
        address program = kept.launchId == 0 ? address(0) : address(runtime);
        return
            (kept.launchId, kept.launchKey, kept.programHash, kept.configurationHash, kept.metadataHash, program);
    }

    /// @inheritdoc IUnlockCallback
    /// @dev PoolManager calls back whoever unlocked it, and only a launch does that here.
    function unlockCallback(bytes calldata data) external onlyPoolManager returns (bytes memory) {
        (PoolKey memory key, ModifyLiquidityParams memory params) = abi.decode(data, (PoolKey, ModifyLiquidityParams));
        (BalanceDelta delta,) = poolManager.modifyLiquidity(key, params, "");
        if (delta.amount0() != 0 || delta.amount1() >= 0) revert SeedNotTokenOnly(delta.amount0(), delta.amount1());
        poolManager.sync(key.currency1);
        ModuleToken(Currency.unwrap(key.currency1)).transfer(address(poolManager), uint128(-delta.amount1()));
        poolManager.settle();
        return "";
    }

    function _launch(bytes calldata encoded, address launchWallet) private nonReentrant returns (address token) {
        Recipe memory recipe = abi.decode(encoded, (Recipe));
        bytes32 recipeHash = keccak256(encoded);
        // One recipe has one encoding, so that one launch has one id.
        if (keccak256(abi.encode(recipe)) != recipeHash) revert RecipeNotCanonical();
        if (recipe.modules.length > MAX_MODULES) revert TooManyModules(recipe.modules.length);
        NativeLaunch memory made;
        made.launchWallet = launchWallet;
        made.recipeHash = recipeHash;
        made.launchKey = NativeCommitments.launchKey(launchWallet, recipe.salt);
        if (launchKeyUsed[made.launchKey]) revert LaunchKeyUsed(made.launchKey);
        launchKeyUsed[made.launchKey] = true;
        made.launchId =
            NativeCommitments.launchId(DOMAIN, block.chainid, address(this), made.launchKey, recipeHash);
        made.metadataHash = NativeCommitments.metadataHash(recipe);

        token = _makeToken(recipe, made.launchKey);
        made.hook = address(this);
        made.poolId = _makePool(recipe, token);
        runtime.run(made.launchId, token, recipe.modules);
        Program memory program =
            NativeCommitments.program(made.launchId, recipe.modules, _codeHashes(recipe.modules));
        made.programHash = program.programHash;
        made.configurationHash = program.configurationHash;
        _launches[token] = made;
        _stamp(token, recipe, encoded, program);
    }

    function _makeToken(Recipe memory recipe, bytes32 launchKey) private returns (address) {
        if (recipe.totalSupply == 0 || recipe.totalSupply > uint128(type(int128).max)) {
            revert SupplyOutOfRange(recipe.totalSupply);
        }
        return tokenMaker.make(
            launchKey, recipe.name, recipe.symbol, recipe.totalSupply, recipe.metadata, recipe.creatorFeeRecipient
        );
    }

    /// @dev Admits the pool, starts it at its upper tick and puts the whole supply into one position, for ever.
    function _makePool(Recipe memory recipe, address token) private returns (bytes32 poolId) {
        PoolKey memory key = PoolKey({
            currency0: CurrencyLibrary.ADDRESS_ZERO,
            currency1: Currency.wrap(token),
            fee: 0,
            tickSpacing: TICK_SPACING,
            hooks: IHooks(address(this))
        });
        poolId = PoolId.unwrap(key.toId());
        FeeVault vault = _admit(
            poolId,
            recipe.creatorBuyFeeBps,
            recipe.creatorSellFeeBps,
            address(feeSplit),
            recipe.creatorFeeRecipient
        );
        feeSplit.register(vault, _eligibleWallets(recipe.modules));
        _seed(recipe, key);
    }

    function _seed(Recipe memory recipe, PoolKey memory key) private {
        int24 lower = recipe.tickLower;
        int24 upper = recipe.tickUpper;
        if (
            lower >= upper || lower < TickMath.MIN_TICK || upper >= TickMath.MAX_TICK || lower % TICK_SPACING != 0
                || upper % TICK_SPACING != 0
        ) revert TickRangeInvalid(lower, upper);
        uint160 sqrtUpper = TickMath.getSqrtPriceAtTick(upper);
        if (recipe.sqrtPriceX96 != sqrtUpper) revert WrongPrice(recipe.sqrtPriceX96);
        poolManager.initialize(key, sqrtUpper);
        // The supply is below 2^127, so that the product is far below 2^256; V4 bounds the liquidity of a tick.
        uint256 liquidity = (recipe.totalSupply << 96) / (sqrtUpper - TickMath.getSqrtPriceAtTick(lower));
        ModifyLiquidityParams memory params = ModifyLiquidityParams({
            tickLower: lower,
            tickUpper: upper,
            liquidityDelta: int256(liquidity),
            salt: 0
        });
        poolManager.unlock(abi.encode(key, params));
    }

    /// @dev Reward wallets of the launch's distinct eligible families, in recorded order.
    function _eligibleWallets(Module[] memory modules) private view returns (address[] memory wallets) {
        address[] memory found = new address[](modules.length);
        uint256 count = 0;
        for (uint256 i = 0; i < modules.length; ++i) {
            address wallet = registry.eligibleWallet(modules[i].packageId, modules[i].familyId);
            if (wallet == address(0) || _isEligibleBefore(modules, i)) continue;
            found[count++] = wallet;
        }
        wallets = new address[](count);
        for (uint256 i = 0; i < count; ++i) wallets[i] = found[i];
    }

    /// @dev Whether an earlier eligible module is of the same family.
    function _isEligibleBefore(Module[] memory modules, uint256 index) private view returns (bool) {
        for (uint256 j = 0; j < index; ++j) {
            if (
                modules[j].familyId == modules[index].familyId
                    && registry.eligibleWallet(modules[j].packageId, modules[j].familyId) != address(0)
            ) return true;
        }
        return false;
    }

    function _codeHashes(Module[] memory modules) private view returns (bytes32[] memory hashes) {
        hashes = new bytes32[](modules.length);
        for (uint256 i = 0; i < modules.length; ++i) hashes[i] = modules[i].instance.codehash;
    }

    function _stamp(address token, Recipe memory recipe, bytes memory encoded, Program memory program)
        private
    {
        NativeLaunch storage made = _launches[token];
        bytes32 launchId = made.launchId;
        emit ModuleEngineLaunched(
            launchId,
            token,
            made.launchWallet,
            address(poolManager),
            made.poolId,
            made.hook,
            made.recipeHash,
            made.launchKey
        );
        _bindProgram(launchId, token, program);
        emit ModuleEngineConfigurationBound(launchId, token, made.metadataHash, program.configurationHash, encoded);
        emit ModuleEngineTokenIdentityBound(
            launchId, token, token.codehash, recipe.name, recipe.symbol, 18, recipe.totalSupply
        );
    }

    function _bindProgram(bytes32 launchId, address token, Program memory program) private {
        emit ModuleEngineProgramBound(
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
