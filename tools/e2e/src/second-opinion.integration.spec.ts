import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createObserverPair, parseObserverUrls, simulateTransaction, type ObserverPair, type RpcObserver, type SimulatedTransaction } from '@launch/chain';
import { createSecondOpinion } from '@launch/chain/second-opinion';
import { startDevnet, type Devnet } from '@launch/devnet';
import { encodeLaunchCalldata, launchCallOf, launchPermitOf, permitTypedData, recogniseEconomics, routerOf, type Hex } from '@launch/evm';
import { keccak256Hex } from '@launch/contracts';
import { privateKeyToAccount } from 'viem/accounts';
import { fixtureContext } from '../../../clients/multi-role/src/fixtures/launch-context.fixture.js';
import { packReference } from './reference-request.js';

let devnet: Devnet;
let dir: string;
let l2: ObserverPair;
let transaction: SimulatedTransaction;
let window: { validAfter: bigint; deadline: bigint };

/** A reference launch with a purchase, signed by the devnet's own permit authority. */
async function signedLaunch(): Promise<SimulatedTransaction> {
  const { contracts } = devnet;
  const context = fixtureContext({
    router: contracts.router.address.toLowerCase(),
    routerCodeHash: contracts.router.runtimeCodeHash,
    poolManager: contracts.poolManager.address.toLowerCase(),
    poolManagerCodeHash: contracts.poolManager.runtimeCodeHash,
    platformFeeRecipient: devnet.platformFeeRecipient.toLowerCase(),
    permitAuthority: devnet.permitAuthority.address.toLowerCase(),
  });
  const wallet = devnet.controller.address.toLowerCase() as Hex;
  const { bytes, request } = await packReference({ context, wallet, nonce: 1n, ...window, referenceCase: 'buy' });
  const economics = recogniseEconomics(request);
  if (economics.kind !== 'recognised') throw new Error('the reference is not recognised');
  const permit = launchPermitOf(request, { requestHash: keccak256Hex(bytes), economicsHash: economics.economicsHash });
  const authority = privateKeyToAccount((await readFile(devnet.permitAuthority.privateKeyFile, 'utf8')) as Hex);
  const router = routerOf(context);
  const signature = await authority.signTypedData(permitTypedData(router, permit) as never);
  return { from: wallet, to: router.router, value: permit.value, data: encodeLaunchCalldata({ call: launchCallOf(request), permit, signature }) };
}

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'second-opinion-'));
  devnet = await startDevnet({ dir, keepState: false });
  const [a, b] = devnet.rpc['4663'];
  l2 = createObserverPair(parseObserverUrls('RPC_4663_URLS', `${a!.id}=${a!.url},${b!.id}=${b!.url}`), 4663);
  const now = BigInt(Math.floor(Date.now() / 1000));
  window = { validAfter: now - 60n, deadline: now + 1_800n };
  transaction = await signedLaunch();
}, 60_000);
afterAll(async () => {
  await devnet?.stop();
  await rm(dir, { recursive: true, force: true });
});

async function simulated() {
  const outcome = await simulateTransaction(l2, transaction, window);
  if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)));
  return outcome;
}

/** An observer that tells the second executor something else than the chain holds. */
const lying = (observer: RpcObserver, method: string, answer: (params: readonly unknown[], truth: unknown) => unknown): RpcObserver => ({
  ...observer,
  request: async (asked, params) => {
    const truth = await observer.request(asked, params);
    return asked === method ? answer(params, truth) : truth;
  },
});

describe('a second, independent executor', () => {
  it('comes to the same status, logs and balance changes as the providers for a whole launch', async () => {
    const outcome = await simulated();
    expect(outcome.effects?.status).toBe('success');
    expect(outcome.effects?.logs.length).toBeGreaterThan(8);
    expect(outcome.effects?.nativeDeltas?.get(transaction.from)).toBe(-transaction.value);
    expect(await createSecondOpinion(l2)(transaction, outcome)).toEqual({ kind: 'agrees' });
  }, 60_000);

  it.each<[string, string, (params: readonly unknown[], truth: unknown) => unknown]>([
    ['other storage', 'eth_getStorageAt', () => `0x${'11'.repeat(32)}`],
    ['no code at the router', 'eth_getCode', (params, truth) => (params[0] === transaction.to ? '0x' : truth)],
    ['an account that cannot pay', 'eth_getBalance', () => '0x0'],
  ])('makes no statement over an observer that serves %s', async (_what, method, answer) => {
    const outcome = await simulated();
    const verdict = await createSecondOpinion([l2[0], lying(l2[1], method, answer)])(transaction, outcome);
    expect(verdict.kind).toBe('indeterminate');
    expect(verdict).toMatchObject({ reason: expect.stringContaining(l2[1].id) });
  }, 60_000);

  it.each([
    ['a log less', (effects: Record<string, unknown>) => ({ ...effects, logs: (effects['logs'] as unknown[]).slice(1) }), 'logs'],
    ['a balance change more', (effects: Record<string, unknown>) => ({ ...effects, nativeDeltas: new Map([[`0x${'12'.repeat(20)}`, 1n]]) }), 'balance changes'],
  ] as const)('makes no statement when the providers report %s', async (_what, change, named) => {
    const outcome = await simulated();
    const effects = change(outcome.effects as never) as never;
    expect(await createSecondOpinion(l2)(transaction, { ...outcome, effects })).toEqual({ kind: 'indeterminate', reason: expect.stringContaining(named) });
  }, 60_000);
});
