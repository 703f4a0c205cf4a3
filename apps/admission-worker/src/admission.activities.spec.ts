import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApplicationFailure, CancelledFailure, type ActivityFunction } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createFileBlobStore } from '@launch/blob-store';
import { createCompiler, PINNED_COMPILER_VERSIONS, type Compiler } from '@launch/compiler';
import { canonicalizeJson } from '@launch/contracts/json';
import type { AdmissionActivities, LaunchRef, RehearsalVerdict } from '@launch/contracts/orchestration';
import { keccak256Hex, type Hex } from '@launch/contracts/primitives';
import { createEd25519Signer } from '@launch/platform';
import { newSigningKey } from '@launch/testing';
import { fixtureConfig } from '../../../clients/multi-role/src/fixtures/reference.fixture.js';
import { packRequest } from '../../../clients/multi-role/src/packer/pack-request.js';
import { AdmissionError } from './admission.error.js';
import { createCompilationActivities } from './compilation/compilation.activities.js';
import { createAdmissionActivities } from './admission.activities.js';
import { createAdmissionSteps, type StepDependencies } from './admission.steps.js';
import { SignedOutcomes } from './receipt/signed-outcomes.js';
import { createRequestLoader } from './request/request.loader.js';

let dir: string;
let compiler: Compiler;
let ref: LaunchRef;
let dependencies: Pick<StepDependencies, 'blobs' | 'compiler' | 'compileTimes' | 'loader'>;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'admission-'));
  compiler = createCompiler({ versions: PINNED_COMPILER_VERSIONS });
  const blobs = createFileBlobStore({ dir });
  const config = await fixtureConfig('zero');
  const { bytes, report } = packRequest(canonicalizeJson(config));
  ref = {
    launchId: null,
    requestSha256: await blobs.put(bytes),
    requestHash: keccak256Hex(bytes),
    contextHash: report.contextHash,
    controller: config.launchWallet,
  };
  const compileTimes = { budgetMs: 120_000, shortMs: 10_000 };
  dependencies = { blobs, compiler, compileTimes, loader: createRequestLoader(blobs, new Map()) };
});
afterAll(async () => {
  await compiler.close();
  await rm(dir, { recursive: true, force: true });
});

const activitiesWith = (more: Partial<StepDependencies>): AdmissionActivities =>
  createAdmissionActivities({
    steps: createAdmissionSteps({ ...dependencies, ...more } as StepDependencies),
    outcomes: new SignedOutcomes(createEd25519Signer(newSigningKey().privateKey)),
    blobs: dependencies.blobs,
    onTrouble: () => undefined,
  }).functions;

// A stopping worker gives its running steps some seconds and then ends them, which must not fail a launch.
it.each(['CANCELLED', 'WORKER_SHUTDOWN'] as const)(
  'A cancelled compilation (%s) ends as cancelled and does not fail.',
  async (reason) => {
    const steps = createAdmissionSteps(dependencies as StepDependencies);
    const { compileRequest } = createCompilationActivities(steps, 2, () => undefined).functions;
    const environment = new MockActivityEnvironment();
    const compiling = environment.run(compileRequest as ActivityFunction<[LaunchRef]>, ref);
    environment.cancel(reason);
    const error = await compiling.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CancelledFailure);
    expect(error).toMatchObject({ message: reason });
  },
);

describe('A rehearsal', () => {
  const economicsHash: Hex = `0x${'8'.repeat(64)}`;
  const rehearsing = (rehearse: StepDependencies['rehearsals']['rehearse']) => {
    const { rehearseLaunch } = activitiesWith({ rehearsals: { rehearse } });
    return new MockActivityEnvironment().run(
      rehearseLaunch as ActivityFunction<[LaunchRef, Hex], RehearsalVerdict>,
      ref,
      economicsHash,
    );
  };

  it('judges the request in the reference with its economics, and returns only the verdict', async () => {
    const asked: unknown[] = [];
    expect(
      await rehearsing(
        async ({ request }, of, hash) => (
          asked.push([keccak256Hex(canonicalizeJson(request)), of, hash]),
          { kind: 'passed' }
        ),
      ),
    ).toEqual({ kind: 'passed' });
    expect(asked).toEqual([[ref.requestHash, ref, economicsHash]]);
  });

  it('is retried when it ends without a verdict', async () => {
    const failure = await rehearsing(() =>
      Promise.reject(new AdmissionError('PROVIDERS_UNDECIDED', 'l2-a and l2-b disagree')),
    ).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApplicationFailure);
    expect(failure).toMatchObject({
      type: 'PROVIDERS_UNDECIDED',
      nonRetryable: false,
      message: 'PROVIDERS_UNDECIDED: l2-a and l2-b disagree',
    });
  });
});
