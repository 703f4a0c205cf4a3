import { Inject, Injectable } from '@nestjs/common';
import { PLAN_LIMITS } from '@launch/contracts/plans';
import type { Hex, Sha256Digest } from '@launch/contracts/primitives';
import type { StepStatus } from '@launch/contracts/states';
import type { GatewayDatabase, Session } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';

/** One step of one plan. */
export interface StepName {
  readonly planId: string;
  readonly stepId: string;
}

/** A transaction that a client named for a step. */
export interface NamedTransaction {
  readonly stepId: string;
  readonly transactionHash: Hex;
  /** Whether the running plan received it. */
  readonly delivered: boolean;
}

export interface NewProof extends StepName {
  readonly transactionHash: Hex;
  readonly key: string;
  readonly bodySha256: Sha256Digest;
}

/**
 * `registered` is new to the step; `known` changed nothing. `taken`: the key is bound to other bytes. `full`: no further
 * hash is accepted. `not-ready`: the step was never offered.
 */
export type ProofOutcome = 'registered' | 'known' | 'taken' | 'full' | 'not-ready';

/** Steps that no transaction can concern any more. */
const ENDED: readonly StepStatus[] = ['finalized', 'reverted', 'expired'];
/** Days for which a key of a proof is stored. */
const KEPT_DAYS = 30;

/** Stores step proofs and their keys. */
@Injectable()
export class StepProofRepository {
  constructor(@Inject(GATEWAY_DATABASE) private readonly database: GatewayDatabase) {}

  /** Returns the digest that a key of this step is bound to; null for a new key. */
  async bodyOf({ planId, stepId }: StepName, key: string): Promise<Sha256Digest | null> {
    return boundBody(this.database, planId, stepId, key);
  }

  /** Registers a hash once. Plain SQL: the step's row is locked, so that the bound holds under concurrency. */
  async register({ planId, stepId, transactionHash, key, bodySha256 }: NewProof): Promise<ProofOutcome> {
    return this.database.transaction(async (session) => {
      const [step] = await session.query<{ readonly status: StepStatus; readonly offered: boolean }>(
        `SELECT status, "authorization" IS NOT NULL AS offered FROM plan_step WHERE plan_id = $1 AND step_id = $2 FOR UPDATE`,
        [planId, stepId],
      );
      const bound = await boundBody(session, planId, stepId, key);
      if (bound !== null) return bound === bodySha256 ? 'known' : 'taken';
      if (step?.offered !== true) return 'not-ready';
      const named = await session.query<{ readonly transactionHash: Hex }>(
        'SELECT transaction_hash AS "transactionHash" FROM step_proof WHERE plan_id = $1 AND step_id = $2',
        [planId, stepId],
      );
      const isNew = named.every((one) => one.transactionHash !== transactionHash) && !ENDED.includes(step.status);
      if (isNew && named.length >= PLAN_LIMITS.proofsPerStep) return 'full';
      if (isNew)
        await session.query('INSERT INTO step_proof (plan_id, step_id, transaction_hash) VALUES ($1, $2, $3)', [
          planId,
          stepId,
          transactionHash,
        ]);
      await session.query(
        'INSERT INTO step_proof_key (plan_id, step_id, idempotency_key, body_sha256) VALUES ($1, $2, $3, $4)',
        [planId, stepId, key, bodySha256],
      );
      return isNew ? 'registered' : 'known';
    });
  }

  /** Lists every transaction that was named for steps of a plan, in order. */
  async named(planId: string): Promise<readonly NamedTransaction[]> {
    return this.database.query<NamedTransaction & Record<string, unknown>>(
      `SELECT step_id AS "stepId", transaction_hash AS "transactionHash", delivered_at IS NOT NULL AS delivered
       FROM step_proof WHERE plan_id = $1 ORDER BY registered_at, step_id, transaction_hash`,
      [planId],
    );
  }

  async noteDelivered({ planId, stepId }: StepName, transactionHash: Hex): Promise<void> {
    await this.database.query(
      `UPDATE step_proof SET delivered_at = coalesce(delivered_at, now())
       WHERE plan_id = $1 AND step_id = $2 AND transaction_hash = $3`,
      [planId, stepId, transactionHash],
    );
  }

  /** Deletes old keys of proofs; the proofs stay. */
  async sweep(): Promise<void> {
    await this.database.query(`DELETE FROM step_proof_key WHERE created_at < now() - $1 * interval '1 day'`, [
      KEPT_DAYS,
    ]);
  }
}

async function boundBody(session: Session, planId: string, stepId: string, key: string): Promise<Sha256Digest | null> {
  const [row] = await session.query<{ readonly bodySha256: Sha256Digest }>(
    `SELECT body_sha256 AS "bodySha256" FROM step_proof_key
     WHERE plan_id = $1 AND step_id = $2 AND idempotency_key = $3`,
    [planId, stepId, key],
  );
  return row?.bodySha256 ?? null;
}
