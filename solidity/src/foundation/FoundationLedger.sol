// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {FeeVault} from "../native20/FeeVault.sol";

/// @title The ledger of one Foundation pool's fees
/// @notice The fee vault, with the currency that it counts in.
contract FoundationLedger is FeeVault {
    /// @notice Zero: the chain's native currency.
    address public constant quote = address(0);

    constructor(IPoolManager poolManager_, address platform, address creator)
        FeeVault(poolManager_, platform, creator)
    {}
}
