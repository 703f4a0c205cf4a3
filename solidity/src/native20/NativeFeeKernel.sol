// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {IHooks} from "@uniswap/v4-core/src/interfaces/IHooks.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {PoolId} from "@uniswap/v4-core/src/types/PoolId.sol";
import {Currency, CurrencyLibrary} from "@uniswap/v4-core/src/types/Currency.sol";
import {BalanceDelta} from "@uniswap/v4-core/src/types/BalanceDelta.sol";
import {BeforeSwapDelta, toBeforeSwapDelta} from "@uniswap/v4-core/src/types/BeforeSwapDelta.sol";
import {ModifyLiquidityParams, SwapParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";
import {SafeCast} from "@uniswap/v4-core/src/libraries/SafeCast.sol";
import {FeeVault} from "./FeeVault.sol";
import {NativeFeeMath} from "./NativeFeeMath.sol";

/// @title The hook of exactly one native/token pool, charging both fees in the native currency
/// @notice A pool is initialised by the launch router only, seeded once, and never gives liquidity back. A project
/// either is its own hook (combined token and hook) or deploys the hook by itself and admits its initializer's one
/// seeding by overriding `beforeAddLiquidity`.
abstract contract NativeFeeKernel {
    using SafeCast for uint256;

    /// @param router The launch router: the only account that may initialise the pool.
    /// @param creatorBuyFeeBps Creator's share of a buy's gross native amount, basis points, at most 1,000.
    /// @param creatorSellFeeBps The same for sells.
    struct FeeConfig {
        IPoolManager poolManager;
        address router;
        uint16 creatorBuyFeeBps;
        uint16 creatorSellFeeBps;
        address platformRecipient;
        address creatorRecipient;
    }

    /// @notice How far the pool's one way has been gone.
    enum Stage {
        Created,
        Initialized,
        Seeding,
        Seeded
    }

    /// @dev beforeInitialize, beforeAddLiquidity, beforeRemoveLiquidity, beforeSwap, afterSwap, and the two return
    /// deltas of swaps: V4 reads a hook's permissions from the low 14 bits of its address.
    uint160 private constant HOOK_FLAGS =
        (1 << 13) | (1 << 11) | (1 << 9) | (1 << 7) | (1 << 6) | (1 << 3) | (1 << 2);
    uint160 private constant HOOK_FLAGS_MASK = (1 << 14) - 1;

    IPoolManager public immutable poolManager;
    address public immutable router;
    FeeVault public immutable vault;
    /// @notice The only pool this hook serves: native currency, the token, LP fee 0, this hook.
    bytes32 public immutable poolId;
    uint16 public immutable creatorBuyFeeBps;
    uint16 public immutable creatorSellFeeBps;

    Stage public stage;
    /// @notice Price the pool was initialised at; 0 before that.
    uint160 public initialSqrtPriceX96;

    error HookAddressFlagsWrong(address hook);
    error CreatorFeeTooHigh(uint16 feeBps);
    error NotPoolManager(address caller);
    error NotRouter(address caller);
    error WrongPool(bytes32 poolId);
    error WrongStage(Stage stage);
    error LiquidityClosed();
    error LiquidityLocked();
    /// @notice The fee was fixed for the whole amount, but the price limit let only part of it trade.
    error PartialFill();

    modifier onlyPool(PoolKey calldata key) {
        if (msg.sender != address(poolManager)) revert NotPoolManager(msg.sender);
        bytes32 id = PoolId.unwrap(key.toId());
        if (id != poolId) revert WrongPool(id);
        _;
    }

    /// @param token Currency 1 of the pool; a combined contract passes its own address.
    /// @param tickSpacing Tick spacing of the pool.
    constructor(FeeConfig memory config, address token, int24 tickSpacing) {
        if (uint160(address(this)) & HOOK_FLAGS_MASK != HOOK_FLAGS) revert HookAddressFlagsWrong(address(this));
        if (config.creatorBuyFeeBps > NativeFeeMath.MAX_CREATOR_FEE_BPS) {
            revert CreatorFeeTooHigh(config.creatorBuyFeeBps);
        }
        if (config.creatorSellFeeBps > NativeFeeMath.MAX_CREATOR_FEE_BPS) {
            revert CreatorFeeTooHigh(config.creatorSellFeeBps);
        }
        poolManager = config.poolManager;
        router = config.router;
        creatorBuyFeeBps = config.creatorBuyFeeBps;
        creatorSellFeeBps = config.creatorSellFeeBps;
        // Made here and not later: the runtime then holds no CREATE, and the vault's address follows from the hook's.
        vault = new FeeVault(config.poolManager, config.platformRecipient, config.creatorRecipient);
        poolId = keccak256(
            abi.encode(
                PoolKey({
                    currency0: CurrencyLibrary.ADDRESS_ZERO,
                    currency1: Currency.wrap(token),
                    fee: 0,
                    tickSpacing: tickSpacing,
                    hooks: IHooks(address(this))
                })
            )
        );
    }

    /// @notice Admits the one pool, once, from the router. See `IHooks.beforeInitialize`.
    function beforeInitialize(address sender, PoolKey calldata key, uint160 sqrtPriceX96)
        external
        onlyPool(key)
        returns (bytes4)
    {
        if (sender != router) revert NotRouter(sender);
        if (stage != Stage.Created) revert WrongStage(stage);
        stage = Stage.Initialized;
        initialSqrtPriceX96 = sqrtPriceX96;
        return IHooks.beforeInitialize.selector;
    }

    /// @notice Refuses liquidity. V4 does not call this for the hook's own actions, so in a combined contract
    /// whoever arrives here is a third party. See `IHooks.beforeAddLiquidity`.
    function beforeAddLiquidity(address, PoolKey calldata, ModifyLiquidityParams calldata, bytes calldata)
        external
        virtual
        returns (bytes4)
    {
        revert LiquidityClosed();
    }

    /// @notice Refuses every removal, and with it every collection from a position. See `IHooks.beforeRemoveLiquidity`.
    function beforeRemoveLiquidity(address, PoolKey calldata, ModifyLiquidityParams calldata, bytes calldata)
        external
        pure
        returns (bytes4)
    {
        revert LiquidityLocked();
    }

    /// @notice Charges the fees of a trade whose native amount the trader named. See `IHooks.beforeSwap`.
    function beforeSwap(address, PoolKey calldata key, SwapParams calldata params, bytes calldata)
        external
        onlyPool(key)
        returns (bytes4, BeforeSwapDelta, uint24)
    {
        uint256 fee = 0;
        if (_isNativeSpecified(params)) {
            (uint256 platformFee, uint256 creatorFee) =
                _fees(params, NativeFeeMath.magnitude(params.amountSpecified));
            fee = _collect(platformFee, creatorFee);
        }
        return (IHooks.beforeSwap.selector, toBeforeSwapDelta(fee.toInt128(), 0), 0);
    }

    /// @notice Charges the fees of a trade whose token amount the trader named, on what the pool really moved; and
    /// holds the other kind to its full amount. See `IHooks.afterSwap`.
    function afterSwap(
        address,
        PoolKey calldata key,
        SwapParams calldata params,
        BalanceDelta delta,
        bytes calldata
    ) external onlyPool(key) returns (bytes4, int128) {
        uint256 poolNative = NativeFeeMath.magnitude(delta.amount0());
        if (_isNativeSpecified(params)) {
            _requireFullFill(params, poolNative);
            return (IHooks.afterSwap.selector, 0);
        }
        (uint256 platformFee, uint256 creatorFee) = _fees(params, poolNative);
        return (IHooks.afterSwap.selector, _collect(platformFee, creatorFee).toInt128());
    }

    /// @dev With the fee fixed beforehand, a price limit that stops the trade early would charge for what did not trade.
    function _requireFullFill(SwapParams calldata params, uint256 poolNative) private view {
        uint256 amount = NativeFeeMath.magnitude(params.amountSpecified);
        (uint256 platformFee, uint256 creatorFee) = _fees(params, amount);
        uint256 fee = platformFee + creatorFee;
        if (poolNative != (params.zeroForOne ? amount - fee : amount + fee)) revert PartialFill();
    }

    /// @dev Both fees of a trade from its known native amount; exact-output trades know the net, the others the gross.
    function _fees(SwapParams calldata params, uint256 nativeAmount)
        private
        view
        returns (uint256 platformFee, uint256 creatorFee)
    {
        uint256 creatorFeeBps = params.zeroForOne ? creatorBuyFeeBps : creatorSellFeeBps;
        bool isExactOutput = params.amountSpecified > 0;
        uint256 gross = isExactOutput ? NativeFeeMath.grossFromNet(nativeAmount, creatorFeeBps) : nativeAmount;
        return NativeFeeMath.feesOnGross(gross, creatorFeeBps);
    }

    /// @dev Mints the fees as claims to the vault. A `take` would fail while the manager holds no native currency yet.
    function _collect(uint256 platformFee, uint256 creatorFee) private returns (uint256 fee) {
        fee = platformFee + creatorFee;
        if (fee == 0) return 0;
        poolManager.mint(address(vault), CurrencyLibrary.toId(CurrencyLibrary.ADDRESS_ZERO), fee);
        vault.accrue(platformFee, creatorFee);
    }

    /// @dev A buy (native in) with exact input, or a sell (native out) with exact output.
    function _isNativeSpecified(SwapParams calldata params) private pure returns (bool) {
        return params.zeroForOne == (params.amountSpecified < 0);
    }
}
