import { Inject, Injectable } from '@nestjs/common';
import { PLAN_LIMITS } from '@launch/contracts/plans';
import { bytes32Schema, type Hex, type Sha256Digest } from '@launch/contracts/primitives';
import type { StepStatus } from '@launch/contracts/states';
import type { GatewayDatabase, Session } from '@launch/prisma-api-gateway';
import { GATEWAY_DATABASE } from '../../../platform/tokens.js';
import { BIND_KEY, BOUND_BODY, INSERT, LOCK_STEP, NAMED_OF_STEP, NOTE_DELIVERED, SWEEP } from './step-proof.sql.js';

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

  /** Registers a hash once. */
  async register({ planId, stepId, transactionHash, key, bodySha256 }: NewProof): Promise<ProofOutcome> {
    return this.database.transaction(async (session) => {
      const [step] = await session.query(LOCK_STEP, [planId, stepId]);
      const bound = await boundBody(session, planId, stepId, key);
      if (bound !== null) return bound === bodySha256 ? 'known' : 'taken';
      if (step?.offered !== true) return 'not-ready';
      const named = await session.query(NAMED_OF_STEP, [planId, stepId]);
      const isNew = named.every((one) => one.transactionHash !== transactionHash) && !ENDED.includes(step.status);
      if (isNew && named.length >= PLAN_LIMITS.proofsPerStep) return 'full';
      if (isNew) await session.query(INSERT, [planId, stepId, transactionHash]);
      await session.query(BIND_KEY, [planId, stepId, key, bodySha256]);
      return isNew ? 'registered' : 'known';
    });
  }

  /** Lists every transaction that was named for steps of a plan, in order. */
  async named(planId: string): Promise<readonly NamedTransaction[]> {
    const proofs = await this.database.prisma.stepProof.findMany({
      where: { planId },
      orderBy: [{ registeredAt: 'asc' }, { stepId: 'asc' }, { transactionHash: 'asc' }],
      select: { stepId: true, transactionHash: true, deliveredAt: true },
    });
    return proofs.map(({ stepId, transactionHash, deliveredAt }) => ({
      stepId,
      transactionHash: bytes32Schema.parse(transactionHash),
      delivered: deliveredAt !== null,
    }));
  }

  async noteDelivered({ planId, stepId }: StepName, transactionHash: Hex): Promise<void> {
    await this.database.query(NOTE_DELIVERED, [planId, stepId, transactionHash]);
  }

  /** Deletes old keys of proofs; the proofs stay. */
  async sweep(): Promise<void> {
    await this.database.query(SWEEP, [KEPT_DAYS]);
  }
}

async function boundBody(session: Session, planId: string, stepId: string, key: string): Promise<Sha256Digest | null> {
  const [row] = await session.query(BOUND_BODY, [planId, stepId, key]);
  return row?.bodySha256 ?? null;
}
