import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalizeJson } from '@launch/contracts/json';
import {
  DERIVED_CONTRACT_FINALITY_V3,
  finalityDiscoverySchema,
  type FinalityReadiness,
  finalityReadinessSchema,
  finalityStatusV3Schema,
  finalizedListSchema,
  finalizedListV3Schema,
  finalizedRecordV3Schema,
  MULTI_ROLE_BASE_PATH,
} from '@launch/contracts/multi-role';
import {
  OPERATOR_UPDATES,
  observeWorkflowId,
  RECOVERY_WORKFLOW_ID,
  type HousekeepingAnswer,
} from '@launch/contracts/orchestration';
import { childAddress, type Hex } from '@launch/evm';
import { recoverFinality, recoverTransactionHint } from '@launch/multi-role';
import { sendFromController } from '@launch/start';
import { connectTemporal, type TemporalClient } from '@launch/temporal';
import { ChainFaults } from '../fixtures/chain-faults.fixture.js';
import { Launcher, PATIENCE_MS, type HandedOff } from '../fixtures/launcher.fixture.js';
import { inDatabase } from '../fixtures/stack-databases.fixture.js';
import { publishContextV3 } from '../stacks/context-v3.js';
import { startE2eStack, type E2eStack } from '../stacks/own-stack.js';
import { codesOf, errorOf } from '../launch-api.js';
import { customLaunchesInTrouble } from '../faults/custom-launches.chapter.js';

/** Blocks that an observation searches on its own. Only the recovery finds a launch that is sent later. */
const SEARCH_BLOCKS = 20;
const FINALITY = {
  FINALITY_SEARCH_BLOCKS: String(SEARCH_BLOCKS),
  RECOVERY_POLL_MS: '2500',
  FINALITY_EXPECT_POSTED_MS: '600000',
};
const HELD = ['api-gateway', 'finality-worker', 'temporal', 'postgres'] as const;

let stack: E2eStack;
let key: string;
let temporal: TemporalClient;
let v3: Launcher;
let old: HandedOff;

/** A launch authorized under a V2 context, whose deployment then publishes a V3 context. */
beforeAll(async () => {
  stack = await startE2eStack({ serviceEnv: { 'finality-worker': FINALITY } });
  key = await stack.issueKey({ scopes: ['custom-launch:create', 'custom-launch:read'] });
  temporal = await connectTemporal(stack.stack.temporal);
  old = await (await Launcher.withKey(stack, key)).authorize();
  await publishContextV3(stack);
  v3 = await Launcher.withKey(stack, key);
}, 2 * PATIENCE_MS);
afterAll(async () => {
  await temporal?.close();
  await stack?.stop();
});

const api = (): { origin: string; apiKey: string } => ({ origin: stack.gateway, apiKey: key });
const original = (launch: HandedOff): Uint8Array => canonicalizeJson(launch);
const send = (launch: HandedOff): Promise<Hex> => sendFromController(stack.stack, launch.wallet.walletTransaction);
const read = async (route: string): Promise<{ status: number; body: unknown }> =>
  v3.api.send('GET', `${MULTI_ROLE_BASE_PATH}${route}`);
const feedIds = (items: readonly { apiLaunchId: string }[]): string[] => items.map(({ apiLaunchId }) => apiLaunchId);

async function until<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await sleep(200)) {
    const found = await look().catch(() => null);
    if (found !== null) return found;
  }
  throw new Error(`waited in vain for ${what}`);
}

async function rpc(method: string, ...params: unknown[]): Promise<unknown> {
  const response = await fetch(stack.stack.rpc['4663'][0] as string, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await response.json()) as { result: unknown }).result;
}
const head = async (): Promise<number> => Number(await rpc('eth_blockNumber'));
const headAt = (block: number): Promise<true> =>
  until(`block ${block}`, async () => ((await head()) >= block ? true : null));
const readiness = async (): Promise<FinalityReadiness> =>
  finalityReadinessSchema.parse((await read('/derived-finality-v3/readiness')).body);

describe('two generations in one deployment', () => {
  it(
    'are discovered, but only the original response selects one',
    async () => {
      expect(finalityDiscoverySchema.parse((await read('/derived-finality-v3/discovery')).body)).toMatchObject({
        current: 'v3',
        selection: { policyV3: DERIVED_CONTRACT_FINALITY_V3 },
      });
      const recent = await v3.authorize();
      const chains = new ChainFaults(stack);
      await chains.holdPosting();
      const [oldHash, recentHash] = [await send(old), await send(recent)];

      // Each on the other's routes, then on its own.
      for (const [launch, route, version, hash] of [
        [old, 'transaction-hints-v3', 'v3', oldHash],
        [recent, 'transaction-hints', 'v2', recentHash],
      ] as const) {
        const body = JSON.stringify({
          schemaVersion: `service.multi-role-transaction-hint.${version}`,
          transactionHash: hash,
        });
        const refused = await v3.api.send('POST', `${launch.launchId}/${route}`, { body });
        expect([refused.status, errorOf(refused).code, codesOf(refused)]).toEqual([422, 'HINT_VERSION_MISMATCH', []]);
      }
      expect([
        (await read(`/${old.launchId}/finality-v3`)).status,
        (await read(`/${recent.launchId}/finality`)).status,
      ]).toEqual([404, 404]);
      expect((await recoverTransactionHint(api(), original(old), oldHash)).schemaVersion).toBe(
        'service.multi-role-transaction-hint-receipt.v2',
      );
      expect((await recoverTransactionHint(api(), original(recent), recentHash)).schemaVersion).toBe(
        'service.multi-role-transaction-hint-receipt.v3',
      );

      // An included launch states when its posting is expected, and why; an ended one does not.
      for (const launch of [old, recent]) {
        const { finality } = await v3.api.until(
          launch.launchId,
          (resource) => resource.finality.state === 'included',
          PATIENCE_MS,
        );
        expect(finality).toMatchObject({ posting: null, basis: 'configured-expectation' });
        expect(Date.parse(finality.estimatedNextStageAt ?? '')).toBeGreaterThan(Date.now());
      }
      await chains.resumePosting();
      for (const launch of [old, recent])
        expect((await v3.finalized(launch.launchId)).finality).toMatchObject({
          state: 'ethereum_finalized',
          estimatedNextStageAt: null,
          basis: null,
        });
      expect(await recoverFinality(api(), original(old))).toMatchObject({
        schemaVersion: 'service.multi-role-finality-status.v2',
        state: 'ethereum_finalized',
        transactionHash: oldHash,
      });
      const status = finalityStatusV3Schema.parse(await recoverFinality(api(), original(recent)));
      expect(status).toMatchObject({
        state: 'ethereum_finalized',
        transactionHash: recentHash,
        contextHash: recent.contextHash,
        onchainLaunchId: recent.onchainLaunchId,
        nextStage: null,
      });
      expect(status.derivedContracts).toHaveLength(1);
      const [vault] = status.derivedContracts ?? [];
      expect(vault).toMatchObject({
        roleMask: 16,
        creationNonce: 1,
        proof: {
          blockHash: status.inclusion?.blockHash,
          codeBefore: 'none',
          runtimeCodeHash: vault?.runtimeCodeHash,
        },
      });
      expect(childAddress(vault?.parent as Hex, 1n)).toBe(vault?.account);

      const record = finalizedRecordV3Schema.parse((await read(`/finalized-v3/${recent.onchainLaunchId}`)).body);
      expect(record).toMatchObject({
        apiLaunchId: recent.launchId,
        derivedContractFinality: DERIVED_CONTRACT_FINALITY_V3,
      });
      expect(record.components.map(({ scope, derivation }) => [scope, derivation?.status ?? null])).toEqual([
        [0, null],
        [1, 'verified'],
        [2, null],
      ]);
      expect((await fetch(`${stack.gateway}${record.image.path}`)).headers.get('content-type')).toMatch(/^image\//);
      expect((await read(`/finalized/${recent.onchainLaunchId}`)).status).toBe(404);
      expect((await read(`/finalized-v3/${old.onchainLaunchId}`)).status).toBe(404);
      expect(feedIds(finalizedListSchema.parse((await read('/finalized')).body).items)).toEqual([old.launchId]);
      expect(feedIds(finalizedListV3Schema.parse((await read('/finalized-v3')).body).items)).toEqual([recent.launchId]);
    },
    2 * PATIENCE_MS,
  );
});

describe('the recovery', () => {
  it(
    'becomes ready, and its checkpoint follows the finalized head',
    async () => {
      const before = await until('a ready recovery', async () => {
        const now = await readiness();
        return now.status === 'ready' ? now : null;
      });
      expect(before).toMatchObject({
        reasonCodes: [],
        recovery: { observation: 'agreed', router: v3.context.chainDeployment.router.address },
      });
      const number = ({ recovery }: FinalityReadiness): bigint => BigInt(recovery?.checkpoint?.blockNumber ?? '0');
      await until('a later checkpoint', async () => (number(await readiness()) > number(before) ? true : null));
    },
    PATIENCE_MS,
  );

  it(
    'finds a launch that was sent without a hint, and one that was sent during an outage, while no observation searches',
    async () => {
      const launches = [await v3.authorize(), await v3.authorize()];
      for (const name of HELD) await stack.services.kill(name, 'SIGKILL', { hold: true });
      const simulatedAt = Math.max(...launches.map(({ wallet }) => Number(wallet.simulation.blockNumber)));
      await headAt(simulatedAt + 2 * SEARCH_BLOCKS);
      const hashes: Hex[] = [];
      for (const launch of launches) {
        const hash = await send(launch);
        const block = await until(
          'its inclusion',
          async () =>
            Number(
              ((await rpc('eth_getTransactionReceipt', hash)) as { blockNumber: string } | null)?.blockNumber ??
                Number.NaN,
            ) || null,
        );
        expect(block).toBeGreaterThan(simulatedAt + SEARCH_BLOCKS);
        hashes.push(hash);
      }
      await headAt((await head()) + 2 * SEARCH_BLOCKS);
      for (const name of [...HELD].reverse()) await stack.services.resume(name);

      for (const [index, launch] of launches.entries()) {
        await v3.finalized(launch.launchId);
        expect(await recoverFinality(api(), original(launch))).toMatchObject({
          state: 'ethereum_finalized',
          transactionHash: hashes[index],
        });
        const hints = await inDatabase(
          stack,
          'launch_gateway',
          'SELECT transaction_hash, source FROM transaction_hint WHERE launch_id = $1',
          [launch.launchId],
        );
        // The watch of unsent launches may find it first; the recovery then names nothing.
        if (hints.length > 0) expect(hints).toEqual([{ transaction_hash: hashes[index], source: 'recovery' }]);
      }
    },
    2 * PATIENCE_MS,
  );

  it(
    "reports an operator's pause, and finds launches sent during the pause once it continues, whichever run was ended",
    async () => {
      const launch = await v3.authorize();
      const recovery = temporal.client.workflow.getHandle(RECOVERY_WORKFLOW_ID);
      const operate = (update: string, reason: string) =>
        recovery.executeUpdate<HousekeepingAnswer, [string]>(update, { args: [reason] });
      await operate(OPERATOR_UPDATES.pause, 'for the test');
      await until('a readiness that names the pause', async () =>
        (await readiness()).reasonCodes[0] === 'RECOVERY_PAUSED' ? true : null,
      );
      const probe = await fetch(`${stack.stack.operations}/readyz`);
      expect([probe.status, await probe.json()]).toMatchObject([
        200,
        { status: 'ready', degraded: { recovery: 'paused' } },
      ]);
      const observation = temporal.client.workflow.getHandle(observeWorkflowId(launch.launchId));
      const running = await until('its observation', async () => (await observation.describe()).runId);
      await observation.terminate('for the test');
      await headAt(Number(launch.wallet.simulation.blockNumber) + 2 * SEARCH_BLOCKS);
      await send(launch);
      await operate(OPERATOR_UPDATES.resume, 'the test goes on');
      await v3.finalized(launch.launchId);
      expect((await observation.describe()).runId).not.toBe(running);
      await until('a readiness without the pause', async () => {
        const { status, reasonCodes } = await readiness();
        return status === 'ready' && reasonCodes.length === 0 ? true : null;
      });
    },
    2 * PATIENCE_MS,
  );
});

customLaunchesInTrouble(() => stack);
