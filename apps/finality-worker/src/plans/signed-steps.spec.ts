import { beforeEach, describe, expect, it } from '@jest/globals';
import { recordStatement, stepObservationStatement } from '@launch/contracts/activities';
import type { ObservedStage, SignedStepPoll, StatedHandoff, StepPoll } from '@launch/contracts/orchestration';
import { createEd25519Signer, createEd25519Verifier } from '@launch/platform';
import { newSigningKey } from '@launch/testing';
import type { PlanLoader } from './plan.loader.js';
import { signSteps } from './signed-steps.js';

const AT = '2026-11-21T10:00:00.000Z';
const word = (digit: string) => `0x${digit.repeat(64)}` as const;
const digest = (digit: string) => `sha256:${digit.repeat(64)}` as const;
const PLAN: StatedHandoff = {
  launchId: '3f2b8a4e-0000-4000-8000-000000000001',
  requestSha256: digest('1'),
  requestHash: word('2'),
  contextHash: word('3'),
  handoffSha256: digest('4'),
};
const { launchId: planId, requestSha256, handoffSha256, requestHash, contextHash } = PLAN;
const REF = { planId, requestSha256, handoffSha256 };
const INPUT = { ...REF, stepId: 'register', hints: [] };

const pollOf = (stage: ObservedStage, polls: number): StepPoll => ({
  memory: { stage, transactionHash: null, inclusion: null, posting: null, checkpoint: null, stageSince: AT, polls },
  observation: { status: 'agreed', reason: null, at: AT },
  estimatedNextStageAt: null,
  evidenceSha256: stage === 'finalized' ? digest('8') : null,
  transactions: [],
});

const [current, foreign] = [newSigningKey(), newSigningKey()];
const signer = createEd25519Signer(current.privateKey);
const verifier = createEd25519Verifier(current.publicKey);
const plans = {
  load: async () => ({
    handoff: { requestHash, contextHash },
    steps: [{ step: { stepId: 'deploy-token' } }, { step: { stepId: 'register' } }],
  }),
} as unknown as PlanLoader;
let continuedFrom: (StepPoll | null)[];
let built: number;
const work = () =>
  signSteps(
    {
      observeStep: async ({ before }) => {
        continuedFrom.push(before);
        return { ...pollOf('included', (before?.memory.polls ?? 0) + 1), basis: null, nextPollMs: 7 };
      },
      buildPlanRecord: async () => {
        built += 1;
        return { recordSha256: digest('9') };
      },
    },
    { plans, signer, verifier },
  );
const signedBy = (key: { readonly privateKey: string }, poll: StepPoll, stepId = 'register', plan = PLAN) => ({
  ...poll,
  signed: createEd25519Signer(key.privateKey).sign(stepObservationStatement(plan, stepId, poll)),
});

beforeEach(() => {
  continuedFrom = [];
  built = 0;
});

describe('The polls of a step', () => {
  it('are signed, and each continues from the one before it', async () => {
    const { nextPollMs, basis, ...first } = await work().observeStep({ ...INPUT, before: null });
    expect([nextPollMs, basis]).toEqual([7, null]);
    await work().observeStep({ ...INPUT, before: first });
    const { signed, ...poll } = first;
    expect(verifier.verify(stepObservationStatement(PLAN, 'register', poll), signed)).toBe('valid');
    expect(continuedFrom).toEqual([null, poll]);
  });

  const finalized = pollOf('finalized', 4);
  it.each<[string, SignedStepPoll]>([
    ['another key', signedBy(foreign, finalized)],
    ['another step', signedBy(current, finalized, 'deploy-token')],
    ['another plan', signedBy(current, finalized, 'register', { ...PLAN, launchId: planId.replace(/1$/, '2') })],
    ['another hand-off', signedBy(current, finalized, 'register', { ...PLAN, handoffSha256: digest('5') })],
    ['another stage', { ...signedBy(current, pollOf('pending', 4)), memory: finalized.memory }],
  ])('never continue from a state under the signature of %s, and build no record of it', async (_name, before) => {
    const refusal = { code: 'STATEMENT_UNVERIFIED', retryable: false };
    await expect(work().observeStep({ ...INPUT, before })).rejects.toMatchObject(refusal);
    await expect(work().buildPlanRecord({ ...REF, observed: before })).rejects.toMatchObject(refusal);
    expect([continuedFrom, built]).toEqual([[], 0]);
  });

  it('build a signed record of the last step, and none before finality', async () => {
    const early = work().buildPlanRecord({ ...REF, observed: signedBy(current, pollOf('posted', 4)) });
    await expect(early).rejects.toMatchObject({ code: 'EVIDENCE_INCOMPLETE' });
    const record = await work().buildPlanRecord({ ...REF, observed: signedBy(current, finalized) });
    const stated = recordStatement(PLAN, { recordSha256: digest('9'), evidenceSha256: digest('8') });
    expect([record.recordSha256, verifier.verify(stated, record.signed)]).toEqual([digest('9'), 'valid']);
  });
});
