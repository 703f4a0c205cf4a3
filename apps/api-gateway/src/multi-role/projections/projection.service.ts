import { Inject, Injectable } from '@nestjs/common';
import {
  anyFinalizedRecordSchema,
  bytes32Schema,
  FINALITY_EVIDENCE_SCHEMA,
  finalityEvidenceSchema,
  finalityGeneration,
  orderFindings,
  walletHandoffSchema,
  type AnyFinalityStatus,
  type WalletHandoff,
  isSha256Digest,
  type Sha256Digest,
} from '@launch/contracts';
import { assertCanonicalJson, parseStrictJson } from '@launch/contracts/json';
import { type BlobStore } from '@launch/blob-store';
import { z } from 'zod';
import { refusalCode } from '../launches/launch.replay.js';
import { LaunchRelayService } from '../../launches/relay/launch-relay.service.js';
import { BLOB_STORE } from '../../tokens.js';
import type { ProjectionActivities } from './projection.activities.js';
import { ProjectionError } from './projection.error.js';
import { ProjectionRepository, type LaunchIdentity } from './projection.repository.js';

/** Which launch a bundle is of; the rest is the finality worker's own and the owner's to check. */
const evidenceIdentitySchema = z.object({
  schemaVersion: z.literal(FINALITY_EVIDENCE_SCHEMA),
  outcome: z.literal('finalized'),
  launch: finalityEvidenceSchema.shape.launch,
  conclusion: z.object({ transactionHash: bytes32Schema }),
});
type Input<Name extends keyof ProjectionActivities> = Parameters<ProjectionActivities[Name]>[0];

/**
 * Writes what the workflows decided into the client's view. Every document is read by its hash, parsed and held
 * against the reserved row before it is published; another service's word alone moves nothing.
 */
@Injectable()
export class ProjectionService implements ProjectionActivities {
  constructor(
    private readonly projections: ProjectionRepository,
    private readonly relay: LaunchRelayService,
    @Inject(BLOB_STORE) private readonly blobs: BlobStore,
  ) {}

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
    const { bytes, value } = await this.document(handoffSha256, walletHandoffSchema);
    mustAgree(handoffFields(value, await this.identityOf(launchId)));
    await this.projections.handedOff(launchId, handoffSha256, Buffer.from(bytes).toString('utf8'));
    this.relay.startSoon(launchId);
  }

  async recordAwaitingSignature({ launchId }: Input<'recordAwaitingSignature'>): Promise<void> {
    await this.projections.awaitingSignature(launchId);
  }

  async recordSubmitted({ launchId, transactionHash }: Input<'recordSubmitted'>): Promise<void> {
    await this.projections.submitted(launchId, transactionHash);
  }

  async recordFinality({ launchId, finality }: Input<'recordFinality'>): Promise<void> {
    const status = statusToldOf(finality);
    mustAgree(statusFields(status, launchId, await this.identityOf(launchId)));
    // A launch that succeeded is shown as finalized only together with its record; a finalized revert has none.
    if (status.state === 'ethereum_finalized' && status.inclusion?.receiptStatus !== 'reverted')
      throw new ProjectionError('PROJECTION_MISMATCH', 'finality.state');
    await this.projections.finality(launchId, status);
  }

  async recordFinalized({ launchId, recordSha256, evidenceSha256, finality }: Input<'recordFinalized'>): Promise<void> {
    const status = statusToldOf(finality);
    const { bytes, value: record } = await this.document(recordSha256, anyFinalizedRecordSchema);
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
      const evidence = (await this.document(evidenceSha256, evidenceIdentitySchema)).value;
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
      Buffer.from(bytes).toString('utf8'),
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

  private async document<T>(
    digest: Sha256Digest,
    schema: z.ZodType<T>,
  ): Promise<{ readonly bytes: Uint8Array; readonly value: T }> {
    if (!isSha256Digest(digest)) throw new ProjectionError('DOCUMENT_INVALID', 'digest');
    const bytes = await this.blobs.get(digest);
    return { bytes, value: parsed(schema, canonical(bytes)) };
  }
}

function canonical(bytes: Uint8Array): unknown {
  try {
    return assertCanonicalJson(bytes);
  } catch (error) {
    throw new ProjectionError('DOCUMENT_INVALID', 'bytes', { cause: error });
  }
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ProjectionError('DOCUMENT_INVALID', result.error.issues[0]?.path.map(String).join('.') ?? '', {
    cause: result.error,
  });
}

type Agreement = readonly [name: string, said: string, reserved: string];

function mustAgree(fields: readonly Agreement[]): void {
  for (const [name, said, reserved] of fields)
    if (said !== reserved) throw new ProjectionError('PROJECTION_MISMATCH', name);
}

/** The launch's own context says of which generation its projection and its record are. */
function generationOf({ contextDocument }: LaunchIdentity): 'v2' | 'v3' {
  const generation = finalityGeneration(parseStrictJson(new TextEncoder().encode(contextDocument)));
  if (typeof generation !== 'string')
    throw new ProjectionError('PROJECTION_MISMATCH', 'context.profile.derivedContractFinality');
  return generation;
}

/**
 * An observed projection as it is told from now on. By the finality rule its checkpoint is the smaller of both L1
 * observers' finalized blocks, and is named as that. A projection from before that name stays as it was told.
 */
function statusToldOf(status: AnyFinalityStatus): AnyFinalityStatus {
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
