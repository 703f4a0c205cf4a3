import { Inject, Injectable } from '@nestjs/common';
import type { CustomLaunchFinding } from '@launch/contracts/errors';
import { canonicalJsonText } from '@launch/contracts/json';
import type { PlanOutcome } from '@launch/contracts/orchestration';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { planStatusOf, runningPlanStatusOf, type PlanStatus, type StepStatus } from '@launch/contracts/states';
import type { GatewayDatabase, Session } from '@launch/prisma-api-gateway';
import type { StepAuthorization, StepFinality, StepTransaction } from './plan.row.js';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';
import {
  END,
  END_ADMISSION,
  FINALIZE,
  FOUND,
  HANDED_OFF,
  LOCK,
  RELEASE_NONCE,
  STATE,
  STEPS,
  WAITS,
  WRITE_STATUS,
  WRITE_STEP,
  type StepsRow,
} from './plan-projection.sql.js';
import type { Refusal } from '../../../core/projections/statement-verifier.js';
import {
  lockPublications,
  publishOrHold,
  type PublicationOutcome,
} from '../../../core/projections/publication.repository.js';

/** The new columns of a step. */
export interface StepWrite {
  readonly stepId: string;
  readonly status: StepStatus;
  /** Number of the last poll. */
  readonly polls: number;
  /** The transaction that an offered step asks the wallet to send; the first one stays. */
  readonly authorization: StepAuthorization | null;
  readonly finality: StepFinality;
  readonly transactions: readonly StepTransaction[];
  readonly evidenceSha256: Sha256Digest | null;
}

/** A stored step. */
export type StepRecord = StepsRow;

/** The decision about a write, from the stored steps in plan order. */
export type StepMoves =
  | { readonly kind: 'accepted'; readonly writes: readonly StepWrite[] }
  | { readonly kind: 'refused'; readonly reason: Refusal };

/** The state of a plan before a write. */
export interface PlanState {
  readonly status: PlanStatus;
  readonly handoffSha256: Sha256Digest | null;
  readonly requestSha256: Sha256Digest;
  readonly steps: readonly { readonly stepId: string; readonly offered: boolean }[];
}

const ADMITTING: PlanStatus = 'admission_pending';
/** Statuses that a running plan leaves for another one. */
const LIVING: readonly PlanStatus[] = ['admission_pending', 'awaiting_wallet', 'in_progress', 'finalizing'];

/** The client's view of plans. Steps can also move back, so their order is decided from the stored ones under a lock. */
@Injectable()
export class PlanProjectionRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  async stateOf(planId: string): Promise<PlanState | null> {
    const [row] = await this.database.query(STATE, [planId]);
    return row ?? null;
  }

  /** Records the reason that an admission waits for. */
  async waits(planId: string, reason: string): Promise<void> {
    await this.database.query(WAITS, [planId, reason, ADMITTING]);
  }

  /** Records findings of an admission that continues. */
  async found(planId: string, findings: readonly CustomLaunchFinding[]): Promise<void> {
    await this.database.query(FOUND, [planId, canonicalJsonText(findings), ADMITTING]);
  }

  /** Ends a plan that gets no permit, and releases its nonce where custody states that no digest will ever carry it. */
  async refused(planId: string, findings: readonly CustomLaunchFinding[], releaseNonce: boolean): Promise<void> {
    await this.database.transaction(async (session) => {
      await this.endAdmission(session, planId, 'action_required', findings);
      if (!releaseNonce) return;
      await session.query(RELEASE_NONCE, [planId]);
    });
  }

  /** Ends a plan by its admission. A run that was reset can come late, so a handed-off plan stays. */
  async endedByAdmission(
    planId: string,
    outcome: 'failed' | 'expired',
    findings: readonly CustomLaunchFinding[],
  ): Promise<void> {
    await this.endAdmission(this.database, planId, outcome, findings);
  }

  private async endAdmission(
    session: Session,
    planId: string,
    outcome: 'action_required' | 'failed' | 'expired',
    findings: readonly CustomLaunchFinding[],
  ): Promise<void> {
    await session.query(END_ADMISSION, [planId, outcome, reasonOf(findings), canonicalJsonText(findings), ADMITTING]);
  }

  async handedOff(planId: string, handoffSha256: Sha256Digest, steps: number): Promise<void> {
    await this.database.query(HANDED_OFF, [
      planId,
      handoffSha256,
      planStatusOf(new Array<StepStatus>(steps).fill('blocked')),
      ADMITTING,
    ]);
  }

  /** Returns all steps in plan order. */
  async stepsOf(planId: string): Promise<readonly StepRecord[]> {
    return this.database.query(STEPS, [planId]);
  }

  /**
   * Writes steps together with the status of the plan that follows from them, unless the plan has ended.
   * @returns the reason of a refusal, which changes nothing.
   */
  async move(
    planId: string,
    sequence: number,
    judge: (stored: readonly StepRecord[]) => StepMoves,
  ): Promise<Refusal | null> {
    return this.database.transaction(async (session) => {
      const before = await lockPlan(session, planId);
      if (before === null || !LIVING.includes(before)) return null;
      const stored = await session.query(STEPS, [planId]);
      const judged = judge(stored);
      if (judged.kind === 'refused') return judged.reason;
      const statuses = new Map(stored.map(({ stepId, status }) => [stepId, status]));
      for (const step of judged.writes) {
        statuses.set(step.stepId, step.status);
        await session.query(WRITE_STEP, [
          planId,
          step.stepId,
          step.status,
          step.polls,
          sequence,
          canonicalJsonText(step.finality),
          canonicalJsonText(step.transactions),
          step.evidenceSha256,
          step.authorization === null ? null : canonicalJsonText(step.authorization),
        ]);
      }
      if (judged.writes.length > 0)
        await session.query(WRITE_STATUS, [planId, runningPlanStatusOf([...statuses.values()])]);
      return null;
    });
  }

  /** Returns the step that stamps the launch: the plan's last one. */
  async stampingStep(planId: string): Promise<{
    readonly finality: string | null;
    readonly transactions: string;
    readonly evidenceSha256: string | null;
  } | null> {
    return this.database.prisma.planStep.findFirst({
      where: { planId },
      orderBy: { ordinal: 'desc' },
      select: { finality: true, transactions: true, evidenceSha256: true },
    });
  }

  /**
   * Ends a plan that failed or expired.
   * @returns false when the plan already ended otherwise.
   */
  async end(
    planId: string,
    outcome: Exclude<PlanOutcome, 'finalized'>,
    findings: readonly CustomLaunchFinding[],
  ): Promise<boolean> {
    return this.database.transaction(async (session) => {
      const before = await lockPlan(session, planId);
      if (before === outcome || before === 'superseded') return true;
      if (before === null || !LIVING.includes(before)) return false;
      await session.query(END, [
        planId,
        outcome,
        outcome === 'expired' ? 'PERMIT_EXPIRED' : reasonOf(findings),
        canonicalJsonText(findings),
      ]);
      return true;
    });
  }

  /**
   * Finishes a plan, and publishes its record under the next number or holds it with the reason, atomically.
   * @returns false when the plan already ended otherwise.
   */
  async finalize(
    planId: string,
    transactionHash: string,
    evidenceSha256: Sha256Digest,
    outcome: PublicationOutcome,
  ): Promise<boolean> {
    return this.database.transaction(async (session) => {
      await lockPublications(session);
      const before = await lockPlan(session, planId);
      // A repeated call, or a restarted plan: the first publication stays.
      if (before === 'finalized') return true;
      if (before === null || !LIVING.includes(before)) return false;
      await session.query(FINALIZE, [planId, transactionHash, evidenceSha256]);
      await publishOrHold(session, planId, outcome);
      return true;
    });
  }
}

const reasonOf = (findings: readonly CustomLaunchFinding[]): string | null =>
  findings.find(({ severity }) => severity === 'error')?.code ?? null;

/** Locks a plan and returns its status; null when absent. */
async function lockPlan(session: Session, planId: string): Promise<PlanStatus | null> {
  const [row] = await session.query(LOCK, [planId]);
  return row?.status ?? null;
}
