import type { LaunchReadiness } from '@launch/contracts/reports';
import type { GatesReading } from '../../../core/gates/launch-gates.service.js';

/** What reports are made of. */
export interface ReportState {
  readonly reading: GatesReading;
  /** Null while the observers do not agree on a block. */
  readonly checkpoint: LaunchReadiness['checkpoint'];
  /** Whether both price feeds gave a usable price; false where that was not asked. */
  readonly hasPrice: boolean;
  /** Whether this deployment serves a route. */
  readonly serves: (method: 'GET' | 'POST', path: string) => boolean;
}

/** Whether a new request may be taken, and why not. */
export const serviceReadiness = ({ reasonCodes }: GatesReading) => ({
  status: reasonCodes.length === 0 ? ('ready' as const) : ('unavailable' as const),
  reasonCodes: [...reasonCodes],
});
