import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createFileBlobStore } from '@launch/blob-store';
import type { ObserverPair } from '@launch/chain';
import { createSecondExecutor, type SecondExecutor } from '@launch/chain/second-opinion';
import { startDevnet, type Devnet } from '@launch/devnet';
import { HOOK_FLAGS, hookFlagsOf, type Hex, type HookFlag } from '@launch/evm';
import type { CompiledLaunch } from '../../../apps/admission-worker/src/compilation/compiled-launch.schema.js';
import { judgeGraph } from '../../../apps/admission-worker/src/graph/judge-graph.service.js';
import { multiRoleLaunch } from '../../../apps/admission-worker/src/families/multi-role.launch.js';
import { createSimulationService } from '../../../apps/admission-worker/src/simulation/simulate-handoff.service.js';
import { devnetObservers, lying, signedLaunch, type SignedLaunch } from './fixtures/signed-launch.fixture.js';

let devnet: Devnet;
let dir: string;
let l2: ObserverPair;
let launch: SignedLaunch;
let window: { validAfter: bigint; deadline: bigint };

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'hand-off-'));
  devnet = await startDevnet({ dir, keepState: false, idleBlockMs: 0 });
  l2 = devnetObservers(devnet);
  const now = BigInt(Math.floor(Date.now() / 1000));
  window = { validAfter: now - 60n, deadline: now + 1_800n };
  launch = await signedLaunch(devnet, 'buy', 1n, window);
});
afterAll(async () => {
  await devnet?.stop();
  await rm(dir, { recursive: true, force: true });
});

const forRouter =
  (answer: string) =>
  (params: readonly unknown[], truth: unknown): unknown =>
    params[0] === launch.request.context.chainDeployment.router.address ? answer : truth;

describe('the hand-off', () => {
  const service = (secondExecutor: SecondExecutor, rows: Map<string, never>, now = new Date(), observers = l2) =>
    createSimulationService({
      l2: observers,
      secondExecutor,
      blobs: createFileBlobStore({ dir: path.join(dir, 'blobs') }),
      handoffs: {
        find: async (id) => rows.get(id) ?? null,
        insertOnce: async ({ launchId, ...row }) => (rows.set(launchId, row as never), row),
      },
      usdReferences: { stored: () => Promise.reject(new Error('no multi-role launch has a price')) },
      now: () => now,
    });
  const simulate = (simulations: ReturnType<typeof service>, signed = launch.signed) => {
    const { request, ref } = launch;
    return simulations.simulate(multiRoleLaunch(request), { ...ref, launchId: 'one' }, signed);
  };

  it('is absent while the executors differ, and present once a repetition agrees', async () => {
    const rows = new Map<string, never>();
    const blind = createSecondExecutor([l2[0], lying(l2[1], 'eth_getCode', forRouter('0x'))]);
    await expect(simulate(service(blind, rows))).rejects.toMatchObject({
      code: 'PROVIDERS_UNDECIDED',
      retryable: true,
    });
    expect(rows.size).toBe(0);
    expect(await simulate(service(createSecondExecutor(l2), rows))).toMatchObject({ kind: 'simulated' });
    expect(rows.size).toBe(1);
  });

  it('is refused for a window that passed in the meantime', async () => {
    const blind = createSecondExecutor([l2[0], lying(l2[1], 'eth_getCode', forRouter('0x'))]);
    expect(await simulate(service(blind, new Map<string, never>(), new Date(Number(window.deadline) * 1_000)))).toEqual(
      { kind: 'window-passed' },
    );
  });

  it('is absent while another program is at the router of the request’s own context, which is no fault of the launch', async () => {
    const replaced = [
      lying(l2[0], 'eth_getCode', forRouter('0x6001')),
      lying(l2[1], 'eth_getCode', forRouter('0x6001')),
    ] as const;
    const refusal = {
      code: 'PROVIDERS_UNDECIDED',
      retryable: true,
      reason: expect.stringContaining('ROUTER_CODE_MISMATCH'),
    };
    const rows = new Map<string, never>();
    await expect(simulate(service(createSecondExecutor(l2), rows, new Date(), replaced))).rejects.toMatchObject(
      refusal,
    );
    expect(rows.size).toBe(0);
    expect(
      await simulate(service(createSecondExecutor(l2), rows, new Date(Number(window.deadline) * 1_000), replaced)),
    ).toEqual({ kind: 'window-passed' });

    const { components } = launch.request.graphBundle;
    const callbacks = (Object.keys(HOOK_FLAGS) as HookFlag[]).filter(
      (flag) =>
        !flag.endsWith('ReturnDelta') && (hookFlagsOf(components[0]!.predictedAddress as Hex) & HOOK_FLAGS[flag]) !== 0,
    );
    const compiled: CompiledLaunch = {
      schemaVersion: 'service.compiled-launch.v1',
      components: components.map(({ componentId }) => ({ componentId, hookCallbacks: callbacks })),
    };
    await expect(judgeGraph(multiRoleLaunch(launch.request), compiled, replaced, new Date())).rejects.toMatchObject(
      refusal,
    );
    expect(await judgeGraph(multiRoleLaunch(launch.request), compiled, l2, new Date())).toMatchObject({ findings: [] });
  });

  it('fails by a revert only when the second executor sees it too', async () => {
    const rows = new Map<string, never>();
    const foreign = { ...launch.signed, signature: `0x${'11'.repeat(64)}1b` as const };
    const generous = createSecondExecutor([l2[0], lying(l2[1], 'eth_getCode', forRouter('0x00'))]);
    await expect(simulate(service(generous, rows), foreign)).rejects.toMatchObject({ code: 'PROVIDERS_UNDECIDED' });
    expect(await simulate(service(createSecondExecutor(l2), rows), foreign)).toMatchObject({
      kind: 'reverted',
      findings: [{ code: 'SIMULATION_REVERTED' }],
    });
    expect(rows.size).toBe(0);
  });
});
