import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CancelledFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createFileBlobStore } from '@launch/blob-store';
import { createCompiler, PINNED_COMPILER_VERSIONS, type Compiler } from '@launch/compiler';
import { keccak256Hex } from '@launch/contracts';
import { canonicalizeJson } from '@launch/contracts/json';
import type { LaunchRef } from '@launch/contracts/orchestration';
import { fixtureConfig } from '../../../clients/multi-role/src/fixtures/reference.fixture.js';
import { packRequest } from '../../../clients/multi-role/src/packer/pack-request.js';
import { createAdmissionActivities, type AdmissionDependencies } from './admission.activities.js';
import { createRequestLoader } from './request/request.loader.js';

let dir: string;
let compiler: Compiler;
let ref: LaunchRef;
let dependencies: Pick<AdmissionDependencies, 'blobs' | 'compiler' | 'loader'>;

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
  dependencies = { blobs, compiler, loader: createRequestLoader(blobs) };
}, 60_000);
afterAll(async () => {
  await compiler.close();
  await rm(dir, { recursive: true, force: true });
});

// A worker that is being stopped gives its running steps some seconds and then ends them: no launch may fail by that.
it.each(['CANCELLED', 'WORKER_SHUTDOWN'] as const)('a compile that is told to stop (%s) was stopped, and did not fail', async (reason) => {
  const { compileAndMatch } = createAdmissionActivities(dependencies as AdmissionDependencies);
  const environment = new MockActivityEnvironment();
  const compiling = environment.run(compileAndMatch, ref);
  environment.cancel(reason);
  const error = await compiling.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(CancelledFailure);
  expect(error).toMatchObject({ message: reason });
});
