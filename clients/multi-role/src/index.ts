/** The parts of the multi-role client for programs. Its commands ship as single files (README.md). */
export { packRequest, type PackedRequest } from './packer/pack-request.js';
export { inertConfigOf } from './packer/inert-config.js';
export { buildPackConfig, type BuiltConfig, type LaunchInputs } from './builder/build-pack-config.js';
export { PACK_EXIT_CODES, PackError, type PackErrorCode, type PackFinding } from './offline/pack.error.js';
export { buildInventoryRequest, type BuiltInventoryRequest } from './inventory/build-inventory-request.js';
export { packPlan, type PackedPlan, type PlanChoice } from './custom-launch/pack-plan.js';
export { packCustomLaunch, type PackedCustomLaunch } from './custom-launch/pack-custom-launch.js';
export { inventoryInputOf, type LiveInventoryInputs } from './inventory/inventory-input.js';
export type { InventoryMaterial } from './inventory/inventory-material.js';
export { mineSalt, type MinedSalt, type MiningTask } from './builder/salt-miner.js';
export { recoverFinality, recoverTransactionHint, type RecoveryService } from './client/recovery.js';
export { readOriginalLaunch, type OriginalLaunch } from './client/original-launch.js';
export { hasEnded, hasReached, type Stage, type StagedLaunch } from './client/launch-stage.js';
export { ClientError, type ClientErrorCode } from './client/client.error.js';
