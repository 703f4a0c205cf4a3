import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { ObservedUsdReference } from '@launch/chain';
import { canonicalJsonText } from '@launch/contracts/json';
import {
  INITIAL_BUY_QUOTE_PATH,
  initialBuyQuoteSchema,
  launchReadinessSchema,
  launchReportPath,
} from '@launch/contracts/reports';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call, codeOf, rawCall } from '../../../fixtures/http.client.js';
import { runSql } from '../../../fixtures/run-sql.js';
import { RELEASE_EXAMPLE } from '../../../core/gates/release.example.js';
import { INITIAL_BUY_QUOTE_EXAMPLE } from './initial-buy-quote.example.js';

const { context } = RELEASE_EXAMPLE.bound!;
const READ_AT = 1_795_176_000n;
const reading = {
  blockNumber: 1_024n,
  blockHash: `0x${'4'.repeat(64)}`,
  blockTime: READ_AT,
  decimals: 8,
  roundId: 7n,
  answer: 320_000_000_000n,
  updatedAt: READ_AT - 600n,
  answeredInRound: 7n,
} as const;
const USABLE: ObservedUsdReference = {
  kind: 'usable',
  oneUsdReferenceWei: 312_500_000_000_000n,
  readAt: READ_AT,
  readings: { l2Feed: reading, l1Feed: reading },
};
const UNUSABLE: ObservedUsdReference = {
  kind: 'unusable',
  code: 'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED',
  feed: 'l1Feed',
  problem: 'TOO_OLD',
  reason: 'TOO_OLD',
};

let reads = 0;
let found: ObservedUsdReference = USABLE;
const customLaunchRelease = { state: () => RELEASE_EXAMPLE, context: () => context };
const readUsdReference = async (): Promise<ObservedUsdReference> => {
  reads += 1;
  return found;
};

let one: Harness;
let other: Harness;
beforeAll(async () => {
  one = await startHarness({ customLaunchRelease });
  other = await startHarness({ beside: one, customLaunchRelease });
  for (const { chain } of [one, other]) Object.assign(chain, { readUsdReference });
});
afterAll(async () => {
  await other.close();
  await one.close();
});

/** Ages the last reading by a day, in the row and in each gateway's cache. */
const later = async (): Promise<void> => {
  await runSql(one.database, `UPDATE initial_buy_quote SET claimed_at = now() - interval '1 day'`);
  for (const gateway of [one, other]) gateway.clock.shiftMs += 1_000;
};
/** Keeps the last reading valid for the whole test, even on a slow machine. */
const hold = async (): Promise<void> => {
  await runSql(
    one.database,
    `UPDATE initial_buy_quote SET claimed_at = now() + interval '1 day', read_at = now() + interval '1 day'`,
  );
};
const quote = (gateway: Harness) => call(`${gateway.url}${INITIAL_BUY_QUOTE_PATH}`);
const reasons = async (gateway: Harness) =>
  launchReadinessSchema.parse((await call(`${gateway.url}${launchReportPath('readiness')}`)).json).reasonCodes;
beforeEach(async () => {
  found = USABLE;
  await later();
  reads = 0;
});

it('is one reading for all gateways, in canonical JSON under an entity tag', async () => {
  const first = await quote(one);
  await hold();
  const answers = [first, await quote(other), await quote(one)];
  for (const { status, text } of answers) expect([status, text]).toEqual([200, answers[0]!.text]);
  const { text, json, headers } = answers[0]!;
  expect(initialBuyQuoteSchema.parse(json)).toEqual(INITIAL_BUY_QUOTE_EXAMPLE);
  expect(text).toBe(canonicalJsonText(json));
  expect(reads).toBe(1);
  const again = await call(`${other.url}${INITIAL_BUY_QUOTE_PATH}`, {
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  });
  expect(again.status).toBe(304);
  expect(await reasons(one)).not.toContain('CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED');
});

it('is read anew after its time, by one gateway, and recommends five percent more than the reference, rounded up', async () => {
  await quote(one);
  await later();
  found = { ...USABLE, oneUsdReferenceWei: 101n };
  const { json } = await quote(other);
  await hold();
  expect(json).toMatchObject({
    oneUsdReferenceWei: '101',
    minimumInitialBuyWei: '101',
    recommendedInitialBuyWei: '107',
    advisory: true,
    requestAuthorization: { requestAuthorized: false },
    expectedTokensOut: null,
  });
  expect((await quote(one)).json).toEqual(json);
  expect(reads).toBe(2);
});

it('is a coded 503 without a usable price, never the one before, and readiness says why', async () => {
  await quote(one);
  await later();
  found = UNUSABLE;
  for (const gateway of [other, one]) {
    const answer = await quote(gateway);
    await hold();
    expect([answer.status, codeOf(answer), answer.headers.get('retry-after'), answer.json.error.retryable]).toEqual([
      503,
      'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED',
      '5',
      true,
    ]);
    expect(await reasons(gateway)).toContain('CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED');
  }
  expect(reads).toBe(2);
});

it('takes no query, no body and reads no key', async () => {
  expect(codeOf(await call(`${one.url}${INITIAL_BUY_QUOTE_PATH}?x=1`))).toBe('QUERY_NOT_ALLOWED');
  for (const headers of [{ 'content-length': '2' }, { 'transfer-encoding': 'chunked' }] as Record<string, string>[]) {
    const sent = { method: 'GET', path: INITIAL_BUY_QUOTE_PATH, headers, chunks: [Buffer.from('{}')] };
    const refused = await rawCall(one.url, sent);
    expect([refused.status, codeOf(refused)]).toEqual([400, 'BODY_NOT_ALLOWED']);
  }
  const answer = await call(`${one.url}${INITIAL_BUY_QUOTE_PATH}`, { headers: { authorization: 'Bearer nonsense' } });
  expect(answer.status).toBe(200);
});
