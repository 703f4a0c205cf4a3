import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  customLaunchHandoffSchema,
  type CustomLaunchFinality,
  type CustomLaunchHandoff,
} from '@launch/contracts/custom-launch';
import { customLaunchFinding, customLaunchFindingsOf, type CustomLaunchFinding } from '@launch/contracts/errors';
import type { ObservedFinality } from '@launch/contracts/orchestration';
import type { CustomLaunchTrigger } from '@launch/contracts/states';
import { failpoint } from '@launch/platform';
import { LaunchRelayService } from '../../../core/launches/relay/launch-relay.service.js';
import type { FamilyProjections } from '../../../core/projections/family-projections.js';
import type { LaunchEnd, ProjectionActivities } from '../../../core/projections/projection.activities.js';
import { ProjectionError } from '../../../core/projections/projection.error.js';
import { ProjectionService } from '../../../core/projections/projection.service.js';
import { mustAgree, StoredDocuments, type Agreement } from '../../../core/projections/stored-documents.js';
import {
  CustomLaunchProjectionRepository,
  type CustomLaunchIdentity,
} from '../../../core/projections/custom-launch-projection.repository.js';
import { CustomLaunchPublicationService } from '../../../core/projections/custom-launch-publication.service.js';

/** The rows of custom launches, as this service reads and moves them. */
export type CustomLaunchRows = Pick<CustomLaunchProjectionRepository, keyof CustomLaunchProjectionRepository>;
type Input<Name extends keyof ProjectionActivities> = Parameters<ProjectionActivities[Name]>[0];

/**
 * Writes the decisions of the workflows on custom launches into the client's view. Each fact is a trigger of the one
 * table of states. Every document of another service is compared with the reserved row before it is shown.
 */
@Injectable()
export class CustomLaunchProjections implements FamilyProjections, OnModuleInit {
  readonly family = 'custom-launch.v4';

  constructor(
    @Inject(ProjectionService) private readonly service: Pick<ProjectionService, 'register'>,
    @Inject(CustomLaunchProjectionRepository) private readonly rows: CustomLaunchRows,
    private readonly publications: CustomLaunchPublicationService,
    @Inject(LaunchRelayService) private readonly relay: Pick<LaunchRelayService, 'startSoon'>,
    private readonly documents: StoredDocuments,
  ) {}

  onModuleInit(): void {
    this.service.register(this);
  }

  async recordAdmitting({ launchId, reason }: Input<'recordAdmitting'>): Promise<void> {
    if (reason !== undefined) await this.rows.waits(launchId, reason);
  }

  /** Records the findings of the source assessment. A custom launch does not show the decision itself. */
  async recordAssessment({ launchId, findings }: Input<'recordAssessment'>): Promise<void> {
    await this.rows.found(launchId, customLaunchFindingsOf(findings));
  }

  async recordRefused({ launchId, findings, nonceReleased }: Input<'recordRefused'>): Promise<void> {
    const ordered = customLaunchFindingsOf(findings);
    const reason = ordered.find(({ severity }) => severity === 'error')?.code ?? 'INTERNAL';
    await this.rows.refused(launchId, ordered, reason, nonceReleased);
  }

  async recordHandoff({ launchId, handoffSha256 }: Input<'recordHandoff'>): Promise<void> {
    const { text, value } = await this.documents.read(handoffSha256, customLaunchHandoffSchema);
    mustAgree(handoffFields(value, await this.identityOf(launchId)));
    await this.rows.move(launchId, ['handoff_ready'], null, { handoff: { sha256: handoffSha256, text } });
    failpoint('gateway.after-handoff');
    this.relay.startSoon(launchId);
  }

  async recordAwaitingSignature({ launchId }: Input<'recordAwaitingSignature'>): Promise<void> {
    await this.rows.move(launchId, ['handoff_readable'], null);
  }

  async recordSubmitted({ launchId, transactionHash, sequence }: Input<'recordSubmitted'>): Promise<void> {
    await this.rows.move(launchId, ['transaction_seen'], placeOf(sequence), { transactionHash });
  }

  async recordWalletState({ launchId, reason, sequence }: Input<'recordWalletState'>): Promise<void> {
    await this.rows.wallet(launchId, reason, sequence);
  }

  async recordFinality({ launchId, finality, sequence }: Input<'recordFinality'>): Promise<void> {
    const seen = ownFinality(finality, launchId);
    // A successful launch is shown as finalized only together with its record.
    if (seen.stage === 'ethereum_finalized') throw new ProjectionError('PROJECTION_MISMATCH', 'finality.stage');
    await this.rows.observed(launchId, triggersOf(seen), placeOf(sequence), seen);
  }

  async recordFinalized({ launchId, recordSha256, evidenceSha256, finality }: Input<'recordFinalized'>): Promise<void> {
    const seen = ownFinality(finality, launchId);
    mustAgree([['finality.stage', seen.stage, 'ethereum_finalized']]);
    if (evidenceSha256 === undefined) throw new ProjectionError('PROJECTION_MISMATCH', 'evidenceSha256');
    const identity = await this.identityOf(launchId);
    const outcome = await this.publications.judge({
      launchId,
      requestKind: 'launch',
      identity,
      finality: seen,
      recordSha256,
      evidenceSha256,
    });
    if (!(await this.rows.finalize(launchId, seen, evidenceSha256, outcome)))
      throw new ProjectionError('PROJECTION_CONFLICT', 'finalized');
  }

  async recordFailed({ launchId, findings, by, sequence, evidenceSha256 }: Input<'recordFailed'>): Promise<void> {
    const ordered = customLaunchFindingsOf(findings);
    const why = ordered.find(({ severity }) => severity === 'error') ?? customLaunchFinding('LAUNCH_REVERTED', '');
    const isAdmissions = by === 'admission';
    const trigger: CustomLaunchTrigger = isAdmissions ? 'exact_simulation_reverted' : 'revert_finalized';
    await this.end(launchId, [trigger], why, { by, sequence, evidenceSha256, findings: ordered });
  }

  /** Records an expiry. Without a counting transaction, an earlier inclusion is gone; this observation may be the first to show it. */
  async recordExpired({ launchId, by, sequence, evidenceSha256 }: Input<'recordExpired'>): Promise<void> {
    const why = customLaunchFinding('PERMIT_EXPIRED', '');
    const triggers: CustomLaunchTrigger[] =
      by === 'admission' ? ['window_passed'] : ['inclusion_gone', 'window_passed'];
    await this.end(launchId, triggers, why, { by, sequence, evidenceSha256 });
  }

  private async end(
    launchId: string,
    triggers: readonly CustomLaunchTrigger[],
    { code, remediation }: CustomLaunchFinding,
    { by, sequence, evidenceSha256, findings }: LaunchEnd & { readonly findings?: readonly CustomLaunchFinding[] },
  ): Promise<void> {
    const failure = { code, evidence: evidenceSha256 ?? null, recovery: remediation };
    const isAdmissions = by === 'admission';
    await this.rows.failed(launchId, triggers, isAdmissions ? null : placeOf(sequence), failure, isAdmissions, {
      ...(findings === undefined ? {} : { findings }),
      ...(evidenceSha256 === undefined ? {} : { evidenceSha256 }),
    });
  }

  private async identityOf(launchId: string): Promise<CustomLaunchIdentity> {
    const identity = await this.rows.identityOf(launchId);
    if (identity === null) throw new ProjectionError('LAUNCH_UNKNOWN', 'launchId');
    return identity;
  }
}

/** Returns the sequence of an observation. @throws ProjectionError when the writer omitted it. */
function placeOf(sequence: number | undefined): number {
  if (sequence === undefined) throw new ProjectionError('PROJECTION_MISMATCH', 'sequence');
  return sequence;
}

function ownFinality(finality: ObservedFinality, launchId: string): CustomLaunchFinality {
  if (finality.schemaVersion !== 'service.custom-launch-finality.v4')
    throw new ProjectionError('PROJECTION_MISMATCH', 'finality.schemaVersion');
  mustAgree([['finality.launchId', finality.launchId, launchId]]);
  return finality;
}

/**
 * Returns the triggers of an observation. While observers disagree, it uses what each of them shows: an observation without
 * agreement keeps the stage, so it moves nothing back.
 */
function triggersOf({ stage, transactions, observation }: CustomLaunchFinality): CustomLaunchTrigger[] {
  const isAgreed = observation?.status === 'agreed';
  switch (stage) {
    case 'pending': {
      const gone: CustomLaunchTrigger[] = isAgreed ? ['inclusion_gone'] : [];
      return transactions.length === 0 ? gone : [...gone, 'transaction_seen'];
    }
    case 'included':
      return isAgreed ? ['posting_gone', 'inclusion_agreed'] : ['inclusion_agreed'];
    case 'posted':
      return ['posting_agreed'];
    case 'ethereum_finalized':
      return ['finality_proven'];
  }
}

function handoffFields(handoff: CustomLaunchHandoff, launch: CustomLaunchIdentity): readonly Agreement[] {
  return [
    ['handoff.requestSha256', handoff.requestSha256, launch.requestSha256],
    ['handoff.requestHash', handoff.requestHash, launch.requestHash],
    ['handoff.contextHash', handoff.contextHash, launch.contextHash],
    ['handoff.artifactHash', handoff.artifactHash, launch.artifactHash],
    ['handoff.metadata.imageSha256', handoff.metadata.imageSha256, launch.imageSha256],
    ['handoff.validAfter', handoff.validAfter, launch.validAfter],
    ['handoff.deadline', handoff.deadline, launch.deadline],
    ['handoff.from', handoff.walletTransaction.from, launch.controller],
    ['handoff.to', handoff.walletTransaction.to, launch.router],
  ];
}
