// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IHooks} from "@uniswap/v4-core/src/interfaces/IHooks.sol";
import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {SafeCast} from "@uniswap/v4-core/src/libraries/SafeCast.sol";
import {BalanceDelta} from "@uniswap/v4-core/src/types/BalanceDelta.sol";
import {BeforeSwapDelta, toBeforeSwapDelta} from "@uniswap/v4-core/src/types/BeforeSwapDelta.sol";
import {CurrencyLibrary} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolId} from "@uniswap/v4-core/src/types/PoolId.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {ModifyLiquidityParams, SwapParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";
import {FeeVault} from "../native20/FeeVault.sol";
import {NativeFeeMath} from "../native20/NativeFeeMath.sol";

/// @title The hook of every pool that one engine made
/// @notice Charges the fees of `NativeFeeKernel`, each pool's into a vault of its own. V4 does not call a hook for what it
/// does itself, so whoever arrives to start a pool or to add liquidity is a third party.
abstract contract EngineHook {
    using SafeCast for uint256;

    struct EnginePool {
        FeeVault vault;
        uint16 creatorBuyFeeBps;
        uint16 creatorSellFeeBps;
    }

    /// @dev The permissions of `NativeFeeKernel`: V4 reads them from the low 14 bits of a hook's address.
    uint160 private constant HOOK_FLAGS =
        (1 << 13) | (1 << 11) | (1 << 9) | (1 << 7) | (1 << 6) | (1 << 3) | (1 << 2);
    uint160 private constant HOOK_FLAGS_MASK = (1 << 14) - 1;

    IPoolManager public immutable poolManager;
    mapping(bytes32 poolId => EnginePool) private _pools;

    error HookAddressFlagsWrong(address hook);
    error CreatorFeeTooHigh(uint16 feeBps);
    error NotPoolManager(address caller);
    error NotEngine(address caller);
    error WrongPool(bytes32 poolId);
    error LiquidityClosed();
    error LiquidityLocked();
    /// @notice The fee was fixed for the whole amount, but the price limit let only part of it trade.
    error PartialFill();

    modifier onlyPoolManager() {
        if (msg.sender != address(poolManager)) revert NotPoolManager(msg.sender);
        _;
    }

    constructor(IPoolManager poolManager_) {
        if (uint160(address(this)) & HOOK_FLAGS_MASK != HOOK_FLAGS) revert HookAddressFlagsWrong(address(this));
        poolManager = poolManager_;
    }

    /// @notice A pool's vault and creator fees; all zero for a pool that is not the engine's.
    function poolOf(bytes32 poolId)
        external
        view
        returns (FeeVault vault, uint16 creatorBuyFeeBps, uint16 creatorSellFeeBps)
    {
        EnginePool storage pool = _pools[poolId];
        return (pool.vault, pool.creatorBuyFeeBps, pool.creatorSellFeeBps);
    }

    /// @notice Refuses every pool that the engine does not start itself. See `IHooks.beforeInitialize`.
    function beforeInitialize(address sender, PoolKey calldata, uint160) external pure returns (bytes4) {
        revert NotEngine(sender);
    }

    /// @notice Refuses liquidity. See `IHooks.beforeAddLiquidity`.
    function beforeAddLiquidity(address, PoolKey calldata, ModifyLiquidityParams calldata, bytes calldata)
        external
        pure
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
        onlyPoolManager
        returns (bytes4, BeforeSwapDelta, uint24)
    {
        EnginePool storage pool = _known(key);
        uint256 fee = 0;
        if (_isNativeSpecified(params)) {
            (uint256 platformFee, uint256 creatorFee) =
                _fees(pool, params, NativeFeeMath.magnitude(params.amountSpecified));
            fee = _collect(pool.vault, platformFee, creatorFee);
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
    ) external onlyPoolManager returns (bytes4, int128) {
        EnginePool storage pool = _known(key);
        uint256 poolNative = NativeFeeMath.magnitude(delta.amount0());
        if (_isNativeSpecified(params)) {
            _requireFullFill(pool, params, poolNative);
            return (IHooks.afterSwap.selector, 0);
        }
        (uint256 platformFee, uint256 creatorFee) = _fees(pool, params, poolNative);
        return (IHooks.afterSwap.selector, _collect(pool.vault, platformFee, creatorFee).toInt128());
    }

    /// @dev Takes a pool in before it is started. Its key holds a token that the engine made, so it comes once.
    function _admit(
        bytes32 poolId,
        uint16 creatorBuyFeeBps,
        uint16 creatorSellFeeBps,
        address platformRecipient,
        address creatorRecipient
    ) internal returns (FeeVault vault) {
        if (creatorBuyFeeBps > NativeFeeMath.MAX_CREATOR_FEE_BPS) revert CreatorFeeTooHigh(creatorBuyFeeBps);
        if (creatorSellFeeBps > NativeFeeMath.MAX_CREATOR_FEE_BPS) revert CreatorFeeTooHigh(creatorSellFeeBps);
        vault = new FeeVault(poolManager, platformRecipient, creatorRecipient);
        _pools[poolId] = EnginePool(vault, creatorBuyFeeBps, creatorSellFeeBps);
    }

    function _known(PoolKey calldata key) private view returns (EnginePool storage pool) {
        bytes32 id = PoolId.unwrap(key.toId());
        pool = _pools[id];
        if (address(pool.vault) == address(0)) revert WrongPool(id);
    }

    /// @dev With the fee fixed beforehand, a price limit that stops the trade early would charge for what did not trade.
    function _requireFullFill(EnginePool storage pool, SwapParams calldata params, uint256 poolNative) private view {
        uint256 amount = NativeFeeMath.magnitude(params.amountSpecified);
        (uint256 platformFee, uint256 creatorFee) = _fees(pool, params, amount);
        uint256 fee = platformFee + creatorFee;
        if (poolNative != (params.zeroForOne ? amount - fee : amount + fee)) revert PartialFill();
    }

    /// @dev Both fees of a trade from its known native amount; exact-output trades know the net, the others the gross.
    function _fees(EnginePool storage pool, SwapParams calldata params, uint256 nativeAmount)
        private
        view
        returns (uint256 platformFee, uint256 creatorFee)
    {
        uint256 creatorFeeBps = params.zeroForOne ? pool.creatorBuyFeeBps : pool.creatorSellFeeBps;
        bool isExactOutput = params.amountSpecified > 0;
        uint256 gross = isExactOutput ? NativeFeeMath.grossFromNet(nativeAmount, creatorFeeBps) : nativeAmount;
        return NativeFeeMath.feesOnGross(gross, creatorFeeBps);
    }

    /// @dev Mints the fees as claims to the pool's vault. A `take` would fail while the manager holds no native currency.
    function _collect(FeeVault vault, uint256 platformFee, uint256 creatorFee) private returns (uint256 fee) {
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
