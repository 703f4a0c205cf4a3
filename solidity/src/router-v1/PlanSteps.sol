// SPDX-License-Identifier: MIT
pragma solidity 0.8.26;

import {LaunchHashes} from "../router/LaunchHashes.sol";
import {LaunchHashesV1} from "./LaunchHashesV1.sol";
import {ComponentStep, LaunchModesV1, LaunchPermitV1} from "./LaunchTypesV1.sol";

/// @title The steps of a plan, in their order and under one permit
abstract contract PlanSteps {
    /// @notice How far a plan has come, by its permit.
    /// @param deployed Components that stand.
    /// @param startedAt Block time of the first step.
    struct PlanProgress {
        uint16 deployed;
        uint64 startedAt;
    }

    mapping(bytes32 permitDigest => PlanProgress) public planProgress;

    /// @notice A plan's step was carried out. For finding it only: it stamps nothing.
    event PlanComponentDeployedV1(
        bytes32 indexed permitDigest, uint16 indexed ordinal, address indexed component
    );

    /// @notice The permit is for another way of launching than the one called.
    error WrongMode(uint8 permitted);
    error StepsHashMismatch(bytes32 permitted, bytes32 computed);
    /// @notice The step belongs to another plan than the permit's, by its graph or by the component alone.
    error StepNotOfPlan(uint16 ordinal, bytes32 permitted, bytes32 computed);
    error StepOutOfOrder(uint256 expected, uint256 ordinal);
    /// @notice The steps of an atomic plan belong in one transaction; its first one was at another time.
    error AtomicStepsApart(uint64 startedAt, uint256 blockTime);
    /// @notice Not every component was deployed under this very permit.
    error PlanIncomplete(uint256 required, uint256 deployed);

    function _requirePlan(LaunchPermitV1 calldata permit) internal pure {
        if (permit.mode != LaunchModesV1.SEQUENTIAL && permit.mode != LaunchModesV1.ATOMIC) {
            revert WrongMode(permit.mode);
        }
    }

    /// @dev One step after the other. A batch is one transaction, so all of it has one block time; what comes later was
    /// sent by itself, and then an atomic plan goes no further.
    function _advance(bytes32 permitDigest, uint8 mode, ComponentStep calldata step) internal {
        PlanProgress memory progress = planProgress[permitDigest];
        if (step.ordinal != progress.deployed || step.ordinal >= step.componentHashes.length) {
            revert StepOutOfOrder(progress.deployed, step.ordinal);
        }
        if (progress.deployed == 0) progress.startedAt = uint64(block.timestamp);
        _requireTogether(mode, progress.startedAt);
        progress.deployed += 1;
        planProgress[permitDigest] = progress;
    }

    function _requireTogether(uint8 mode, uint64 startedAt) private view {
        if (mode == LaunchModesV1.ATOMIC && startedAt != block.timestamp) {
            revert AtomicStepsApart(startedAt, block.timestamp);
        }
    }

    function _requireComplete(bytes32 permitDigest, uint8 mode, uint256 required) internal view {
        PlanProgress memory progress = planProgress[permitDigest];
        if (progress.deployed != required) revert PlanIncomplete(required, progress.deployed);
        _requireTogether(mode, progress.startedAt);
    }

    function _requireStepOfPlan(ComponentStep calldata step, LaunchPermitV1 calldata permit) internal pure {
        bytes32 computed = LaunchHashesV1.ofGraph(
            step.componentHashes, LaunchHashesV1.ofChildren(step.children), step.externalHashes
        );
        if (computed != permit.graphHash) revert StepNotOfPlan(step.ordinal, permit.graphHash, computed);
        bytes32 permitted = step.componentHashes[step.ordinal];
        computed = LaunchHashes.ofComponent(step.component);
        if (computed != permitted) revert StepNotOfPlan(step.ordinal, permitted, computed);
        _requireSteps(
            LaunchHashesV1.ofPlanSteps(step.componentHashes, permit.callHash, permit.value), permit.stepsHash
        );
    }

    function _requireSteps(bytes32 computed, bytes32 permitted) internal pure {
        if (computed != permitted) revert StepsHashMismatch(permitted, computed);
    }
}
