import type { PinnedContexts, PinnedCustomLaunchContexts } from '../pinned-contexts.js';
import { customLaunchFamily } from './custom-launch.family.js';
import { multiRoleFamily } from './multi-role.family.js';
import type { PermitFamilies } from './permit-family.js';

/** @param custom the contexts of custom launches and plans; null if this custody serves neither. */
export const permitFamilies = (
  multiRole: PinnedContexts,
  custom: PinnedCustomLaunchContexts | null,
): PermitFamilies => ({
  'multi-role.v2': multiRoleFamily(multiRole),
  ...(custom === null
    ? {}
    : {
        'custom-launch.v4': customLaunchFamily('custom-launch.v4', custom),
        'plan.v1': customLaunchFamily('plan.v1', custom),
      }),
});
