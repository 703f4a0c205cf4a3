import type { LaunchReadiness } from '@launch/contracts/reports';
import type { GatesReading } from '../../../core/gates/launch-gates.service.js';

/** The state that reports describe. */
export interface ReportState {
  readonly reading: GatesReading;
  /** Null while the observers disagree on a block. */
  readonly checkpoint: LaunchReadiness['checkpoint'];
  /** Whether both price feeds gave a usable price; false when they were not read. */
  readonly hasPrice: boolean;
  /** Returns whether this deployment serves a route. */
  readonly serves: (method: 'GET' | 'POST', path: string) => boolean;
}

/** Returns whether new requests are accepted, and the reasons against it. */
export const serviceReadiness = ({ reasonCodes }: GatesReading) => ({
  status: reasonCodes.length === 0 ? ('ready' as const) : ('unavailable' as const),
  reasonCodes: [...reasonCodes],
});
