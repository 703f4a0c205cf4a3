import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { launchCapabilitiesSchema } from '@launch/contracts/reports';
import { CHAIN_BASE_PATH } from '@launch/contracts/primitives';
import { decodeRouterV1Calldata, type Hex } from '@launch/evm';
import { createMultiRoleClient } from '../../../../clients/sdk/src/multi-role.js';
import { PlanDesk, type PlanStepView } from '../fixtures/plan-desk.fixture.js';
import { packReferenceNow } from '../reference-request.js';
import { WalletRefusal, type BrowserWallet, type WalletRequest } from './browser-wallet.js';
import { falsifying, planFalsifications } from './falsifications.fixture.js';
import { falsifiedRows } from './falsified-rows.fixture.js';
import { openWalletSuite, rowsOf, type WalletSuite } from './wallet-suite.fixture.js';
import { controllerWallet, type WalletTab } from './wallet-tab.fixture.js';

const STARTS_WITHIN_MS = 600_000;
const ENDS_WITHIN_MS = 600_000;
const WAIT = { timeoutMs: 240_000, pollMs: 1_000 };
const CHAIN = '0x1237';
const STEPS = ['deploy-initializer', 'deploy-token', 'deploy-hook', 'register'];

let suite: WalletSuite;
const openTab = (path: string, wallet: Partial<BrowserWallet> = {}): Promise<WalletTab> =>
  suite.openTab(path, [controllerWallet(suite.stack, wallet)]);

interface Batch {
  readonly calls: readonly { readonly to: Hex; readonly value: Hex; readonly data: Hex }[];
}
/** A wallet that sends several calls as one transaction (EIP-5792). */
function batching(desk: PlanDesk): NonNullable<BrowserWallet['intercept']> {
  let sent: Hex;
  return ({ method, params }) => {
    if (method === 'wallet_getCapabilities') return Promise.resolve({ [CHAIN]: { atomic: { status: 'supported' } } });
    if (method === 'wallet_getCallsStatus')
      return Promise.resolve({ status: 200, atomic: true, receipts: [{ transactionHash: sent }] });
    if (method !== 'wallet_sendCalls') return undefined;
    const calls = (params[0] as Batch).calls.map((call) => ({ ...call, value: BigInt(call.value).toString() }));
    return desk.send({ form: 'atomic.v1', calls } as NonNullable<PlanStepView['authorization']>).then((hash) => {
      sent = hash;
      return { id: '0x01' };
    });
  };
}

let desk: PlanDesk;
let sequential: { readonly planId: string; readonly bytes: Uint8Array };
let atomic: { readonly planId: string };
let multiRole: { readonly launchId: string };
beforeAll(async () => {
  suite = await openWalletSuite();
  const { stack, key } = suite;
  desk = PlanDesk.withKey(stack, key);
  const packed = await desk.pack({ mode: 'sequential' });
  sequential = { bytes: packed.bytes, planId: (await desk.submit(packed)).planId };
  atomic = await desk.create('atomic');
  const client = createMultiRoleClient({ baseUrl: stack.gateway, key });
  multiRole = await client.create(await packReferenceNow(client, stack.controller));
  await desk.offered(sequential.planId, STEPS[0]!);
  await desk.offered(atomic.planId, 'atomic-launch');
  await client.waitFor(multiRole.launchId, 'authorized', WAIT);
}, STARTS_WITHIN_MS);
afterAll(() => suite?.close());

describe('A sequential plan on the wallet page', () => {
  it(
    'is stopped before the wallet is asked if the service alters its steps, with the message of the reference',
    async () => {
      const context = (
        launchCapabilitiesSchema.parse(
          await (await fetch(`${suite.stack.gateway}${CHAIN_BASE_PATH}/capabilities`)).json(),
        ).context as { readonly document: unknown }
      ).document;
      const sent = JSON.parse(Buffer.from(sequential.bytes).toString()) as object;
      const tab = await openTab(`/wallet/plans/${sequential.planId}`);
      const messages = await rowsOf(tab, planFalsifications(context), (one) => tab.alter(falsifying(one, sent)));
      expect(tab.asked()).toBe(0);
      expect(await falsifiedRows('Falsified plans')).toEqual(messages);
      await tab.close();
    },
    ENDS_WITHIN_MS,
  );

  it(
    'shows all steps with their own amounts, is signed step by step across a reload, and becomes final',
    async () => {
      const tab = await openTab(`/wallet/plans/${sequential.planId}`);
      await tab.signIn('Test wallet');
      const total = (JSON.parse(Buffer.from(sequential.bytes).toString()) as { funding: { totalValueWei: string } })
        .funding.totalValueWei;
      for (const [index, stepId] of STEPS.entries()) {
        await tab.showsFact('step', stepId);
        await tab.reaches('ready');
        expect(await tab.steps()).toEqual(STEPS);
        const value = stepId === 'register' ? total : '0';
        expect([await tab.fact('total'), await tab.fact('planTotal')]).toEqual([value, total]);
        await tab.click('Sign and send');
        await tab.sends(index + 1);
        if (index === 0) {
          await tab.page.reload();
          await tab.signIn('Test wallet');
        }
      }
      await tab.reaches('done');
      expect(await tab.text()).toContain('The launch is final.');
      const sent = tab
        .requests('eth_sendTransaction')
        .map(({ params: [transaction] }) => decodeRouterV1Calldata((transaction as { readonly data: Hex }).data));
      expect(sent.map((one) => (one.entryPoint === 'deployComponent' ? one.step.ordinal : one.entryPoint))).toEqual([
        0,
        1,
        2,
        'register',
      ]);
      await tab.close();
    },
    ENDS_WITHIN_MS,
  );
});

describe('An atomic plan on the wallet page', () => {
  const path = (): string => `/wallet/plans/${atomic.planId}`;

  it(
    'names the remedy with a wallet that cannot send a batch, and sends nothing',
    async () => {
      const tab = await openTab(path());
      await tab.signIn('Test wallet');
      await tab.reaches('obstructed');
      expect((await tab.obstacles()).map(({ id }) => id)).toEqual(['no-atomic-batch']);
      expect(await tab.text()).toContain('submit the plan again in sequential mode');
      expect(tab.asked()).toBe(0);
      await tab.close();
    },
    ENDS_WITHIN_MS,
  );

  it(
    'says that a provider without eth_simulateV1 cannot simulate the batch',
    async () => {
      const capable = batching(desk);
      const intercept = (request: WalletRequest): Promise<unknown> | undefined =>
        request.method === 'eth_simulateV1'
          ? Promise.reject(new WalletRefusal(-32_601, 'no such method'))
          : capable(request);
      const tab = await openTab(path(), { intercept });
      await tab.signIn('Test wallet');
      await tab.reaches('ready');
      const text = await tab.text();
      expect(text).toContain('cannot simulate several calls');
      expect(text).not.toContain('succeeds in a simulation');
      await tab.close();
    },
    ENDS_WITHIN_MS,
  );

  it(
    'is simulated, sent as one batch of all calls, and becomes final',
    async () => {
      const tab = await openTab(path(), { intercept: batching(desk) });
      await tab.signIn('Test wallet');
      await tab.reaches('ready');
      expect(await tab.text()).toContain('the transaction succeeds in a simulation');
      await tab.click('Sign and send all calls');
      await tab.reaches('done');
      expect(await tab.text()).toContain('The launch is final.');
      expect([tab.asked(), tab.requests('wallet_sendCalls')]).toEqual([
        1,
        [
          expect.objectContaining({
            params: [expect.objectContaining({ atomicRequired: true, chainId: CHAIN, calls: expect.anything() })],
          }),
        ],
      ]);
      const [{ params }] = tab.requests('wallet_sendCalls') as [WalletRequest];
      const points = (params[0] as Batch).calls.map(({ data }) => decodeRouterV1Calldata(data).entryPoint);
      expect(points).toEqual(['deployComponent', 'deployComponent', 'deployComponent', 'register']);
      await tab.close();
    },
    ENDS_WITHIN_MS,
  );
});

describe('A multi-role launch on the wallet page', () => {
  it(
    'is reviewed under the terms of its own request, sent, and becomes final',
    async () => {
      const tab = await openTab(`/wallet/launches/${multiRole.launchId}`);
      await tab.signIn('Test wallet');
      await tab.reaches('ready');
      expect(await tab.fact('controller')).toBe(suite.stack.controller);
      await tab.click('Sign and send');
      await tab.reaches('done');
      expect(await tab.text()).toContain('The launch is final.');
      expect([tab.asked(), tab.wallets[0]!.sent.length]).toEqual([1, 1]);
      await tab.close();
    },
    ENDS_WITHIN_MS,
  );
});
