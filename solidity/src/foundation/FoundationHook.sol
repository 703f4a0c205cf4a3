// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IHooks} from "@uniswap/v4-core/src/interfaces/IHooks.sol";
import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {SafeCast} from "@uniswap/v4-core/src/libraries/SafeCast.sol";
import {BalanceDelta} from "@uniswap/v4-core/src/types/BalanceDelta.sol";
import {BeforeSwapDelta, toBeforeSwapDelta} from "@uniswap/v4-core/src/types/BeforeSwapDelta.sol";
import {Currency, CurrencyLibrary} from "@uniswap/v4-core/src/types/Currency.sol";
import {PoolId} from "@uniswap/v4-core/src/types/PoolId.sol";
import {PoolKey} from "@uniswap/v4-core/src/types/PoolKey.sol";
import {ModifyLiquidityParams, SwapParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";
import {NativeFeeMath} from "../native20/NativeFeeMath.sol";
import {FoundationFeeMath} from "./FoundationFeeMath.sol";
import {FoundationLedger} from "./FoundationLedger.sol";
import {HookParameters, ModuleRef} from "./FoundationTypes.sol";

/// @notice What a hook asks of the factory that makes it, so that its creation code is the same for all launches and a
/// wallet finds a salt with the right address bits by two hashes a try.
interface IFoundationParameters {
    function hookParameters() external view returns (HookParameters memory);
}

/// @title The hook of one Foundation launch's pool
/// @notice Charges both fees in the native currency and tells every trade. The pool is started by the factory, seeded once
/// out of custody, and never gives liquidity back. What its versions differ in is how they name the creator's fee.
abstract contract FoundationHook {
    using FoundationFeeMath for SwapParams;
    using SafeCast for uint256;

    /// @notice How far the pool's one way has been gone.
    enum Stage {
        Created,
        Initialized,
        Seeded
    }

    /// @dev beforeInitialize, beforeAddLiquidity, beforeRemoveLiquidity, beforeSwap, afterSwap, and the two return
    /// deltas of swaps: V4 reads a hook's permissions from the low 14 bits of its address.
    uint160 private constant HOOK_FLAGS =
        (1 << 13) | (1 << 11) | (1 << 9) | (1 << 7) | (1 << 6) | (1 << 3) | (1 << 2);
    uint160 private constant HOOK_FLAGS_MASK = (1 << 14) - 1;
    int24 private constant TICK_SPACING = 60;

    IPoolManager public immutable poolManager;
    address public immutable factory;
    address public immutable custody;
    address public immutable token;
    address public immutable creator;
    FoundationLedger public immutable ledger;
    bytes32 public immutable compositionHash;
    /// @notice The platform's share of a trade's gross native amount, basis points.
    uint16 public immutable platformFeeBps;
    /// @notice The currency that prices and fees are in; zero is the chain's own.
    address public constant quote = address(0);

    uint16 internal immutable _creatorBuyFeeBps;
    uint16 internal immutable _creatorSellFeeBps;

    Stage public stage;
    ModuleRef[] private _modules;

    /// @param router Who called PoolManager; the trader may be another.
    /// @param grossQuote Wei that a buyer pays in all, or that a seller's tokens are worth before fees.
    /// @param coreAmount0 Wei that moved between the pool and `router`, without fees; positive leaves the pool.
    /// @param coreAmount1 The same of the token.
    event FoundationSwap(
        bytes32 indexed poolId,
        address indexed router,
        bool buy,
        bool exactInput,
        uint256 grossQuote,
        uint256 platformQuote,
        uint256 creatorQuote,
        int128 coreAmount0,
        int128 coreAmount1
    );

    error HookAddressFlagsWrong(address hook);
    error NotPoolManager(address caller);
    error NotFactory(address caller);
    error WrongPool(bytes32 poolId);
    error WrongStage(Stage stage);
    error LiquidityClosed();
    error LiquidityLocked();
    /// @notice The fee was fixed for the whole amount, but the price limit let only part of it trade.
    error PartialFill();

    modifier onlyPool(PoolKey calldata key) {
        if (msg.sender != address(poolManager)) revert NotPoolManager(msg.sender);
        bytes32 id = PoolId.unwrap(key.toId());
        if (id != poolId()) revert WrongPool(id);
        _;
    }

    constructor() {
        if (uint160(address(this)) & HOOK_FLAGS_MASK != HOOK_FLAGS) revert HookAddressFlagsWrong(address(this));
        HookParameters memory given = IFoundationParameters(msg.sender).hookParameters();
        factory = msg.sender;
        poolManager = given.poolManager;
        custody = given.custody;
        token = given.token;
        creator = given.creator;
        platformFeeBps = given.platformFeeBps;
        _creatorBuyFeeBps = given.creatorBuyFeeBps;
        _creatorSellFeeBps = given.creatorSellFeeBps;
        ledger = new FoundationLedger(given.poolManager, given.platform, given.creator);
        compositionHash = keccak256(abi.encode(given.modules));
        for (uint256 i = 0; i < given.modules.length; ++i) _modules.push(given.modules[i]);
    }

    /// @notice The only pool that this hook serves.
    function poolKey() public view returns (PoolKey memory) {
        return PoolKey({
            currency0: CurrencyLibrary.ADDRESS_ZERO,
            currency1: Currency.wrap(token),
            fee: 0,
            tickSpacing: TICK_SPACING,
            hooks: IHooks(address(this))
        });
    }

    function poolId() public view returns (bytes32) {
        return PoolId.unwrap(poolKey().toId());
    }

    function moduleCount() external view returns (uint256) {
        return _modules.length;
    }

    /// @notice A module by its place in the launch's recorded order.
    function moduleAt(uint256 index)
        external
        view
        returns (address module, bytes32 packageId, bytes32 familyId, bytes32 configurationHash)
    {
        ModuleRef storage found = _modules[index];
        return (found.module, found.packageId, found.familyId, found.configurationHash);
    }

    /// @notice Admits the one pool, once, from the factory. See `IHooks.beforeInitialize`.
    function beforeInitialize(address sender, PoolKey calldata key, uint160)
        external
        onlyPool(key)
        returns (bytes4)
    {
        if (sender != factory) revert NotFactory(sender);
        if (stage != Stage.Created) revert WrongStage(stage);
        stage = Stage.Initialized;
        return IHooks.beforeInitialize.selector;
    }

    /// @notice Admits custody's one seeding; everybody else's liquidity, and a second one, is refused.
    function beforeAddLiquidity(address sender, PoolKey calldata key, ModifyLiquidityParams calldata, bytes calldata)
        external
        onlyPool(key)
        returns (bytes4)
    {
        if (sender != custody || stage != Stage.Initialized) revert LiquidityClosed();
        stage = Stage.Seeded;
        return IHooks.beforeAddLiquidity.selector;
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
        if (params.isNativeSpecified()) {
            fee = _collect(_charge(params, NativeFeeMath.magnitude(params.amountSpecified)));
        }
        return (IHooks.beforeSwap.selector, toBeforeSwapDelta(fee.toInt128(), 0), 0);
    }

    /// @notice Charges the fees of a trade whose token amount the trader named, on what the pool really moved; and
    /// holds the other kind to its full amount. See `IHooks.afterSwap`.
    function afterSwap(
        address sender,
        PoolKey calldata key,
        SwapParams calldata params,
        BalanceDelta delta,
        bytes calldata
    ) external onlyPool(key) returns (bytes4, int128) {
        FoundationFeeMath.Charge memory charge;
        uint256 fee = 0;
        if (params.isNativeSpecified()) {
            charge = _charge(params, NativeFeeMath.magnitude(params.amountSpecified));
            _requireFullFill(params, charge, NativeFeeMath.magnitude(delta.amount0()));
        } else {
            charge = _charge(params, NativeFeeMath.magnitude(delta.amount0()));
            fee = _collect(charge);
        }
        _tell(sender, params, charge, delta);
        return (IHooks.afterSwap.selector, fee.toInt128());
    }

    function _tell(
        address router,
        SwapParams calldata params,
        FoundationFeeMath.Charge memory charge,
        BalanceDelta delta
    ) private {
        emit FoundationSwap(
            poolId(),
            router,
            params.zeroForOne,
            params.amountSpecified < 0,
            charge.gross,
            charge.platform,
            charge.creator,
            delta.amount0(),
            delta.amount1()
        );
    }

    /// @dev With the fee fixed beforehand, a price limit that stops the trade early would charge for what did not trade.
    function _requireFullFill(
        SwapParams calldata params,
        FoundationFeeMath.Charge memory charge,
        uint256 poolNative
    ) private pure {
        uint256 amount = NativeFeeMath.magnitude(params.amountSpecified);
        uint256 fee = charge.platform + charge.creator;
        if (poolNative != (params.zeroForOne ? amount - fee : amount + fee)) revert PartialFill();
    }

    function _charge(SwapParams calldata params, uint256 nativeAmount)
        private
        view
        returns (FoundationFeeMath.Charge memory)
    {
        uint256 creatorFeeBps = params.zeroForOne ? _creatorBuyFeeBps : _creatorSellFeeBps;
        return params.charge(nativeAmount, FoundationFeeMath.Rates(platformFeeBps, creatorFeeBps));
    }

    /// @dev Mints the fees as claims to the ledger. A `take` would fail while the manager holds no native currency yet.
    function _collect(FoundationFeeMath.Charge memory charge) private returns (uint256 fee) {
        fee = charge.platform + charge.creator;
        if (fee == 0) return 0;
        poolManager.mint(address(ledger), CurrencyLibrary.toId(CurrencyLibrary.ADDRESS_ZERO), fee);
        ledger.accrue(charge.platform, charge.creator);
    }
}

/// @title The hook of V1 and V2, whose creator takes one fee of both directions
contract FoundationHookV1 is FoundationHook {
    function creatorFeeBps() external view returns (uint16) {
        return _creatorBuyFeeBps;
    }
}

/// @title The hook of V3, whose creator takes a fee of each direction
contract FoundationHookV3 is FoundationHook {
    function creatorBuyFeeBps() external view returns (uint16) {
        return _creatorBuyFeeBps;
    }

    function creatorSellFeeBps() external view returns (uint16) {
        return _creatorSellFeeBps;
    }
}
