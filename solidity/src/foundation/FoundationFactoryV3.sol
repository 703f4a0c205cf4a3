// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {FoundationCustody} from "./FoundationCustody.sol";
import {FoundationFactory} from "./FoundationFactory.sol";
import {FoundationHook, FoundationHookV3} from "./FoundationHook.sol";
import {FoundationLaunch, LaunchResultV2} from "./FoundationTypes.sol";

/// @title Foundation V3: a fee of the creator a direction
contract FoundationFactoryV3 is FoundationFactory {
    event FoundationLaunchedV3(
        address indexed token,
        address indexed creator,
        bytes32 indexed poolId,
        address hook,
        address ledger,
        address quote,
        bytes32 metadataHash,
        bytes32 compositionHash,
        uint256 custodyId,
        uint256 initialBuyQuoteAmount,
        LaunchResultV2 result
    );

    constructor(IPoolManager poolManager_, FoundationCustody custody_, address platform_)
        FoundationFactory(poolManager_, custody_, platform_)
    {}

    /// @inheritdoc FoundationFactory
    function platformFeeBps() public pure override returns (uint16) {
        return 30;
    }

    function _newHook(bytes32 salt) internal override returns (FoundationHook) {
        return new FoundationHookV3{salt: salt}();
    }

    /// @dev Each direction has its own.
    function _requireFees(uint16, uint16) internal pure override {}

    function _stamp(FoundationLaunch memory made) internal override {
        emit FoundationLaunchedV3(
            made.token,
            made.creator,
            made.poolId,
            made.hook,
            made.ledger,
            made.quote,
            made.metadataHash,
            made.compositionHash,
            made.custodyId,
            made.initialBuyQuoteAmount,
            made.result
        );
    }
}
