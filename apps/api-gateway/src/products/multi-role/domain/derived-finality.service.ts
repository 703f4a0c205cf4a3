import { Inject, Injectable } from '@nestjs/common';
import {
  DERIVED_CONTRACT_FINALITY_V3,
  FINALITY_READINESS_PATH,
  FINALITY_ROUTES,
  type FinalityDiscovery,
  type FinalityReadiness,
  type RecoveryReason,
} from '@launch/contracts/multi-role';
import { CAIP2 } from '@launch/contracts/primitives';
import { ContextService } from '../../../core/context/context.service.js';
import { RECOVERY_PAUSE, type RecoveryPause } from './recovery-pause.js';
import { RecoveryRepository, type StoredReport } from '../data/recovery.repository.js';
import { CLOCK, type Clock } from '../../../platform/tokens.js';

/** The age at which the last report of the recovery no longer counts. */
const SILENT_MS = 120_000;
/** The number of blocks by which the checkpoint may trail the finalized head between two searches. */
const LAG_BLOCKS = 1_000n;

/** Reports the finality generations and the state of the recovery (docs/reference/multi-role.md#recovery-readiness). */
@Injectable()
export class DerivedFinalityService {
  constructor(
    private readonly contexts: ContextService,
    @Inject(RecoveryRepository) private readonly reports: Pick<RecoveryRepository, 'lastReports'>,
    @Inject(RECOVERY_PAUSE) private readonly pause: RecoveryPause,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  discovery(): FinalityDiscovery {
    const generation = this.contexts.current?.generation;
    return {
      schemaVersion: 'service.multi-role-finality-discovery.v3',
      chainId: '4663',
      caip2: CAIP2,
      selection: {
        contextField: 'profile.derivedContractFinality',
        absent: 'v2',
        policyV3: DERIVED_CONTRACT_FINALITY_V3,
        otherwise: 'refused',
      },
      current: typeof generation === 'string' ? generation : null,
      v2: FINALITY_ROUTES.v2,
      v3: FINALITY_ROUTES.v3,
      readiness: FINALITY_READINESS_PATH,
    };
  }

  async readiness(): Promise<FinalityReadiness> {
    const { current } = this.contexts;
    // A pause alone changes no status, because the searched blocks stay searched. The status changes once the report
    // is too old.
    const paused: RecoveryReason[] = this.pause.isPaused() ? ['RECOVERY_PAUSED'] : [];
    const now = this.clock.now();
    const answer = (
      status: FinalityReadiness['status'],
      reasonCodes: RecoveryReason[],
      report: StoredReport | null,
    ): FinalityReadiness => ({
      schemaVersion: 'service.multi-role-finality-readiness.v3',
      status,
      reasonCodes: paused.concat(reasonCodes),
      recovery: report === null ? null : described(report),
      checkedAt: new Date(now).toISOString(),
    });
    if (current === null) return answer('unavailable', ['CONTEXT_NOT_CONFIGURED'], null);
    const { address } = current.document.chainDeployment.router;
    const reports = await this.reports.lastReports(address);
    const own = reports.find(({ router }) => router === address) ?? null;
    if (typeof current.generation !== 'string') return answer('unavailable', ['FINALITY_POLICY_UNKNOWN'], own);
    if (own === null) return answer('unavailable', ['RECOVERY_NEVER_REPORTED'], null);
    // Launches of earlier releases may use routers of their own, so the least ready router decides the status.
    for (const { reason, holds } of PROBLEMS) {
      const worst = reports.find((report) => holds(report, now));
      if (worst !== undefined)
        return answer(reason === 'RECOVERY_BEHIND' ? 'catching_up' : 'unavailable', [reason], worst);
    }
    return answer('ready', [], own);
  }
}

/** From the worst status to the best. */
const PROBLEMS: readonly {
  readonly reason: RecoveryReason;
  readonly holds: (report: StoredReport, now: number) => boolean;
}[] = [
  { reason: 'RECOVERY_SILENT', holds: ({ reportedAt }, now) => now - reportedAt.getTime() > SILENT_MS },
  { reason: 'RECOVERY_INDETERMINATE', holds: ({ observation }) => observation === 'indeterminate' },
  {
    reason: 'RECOVERY_BEHIND',
    holds(report) {
      const lag = lagOf(report);
      return lag === null || lag > LAG_BLOCKS;
    },
  },
];

/** Returns at least zero: an observer that was replaced can report an older head. */
function lagOf({ checkpointNumber, headNumber }: StoredReport): bigint | null {
  if (checkpointNumber === null || headNumber === null) return null;
  const lag = BigInt(headNumber) - BigInt(checkpointNumber);
  return lag < 0n ? 0n : lag;
}

function described(report: StoredReport): NonNullable<FinalityReadiness['recovery']> {
  const { router, checkpointNumber, checkpointHash, headNumber, observation, reportedAt } = report;
  return {
    router,
    checkpoint:
      checkpointNumber === null || checkpointHash === null
        ? null
        : { blockNumber: checkpointNumber, blockHash: checkpointHash },
    head: headNumber === null ? null : { blockNumber: headNumber },
    lagBlocks: lagOf(report)?.toString() ?? null,
    observation,
    reportedAt: reportedAt.toISOString(),
  };
}
