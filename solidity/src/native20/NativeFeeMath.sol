// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

/// @title Fee arithmetic in the native currency
/// @notice Both fees are shares of the *gross* native amount of a trade, each rounded down by itself:
///
/// | trade          | known            | gross                                |
/// |----------------|------------------|--------------------------------------|
/// | buy exact in   | trader pays N    | N                                    |
/// | buy exact out  | pool needs A     | ceil(A * 10000 / (10000 - f))        |
/// | sell exact in  | pool pays A      | A                                    |
/// | sell exact out | trader gets N    | ceil(N * 10000 / (10000 - f))        |
///
/// where `f` is the platform's 20 basis points plus the creator's fee of that side.
library NativeFeeMath {
    uint256 internal constant BPS = 10_000;
    uint256 internal constant PLATFORM_FEE_BPS = 20;
    uint256 internal constant MAX_CREATOR_FEE_BPS = 1_000;

    /// @dev PoolManager accounts in int128, so nothing larger can trade.
    uint256 private constant MAX_NATIVE_AMOUNT = uint256(uint128(type(int128).max));

    error NativeAmountTooLarge();

    /// @notice The absolute value of a signed amount, refused if no pool could settle it.
    function magnitude(int256 amount) internal pure returns (uint256 size) {
        unchecked {
            // The smallest int256 negates to itself, whose uint256 reading is 2^255: refused below like any excess.
            size = uint256(amount < 0 ? -amount : amount);
        }
        if (size > MAX_NATIVE_AMOUNT) revert NativeAmountTooLarge();
    }

    /// @notice The gross amount of which `net` is left after both fees, rounded up.
    function grossFromNet(uint256 net, uint256 creatorFeeBps) internal pure returns (uint256) {
        uint256 netBps = BPS - PLATFORM_FEE_BPS - creatorFeeBps;
        return (net * BPS + netBps - 1) / netBps;
    }

    /// @notice Both fees on a gross amount, each rounded down by itself.
    function feesOnGross(uint256 gross, uint256 creatorFeeBps)
        internal
        pure
        returns (uint256 platformFee, uint256 creatorFee)
    {
        platformFee = gross * PLATFORM_FEE_BPS / BPS;
        creatorFee = gross * creatorFeeBps / BPS;
    }
}
