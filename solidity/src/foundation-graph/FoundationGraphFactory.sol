// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IPoolManager} from "@uniswap/v4-core/src/interfaces/IPoolManager.sol";
import {FoundationCustody} from "../foundation/FoundationCustody.sol";
import {FoundationFactory} from "../foundation/FoundationFactory.sol";
import {FoundationLaunch, LaunchResultV2} from "../foundation/FoundationTypes.sol";
import {FoundationLaunchAccount} from "./FoundationLaunchAccount.sol";

/// @title Foundation on Ethereum: launches that the router stamps
/// @notice A launch is the router's stamp; what a graph factory says of it is for diagnostics alone. `runtime` is the
/// module implementation.
abstract contract FoundationGraphFactory is FoundationFactory {
    /// @notice What the account of every wallet is a clone of.
    FoundationLaunchAccount public immutable launchAccount;
    address public immutable router;

    event LaunchAccountOpened(address indexed wallet, address indexed account);
    /// @notice For diagnostics: it proves no launch.
    event FoundationGraphLaunched(
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

    constructor(IPoolManager poolManager_, FoundationCustody custody_, address platform_, address router_)
        FoundationFactory(poolManager_, custody_, platform_)
    {
        router = router_;
        launchAccount = new FoundationLaunchAccount(this, router_);
    }

    /// @notice Where a wallet's account is, opened or not.
    function accountOf(address wallet) public view returns (address) {
        return Clones.predictDeterministicAddressWithImmutableArgs(
            address(launchAccount), abi.encode(wallet), _accountSalt(wallet)
        );
    }

    /// @notice Opens a wallet's account where it is not open yet; anybody may call it.
    function openAccount(address wallet) external returns (FoundationLaunchAccount) {
        address account = accountOf(wallet);
        if (account.code.length == 0) {
            Clones.cloneDeterministicWithImmutableArgs(
                address(launchAccount), abi.encode(wallet), _accountSalt(wallet)
            );
            emit LaunchAccountOpened(wallet, account);
        }
        return FoundationLaunchAccount(account);
    }

    function _stamp(FoundationLaunch memory made) internal virtual override {
        emit FoundationGraphLaunched(
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

    function _accountSalt(address wallet) private pure returns (bytes32) {
        return bytes32(uint256(uint160(wallet)));
    }
}
