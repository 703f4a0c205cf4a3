// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {FoundationCustody} from "../foundation/FoundationCustody.sol";
import {FoundationFactory} from "../foundation/FoundationFactory.sol";
import {FoundationHook, FoundationHookV3} from "../foundation/FoundationHook.sol";
import {FoundationLaunchAccount} from "./FoundationLaunchAccount.sol";
import {FoundationGraphFactory} from "./FoundationGraphFactory.sol";

/// @title Graph factory V2, for new launches
/// @notice It launches for the accounts that it opened and for nobody else; an account launches when the router calls it.
contract FoundationGraphFactoryV2 is FoundationGraphFactory {
    /// @notice A direct call: launches come from the router, by a wallet's account.
    error NotLaunchAccount(address caller);

    constructor(IPoolManager poolManager_, FoundationCustody custody_, address platform_, address router_)
        FoundationGraphFactory(poolManager_, custody_, platform_, router_)
    {}

    /// @inheritdoc FoundationFactory
    function platformFeeBps() public pure override returns (uint16) {
        return 30;
    }

    /// @dev The account names its wallet, and the wallet's account is where nothing but this factory's clone can stand.
    function _requireLauncher() internal view override {
        if (msg.sender.code.length != 0) {
            try FoundationLaunchAccount(msg.sender).wallet() returns (address wallet) {
                if (accountOf(wallet) == msg.sender) return;
            } catch {}
        }
        revert NotLaunchAccount(msg.sender);
    }

    function _newHook(bytes32 salt) internal override returns (FoundationHook) {
        return new FoundationHookV3{salt: salt}();
    }

    /// @dev Each direction has its own.
    function _requireFees(uint16, uint16) internal pure override {}
}
