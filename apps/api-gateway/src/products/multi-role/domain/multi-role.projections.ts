import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { orderFindings } from '@launch/contracts/errors';
import { parseStrictJson } from '@launch/contracts/json';
import {
  anyFinalizedRecordSchema,
  FINALITY_EVIDENCE_SCHEMA,
  finalityEvidenceSchema,
  finalityGeneration,
  walletHandoffSchema,
  type AnyFinalityStatus,
  type WalletHandoff,
} from '@launch/contracts/multi-role';
import type { ObservedFinality } from '@launch/contracts/orchestration';
import { bytes32Schema } from '@launch/contracts/primitives';
import { z } from 'zod';
import { refusalCode } from './launch.replay.js';
import { LaunchRelayService } from '../../../core/launches/relay/launch-relay.service.js';
import type { FamilyProjections } from '../../../core/projections/family-projections.js';
import type { ProjectionActivities } from '../../../core/projections/projection.activities.js';
import { ProjectionError } from '../../../core/projections/projection.error.js';
import { ProjectionService } from '../../../core/projections/projection.service.js';
import { mustAgree, StoredDocuments, type Agreement } from '../../../core/projections/stored-documents.js';
import { MultiRoleProjectionRepository, type LaunchIdentity } from '../data/multi-role-projection.repository.js';

/** The members that identify a bundle's launch. The finality worker and the owner check the others. */
const evidenceIdentitySchema = z.object({
  schemaVersion: z.literal(FINALITY_EVIDENCE_SCHEMA),
  outcome: z.literal('finalized'),
  launch: finalityEvidenceSchema.shape.launch,
  conclusion: z.object({ transactionHash: bytes32Schema }),
});
/** The rows of launches, as this service reads and moves them. */
export type ProjectedRows = Pick<MultiRoleProjectionRepository, keyof MultiRoleProjectionRepository>;
type Input<Name extends keyof ProjectionActivities> = Parameters<ProjectionActivities[Name]>[0];

/**
 * Writes the decisions of the workflows into the client's view. Every document is read by its hash, parsed and
 * compared with the reserved row before it is published, so another service's word alone changes nothing.
 */
@Injectable()
export class MultiRoleProjections implements FamilyProjections, OnModuleInit {
  readonly family = 'multi-role.v2';

  constructor(
    @Inject(ProjectionService) private readonly service: Pick<ProjectionService, 'register'>,
    @Inject(MultiRoleProjectionRepository) private readonly projections: ProjectedRows,
    @Inject(LaunchRelayService) private readonly relay: Pick<LaunchRelayService, 'startSoon'>,
    private readonly documents: StoredDocuments,
  ) {}

  onModuleInit(): void {
    this.service.register(this);
  }

  async recordAdmitting({ launchId, reason }: Input<'recordAdmitting'>): Promise<void> {
    await this.projections.admitting(launchId, reason ?? null);
  }

  async recordAssessment({ launchId, assessment, findings }: Input<'recordAssessment'>): Promise<void> {
    await this.projections.assessed(launchId, assessment, orderFindings(findings));
  }

  async recordRefused({ launchId, findings, nonceReleased }: Input<'recordRefused'>): Promise<void> {
    const ordered = orderFindings(findings);
    await this.projections.refused(launchId, ordered, refusalCode(ordered), nonceReleased);
  }

  async recordHandoff({ launchId, handoffSha256 }: Input<'recordHandoff'>): Promise<void> {
    const { text, value } = await this.documents.read(handoffSha256, walletHandoffSchema);
    mustAgree(handoffFields(value, await this.identityOf(launchId)));
    await this.projections.handedOff(launchId, handoffSha256, text);
    this.relay.startSoon(launchId);
  }

  async recordAwaitingSignature({ launchId }: Input<'recordAwaitingSignature'>): Promise<void> {
    await this.projections.awaitingSignature(launchId);
  }

  async recordSubmitted({ launchId, transactionHash }: Input<'recordSubmitted'>): Promise<void> {
    await this.projections.submitted(launchId, transactionHash);
  }

  async recordFinality({ launchId, finality, sequence }: Input<'recordFinality'>): Promise<void> {
    const status = reportedStatusOf(multiRole(finality));
    mustAgree(statusFields(status, launchId, await this.identityOf(launchId)));
    // A successful launch becomes finalized only together with its record. A finalized revert has no record.
    if (status.state === 'ethereum_finalized' && status.inclusion?.receiptStatus !== 'reverted')
      throw new ProjectionError('PROJECTION_MISMATCH', 'finality.state');
    await this.projections.finality(launchId, status, sequence ?? 0);
  }

  async recordFinalized({ launchId, recordSha256, evidenceSha256, finality }: Input<'recordFinalized'>): Promise<void> {
    const status = reportedStatusOf(multiRole(finality));
    const { text, value: record } = await this.documents.read(recordSha256, anyFinalizedRecordSchema);
    const launch = await this.identityOf(launchId);
    mustAgree([
      ...statusFields(status, launchId, launch),
      ['record.schemaVersion', record.schemaVersion, `service.multi-role-finalized-metadata.${generationOf(launch)}`],
      ['finality.state', status.state, 'ethereum_finalized'],
      ['record.apiLaunchId', record.apiLaunchId, launchId],
      ['record.onchainLaunchId', record.onchainLaunchId, launch.onchainLaunchId],
      ['record.requestHash', record.provenance.requestHash, launch.requestHash],
      ['record.contextHash', record.provenance.contextHash, launch.contextHash],
      ['record.artifactHash', record.provenance.artifactHash, launch.artifactHash],
      ['record.image', record.image.sha256, launch.imageSha256],
    ]);
    if (evidenceSha256 !== undefined) {
      const evidence = (await this.documents.read(evidenceSha256, evidenceIdentitySchema)).value;
      mustAgree([
        ['evidence.launchId', evidence.launch.launchId, launchId],
        ['evidence.onchainLaunchId', evidence.launch.onchainLaunchId, launch.onchainLaunchId],
        ['evidence.requestHash', evidence.launch.requestHash, launch.requestHash],
        ['evidence.contextHash', evidence.launch.contextHash, launch.contextHash],
        ['evidence.transactionHash', evidence.conclusion.transactionHash, record.provenance.transactionHash],
      ]);
    }
    const outcome = await this.projections.publish(
      launchId,
      record,
      recordSha256,
      text,
      status,
      evidenceSha256 ?? null,
    );
    if (outcome === 'conflict') throw new ProjectionError('PROJECTION_CONFLICT', 'finalized');
  }

  async recordFailed({ launchId, findings, by }: Input<'recordFailed'>): Promise<void> {
    const ordered = orderFindings(findings);
    await this.projections.failed(launchId, ordered, ordered[0]?.code ?? 'LAUNCH_REVERTED', by === 'admission');
  }

  async recordExpired({ launchId, by }: Input<'recordExpired'>): Promise<void> {
    await this.projections.expired(launchId, 'PERMIT_EXPIRED', by === 'admission');
  }

  private async identityOf(launchId: string): Promise<LaunchIdentity> {
    const identity = await this.projections.identityOf(launchId);
    if (identity === null) throw new ProjectionError('LAUNCH_UNKNOWN', 'launchId');
    return identity;
  }
}

/** Returns the generation of the launch's own context, to which its projection and its record belong. */
function generationOf({ contextDocument }: LaunchIdentity): 'v2' | 'v3' {
  const generation = finalityGeneration(parseStrictJson(new TextEncoder().encode(contextDocument)));
  if (typeof generation !== 'string')
    throw new ProjectionError('PROJECTION_MISMATCH', 'context.profile.derivedContractFinality');
  return generation;
}

/** @throws ProjectionError for the projection of another family. */
function multiRole(finality: ObservedFinality): AnyFinalityStatus {
  if (finality.schemaVersion === 'service.custom-launch-finality.v4')
    throw new ProjectionError('PROJECTION_MISMATCH', 'finality.schemaVersion');
  return finality;
}

/**
 * Adds the common checkpoint to an observed projection. By the finality rule its checkpoint is the smaller of both L1
 * observers' finalized blocks.
 */
function reportedStatusOf(status: AnyFinalityStatus): AnyFinalityStatus {
  return status.checkpoint === null
    ? status
    : { ...status, checkpoint: { ...status.checkpoint, common: status.checkpoint.blockNumber } };
}

function statusFields(status: AnyFinalityStatus, launchId: string, launch: LaunchIdentity): readonly Agreement[] {
  return [
    ['finality.launchId', status.launchId, launchId],
    ['finality.schemaVersion', status.schemaVersion, `service.multi-role-finality-status.${generationOf(launch)}`],
    ...(status.schemaVersion === 'service.multi-role-finality-status.v3'
      ? ([
          ['finality.contextHash', status.contextHash, launch.contextHash],
          ['finality.onchainLaunchId', status.onchainLaunchId, launch.onchainLaunchId],
        ] as const)
      : []),
  ];
}

function handoffFields(handoff: WalletHandoff, launch: LaunchIdentity): readonly Agreement[] {
  return [
    ['handoff.requestSha256', handoff.requestSha256, launch.requestSha256],
    ['handoff.requestHash', handoff.requestHash, launch.requestHash],
    ['handoff.contextHash', handoff.contextHash, launch.contextHash],
    ['handoff.artifactHash', handoff.artifactHash, launch.artifactHash],
    ['handoff.from', handoff.walletTransaction.from, launch.controller],
    ['handoff.to', handoff.walletTransaction.to, launch.router],
  ];
}
