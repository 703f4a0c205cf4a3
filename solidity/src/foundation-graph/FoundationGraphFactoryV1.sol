// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {FoundationCustody} from "../foundation/FoundationCustody.sol";
import {FoundationFactory} from "../foundation/FoundationFactory.sol";
import {FoundationHook, FoundationHookV1} from "../foundation/FoundationHook.sol";
import {FoundationGraphFactory} from "./FoundationGraphFactory.sol";

/// @title Graph factory V1, retained for historical coins
/// @notice Anybody could call it directly: a coin of such a call bears no stamp and is nothing that an index lists.
contract FoundationGraphFactoryV1 is FoundationGraphFactory {
    constructor(IPoolManager poolManager_, FoundationCustody custody_, address platform_, address router_)
        FoundationGraphFactory(poolManager_, custody_, platform_, router_)
    {}

    /// @inheritdoc FoundationFactory
    function platformFeeBps() public pure override returns (uint16) {
        return 100;
    }

    function _newHook(bytes32 salt) internal override returns (FoundationHook) {
        return new FoundationHookV1{salt: salt}();
    }
}
