import { Inject, Injectable } from '@nestjs/common';
import type { AnyFinalityStatus, AnyFinalizedRecord, Finding, SourceAssessment } from '@launch/contracts';
import { canonicalJsonText } from '@launch/contracts/json';
import type { GatewayDatabase, Session } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../tokens.js';

/** Serialises publications, so that their numbers follow their commits. */
const PUBLICATION_LOCK = 7_461_190_233;

/** What a row must agree with before a document of another service is published on it. */
export interface LaunchIdentity {
  readonly status: string;
  readonly requestSha256: string;
  readonly requestHash: string;
  readonly contextHash: string;
  readonly artifactHash: string;
  readonly controller: string;
  readonly router: string;
  readonly onchainLaunchId: string;
  readonly imageSha256: string;
  /** Canonical JSON of the launch's own context. */
  readonly contextDocument: string;
}

const IDENTITY = `SELECT status, request_sha256 AS "requestSha256", request_hash AS "requestHash", context_hash AS "contextHash",
  artifact_hash AS "artifactHash", controller, router, onchain_launch_id AS "onchainLaunchId", image_sha256 AS "imageSha256",
  document AS "contextDocument"
  FROM launch JOIN release_context USING (context_hash) WHERE launch_id = $1`;

/**
 * The client's view, moved forward only: every statement names the states it may leave, so a repeated or late call
 * matches no row. `updated_at` moves with the status until finalization, which moves no timestamp (spec 2, States).
 */
@Injectable()
export class ProjectionRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  async identityOf(launchId: string): Promise<LaunchIdentity | null> {
    const [row] = await this.database.query<LaunchIdentity & Record<string, unknown>>(IDENTITY, [launchId]);
    return row ?? null;
  }

  async admitting(launchId: string, reason: string | null): Promise<void> {
    await this.database.query(
      `UPDATE launch SET status = 'admitting', status_reason = $2, updated_at = now()
       WHERE launch_id = $1 AND (status = 'reserved' OR (status = 'admitting' AND status_reason IS DISTINCT FROM $2 AND $2 IS NOT NULL))`,
      [launchId, reason],
    );
  }

  async assessed(launchId: string, assessment: SourceAssessment, findings: readonly Finding[]): Promise<void> {
    await this.database.query(
      `UPDATE launch SET status = 'admitting', assessment = $2, findings = $3, updated_at = now()
       WHERE launch_id = $1 AND status IN ('reserved', 'admitting') AND assessment IS NULL`,
      [launchId, canonicalJsonText(assessment), canonicalJsonText(findings)],
    );
  }

  async refused(launchId: string, findings: readonly Finding[], reason: string, releaseNonce: boolean): Promise<void> {
    await this.database.transaction(async (session) => {
      await session.query(
        `UPDATE launch SET status = 'action_required', status_reason = $3, findings = $2, updated_at = now()
         WHERE launch_id = $1 AND status IN ('reserved', 'admitting')`,
        [launchId, canonicalJsonText(findings), reason],
      );
      if (!releaseNonce) return;
      await session.query(
        `DELETE FROM nonce_reservation WHERE launch_id = $1
         AND EXISTS (SELECT 1 FROM launch WHERE launch_id = $1 AND status = 'action_required')`,
        [launchId],
      );
    });
  }

  async handedOff(launchId: string, handoffSha256: string, handoffText: string): Promise<void> {
    await this.database.query(
      `UPDATE launch SET status = 'authorized', status_reason = NULL, handoff_sha256 = $2, handoff = $3, updated_at = now(), relay_after = now() + interval '2 seconds'
       WHERE launch_id = $1 AND status IN ('reserved', 'admitting') AND handoff IS NULL`,
      [launchId, handoffSha256, handoffText],
    );
  }

  async awaitingSignature(launchId: string): Promise<void> {
    await this.database.query(
      `UPDATE launch SET status = 'awaiting_wallet_signature', updated_at = now() WHERE launch_id = $1 AND status = 'authorized'`,
      [launchId],
    );
  }

  async submitted(launchId: string, transactionHash: string): Promise<void> {
    await this.database.query(
      `UPDATE launch SET status = 'submitted', transaction_hash = $2, updated_at = now()
       WHERE launch_id = $1 AND status IN ('authorized', 'awaiting_wallet_signature')`,
      [launchId, transactionHash],
    );
  }

  /** Replaces the projection unless a newer look, or the end, stands there already. */
  async finality(launchId: string, finality: AnyFinalityStatus): Promise<void> {
    await this.database.query(
      `UPDATE launch SET finality = $2
       WHERE launch_id = $1 AND status <> 'finalized' AND handoff IS NOT NULL
         AND (finality IS NULL OR coalesce(finality::json #>> '{observation,at}', '') <= $3)`,
      [launchId, canonicalJsonText(finality), finality.observation?.at ?? ''],
    );
  }

  async failed(launchId: string, findings: readonly Finding[], reason: string): Promise<void> {
    await this.database.query(
      `UPDATE launch SET status = 'failed', status_reason = $3, findings = $2, updated_at = now()
       WHERE launch_id = $1 AND status IN ('reserved', 'admitting', 'authorized', 'awaiting_wallet_signature', 'submitted')`,
      [launchId, canonicalJsonText(findings), reason],
    );
  }

  async expired(launchId: string, reason: string): Promise<void> {
    await this.database.query(
      `UPDATE launch SET status = 'expired', status_reason = $2, updated_at = now()
       WHERE launch_id = $1 AND status IN ('reserved', 'admitting', 'authorized', 'awaiting_wallet_signature', 'submitted')`,
      [launchId, reason],
    );
  }

  /**
   * Publishes a record under the next publication number and finishes its launch, in one transaction. The lock is
   * held to the commit, so numbers become visible in their order.
   * @returns `published`, `already` for a repeated call with the same record, `conflict` for anything else.
   */
  async publish(
    launchId: string,
    record: AnyFinalizedRecord,
    recordSha256: string,
    recordText: string,
    finality: AnyFinalityStatus,
    evidenceSha256: string | null,
  ): Promise<'published' | 'already' | 'conflict'> {
    return this.database.transaction(async (session) => {
      await session.query('SELECT pg_advisory_xact_lock($1)', [PUBLICATION_LOCK]);
      const published = await publishedDigest(session, launchId);
      if (published !== null) return published === recordSha256 ? 'already' : 'conflict';
      const finished = await session.query(
        `UPDATE launch SET status = 'finalized', finality = $2, transaction_hash = $3, evidence_sha256 = $4
         WHERE launch_id = $1 AND status IN ('authorized', 'awaiting_wallet_signature', 'submitted') RETURNING launch_id`,
        [launchId, canonicalJsonText(finality), record.provenance.transactionHash, evidenceSha256],
      );
      if (finished.length === 0) return 'conflict';
      await session.query(
        `INSERT INTO finalized_record (publication_number, onchain_launch_id, launch_id, record, record_sha256, image_sha256, image_media_type, generation)
         SELECT coalesce(max(publication_number), 0) + 1, $1, $2, $3, $4, $5, $6, $7 FROM finalized_record`,
        [
          record.onchainLaunchId,
          launchId,
          recordText,
          recordSha256,
          record.image.sha256,
          record.image.mediaType,
          record.schemaVersion === 'service.multi-role-finalized-metadata.v3' ? 3 : 2,
        ],
      );
      return 'published';
    });
  }
}

async function publishedDigest(session: Session, launchId: string): Promise<string | null> {
  const [row] = await session.query<{ record_sha256: string }>(
    'SELECT record_sha256 FROM finalized_record WHERE launch_id = $1',
    [launchId],
  );
  return row?.record_sha256 ?? null;
}
