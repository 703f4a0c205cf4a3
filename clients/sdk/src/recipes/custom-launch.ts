/** Packs custom launches and plans of the recipe `native20-seed@1`. It contains the reviewed contracts. */
export {
  draftConfig,
  packCustomLaunch,
  packPlan,
  type CustomLaunchChoices,
  type PackedCustomLaunch,
  type PackedPlan,
} from './custom-launch-recipe.js';
export type { CustomLaunchPackConfig, CustomLaunchPackReport } from '@launch/contracts/custom-launch';
export type { PlanChoice, PlanPackReport } from '@launch/multi-role/custom-launch';
