import { Inject, Injectable } from '@nestjs/common';
import type { CustomLaunchFailure, CustomLaunchFinality } from '@launch/contracts/custom-launch';
import { canonicalJsonText } from '@launch/contracts/json';
import { addressSchema, bytes32Schema, sha256DigestSchema, type Sha256Digest } from '@launch/contracts/primitives';
import {
  nextCustomLaunchStatus,
  CUSTOM_LAUNCH_FINISHED_STATUSES,
  CUSTOM_LAUNCH_STATUSES,
  type CustomLaunchStatus,
  type CustomLaunchTrigger,
} from '@launch/contracts/states';
import type { GatewayDatabase, Session } from '@launch/prisma-api-gateway';
import { z } from 'zod';
import { GATEWAY_DATABASE } from '../../platform/tokens.js';
import { LOCK, MOVE, RELEASE_NONCE } from './custom-launch-projection.sql.js';
import { lockPublications, publishOrHold, type PublicationOutcome } from './publication.repository.js';

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

/** Parses the columns of a row. */
const identitySchema = z.strictObject({
  requestSha256: sha256DigestSchema,
  requestHash: bytes32Schema,
  contextHash: bytes32Schema,
  artifactHash: bytes32Schema,
  controller: addressSchema,
  router: addressSchema,
  onchainLaunchId: bytes32Schema,
  imageSha256: sha256DigestSchema,
  validAfter: z.bigint().transform(String),
  deadline: z.bigint().transform(String),
});
/** The columns that a document of another service must agree with before the row shows it. */
export type CustomLaunchIdentity = Readonly<z.output<typeof identitySchema>>;

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
    const row = await this.database.prisma.launch.findUnique({
      where: { launchId },
      select: {
        requestSha256: true,
        requestHash: true,
        contextHash: true,
        artifactHash: true,
        controller: true,
        router: true,
        onchainLaunchId: true,
        imageSha256: true,
        validAfter: true,
        deadline: true,
      },
    });
    return row === null ? null : identitySchema.parse(row);
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
      await session.query(RELEASE_NONCE, [launchId, to]);
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
      const [row] = await session.query(LOCK, [launchId]);
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
