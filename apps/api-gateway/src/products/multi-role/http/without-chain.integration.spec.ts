import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { CreateRequest, LaunchContext } from '@launch/contracts/multi-role';
import { call, codeOf, newKey, type Answer } from '../../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { reserveLaunch } from '../../../fixtures/launch.driver.js';
import { requestBytes, testContext, testRequest } from '../../../fixtures/test-request.js';

let gateway: Harness;
let key: string;
beforeAll(async () => {
  gateway = await startHarness();
  ({ key } = await gateway.issueKey());
});
afterAll(() => gateway.close());

const present = () => gateway.chain.clockSeconds;
let there: ReturnType<typeof present>;
beforeAll(() => void (there = present()));
afterEach(() => {
  gateway.chain.clockSeconds = there;
  gateway.chain.agrees = true;
});

const send = (path: string, request: CreateRequest, at = gateway, as = key): Promise<Answer> =>
  call(`${at.base}${path}`, {
    key: as,
    body: requestBytes(request),
    headers: path === '' ? { 'idempotency-key': newKey() } : {},
  });
const codesOf = ({ json }: Answer): string[] =>
  (json.error.findings as { code: string }[]).map(({ code }) => code).sort();
/** Wrong in three ways, for each of which the request alone and the time are enough. */
const faulty = (more: { nonce?: string; context?: LaunchContext } = {}): CreateRequest =>
  testRequest({
    ...more,
    now: Math.floor(Date.now() / 1_000) - 7_200,
    change: (one) => void (one.funding.totalValueWei = '1'),
    afterHashing: (one) => void (one.launchIntentHash = `0x${'0'.repeat(64)}`),
  });
const FAULTS = [
  'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID',
  'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID',
  'FUNDING_TOTAL_MISMATCH',
  'LAUNCH_INTENT_HASH_MISMATCH',
];

describe.each([
  ['create', ''],
  ['preflight', '/preflight'],
])('%s', (_name, path) => {
  describe.each([
    ['no clock of the chain is known', () => void (gateway.chain.clockSeconds = () => null)],
    ['the observers do not agree', () => void (gateway.chain.agrees = false)],
  ])('while %s', (_what, lose) => {
    it('tells all that is wrong with a request by itself', async () => {
      lose();
      const answer = await send(path, faulty());
      expect([answer.status, codesOf(answer), answer.json.error.retryable, answer.headers.get('retry-after')]).toEqual([
        422,
        FAULTS,
        false,
        null,
      ]);
    });

    it('asks to come back with a request in which nothing is wrong', async () => {
      lose();
      const answer = await send(path, testRequest({ nonce: '930001' }));
      expect([answer.status, codeOf(answer), answer.json.error.retryable]).toEqual([503, 'SERVICE_UNAVAILABLE', true]);
    });

    it("refuses another wallet's request", async () => {
      lose();
      expect(
        codeOf(await send(path, testRequest({ change: (one) => void (one.launchWallet = `0x${'2'.repeat(40)}`) }))),
      ).toBe('WALLET_BINDING_MISMATCH');
    });
  });

  it('judges no window while the clocks contradict each other, and tells what else is wrong', async () => {
    gateway.chain.clockSeconds = () => 'skewed';
    expect(codesOf(await send(path, faulty()))).toEqual(FAULTS.slice(2));
    const late = await send(path, testRequest({ nonce: '930003', now: Math.floor(Date.now() / 1_000) - 7_200 }));
    expect([late.status, codeOf(late), late.json.error.retryable]).toEqual([503, 'SERVICE_UNAVAILABLE', true]);
  });

  it.each([
    ['is not ready', () => startHarness({ beside: gateway, reviewedRouters: [] })],
    ['is not there', () => startHarness({ beside: gateway, context: null })],
  ])('tells all that is wrong with a request by itself while the context %s', async (_what, start) => {
    const unready = await start();
    try {
      const answer = await send(path, faulty(), unready);
      expect([answer.status, codesOf(answer)]).toEqual([422, FAULTS]);
      const sound = await send(path, testRequest({ nonce: '930002' }), unready);
      expect([sound.status, codeOf(sound)]).toEqual([503, 'CONTEXT_UNAVAILABLE']);
    } finally {
      await unready.close();
    }
  });

  it('tells that the context is another one than the configured, which is not borne out yet', async () => {
    const unready = await startHarness({ beside: gateway, reviewedRouters: [] });
    try {
      expect(codesOf(await send(path, testRequest({ context: testContext({ profileId: 'older' }) }), unready))).toEqual(
        ['CONTEXT_NOT_CURRENT'],
      );
    } finally {
      await unready.close();
    }
  });
});

it('preflight tells that a nonce is reserved, beside what else is wrong, while the chain is away', async () => {
  const held = await reserveLaunch(gateway, key);
  gateway.chain.clockSeconds = () => null;
  gateway.chain.agrees = false;
  expect(codesOf(await send('/preflight', faulty({ nonce: held.created.nonce })))).toEqual([...FAULTS, 'NONCE_IN_USE']);
});
