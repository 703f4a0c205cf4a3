import type { LaunchGateActivities } from '@launch/contracts/orchestration';
import type { LaunchGatesService } from './launch-gates.service.js';

/** What admission asks before custody: an operator who closed the gate holds every launch that has no permit yet. */
export const launchGateWork = (gates: Pick<LaunchGatesService, 'read'>): LaunchGateActivities => ({
  async authorizationGate() {
    const { gates: read } = await gates.read();
    return { open: read.publicAuthorization };
  },
});
