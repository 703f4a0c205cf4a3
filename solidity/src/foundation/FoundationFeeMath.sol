// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {SwapParams} from "@uniswap/v4-core/src/types/PoolOperation.sol";
import {NativeFeeMath} from "../native20/NativeFeeMath.sol";

/// @title Fees of a Foundation trade, in the native currency
/// @notice The arithmetic of `NativeFeeMath` with another platform share: both fees are shares of the gross native amount,
/// each rounded down by itself.
library FoundationFeeMath {
    /// @notice Both shares in basis points.
    struct Rates {
        uint256 platformFeeBps;
        uint256 creatorFeeBps;
    }

    /// @notice What a trade is charged. @param gross Wei before fees on a sell, fees among them on a buy.
    struct Charge {
        uint256 gross;
        uint256 platform;
        uint256 creator;
    }

    /// @notice The charge of a trade whose native amount is known: the net with exact output, else the gross.
    function charge(SwapParams calldata params, uint256 nativeAmount, Rates memory rates)
        internal
        pure
        returns (Charge memory made)
    {
        // `grossFromNet` adds the platform's usual share by itself.
        uint256 beyondUsual = rates.platformFeeBps + rates.creatorFeeBps - NativeFeeMath.PLATFORM_FEE_BPS;
        bool isExactOutput = params.amountSpecified > 0;
        made.gross = isExactOutput ? NativeFeeMath.grossFromNet(nativeAmount, beyondUsual) : nativeAmount;
        (, made.platform) = NativeFeeMath.feesOnGross(made.gross, rates.platformFeeBps);
        (, made.creator) = NativeFeeMath.feesOnGross(made.gross, rates.creatorFeeBps);
    }

    /// @notice A buy (native in) with exact input, or a sell (native out) with exact output.
    function isNativeSpecified(SwapParams calldata params) internal pure returns (bool) {
        return params.zeroForOne == (params.amountSpecified < 0);
    }
}
