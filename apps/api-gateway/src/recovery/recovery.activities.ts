import type { RecoveryResolveActivities } from '@launch/contracts/orchestration';
import type { RecoveryService } from './recovery.service.js';

/** The service as Temporal calls it; whatever fails is tried again, since every step may be repeated. */
export const createRecoveryActivities = (service: RecoveryService): RecoveryResolveActivities => ({
  recoveryTargets: () => service.recoveryTargets(),
  resolveStamps: (input) => service.resolveStamps(input),
  recordRecovery: (report) => service.recordRecovery(report),
});
