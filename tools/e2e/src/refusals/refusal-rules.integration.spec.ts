import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ObserverPair } from '@launch/chain';
import { createCompiler, type Compiler } from '@launch/compiler';
import type { AnyFinding } from '@launch/contracts/errors';
import { parseStrictJson } from '@launch/contracts/json';
import { createRequestSchema, type CreateRequest, type LaunchContext } from '@launch/contracts/multi-role';
import type { LaunchRef } from '@launch/contracts/orchestration';
import { startDevnet, type Devnet } from '@launch/devnet';
import { buildInventoryRequest } from '@launch/multi-role';
import { buildDevelopmentContext } from '@launch/start';
import { createAdmissionSteps } from '../../../../apps/admission-worker/src/admission.steps.js';
import { multiRoleLaunch } from '../../../../apps/admission-worker/src/families/multi-role.launch.js';
import { judgeRequest } from '../../../../apps/admission-worker/src/judgement/judge-request.service.js';
import { dispositionOf } from '../../../../apps/admission-worker/src/receipt/receipt.service.js';
import {
  fixtureInventoryInput,
  inventoryMaterial,
} from '../../../../clients/multi-role/src/fixtures/inventory.fixture.js';
import { endAlterations } from '../altered-project.js';
import { devnetObservers } from '../fixtures/signed-launch.fixture.js';
import { packReference } from '../reference-request.js';
import { requestOf, reseal, thaw } from '../request-mutation.js';
import { INVENTORY_REFUSALS } from './inventory.corpus.js';
import { NATIVE20_REFUSALS, type RefusalCase } from './native20.corpus.js';

/** Judges all requests of the refusal corpus by admission's own steps over development chains, without services. */
const JUDGED_WITHIN_MS = 240_000;
const WALLET = `0x${'4d'.repeat(20)}` as const;

let dir: string;
let devnet: Devnet;
let l2: ObserverPair;
let compiler: Compiler;
let context: LaunchContext;
let native20: CreateRequest;
let inventory: CreateRequest;

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'refusals-'));
  devnet = await startDevnet({ dir, keepState: false });
  l2 = devnetObservers(devnet);
  context = buildDevelopmentContext(devnet);
  compiler = createCompiler({ versions: ['0.8.26'], cacheDir: path.join(dir, 'compiled') });
  const validAfter = BigInt(Math.floor(Date.now() / 1000)) - 30n;
  const choices = { context, wallet: WALLET, validAfter };
  ({ request: native20 } = await packReference({ ...choices, nonce: 1n, deadline: validAfter + 3_000n }));
  const { bytes } = await buildInventoryRequest(
    fixtureInventoryInput('cedar', { ...choices, nonce: '2' }),
    inventoryMaterial(),
  );
  inventory = createRequestSchema.parse(parseStrictJson(bytes));
}, JUDGED_WITHIN_MS);
afterAll(async () => {
  await Promise.all([endAlterations(), compiler?.close(), devnet?.stop()]);
  await rm(dir, { recursive: true, force: true });
});

/** Runs admission's steps in order and returns the findings of the first step that has any. */
async function judged(request: CreateRequest): Promise<readonly AnyFinding[]> {
  const steps = createAdmissionSteps({
    compiler,
    compileTimes: { budgetMs: 120_000, shortMs: 120_000 },
    l2,
    loader: { load: () => Promise.resolve(multiRoleLaunch(request)) },
    now: () => new Date(),
    blobs: undefined as never,
    receipts: undefined as never,
    signer: undefined as never,
    rehearsals: undefined as never,
    simulations: undefined as never,
    usdReferences: undefined as never,
    simulateStep: undefined as never,
    contexts: new Map(),
  });
  const ref = { launchId: null } as LaunchRef;
  const { findings } = await judgeRequest(
    { ...steps, issueReceipt: () => Promise.resolve({ receiptSha256: `sha256:${'0'.repeat(64)}` } as never) },
    ref,
    await steps.compileLongRequest(ref, new AbortController().signal),
    { reach: () => undefined },
  );
  return findings;
}

const rowsOf = (cases: readonly RefusalCase[]) => cases.map((one) => [one.what, one] as const);

describe.each([
  ['the combined Native20 reference', () => native20, rowsOf(NATIVE20_REFUSALS)],
  ['a published inventory project', () => inventory, rowsOf(INVENTORY_REFUSALS)],
] as const)('the rules over %s', (_base, base, rows) => {
  it(
    'find no fault in the unchanged request',
    async () => {
      expect(await judged(base())).toEqual([]);
    },
    JUDGED_WITHIN_MS,
  );

  it.each(rows)(
    'refuse %s',
    async (_what, { codes, disposition, change }) => {
      const request = thaw(base());
      await change(request, l2);
      const findings = await judged(requestOf(reseal(request)));
      expect([...new Set(findings.map(({ code }) => code))].sort()).toEqual([...codes].sort());
      expect(dispositionOf(findings)).toBe(disposition);
    },
    JUDGED_WITHIN_MS,
  );
});
