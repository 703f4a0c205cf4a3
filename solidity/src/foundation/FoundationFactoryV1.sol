// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {FoundationCustody} from "./FoundationCustody.sol";
import {FoundationFactory} from "./FoundationFactory.sol";
import {FoundationHook, FoundationHookV1} from "./FoundationHook.sol";
import {FoundationLaunch, LaunchResultV2} from "./FoundationTypes.sol";

/// @title Foundation V1: the retained release, whose platform share never changes; its event indexes nothing
contract FoundationFactoryV1 is FoundationFactory {
    event FoundationLaunched(
        address token,
        address creator,
        bytes32 poolId,
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
        return 100;
    }

    function _newHook(bytes32 salt) internal override returns (FoundationHook) {
        return new FoundationHookV1{salt: salt}();
    }

    function _stamp(FoundationLaunch memory made) internal override {
        emit FoundationLaunched(
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
