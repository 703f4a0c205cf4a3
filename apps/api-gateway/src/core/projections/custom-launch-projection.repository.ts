import { Inject, Injectable } from '@nestjs/common';
import type { CustomLaunchFailure, CustomLaunchFinality } from '@launch/contracts/custom-launch';
import { canonicalJsonText } from '@launch/contracts/json';
import type { Hex, Sha256Digest } from '@launch/contracts/primitives';
import {
  nextCustomLaunchStatus,
  CUSTOM_LAUNCH_FINISHED_STATUSES,
  CUSTOM_LAUNCH_STATUSES,
  type CustomLaunchStatus,
  type CustomLaunchTrigger,
} from '@launch/contracts/states';
import type { GatewayDatabase, Session } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../platform/tokens.js';
import { lockPublications, publishOrHold, type PublicationOutcome } from './publication.repository.js';

/** The columns that a document of another service must agree with before the row shows it. */
export interface CustomLaunchIdentity {
  readonly requestSha256: Sha256Digest;
  readonly requestHash: Hex;
  readonly contextHash: Hex;
  readonly artifactHash: Hex;
  readonly controller: Hex;
  readonly router: Hex;
  readonly onchainLaunchId: Hex;
  readonly imageSha256: Sha256Digest;
  readonly validAfter: string;
  readonly deadline: string;
}

/** The transition that a write makes on a launch that it finds in `from`. */
interface Move {
  readonly from: CustomLaunchStatus;
  readonly to: CustomLaunchStatus;
  /** The new `status_reason`. */
  readonly reason: string | null;
  /** True when the current reason stays. */
  readonly keeps: boolean;
  readonly failure: string | null;
}

/** The columns that a write sets besides the status; absent members stay unchanged. */
interface Written {
  readonly findings?: readonly unknown[];
  readonly handoff?: { readonly sha256: Sha256Digest; readonly text: string };
  readonly finality?: CustomLaunchFinality;
  readonly transactionHash?: string | null;
  readonly evidenceSha256?: Sha256Digest;
}

const IDENTITY = `SELECT request_sha256 AS "requestSha256", request_hash AS "requestHash", context_hash AS "contextHash", artifact_hash AS "artifactHash",
  controller, router, onchain_launch_id AS "onchainLaunchId", image_sha256 AS "imageSha256", valid_after::text AS "validAfter", deadline::text AS deadline
  FROM launch WHERE launch_id = $1`;

// One statement decides by the status it finds and by the database's time. A write of an older observation matches no row.
const MOVE = `
  UPDATE launch SET status = move."to", sequence = greatest(sequence, $3),
    status_reason = CASE WHEN move.keeps THEN status_reason ELSE move.reason END,
    failure = coalesce(move.failure, launch.failure), findings = coalesce($4, findings),
    handoff_sha256 = coalesce(handoff_sha256, $5), handoff = coalesce(handoff, $6),
    finality = coalesce($7, finality), transaction_hash = coalesce($8, transaction_hash), evidence_sha256 = coalesce($9, evidence_sha256),
    relay_after = CASE WHEN $6::text IS NULL THEN relay_after ELSE now() + interval '2 seconds' END,
    updated_at = CASE WHEN status = move."to" AND (move.keeps OR status_reason IS NOT DISTINCT FROM move.reason) THEN updated_at ELSE now() END
  FROM jsonb_to_recordset($2::jsonb) AS move("from" text, "to" text, reason text, keeps boolean, failure text)
  WHERE launch_id = $1 AND family = 'custom-launch.v4' AND status = move."from" AND sequence <= $3
  RETURNING launch_id`;

/** The sequence of finality, which overrides every earlier observation. */
const LAST = 2 ** 31 - 1;

/** Returns the status after several triggers in sequence. */
const after = (status: CustomLaunchStatus, triggers: readonly CustomLaunchTrigger[]): CustomLaunchStatus =>
  triggers.reduce(nextCustomLaunchStatus, status);

const LIVING = CUSTOM_LAUNCH_STATUSES.filter((status) => !CUSTOM_LAUNCH_FINISHED_STATUSES.includes(status));

/** The client's view of custom launches. Their status can also move back, so writes are ordered by their observations. */
@Injectable()
export class CustomLaunchProjectionRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  async identityOf(launchId: string): Promise<CustomLaunchIdentity | null> {
    const [row] = await this.database.query<CustomLaunchIdentity & Record<string, unknown>>(IDENTITY, [launchId]);
    return row ?? null;
  }

  /** Records the reason that an admission waits for. */
  async waits(launchId: string, reason: string): Promise<void> {
    const move: Move = { from: 'admitting', to: 'admitting', reason, keeps: false, failure: null };
    await this.write(this.database, launchId, [move], null, {});
  }

  /** Records findings of an admission that continues. */
  async found(launchId: string, findings: readonly unknown[]): Promise<void> {
    const move: Move = { from: 'admitting', to: 'admitting', reason: null, keeps: true, failure: null };
    await this.write(this.database, launchId, [move], null, { findings });
  }

  /** Applies triggers to the current status of a launch. The reason belongs to a status that is entered. */
  async move(
    launchId: string,
    triggers: readonly CustomLaunchTrigger[],
    sequence: number | null,
    written: Written & { readonly reason?: string | null } = {},
  ): Promise<void> {
    const moves = LIVING.map((from): Move => {
      const to = after(from, triggers);
      return { from, to, reason: written.reason ?? null, keeps: from === to, failure: null };
    }).filter(({ from, to }) => from !== to);
    await this.write(this.database, launchId, moves, sequence, written);
  }

  /** Records why the wallet cannot act; a changed reason is recorded too. */
  async wallet(launchId: string, reason: string | null, sequence: number): Promise<void> {
    const trigger = reason === null ? 'wallet_unblocked' : 'wallet_blocked';
    const moves = LIVING.map((from): Move => {
      const to = nextCustomLaunchStatus(from, trigger);
      return { from, to, reason, keeps: false, failure: null };
    }).filter(({ from, to }) => from !== to || (to === 'wallet_action_required' && reason !== null));
    await this.write(this.database, launchId, moves, sequence, {});
  }

  /** Records an observation of a handed-off launch: its projection is replaced even if its status stays. */
  async observed(
    launchId: string,
    triggers: readonly CustomLaunchTrigger[],
    sequence: number,
    finality: CustomLaunchFinality,
  ): Promise<void> {
    const moves = LIVING.filter((from) => from !== 'admitting').map((from): Move => {
      const to = after(from, triggers);
      return { from, to, reason: null, keeps: from === to, failure: null };
    });
    const transactionHash = finality.transactions[0]?.transactionHash ?? null;
    await this.write(this.database, launchId, moves, sequence, { finality, transactionHash });
  }

  /** Ends a launch that gets no permit, and releases its nonce where custody states that no digest will ever carry it. */
  async refused(launchId: string, findings: readonly unknown[], reason: string, releaseNonce: boolean): Promise<void> {
    const to = nextCustomLaunchStatus('admitting', 'findings_found');
    await this.database.transaction(async (session) => {
      const move: Move = { from: 'admitting', to, reason, keeps: false, failure: null };
      await this.write(session, launchId, [move], null, { findings });
      if (!releaseNonce) return;
      await session.query(
        `DELETE FROM nonce_reservation WHERE launch_id = $1
         AND EXISTS (SELECT 1 FROM launch WHERE launch_id = $1 AND status = $2)`,
        [launchId, to],
      );
    });
  }

  /**
   * Ends a launch with its failure, which names the stage it failed in.
   * @param isAdmissions when true, leaves a handed-off launch alone: a run of admission that was reset can come late.
   */
  async failed(
    launchId: string,
    triggers: readonly CustomLaunchTrigger[],
    sequence: number | null,
    failure: Omit<CustomLaunchFailure, 'stage'>,
    isAdmissions: boolean,
    written: Written,
  ): Promise<void> {
    const moves = LIVING.filter((from) => from === 'admitting' || !isAdmissions)
      .map((from): Move => {
        const to = after(from, triggers);
        const bound = canonicalJsonText({ ...failure, stage: from } satisfies CustomLaunchFailure);
        return { from, to, reason: failure.code, keeps: false, failure: bound };
      })
      .filter(({ to }) => to === 'failed');
    await this.write(this.database, launchId, moves, sequence, written);
  }

  /**
   * Finishes a launch, and publishes its record under the next number or holds it with the reason, atomically.
   * @returns false when the launch already ended otherwise.
   */
  async finalize(
    launchId: string,
    finality: CustomLaunchFinality,
    evidenceSha256: Sha256Digest,
    outcome: PublicationOutcome,
  ): Promise<boolean> {
    return this.database.transaction(async (session) => {
      await lockPublications(session);
      const [row] = await session.query<{ status: string }>(
        'SELECT status FROM launch WHERE launch_id = $1 FOR UPDATE',
        [launchId],
      );
      // A repeated call, or an observation that was reset: the first publication stays.
      if (row?.status === 'finalized') return true;
      const moves = LIVING.map((from): Move => {
        const to = nextCustomLaunchStatus(from, 'finality_proven');
        return { from, to, reason: null, keeps: false, failure: null };
      }).filter(({ from, to }) => from !== to);
      const transactionHash = finality.transactions[0]?.transactionHash ?? null;
      const written = { finality, transactionHash, evidenceSha256 };
      if (!(await this.write(session, launchId, moves, LAST, written))) return false;
      await publishOrHold(session, launchId, outcome);
      return true;
    });
  }

  /** @param sequence null for a write without an observation: it precedes the first one, or is the only possible write. */
  private async write(
    session: Session,
    launchId: string,
    moves: readonly Move[],
    sequence: number | null,
    written: Written,
  ): Promise<boolean> {
    const rows = await session.query(MOVE, [
      launchId,
      JSON.stringify(moves),
      sequence ?? 0,
      written.findings === undefined ? null : canonicalJsonText(written.findings),
      written.handoff?.sha256 ?? null,
      written.handoff?.text ?? null,
      written.finality === undefined ? null : canonicalJsonText(written.finality),
      written.transactionHash ?? null,
      written.evidenceSha256 ?? null,
    ]);
    return rows.length > 0;
  }
}
