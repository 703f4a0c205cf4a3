import { Inject, Injectable } from '@nestjs/common';
import type { CustomLaunchAssessment } from '@launch/contracts/custom-launch';
import type { AnyFinding } from '@launch/contracts/errors';
import { canonicalJsonText } from '@launch/contracts/json';
import type { AnyFinalityStatus, AnyFinalizedRecord, SourceAssessment } from '@launch/contracts/multi-role';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { statusesBefore, type LaunchStatus } from '@launch/contracts/states';
import type { GatewayDatabase } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';
import {
  ADMITTING,
  ASSESSED,
  AWAITING_SIGNATURE,
  EXPIRED,
  FAILED,
  FINALITY,
  FINALIZED,
  HANDED_OFF,
  IDENTITY,
  REFUSED,
  RELEASE_NONCE,
  SUBMITTED,
} from './multi-role-projection.sql.js';
import { insertRecord, lockPublications, recordOf } from '../../../core/projections/publication.repository.js';

/** The fields of a row that a document of another service must match before it is published. */
export interface LaunchIdentity {
  readonly status: string;
  readonly requestSha256: Sha256Digest;
  readonly requestHash: string;
  readonly contextHash: string;
  readonly artifactHash: string;
  readonly controller: string;
  readonly router: string;
  readonly onchainLaunchId: string;
  readonly imageSha256: Sha256Digest;
  /** The canonical JSON of the launch's own context. */
  readonly contextDocument: string;
}

/** Returns a status and the statuses that a launch may leave for it, as the parameters of an update. */
const into = (next: LaunchStatus): readonly [LaunchStatus, readonly LaunchStatus[]] => [next, statusesBefore(next)];

/**
 * Moves the client's view forward only.
 * Each move is one statement, because the guard, the move and the database's time belong together. Every
 * statement names the states that a launch may leave, so a repeated or late call matches no row. `updated_at` changes
 * with the status until finalization, which changes no timestamp (docs/reference/multi-role.md#launch-status).
 */
@Injectable()
export class MultiRoleProjectionRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  async identityOf(launchId: string): Promise<LaunchIdentity | null> {
    const [row] = await this.database.query(IDENTITY, [launchId]);
    return row ?? null;
  }

  async admitting(launchId: string, reason: string | null): Promise<void> {
    await this.database.query(ADMITTING, [launchId, reason, ...into('admitting')]);
  }

  async assessed(
    launchId: string,
    assessment: SourceAssessment | CustomLaunchAssessment,
    findings: readonly AnyFinding[],
  ): Promise<void> {
    await this.database.query(ASSESSED, [
      launchId,
      canonicalJsonText(assessment),
      canonicalJsonText(findings),
      ...into('admitting'),
    ]);
  }

  async refused(
    launchId: string,
    findings: readonly AnyFinding[],
    reason: string,
    releaseNonce: boolean,
  ): Promise<void> {
    await this.database.transaction(async (session) => {
      await session.query(REFUSED, [launchId, canonicalJsonText(findings), reason, ...into('action_required')]);
      if (!releaseNonce) return;
      await session.query(RELEASE_NONCE, [launchId, into('action_required')[0]]);
    });
  }

  async handedOff(launchId: string, handoffSha256: Sha256Digest, handoffText: string): Promise<void> {
    await this.database.query(HANDED_OFF, [launchId, handoffSha256, handoffText, ...into('authorized')]);
  }

  async awaitingSignature(launchId: string): Promise<void> {
    await this.database.query(AWAITING_SIGNATURE, [launchId, ...into('awaiting_wallet_signature')]);
  }

  async submitted(launchId: string, transactionHash: string): Promise<void> {
    await this.database.query(SUBMITTED, [launchId, transactionHash, ...into('submitted')]);
  }

  /** Replaces the projection, unless the stored one is newer or the launch has ended. */
  async finality(launchId: string, finality: AnyFinalityStatus, sequence: number): Promise<void> {
    await this.database.query(FINALITY, [
      launchId,
      canonicalJsonText(finality),
      finality.observation?.at ?? '',
      into('finalized')[0],
      sequence,
    ]);
  }

  /**
   * @param isAdmissions if true, a launch with a hand-off stays unchanged: a reset run of admission can arrive late.
   */
  async failed(
    launchId: string,
    findings: readonly AnyFinding[],
    reason: string,
    isAdmissions: boolean,
  ): Promise<void> {
    await this.database.query(FAILED, [launchId, canonicalJsonText(findings), reason, ...into('failed'), isAdmissions]);
  }

  /** Expires a launch under the same conditions as `failed`. */
  async expired(launchId: string, reason: string, isAdmissions: boolean): Promise<void> {
    await this.database.query(EXPIRED, [launchId, reason, ...into('expired'), isAdmissions]);
  }

  /**
   * Publishes a record under the next publication number and finishes its launch, in one transaction. The lock is held
   * until the commit, so numbers become visible in their order.
   * @returns `published`; `already` when a record of the same transaction in the same block exists, which a repeated
   * call or a reset observation causes and which keeps the first record; `conflict` for any other existing record.
   */
  async publish(
    launchId: string,
    record: AnyFinalizedRecord,
    recordSha256: Sha256Digest,
    recordText: string,
    finality: AnyFinalityStatus,
    evidenceSha256: Sha256Digest | null,
  ): Promise<'published' | 'already' | 'conflict'> {
    return this.database.transaction(async (session) => {
      await lockPublications(session);
      const published = await recordOf(session, launchId);
      if (published !== null) return inclusionIn(published) === inclusionOf(record) ? 'already' : 'conflict';
      const finished = await session.query(FINALIZED, [
        launchId,
        canonicalJsonText(finality),
        record.provenance.transactionHash,
        evidenceSha256,
        ...into('finalized'),
      ]);
      if (finished.length === 0) return 'conflict';
      await insertRecord(session, {
        launchId,
        onchainLaunchId: record.onchainLaunchId,
        record: recordText,
        recordSha256,
        imageSha256: record.image.sha256,
        imageMediaType: record.image.mediaType,
        feed: record.schemaVersion === 'service.multi-role-finalized-metadata.v3' ? 'multi-role.v3' : 'multi-role.v2',
      });
      return 'published';
    });
  }
}

const inclusionIn = (record: string): string => inclusionOf(JSON.parse(record) as AnyFinalizedRecord);

/**
 * Returns the part of a record that must not differ between two records of one launch. Times of observation may
 * differ.
 */
const inclusionOf = ({ provenance }: Pick<AnyFinalizedRecord, 'provenance'>): string =>
  [provenance.transactionHash, provenance.l2Block.number, provenance.l2Block.hash].join(' ');
