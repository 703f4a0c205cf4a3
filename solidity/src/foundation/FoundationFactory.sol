// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {IUnlockCallback} from "@uniswap/v4-core/src/interfaces/callback/IUnlockCallback.sol";
import {TickMath} from "@uniswap/v4-core/src/libraries/TickMath.sol";
import {BalanceDelta} from "@uniswap/v4-core/src/types/BalanceDelta.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {SwapParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";
import {Module} from "../module-native/NativeTypes.sol";
import {ModuleRuntime} from "../module-native/ModuleRuntime.sol";
import {FoundationCustody} from "./FoundationCustody.sol";
import {FoundationHook, IFoundationParameters} from "./FoundationHook.sol";
import {FoundationToken, FoundationTokenMaker} from "./FoundationToken.sol";
import {FoundationLaunch, FoundationRecipe, HookParameters} from "./FoundationTypes.sol";
import {LaunchResultV2, ModuleRef} from "./FoundationTypes.sol";

/// @title Launches a token with its ledger, hook, pool and modules
/// @notice Nobody owns it. The launch is the caller's, and so are the creator's fees. The wei sent along buy for it at once.
/// What its versions differ in are the fees and the event.
abstract contract FoundationFactory is ReentrancyGuard, IFoundationParameters, IUnlockCallback {
    int24 private constant TICK_SPACING = 60;
    uint16 private constant MAX_CREATOR_FEE_BPS = 1_000;
    uint16 private constant CREATOR_FEE_STEP_BPS = 100;
    /// @notice Modules of one launch, at most.
    uint256 public constant MAX_MODULES = 32;

    IPoolManager public immutable poolManager;
    FoundationCustody public immutable custody;
    address public immutable platform;
    ModuleRuntime public immutable runtime;
    FoundationTokenMaker public immutable tokenMaker;

    mapping(bytes32 salt => bool) public saltUsed;
    mapping(address token => FoundationLaunch) private _launches;
    /// @dev What the hook being made asks for.
    HookParameters private _hookParameters;

    error CreatorFeeNotAllowed(uint16 feeBps);
    error CreatorFeesDiffer(uint16 buyFeeBps, uint16 sellFeeBps);
    error TooManyModules(uint256 count);
    error SaltUsed(bytes32 salt);
    error SupplyOutOfRange(uint256 supply);
    error TickRangeInvalid(int24 tickLower, int24 tickUpper);
    error InitialBuyTooSmall(uint256 bought);
    error NotPoolManager(address caller);

    constructor(IPoolManager poolManager_, FoundationCustody custody_, address platform_) {
        poolManager = poolManager_;
        custody = custody_;
        platform = platform_;
        runtime = new ModuleRuntime();
        tokenMaker = new FoundationTokenMaker();
    }

    /// @notice The platform's share of a trade's gross native amount, basis points.
    function platformFeeBps() public pure virtual returns (uint16);

    function _newHook(bytes32 salt) internal virtual returns (FoundationHook);

    function _stamp(FoundationLaunch memory made) internal virtual;

    /// @notice Launches for the caller.
    function launch(FoundationRecipe calldata recipe) external payable nonReentrant returns (LaunchResultV2 memory) {
        _requireLauncher();
        _requireFee(recipe.creatorBuyFeeBps);
        _requireFee(recipe.creatorSellFeeBps);
        _requireFees(recipe.creatorBuyFeeBps, recipe.creatorSellFeeBps);
        if (recipe.modules.length > MAX_MODULES) revert TooManyModules(recipe.modules.length);
        if (recipe.totalSupply == 0 || recipe.totalSupply > uint128(type(int128).max)) {
            revert SupplyOutOfRange(recipe.totalSupply);
        }
        bytes32 salt = keccak256(abi.encode(msg.sender, recipe.salt));
        if (saltUsed[salt]) revert SaltUsed(salt);
        saltUsed[salt] = true;

        FoundationToken token = tokenMaker.make(salt, recipe, msg.sender);
        FoundationLaunch memory made;
        made.metadataHash = token.metadataHash();
        _makeHook(made, recipe, salt, address(token));
        _seed(made, recipe);
        runtime.run(made.poolId, address(token), recipe.modules);
        _buy(made, recipe.minInitialBuyTokens);
        _launches[address(token)] = made;
        _stamp(made);
        return made.result;
    }

    /// @notice Every field of a launch's event; all zero for a token that is not from here.
    function launchOf(address token) external view returns (FoundationLaunch memory) {
        return _launches[token];
    }

    /// @inheritdoc IFoundationParameters
    function hookParameters() external view returns (HookParameters memory) {
        return _hookParameters;
    }

    /// @inheritdoc IUnlockCallback
    /// @dev PoolManager calls back whoever unlocked it, and only a purchase does that here.
    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        if (msg.sender != address(poolManager)) revert NotPoolManager(msg.sender);
        (PoolKey memory key, uint256 amount, address buyer) = abi.decode(data, (PoolKey, uint256, address));
        SwapParams memory params = SwapParams({
            zeroForOne: true,
            amountSpecified: -int256(amount),
            sqrtPriceLimitX96: TickMath.MIN_SQRT_PRICE + 1
        });
        BalanceDelta delta = poolManager.swap(key, params, "");
        poolManager.settle{value: amount}();
        uint256 bought = uint128(delta.amount1());
        poolManager.take(key.currency1, buyer, bought);
        return abi.encode(bought);
    }

    /// @dev Anybody launches, unless a factory says otherwise.
    function _requireLauncher() internal view virtual {}

    /// @dev V1 and V2 name one fee for both directions.
    function _requireFees(uint16 buyFeeBps, uint16 sellFeeBps) internal pure virtual {
        if (buyFeeBps != sellFeeBps) revert CreatorFeesDiffer(buyFeeBps, sellFeeBps);
    }

    function _requireFee(uint16 feeBps) private pure {
        if (feeBps > MAX_CREATOR_FEE_BPS || feeBps % CREATOR_FEE_STEP_BPS != 0) revert CreatorFeeNotAllowed(feeBps);
    }

    function _makeHook(FoundationLaunch memory made, FoundationRecipe calldata recipe, bytes32 salt, address token)
        private
    {
        HookParameters storage asked = _hookParameters;
        asked.poolManager = poolManager;
        asked.custody = address(custody);
        asked.platform = platform;
        asked.token = token;
        asked.creator = msg.sender;
        asked.platformFeeBps = platformFeeBps();
        asked.creatorBuyFeeBps = recipe.creatorBuyFeeBps;
        asked.creatorSellFeeBps = recipe.creatorSellFeeBps;
        for (uint256 i = 0; i < recipe.modules.length; ++i) {
            Module calldata module = recipe.modules[i];
            asked.modules.push(
                ModuleRef(module.instance, module.packageId, module.familyId, keccak256(module.configuration))
            );
        }
        FoundationHook hook = _newHook(salt);
        delete _hookParameters;
        made.token = token;
        made.creator = msg.sender;
        made.poolId = hook.poolId();
        made.hook = address(hook);
        made.ledger = address(hook.ledger());
        made.quote = hook.quote();
        made.compositionHash = hook.compositionHash();
    }

    /// @dev Starts the pool at its upper tick and puts the whole supply into one position, in custody for ever.
    function _seed(FoundationLaunch memory made, FoundationRecipe calldata recipe) private {
        (int24 lower, int24 upper) = (recipe.tickLower, recipe.tickUpper);
        if (
            lower >= upper || lower < TickMath.MIN_TICK || upper >= TickMath.MAX_TICK || lower % TICK_SPACING != 0
                || upper % TICK_SPACING != 0
        ) revert TickRangeInvalid(lower, upper);
        uint160 sqrtUpper = TickMath.getSqrtPriceAtTick(upper);
        PoolKey memory key = FoundationHook(made.hook).poolKey();
        poolManager.initialize(key, sqrtUpper);
        // The supply is below 2^127, so that the product is far below 2^256; V4 bounds the liquidity of a tick.
        uint256 liquidity = (recipe.totalSupply << 96) / (sqrtUpper - TickMath.getSqrtPriceAtTick(lower));
        if (liquidity > type(uint128).max) revert SupplyOutOfRange(recipe.totalSupply);
        FoundationToken token = FoundationToken(made.token);
        token.approve(address(custody), recipe.totalSupply);
        made.custodyId = custody.deposit(key, lower, upper, uint128(liquidity));
        // What rounding left over belongs to nobody.
        token.approve(address(custody), 0);
        token.transfer(custody.BURN_ADDRESS(), token.balanceOf(address(this)));
        made.result = LaunchResultV2({
            token: made.token,
            hook: made.hook,
            ledger: made.ledger,
            poolId: made.poolId,
            custodyId: made.custodyId,
            liquidity: uint128(liquidity),
            sqrtPriceX96: sqrtUpper,
            initialBuyQuoteAmount: 0,
            initialBuyTokenAmount: 0
        });
    }

    /// @dev The creator's own purchase, with all the wei sent along and with fees like anybody's.
    function _buy(FoundationLaunch memory made, uint256 minTokens) private {
        if (msg.value == 0) return;
        PoolKey memory key = FoundationHook(made.hook).poolKey();
        uint256 bought = abi.decode(poolManager.unlock(abi.encode(key, msg.value, msg.sender)), (uint256));
        if (bought < minTokens) revert InitialBuyTooSmall(bought);
        made.initialBuyQuoteAmount = msg.value;
        made.result.initialBuyQuoteAmount = msg.value;
        made.result.initialBuyTokenAmount = bought;
    }
}
