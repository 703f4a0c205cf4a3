import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createFileBlobStore, type BlobStore } from '@launch/blob-store';
import { DEFAULT_LOG_SEARCH, DEFAULT_POLL_PACE, type ObserverPair } from '@launch/chain';
import { canonicalizeJson, isCanonical, parseStrictJson } from '@launch/contracts/json';
import {
  DERIVED_CONTRACT_FINALITY_V3,
  finalityEvidenceSchema,
  type FinalityEvidence,
} from '@launch/contracts/multi-role';
import type { ObservationMemory } from '@launch/contracts/orchestration';
import { sha256Digest } from '@launch/contracts/primitives';
import { startDevnet, type Devnet } from '@launch/devnet';
import { verifyEvidence, verifyHandoff, type Verdict } from '@launch/verify';
import { createLaunchLoader } from '../src/launch/launch.loader.js';
import type { ObservationRepository } from '../src/observation/observation.repository.js';
import { observeLaunchOnce, type ObservationDependencies } from '../src/observation/observe-launch.service.js';
import {
  devnetContext,
  observersOf,
  prepareLaunch,
  rpc,
  type PreparedLaunch,
} from './fixtures/devnet-launch.fixture.js';
import type { Poll } from '../src/observation/poll.types.js';

jest.setTimeout(180_000);

const LAUNCH_ID = '3f2b8a4e-0000-4000-8000-000000000001';
/** Stores nothing, because these tests do not read the observation's database. */
const forgetful: ObservationRepository = {
  save: async () => {},
  polls: async () => 0,
  addDuration: async () => {},
  recentDurations: async () => [],
  recordPublished: async () => {},
};

/** These tests have no custom launches. */
const NO_CONTEXTS = { load: () => Promise.reject(new Error('no context')) };

let dir: string;
let devnet: Devnet;
let blobs: BlobStore;
let launch: PreparedLaunch;
let bytes: Uint8Array;
let evidence: FinalityEvidence;

async function finalize(launch: PreparedLaunch, l2: ObserverPair, l1: ObserverPair): Promise<Poll> {
  const deps: ObservationDependencies = {
    l2,
    l1,
    blobs,
    launches: createLaunchLoader(blobs, NO_CONTEXTS),
    observations: forgetful,
    unsent: { add: async () => undefined, remove: async () => undefined },
    watch: { covers: () => false },
    pace: DEFAULT_POLL_PACE,
    expectedMs: { submitted: 5_000, included: 5_000, posted: 5_000 },
    logSearch: DEFAULT_LOG_SEARCH,
    now: Date.now,
  };
  const { requestSha256 } = launch.handoff;
  await blobs.put(launch.requestBytes);
  await blobs.put(launch.handoffBytes);
  const end = Date.now() + 90_000;
  for (let memory: ObservationMemory | null = null; ; await delay(200)) {
    const result: Poll = await observeLaunchOnce(deps, {
      launchId: LAUNCH_ID,
      requestSha256,
      handoffSha256: sha256Digest(launch.handoffBytes),
      hints: [`0x${'7'.repeat(64)}`],
      memory,
    });
    if (result.memory.stage === 'finalized') return result;
    if (Date.now() > end)
      throw new Error(`waited in vain at ${result.memory.stage}: ${JSON.stringify(result.observation)}`);
    memory = result.memory;
  }
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'launch-evidence-'));
  blobs = createFileBlobStore({ dir: join(dir, 'blobs') });
  devnet = await startDevnet({ dir: join(dir, 'devnet'), finalitySeconds: 4, keepState: false, idleBlockMs: 0 });
  launch = await prepareLaunch(devnet, 1n);
  await launch.send(devnet.rpc['4663'][0]?.url ?? '');
  const { evidenceSha256 } = await finalize(launch, observersOf(devnet, '4663'), observersOf(devnet, '1'));
  bytes = await blobs.get(evidenceSha256 as never);
  evidence = finalityEvidenceSchema.parse(parseStrictJson(bytes));
  if (process.env['WRITE_RECORDED_LAUNCH'] === '1') await record({ evidence: bytes, request: launch.requestBytes });
}, 180_000);

/** Writes the fixtures of the `launch-verify` tests; run again when the reviewed templates change. */
async function record(files: Readonly<Record<string, Uint8Array>>): Promise<void> {
  const folder = new URL('../../../clients/verify/testdata/finalized-launch/', import.meta.url);
  for (const [name, content] of Object.entries(files))
    await writeFile(new URL(`${name}.json.gz`, folder), gzipSync(content, { level: 9 }));
}

afterAll(async () => {
  await devnet?.stop();
  await rm(dir, { recursive: true, force: true });
});

const failed = ({ checks }: Verdict): string[] =>
  (checks ?? []).filter(({ verdict }) => verdict === 'fail').map(({ check }) => check);

describe('Evidence of a launch on the development chains', () => {
  it('contains the signed transaction, the answers of all four observers to one poll, and every proof', () => {
    expect(isCanonical(bytes)).toBe(true);
    expect(evidence).toMatchObject({
      outcome: 'finalized',
      launch: { launchId: LAUNCH_ID, requestHash: launch.handoff.requestHash },
      handoff: launch.handoff,
      context: launch.request.context,
    });
    const text = new TextDecoder().decode(bytes);
    expect(text).not.toContain('http://');
    // A hint without a result must not be published.
    expect(text).not.toContain('7'.repeat(64));
    expect(Object.values(evidence.proofs ?? {}).map(({ kind }) => kind)).toEqual(['proof', 'proof', 'proof', 'proof']);
  });

  it('passes offline, and lists its assumptions', async () => {
    const { inclusion, checkpoint } = evidence.conclusion;
    const blockHash = async (chain: '1' | '4663', number: string) =>
      (
        (await rpc(devnet.rawRpc[chain], 'eth_getBlockByNumber', `0x${BigInt(number).toString(16)}`, false)) as {
          hash: string;
        }
      ).hash;
    const pins = {
      request: launch.requestBytes,
      checkpoint: await blockHash('1', checkpoint!.blockNumber),
      l2Block: await blockHash('4663', inclusion!.blockNumber),
    };
    const verdict = await verifyEvidence(bytes, { digest: sha256Digest(bytes), ...pins });
    expect(failed(verdict)).toEqual([]);
    expect(verdict).toMatchObject({
      verdict: 'pass',
      notChecked: [],
      details: { sha256: sha256Digest(bytes), checkpoint: { number: evidence.conclusion.checkpoint?.blockNumber } },
    });
    expect(verdict.details['proves']).toHaveLength(9);
    expect(verdict.details['restsOnObservers']).toEqual(
      expect.arrayContaining([expect.stringContaining('what the posted batch executes to')]),
    );
  });

  it('is bound to the bytes of its address', async () => {
    expect(failed(await verifyEvidence(bytes, { digest: `sha256:${'0'.repeat(64)}` }))).toEqual(['address']);
    expect(await verifyEvidence(bytes)).toMatchObject({
      verdict: 'pass',
      notChecked: expect.arrayContaining([expect.stringContaining('content address')]),
    });
  });

  it.each<[string, (e: Record<string, unknown>) => void, string]>([
    ['an unknown field', (e) => void (e['extra'] = 1), 'SCHEMA_UNKNOWN_FIELD'],
    ['another version', (e) => void (e['schemaVersion'] = 'service.multi-role-finality-evidence.v1'), 'SCHEMA_INVALID'],
  ])('fails its verification when it has %s', async (_title, change, code) => {
    const changed = structuredClone(evidence) as unknown as Record<string, unknown>;
    change(changed);
    expect(await verifyEvidence(canonicalizeJson(changed))).toMatchObject({ verdict: 'fail', findings: [{ code }] });
  });

  it('lists the facts that rest on the observers without an unavailable proof', async () => {
    const without = structuredClone(evidence);
    without.proofs!.state = { kind: 'unavailable', reason: 'RPC_METHOD_MISSING' };
    const verdict = await verifyEvidence(canonicalizeJson(without));
    expect(verdict).toMatchObject({
      verdict: 'pass',
      notChecked: expect.arrayContaining(['proof of state: RPC_METHOD_MISSING']),
    });
    expect(verdict.details['restsOnObservers']).toEqual(
      expect.arrayContaining([expect.stringContaining('stamp and the runtime code hashes')]),
    );
  });
});

describe('The hand-off of the same launch', () => {
  it('is determined by its request', () => {
    expect(verifyHandoff(launch.requestBytes, launch.handoffBytes)).toMatchObject({ verdict: 'pass' });
  });
});

describe('A launch of finality V3', () => {
  it('leaves evidence of its derived contracts too', async () => {
    const context = devnetContext(devnet);
    const profile = { ...context.profile, derivedContractFinality: DERIVED_CONTRACT_FINALITY_V3 };
    const third = await prepareLaunch(devnet, 2n, 'zero', { ...context, profile });
    await third.send(devnet.rpc['4663'][0]?.url ?? '');
    const { evidenceSha256, memory } = await finalize(third, observersOf(devnet, '4663'), observersOf(devnet, '1'));
    expect(memory.derivedContracts).toEqual([
      expect.objectContaining({ proof: expect.objectContaining({ codeBefore: 'none' }) }),
    ]);
    const stored = await blobs.get(evidenceSha256 as never);
    expect(await verifyEvidence(stored, { digest: evidenceSha256, request: third.requestBytes })).toMatchObject({
      verdict: 'pass',
    });
    expect(failed(await verifyEvidence(stored, { request: launch.requestBytes }))).toEqual(
      expect.arrayContaining(['pin.request.permit.nonce', 'pin.request.permit.contextHash']),
    );
    // The block before the launch, where the child must have had no code.
    const tampered = finalityEvidenceSchema.parse(parseStrictJson(stored));
    for (const { method, answer } of tampered.exchanges)
      if (method === 'eth_getCode' && 'result' in answer && answer.result === '0x') answer.result = '0x00';
    expect(failed(await verifyEvidence(canonicalizeJson(tampered)))).toContain('rule.outcome');
  });
});

describe('An observer without block receipts and proofs', () => {
  const without = ([first, second]: ObserverPair): ObserverPair => [lacking(first), lacking(second)];
  const lacking = (observer: ObserverPair[0]): ObserverPair[0] => ({
    ...observer,
    request: (method, params) =>
      observer.request(
        method === 'eth_getProof' || method === 'eth_getBlockReceipts' ? `${method}Absent` : method,
        params,
      ),
  });

  it('does not block a launch: the bundle lists the missing proofs', async () => {
    const { evidenceSha256 } = await finalize(
      launch,
      without(observersOf(devnet, '4663')),
      without(observersOf(devnet, '1')),
    );
    const stored = await blobs.get(evidenceSha256 as never);
    const { proofs } = finalityEvidenceSchema.parse(parseStrictJson(stored));
    expect(proofs).toMatchObject({
      inclusion: { kind: 'unavailable' },
      posting: { kind: 'unavailable' },
      ancestry: { kind: 'proof' },
      state: { kind: 'unavailable' },
    });
    expect(await verifyEvidence(stored, { digest: evidenceSha256 })).toMatchObject({
      verdict: 'pass',
      notChecked: expect.arrayContaining([expect.stringMatching(/^proof of inclusion: RPC_/)]),
    });
  });
});
