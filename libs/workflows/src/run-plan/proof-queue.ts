import type { NamedProof } from '@launch/contracts/orchestration';

const HASH = /^0x[0-9a-f]{64}$/;
const STEP_ID = /^[a-z0-9-]{1,64}$/;
/** The most proofs, as many as all steps of a plan accept. */
const MAX_WAITING = 17 * 16;

/** Transactions that clients named for steps since the last `take`. Each wakes the plan and has no other effect. */
export class ProofQueue {
  private waiting: NamedProof[] = [];

  constructor(first: readonly NamedProof[]) {
    first.forEach((proof) => this.add(proof));
  }

  /** Anything but a well-formed proof within the bound is ignored. */
  add(proof: unknown): void {
    if (isProof(proof) && this.waiting.length < MAX_WAITING)
      this.waiting.push({ stepId: proof.stepId, transactionHash: proof.transactionHash });
  }

  take(): readonly NamedProof[] {
    const taken = this.waiting;
    this.waiting = [];
    return taken;
  }

  hasNews(): boolean {
    return this.waiting.length > 0;
  }
}

function isProof(value: unknown): value is NamedProof {
  if (typeof value !== 'object' || value === null) return false;
  const { stepId, transactionHash } = value as Partial<Record<keyof NamedProof, unknown>>;
  return (
    typeof stepId === 'string' &&
    STEP_ID.test(stepId) &&
    typeof transactionHash === 'string' &&
    HASH.test(transactionHash)
  );
}
