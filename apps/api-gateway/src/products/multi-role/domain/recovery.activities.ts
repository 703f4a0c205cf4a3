import type { RecoveryResolveActivities } from '@launch/contracts/orchestration';
import type { RecoveryService } from './recovery.service.js';

/** Adapts the service to Temporal's activities. Every step may be repeated. */
export const recoveryWork = (service: RecoveryService): RecoveryResolveActivities => ({
  recoveryTargets: () => service.recoveryTargets(),
  resolveStamps: (input) => service.resolveStamps(input),
  recordRecovery: (report) => service.recordRecovery(report),
});
