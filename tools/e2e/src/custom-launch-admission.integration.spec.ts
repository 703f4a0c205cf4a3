import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createFileBlobStore, type BlobStore } from '@launch/blob-store';
import { createObserverPair, parseObserverUrls, type ObserverPair } from '@launch/chain';
import { createSecondExecutor } from '@launch/chain/second-opinion';
import { createCompiler, type Compiler } from '@launch/compiler';
import {
  customLaunchHandoffSchema,
  signedCustomLaunchReceiptSchema,
  signedUsdReferenceSchema,
} from '@launch/contracts/custom-launch';
import type { CustomLaunchContext } from '@launch/contracts/launch';
import { createEd25519Signer } from '@launch/platform';
import { assertCanonicalJson, canonicalizeJson } from '@launch/contracts/json';
import type { LaunchRef } from '@launch/contracts/orchestration';
import { planHandoffSchema } from '@launch/contracts/plans';
import { canonicalKeccak, keccak256Hex, type Sha256Digest } from '@launch/contracts/primitives';
import { startDevnet, type Devnet } from '@launch/devnet';
import { buildDevelopmentCustomLaunchContext } from '@launch/start';
import { createAdmissionSteps, type AdmissionSteps } from '../../../apps/admission-worker/src/admission.steps.js';
import { judgeRequest } from '../../../apps/admission-worker/src/judgement/judge-request.service.js';
import { createStepSimulation } from '../../../apps/admission-worker/src/plans/simulate-step.service.js';
import { createReceiptService } from '../../../apps/admission-worker/src/receipt/receipt.service.js';
import { createRehearsalService } from '../../../apps/admission-worker/src/rehearsal/rehearse-launch.service.js';
import { createRouterStorageReader } from '../../../apps/admission-worker/src/rehearsal/router-storage.reader.js';
import { createRequestLoader } from '../../../apps/admission-worker/src/request/request.loader.js';
import { createSimulationService } from '../../../apps/admission-worker/src/simulation/simulate-handoff.service.js';
import { createUsdReferenceService } from '../../../apps/admission-worker/src/usd-reference/usd-reference.service.js';
import {
  packedCustomLaunch,
  permitFor,
  type CustomLaunchTerms,
  type PackedLaunch,
} from './fixtures/signed-custom-launch.fixture.js';

/**
 * Runs admission of custom launches and plans by its own steps, over real compilers and development chains, without
 * services.
 */
jest.setTimeout(240_000);

let dir: string;
let devnet: Devnet;
let context: CustomLaunchContext;
let blobs: BlobStore;
let compiler: Compiler;
let steps: AdmissionSteps;
let terms: Pick<CustomLaunchTerms, 'window' | 'checkpoint'>;
let nonce = 0n;

const observers = (chain: '4663' | '1'): ObserverPair => {
  const [a, b] = devnet.rpc[chain];
  return createObserverPair(parseObserverUrls('RPC', `${a!.id}=${a!.url},${b!.id}=${b!.url}`), Number(chain));
};

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'custom-admission-'));
  devnet = await startDevnet({ dir, keepState: false });
  context = buildDevelopmentCustomLaunchContext(devnet);
  blobs = createFileBlobStore({ dir: path.join(dir, 'blobs') });
  compiler = createCompiler({ versions: ['0.8.26'], cacheDir: path.join(dir, 'compiled') });
  const [l2, l1] = [observers('4663'), observers('1')];
  const secondExecutor = createSecondExecutor(l2);
  const now = (): Date => new Date();
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const signer = createEd25519Signer(pem);
  const contexts = new Map([[canonicalKeccak(context), context]]);
  const usdReferences = createUsdReferenceService({ observers: { l2, l1 }, blobs, signer, now });
  const receipts = new Map<string, { receiptSha256: Sha256Digest; disposition: string }>();
  const handoffs = new Map<string, { handoffSha256: Sha256Digest; permitDigest: string }>();
  steps = createAdmissionSteps({
    blobs,
    compiler,
    compileTimes: { budgetMs: 120_000, shortMs: 120_000 },
    contexts,
    l2,
    loader: createRequestLoader(blobs, contexts),
    receipts: createReceiptService({
      blobs,
      receipts: {
        find: async (id) => receipts.get(id) ?? null,
        insertOnce: async ({ launchId, ...row }) => (receipts.set(launchId, row), row),
      },
      signer,
      now,
    }),
    signer,
    rehearsals: createRehearsalService({ l2, secondExecutor, storageOf: createRouterStorageReader(l2), now }),
    simulations: createSimulationService({
      l2,
      secondExecutor,
      blobs,
      handoffs: {
        find: async (id) => handoffs.get(id) ?? null,
        insertOnce: async ({ launchId, ...row }) => (handoffs.set(launchId, row), row),
      },
      usdReferences,
      now,
    }),
    simulateStep: createStepSimulation({ l2, secondExecutor, blobs, contexts, signer, now }),
    usdReferences,
    now,
  });
  const opened = BigInt(Math.floor(Date.now() / 1_000)) - 60n;
  terms = {
    window: { validAfter: opened, deadline: opened + 3_000n },
    checkpoint: { blockNumber: '1', blockHash: `0x${'1'.repeat(64)}` },
  };
});
afterAll(async () => {
  await Promise.all([compiler?.close(), devnet?.stop()]);
  await rm(dir, { recursive: true, force: true });
});

async function packed(more: Partial<CustomLaunchTerms> = {}): Promise<PackedLaunch> {
  const launch = await packedCustomLaunch(devnet, context, randomUUID(), { ...terms, nonce: (nonce += 1n), ...more });
  await blobs.put(launch.bytes);
  return launch;
}
const compiled = (ref: LaunchRef) => steps.compileLongRequest(ref, new AbortController().signal);
const judged = async ({ ref }: PackedLaunch) =>
  judgeRequest(steps, ref, await compiled(ref), { reach: () => undefined });
const document = async (digest: Sha256Digest): Promise<unknown> => assertCanonicalJson(await blobs.get(digest));
const price = (chain: '4663' | '1', body: object): Promise<Response> =>
  fetch(`${devnet.faultsUrl}/chains/${chain}/price`, { method: 'POST', body: JSON.stringify(body) });

/** Goes from the stored bytes to the hand-off as the workflow does, with a permit like custody's. */
async function handedOff(launch: PackedLaunch) {
  const { receipt, economicsHash, findings } = await judged(launch);
  expect([findings, receipt.disposition]).toEqual([[], 'source_supported']);
  expect(await steps.rehearseLaunch(launch.ref, economicsHash!)).toEqual({ kind: 'passed' });
  const reading = await steps.readUsdReference(launch.ref);
  if (reading.kind !== 'usable') throw new Error(`the price is ${reading.kind}`);
  const permit = await permitFor(devnet, context, launch);
  const simulation = await steps.simulateHandoff(launch.ref, permit, reading.usdReferenceSha256);
  return { receipt, reading, permit, simulation };
}

describe('a custom launch', () => {
  it('goes from its bytes to the hand-off of its one transaction, with documents of its own family', async () => {
    const launch = await packed();
    const { receipt, reading, permit, simulation } = await handedOff(launch);
    const { ref } = launch;
    const stored = signedCustomLaunchReceiptSchema.parse(await document(receipt.receiptSha256));
    expect(stored.receipt).toMatchObject({
      family: 'custom-launch.v4',
      launchId: ref.launchId,
      requestHash: ref.requestHash,
      recipe: { id: 'native20-seed' },
    });
    const { usdReference } = signedUsdReferenceSchema.parse(await document(reading.usdReferenceSha256));
    expect(usdReference).toMatchObject({ launchId: ref.launchId, oneUsdReferenceWei: reading.oneUsdReferenceWei });

    if (simulation.kind !== 'simulated') throw new Error(JSON.stringify(simulation));
    const handoff = customLaunchHandoffSchema.parse(await document(simulation.handoffSha256));
    expect(handoff).toMatchObject({
      requestHash: ref.requestHash,
      contextHash: ref.contextHash,
      permitDigest: permit.permitDigest,
      usdReference: { oneUsdReferenceWei: reading.oneUsdReferenceWei },
      walletTransaction: { from: ref.controller, value: launch.body.funding.totalValueWei },
    });
    expect(BigInt(handoff.simulation.gasUsed)).toBeGreaterThan(1_000_000n);
    expect(await steps.simulateHandoff(ref, permit)).toEqual(simulation);
  });

  it('that requests more than the pool contains is refused before custody, with places of its own request', async () => {
    const launch = await packed();
    const body = { ...launch.body, funding: { ...launch.body.funding, minimumTokensOut: String(10n ** 30n) } };
    const bytes = canonicalizeJson(body);
    const requestSha256 = await blobs.put(bytes);
    const ref = { ...launch.ref, requestSha256, requestHash: keccak256Hex(bytes) };
    expect(await steps.rehearseLaunch(ref, `0x${'8'.repeat(64)}`)).toMatchObject({
      kind: 'reverted',
      findings: [{ code: 'SIMULATION_REVERTED', path: '/funding/minimumTokensOut' }],
    });
  });

  it('whose gas exceeds its budget is never handed off', async () => {
    const { simulation } = await handedOff(await packed({ maxGasCostWei: 1n }));
    expect(simulation).toMatchObject({
      kind: 'over-budget',
      findings: [{ code: 'BUDGET_EXCEEDED', path: '/budgets/maxGasCostWei', actual: '1' }],
    });
  });

  it('is judged by the current price, reports a value below one US dollar, and has no verdict without a price', async () => {
    const { ref } = await packed({ initialBuyWei: 1_000n });
    expect(await steps.readUsdReference(ref)).toMatchObject({
      kind: 'below',
      findings: [{ code: 'CHAIN_INITIAL_BUY_BELOW_ONE_USD_REFERENCE', path: '/funding/initialBuyWei', actual: '1000' }],
    });
    const good = await packed();
    expect((await price('1', { answer: '0' })).ok).toBe(true);
    expect(await steps.readUsdReference(good.ref)).toEqual({
      kind: 'unusable',
      reason: 'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED',
    });
    expect((await price('1', { answer: String(2_500n * 10n ** 8n) })).ok).toBe(true);
  });
});

describe('a preflight', () => {
  const outcomes = async ({ ref }: PackedLaunch, bytes: Uint8Array) => {
    const requestSha256 = await blobs.put(bytes);
    const asked = { ...ref, launchId: null, requestSha256, requestHash: keccak256Hex(bytes) };
    const { checks } = await steps.judgePreflight(asked, await compiled(asked));
    return checks;
  };

  it('of a good launch passes every check', async () => {
    const launch = await packed();
    const checks = await outcomes(launch, launch.bytes);
    expect(checks.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
    expect(checks.length).toBeGreaterThan(15);
  });

  it('reports wrong sums beside sources that do not match and code that does not deploy', async () => {
    const launch = await packed();
    const body = structuredClone(launch.body) as never as {
      funding: { totalValueWei: string };
      graphBundle: { components: { creationBytecode: string }[] };
    };
    body.funding.totalValueWei = '1';
    body.graphBundle.components[0]!.creationBytecode += '00';
    const checks = await outcomes(launch, canonicalizeJson(body));
    const failed = checks.filter(({ outcome }) => outcome === 'fail').map(({ checkId }) => checkId);
    expect(failed).toEqual(expect.arrayContaining(['funding', 'compilation', 'graph']));
  });
});

describe('a plan', () => {
  it('is handed off step by step, and each step is simulated at the head', async () => {
    const launch = await packed({ plan: 'sequential' });
    const { simulation } = await handedOff(launch);
    if (simulation.kind !== 'simulated') throw new Error(JSON.stringify(simulation));
    const { handoffSha256 } = simulation;
    const handoff = planHandoffSchema.parse(await document(handoffSha256));
    const ids = handoff.steps.map(({ stepId }) => stepId);
    expect(ids.at(-1)).toBe('register');
    const { launchId: planId, requestSha256 } = launch.ref;
    const simulated = (stepId: string) => steps.simulateStep({ planId, requestSha256, handoffSha256, stepId });
    expect(await simulated(ids[0]!)).toMatchObject({ kind: 'agreed', simulation: { gasUsed: expect.any(String) } });
    expect(await simulated('register')).toMatchObject({
      kind: 'reverted',
      reason: expect.stringContaining('PlanIncomplete'),
    });
    await expect(simulated('deploy-nothing')).rejects.toMatchObject({ code: 'HANDOFF_CONFLICT' });
  });

  it('that is atomic is handed off as one batch, whose calls succeed in one block', async () => {
    const launch = await packed({ plan: 'atomic' });
    const { simulation } = await handedOff(launch);
    if (simulation.kind !== 'simulated') throw new Error(JSON.stringify(simulation));
    const { handoffSha256 } = simulation;
    const { steps: batch } = planHandoffSchema.parse(await document(handoffSha256));
    expect(batch).toMatchObject([{ kind: 'atomic_launch', stepId: 'atomic-launch' }]);
    const { launchId: planId, requestSha256 } = launch.ref;
    expect(await steps.simulateStep({ planId, requestSha256, handoffSha256, stepId: 'atomic-launch' })).toMatchObject({
      kind: 'agreed',
    });
  });
});
