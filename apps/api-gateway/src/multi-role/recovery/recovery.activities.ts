import type { RecoveryResolveActivities } from '@launch/contracts/orchestration';
import type { Step } from '@launch/worker';
import type { RecoveryService } from './recovery.service.js';

/** The service as Temporal calls it; every step may be repeated. */
export const createRecoveryActivities = (service: RecoveryService, step: Step): RecoveryResolveActivities => ({
  recoveryTargets: () => step(() => service.recoveryTargets()),
  resolveStamps: (input) => step(() => service.resolveStamps(input)),
  recordRecovery: (report) => step(() => service.recordRecovery(report)),
});
