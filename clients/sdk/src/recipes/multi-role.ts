/** Packs multi-role launches: complete configurations, Native20 cases and inventory projects. */
export {
  buildInventoryRequest,
  buildPackConfig,
  inertConfigOf,
  inventoryInputOf,
  packRequest,
} from './multi-role-recipes.js';
export type {
  BuiltConfig,
  BuiltInventoryRequest,
  LaunchInputs,
  LiveInventoryInputs,
  PackedRequest,
} from '@launch/multi-role';
