/** Packs custom launches. Only the packing commands load this entry point, because it contains every rule. */
export { packCustomLaunch, type PackedCustomLaunch } from './pack-custom-launch.js';
export { draftConfig, type LaunchChoices, type LaunchTerms } from './draft-config.js';
export { packPlan, type PackedPlan, type PlanChoice, type PlanPackReport } from './pack-plan.js';
export { commitmentsOf, type Commitments } from './commitments.js';
export type { InventoryMaterial } from '../inventory/inventory-material.js';
export { readBoundedFile } from '../offline/new-file.js';
export { parseDocument, validateDocument } from '../offline/strict-document.js';
