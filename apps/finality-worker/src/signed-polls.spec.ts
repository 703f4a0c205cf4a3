import { beforeEach, describe, expect, it } from '@jest/globals';
import { observationStatement } from '@launch/contracts/activities';
import type { ObservationMemory, ObservedPoll, SignedPoll, StatedHandoff } from '@launch/contracts/orchestration';
import { createEd25519Signer, createEd25519Verifier } from '@launch/platform';
import { newSigningKey } from '@launch/testing';
import type { LaunchLoader } from './launch/launch.loader.js';
import { signPolls } from './signed-polls.js';

const AT = '2026-11-21T10:00:00.000Z';
const word = (digit: string) => `0x${digit.repeat(64)}` as const;
const digest = (digit: string) => `sha256:${digit.repeat(64)}` as const;
const LAUNCH: StatedHandoff = {
  launchId: '3f2b8a4e-0000-4000-8000-000000000001',
  requestSha256: digest('1'),
  requestHash: word('2'),
  contextHash: word('3'),
  handoffSha256: digest('4'),
};
const { launchId, requestSha256, handoffSha256, requestHash, contextHash } = LAUNCH;
const INPUT = { launchId, requestSha256, handoffSha256, hints: [] };

const memoryOf = (stage: ObservationMemory['stage'], polls: number): ObservationMemory => ({
  stage,
  transactionHash: null,
  inclusion: null,
  posting: null,
  checkpoint: null,
  stageSince: AT,
  polls,
});
const pollOf = (memory: ObservationMemory): ObservedPoll => ({
  memory,
  observation: { status: 'agreed', reason: null, at: AT },
  estimatedNextStageAt: null,
  basis: null,
  evidenceSha256: null,
  findings: [],
});

const [current, former, foreign] = [newSigningKey(), newSigningKey(), newSigningKey()];
const signer = createEd25519Signer(current.privateKey);
const launches = { load: async () => ({ handoff: { requestHash, contextHash } }) } as unknown as LaunchLoader;
let continuedFrom: (ObservationMemory | null)[];
let built: number;
const work = () =>
  signPolls(
    {
      observe: async ({ memory }) => {
        continuedFrom.push(memory);
        return { ...pollOf(memoryOf('included', (memory?.polls ?? 0) + 1)), nextPollMs: 7 };
      },
      buildFinalizedRecord: async () => {
        built += 1;
        return { recordSha256: digest('9') };
      },
    },
    { launches, signer, verifier: createEd25519Verifier(`${former.publicKey}${current.publicKey}`) },
  );
const signedBy = (key: { readonly privateKey: string }, poll: ObservedPoll, launch = LAUNCH): SignedPoll => ({
  ...poll,
  signed: createEd25519Signer(key.privateKey).sign(observationStatement(launch, poll)),
});

beforeEach(() => {
  continuedFrom = [];
  built = 0;
});

describe('The polls of a launch', () => {
  it('are signed, and each continues from the one before it', async () => {
    const { nextPollMs, ...first } = await work().observe({ ...INPUT, before: null });
    expect(nextPollMs).toBe(7);
    await work().observe({ ...INPUT, before: first });
    expect(continuedFrom).toEqual([null, first.memory]);
  });

  it('continue from a poll under the former key', async () => {
    await work().observe({ ...INPUT, before: signedBy(former, pollOf(memoryOf('posted', 4))) });
    expect(continuedFrom).toEqual([memoryOf('posted', 4)]);
  });

  const finalized = pollOf(memoryOf('finalized', 4));
  it.each([
    ['another key', signedBy(foreign, finalized)],
    ['another launch', signedBy(current, finalized, { ...LAUNCH, launchId: '3f2b8a4e-0000-4000-8000-000000000002' })],
    ['another hand-off', signedBy(current, finalized, { ...LAUNCH, handoffSha256: digest('5') })],
    ['another stage', { ...signedBy(current, pollOf(memoryOf('pending', 4))), memory: finalized.memory }],
  ])('never continue from a state under the signature of %s, and build no record of it', async (_name, before) => {
    const refusal = { code: 'STATEMENT_UNVERIFIED', retryable: false };
    await expect(work().observe({ ...INPUT, before })).rejects.toMatchObject(refusal);
    const record = work().buildFinalizedRecord({ launchId, requestSha256, handoffSha256, observed: before });
    await expect(record).rejects.toMatchObject(refusal);
    expect([continuedFrom, built]).toEqual([[], 0]);
  });

  it('build no record before finality', async () => {
    const observed = signedBy(current, pollOf(memoryOf('posted', 4)));
    const record = work().buildFinalizedRecord({ launchId, requestSha256, handoffSha256, observed });
    await expect(record).rejects.toMatchObject({ code: 'EVIDENCE_INCOMPLETE' });
  });
});
