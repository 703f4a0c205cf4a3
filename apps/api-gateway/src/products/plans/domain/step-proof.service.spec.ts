import { describe, expect, it } from '@jest/globals';
import type { PlanResponseVersion } from '@launch/contracts/launch';
import { sha256Digest, type Sha256Digest } from '@launch/contracts/primitives';
import { CursorCodec } from '@launch/http';
import { createLogger, Secret } from '@launch/platform';
import { recordedWorkflows } from '../../../fixtures/recorded-workflows.js';
import { refusalOfWork } from '../../../fixtures/refused.js';
import { testCaller } from '../../../fixtures/test-caller.js';
import { testPlan, type TestPlanChoice } from '../../../fixtures/test-plan.js';
import { UNBOUND_RELEASE } from '../../../core/gates/custom-launch-release.js';
import type { ProofOutcome } from '../data/step-proof.repository.js';
import { ReadPlanService } from './read-plan.service.js';
import { StepProofService } from './step-proof.service.js';

const HASH = `0x${'7'.repeat(64)}` as const;
const proof = (transactionHash: string = HASH, more: object = {}) =>
  JSON.stringify({ transactionHash, schemaVersion: 'service.custom-launch-plan-step-proof.v1', ...more }, null, 1);
const WAITING: TestPlanChoice = { status: 'awaiting_wallet', steps: ['awaiting_signature'], offered: 1 };

/** Returns the proofs of one plan whose rows are in memory. */
function proofsOf(choice: TestPlanChoice = WAITING, outcome: ProofOutcome = 'registered', bound?: Sha256Digest) {
  const { row } = testPlan(choice);
  const workflows = recordedWorkflows();
  const [registered, delivered, started, retried]: string[][] = [[], [], [], []];
  const plans = new ReadPlanService(
    {
      findOwned: async (planId) => (planId === row.planId ? row : null),
      listOwned: async () => [],
      countAtomic: async () => 0,
    },
    new CursorCodec(new Secret('a key of cursors')),
    UNBOUND_RELEASE,
    null,
    { now: () => Date.now() },
  );
  const service = new StepProofService(
    plans,
    {
      bodyOf: async () => bound ?? null,
      async register({ transactionHash }) {
        registered!.push(transactionHash);
        return outcome;
      },
      noteDelivered: async (_name, transactionHash) => void delivered!.push(transactionHash),
    },
    {
      startSoon: (planId) => void started!.push(planId),
      retrySoon: async (planId) => void retried!.push(planId),
    },
    { countRow: async () => undefined },
    workflows,
    createLogger({ service: 'test', level: 'silent' }),
  );
  const { planId } = row;
  const register = async (body = proof(), stepId = 'deploy-token', version: PlanResponseVersion = '1.0') => {
    const name = { planId, stepId };
    const answer = await service.register({} as never, testCaller(), name, 'a key', Buffer.from(body), version);
    // The delivery is not awaited by the answer.
    await new Promise(setImmediate);
    return answer.kind;
  };
  return { register, workflows, registered, delivered, started, retried, planId };
}

describe('A step proof', () => {
  it('is registered and signalled to the running plan', async () => {
    const { register, workflows, delivered, planId } = proofsOf();
    expect(await register()).toBe('registered');
    expect(workflows.proofs).toEqual([{ planId, stepId: 'deploy-token', transactionHash: HASH }]);
    expect(delivered).toEqual([HASH]);
  });

  it('is replayed under a key that is bound to the same bytes, and conflicts with other bytes', async () => {
    const same = proofsOf(WAITING, 'registered', sha256Digest(Buffer.from(proof())));
    expect([await same.register(), same.registered]).toEqual(['replayed', []]);
    const other = proofsOf(WAITING, 'registered', sha256Digest(Buffer.from('other bytes')));
    const refused = await refusalOfWork(() => other.register());
    expect([refused.code, refused.statusUrl]).toEqual(['IDEMPOTENCY_CONFLICT', expect.stringContaining(other.planId)]);
  });

  it.each<[ProofOutcome, string]>([
    ['taken', 'IDEMPOTENCY_CONFLICT'],
    ['not-ready', 'STEP_NOT_READY'],
    ['full', 'PROOF_LIMIT_REACHED'],
  ])('that the rows refuse as %s is refused with %s and not signalled', async (outcome, code) => {
    const { register, workflows } = proofsOf(WAITING, outcome);
    const refused = await refusalOfWork(() => register());
    expect([refused.code, workflows.proofs]).toEqual([code, []]);
  });

  it('that is known changes nothing and is not signalled again', async () => {
    const { register, workflows } = proofsOf(WAITING, 'known');
    expect([await register(), workflows.proofs]).toEqual(['known', []]);
  });

  it('for a step that the plan does not have is refused', async () => {
    const { register, registered } = proofsOf();
    for (const stepId of ['deploy-vault', 'Deploy Token'])
      expect((await refusalOfWork(() => register(proof(), stepId))).code).toBe('PLAN_NOT_FOUND');
    expect(registered).toEqual([]);
  });

  it.each([
    ['a hash in capitals', proof(`0x${'F'.repeat(64)}`), 'SCHEMA_INVALID'],
    ['an unknown field', proof(HASH, { x: 1 }), 'SCHEMA_UNKNOWN_FIELD'],
    ['no JSON', '{', 'JSON_SYNTAX'],
    ['a member twice', `{"transactionHash":"${HASH}","transactionHash":"${HASH}"}`, 'JSON_DUPLICATE_KEY'],
  ])('with a body of %s is refused and binds no key', async (_fault, body, code) => {
    const { register, registered } = proofsOf();
    expect([(await refusalOfWork(() => register(body))).code, registered]).toEqual([code, []]);
  });

  it('for an Atomic plan under 1.0 is refused before anything is written', async () => {
    const { register, registered } = proofsOf({ ...WAITING, mode: 'atomic' });
    const refused = await refusalOfWork(() => register(proof(), 'atomic-launch'));
    expect([refused.code, registered]).toEqual(['RESPONSE_VERSION_TOO_OLD', []]);
    expect(await register(proof(), 'atomic-launch', '1.2')).toBe('registered');
  });

  it('waits for the sweep while Temporal is away, and starts a plan that does not run', async () => {
    const away = proofsOf();
    away.workflows.down = true;
    expect(await away.register()).toBe('registered');
    expect([away.delivered, away.retried]).toEqual([[], [away.planId]]);
    const ended = proofsOf();
    ended.workflows.running = false;
    await ended.register();
    expect([ended.delivered, ended.started]).toEqual([[], [ended.planId]]);
  });
});
