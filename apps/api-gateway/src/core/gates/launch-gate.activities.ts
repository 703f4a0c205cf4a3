import type { LaunchGateActivities } from '@launch/contracts/orchestration';
import type { LaunchGatesService } from './launch-gates.service.js';

/** Serves the check of admission before custody: an operator who closed the gate holds every launch without a permit. */
export const launchGateWork = (gates: Pick<LaunchGatesService, 'read'>): LaunchGateActivities => ({
  async authorizationGate() {
    const { gates: read } = await gates.read();
    return { open: read.publicAuthorization };
  },
});
