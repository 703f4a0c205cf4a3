import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { canonicalJsonText } from '@launch/contracts/json';
import {
  INITIAL_BUY_QUOTE_PATH,
  initialBuyQuoteSchema,
  STATE_REPORTS,
  launchCapabilitiesSchema,
  launchCoverageSchema,
  launchGuideSchema,
  launchReadinessSchema,
  launchReportPath,
  type LaunchGate,
} from '@launch/contracts/reports';
import { PLAN_PATHS, planCapabilitiesSchema } from '@launch/contracts/plans';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call, codeOf, rawCall } from '../../../fixtures/http.client.js';
import { runSql } from '../../../fixtures/run-sql.js';
import { RELEASE_EXAMPLE } from '../../../core/gates/release.example.js';
import { LaunchGatesRepository } from '../../../core/gates/launch-gates.repository.js';
import type { ReleaseState } from '../../../core/gates/custom-launch-release.js';

const SCHEMAS = {
  'launch-coverage': launchCoverageSchema,
  'launch-guide': launchGuideSchema,
  capabilities: launchCapabilitiesSchema,
  readiness: launchReadinessSchema,
};

/** Without a custom-launch release; with one, on the same database; with one and two of the reports. */
let unbound: Harness;
let bound: Harness;
let partial: Harness;
let release: ReleaseState = RELEASE_EXAMPLE;
beforeAll(async () => {
  unbound = await startHarness();
  bound = await startHarness({
    beside: unbound,
    customLaunchRelease: { state: () => release, context: () => RELEASE_EXAMPLE.bound!.context },
  });
  partial = await startHarness({
    beside: unbound,
    customLaunchRelease: { state: () => RELEASE_EXAMPLE, context: () => RELEASE_EXAMPLE.bound!.context },
    reports: ['launch-guide', 'readiness'],
  });
});
afterAll(async () => {
  await partial.close();
  await bound.close();
  await unbound.close();
});

const read = (gateway: Harness, report: (typeof STATE_REPORTS)[number], headers = {}) =>
  call(`${gateway.url}${launchReportPath(report)}`, { headers });
const readiness = async (gateway: Harness) => launchReadinessSchema.parse((await read(gateway, 'readiness')).json);
const guide = async (gateway: Harness) => launchGuideSchema.parse((await read(gateway, 'launch-guide')).json);

describe('Each report', () => {
  it.each(STATE_REPORTS)('is canonical JSON of its closed schema under an entity tag: %s', async (report) => {
    const answer = await read(unbound, report);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, no-cache']);
    expect(SCHEMAS[report].safeParse(answer.json).error?.issues ?? []).toEqual([]);
    expect(answer.text).toBe(canonicalJsonText(answer.json));
    const again = await read(unbound, report, { 'if-none-match': answer.headers.get('etag') });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it.each(STATE_REPORTS)('does not read an Authorization header, and tries no key: %s', async (report) => {
    const plain = await read(unbound, report);
    for (const authorization of ['Bearer nonsense', `Bearer ${(await unbound.issueKey()).key}`, 'Basic x', '']) {
      const answer = await read(unbound, report, { authorization });
      expect([authorization, answer.status, answer.text]).toEqual([authorization, 200, plain.text]);
    }
  });

  it.each(STATE_REPORTS)('takes no query and no body: %s', async (report) => {
    const path = launchReportPath(report);
    expect(codeOf(await call(`${unbound.url}${path}?x=1`))).toBe('QUERY_NOT_ALLOWED');
    for (const headers of [{ 'content-length': '2' }, { 'transfer-encoding': 'chunked' }] as Record<string, string>[]) {
      const answer = await rawCall(unbound.url, { method: 'GET', path, headers, chunks: [Buffer.from('{}')] });
      expect([answer.status, codeOf(answer)]).toEqual([400, 'BODY_NOT_ALLOWED']);
    }
    const empty = await rawCall(unbound.url, { method: 'GET', path, headers: { 'content-length': '0' } });
    expect(empty.status).toBe(200);
  });

  it.each(STATE_REPORTS)(
    'is 404 where a deployment with a custom-launch context has switched off this report alone: %s',
    async (report) => {
      const provided = ['launch-guide', 'readiness'].includes(report);
      const answer = await read(partial, report);
      expect([answer.status, provided ? 'ok' : codeOf(answer)]).toEqual(provided ? [200, 'ok'] : [404, 'NOT_FOUND']);
      expect(partial.openapi.routes.some(({ path }) => path === launchReportPath(report))).toBe(provided);
    },
  );

  it('of the initial-buy quote is 404 without a custom-launch context, and where it is switched off', async () => {
    for (const gateway of [unbound, partial])
      expect(codeOf(await call(`${gateway.url}${INITIAL_BUY_QUOTE_PATH}`))).toBe('NOT_FOUND');
    expect(codeOf(await call(`${bound.url}${INITIAL_BUY_QUOTE_PATH}`))).not.toBe('NOT_FOUND');
  });
});

describe('Reports of a deployment', () => {
  it('name the routes of a whole launch in order', async () => {
    const { workflow } = await guide(unbound);
    expect(workflow.flatMap(({ stepId, route }) => (route?.provided === true ? [stepId] : []))).toEqual([
      'read-readiness',
      'read-capabilities',
      'preflight',
      'create',
      'wait',
      'read-finalized',
    ]);
  });

  it('change with the gates in the database and the bound release', async () => {
    const gates = new LaunchGatesRepository(unbound.database);
    const set = async (gate: LaunchGate, isOpen: boolean) => {
      await gates.set({ gates: [gate], isOpen, setBy: 'test' });
      bound.clock.shiftMs += 1_000;
    };
    for (const gate of ['publicAuthorization', 'publicWrites', 'releaseReady'] as const) await set(gate, true);
    expect(await readiness(bound)).toMatchObject({ status: 'ready', reasonCodes: [] });
    await set('publicWrites', false);
    expect(await readiness(bound)).toMatchObject({ status: 'unavailable', reasonCodes: ['PUBLIC_WRITES_CLOSED'] });
    release = { ...RELEASE_EXAMPLE, reasonCodes: ['PRICE_FEED_CODE_MISMATCH'] };
    expect((await readiness(bound)).gates.releaseReady).toBe(false);
    release = RELEASE_EXAMPLE;
  });
});

describe('The initial-buy quote', () => {
  const quote = (headers: Record<string, string> = {}) => call(`${bound.url}${INITIAL_BUY_QUOTE_PATH}`, { headers });
  /** Ages the last reading by a day, in the row and in the gateway's cache. */
  const later = async (): Promise<void> => {
    await runSql(bound.database, `UPDATE initial_buy_quote SET claimed_at = now() - interval '1 day'`);
    bound.clock.shiftMs += 1_000;
  };

  it('is canonical JSON under an entity tag, and a coded 503 without a usable price', async () => {
    await later();
    const first = await quote();
    initialBuyQuoteSchema.parse(first.json);
    expect([first.status, first.text]).toEqual([200, canonicalJsonText(first.json)]);
    // Keeps the reading valid for the rest of the test, even on a slow machine.
    await runSql(
      bound.database,
      `UPDATE initial_buy_quote SET claimed_at = now() + interval '1 day', read_at = now() + interval '1 day'`,
    );
    bound.clock.shiftMs += 1_000;
    expect((await quote({ 'if-none-match': first.headers.get('etag') ?? '' })).status).toBe(304);
    await later();
    bound.chain.oneUsdWei = null;
    const answer = await quote();
    expect([answer.status, codeOf(answer), answer.headers.get('retry-after'), answer.json.error.retryable]).toEqual([
      503,
      'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED',
      '5',
      true,
    ]);
    expect((await readiness(bound)).reasonCodes).toContain('CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED');
  });

  it('makes a preflight of plans unavailable while no price is usable, from the shared reading', async () => {
    const operations = async () => {
      const { json } = await call(`${bound.url}${PLAN_PATHS.capabilities.replace('{chainId}', '4663')}`);
      return planCapabilitiesSchema.parse(json).operations;
    };
    bound.chain.oneUsdWei = null;
    await later();
    let reads = 0;
    const { readUsdReference } = bound.chain;
    bound.chain.readUsdReference = (...feeds) => {
      reads += 1;
      return readUsdReference(...feeds);
    };
    try {
      const [first] = await Promise.all(Array.from({ length: 10 }, operations));
      const code = 'CHAIN_INITIAL_BUY_USD_QUOTE_RETRY_REQUIRED';
      expect([first!.preflight.available, first!.preflight.reasonCodes.includes(code), reads]).toEqual([
        false,
        true,
        1,
      ]);
      expect(first!.create.reasonCodes).not.toContain(code);
      bound.chain.oneUsdWei = 10n ** 15n;
      await later();
      expect((await operations()).preflight.reasonCodes).not.toContain(code);
    } finally {
      bound.chain.readUsdReference = readUsdReference;
    }
  });

  it('takes no query, no body and reads no key', async () => {
    bound.chain.oneUsdWei = 10n ** 15n;
    await later();
    expect(codeOf(await call(`${bound.url}${INITIAL_BUY_QUOTE_PATH}?x=1`))).toBe('QUERY_NOT_ALLOWED');
    for (const headers of [{ 'content-length': '2' }, { 'transfer-encoding': 'chunked' }] as Record<string, string>[]) {
      const sent = { method: 'GET', path: INITIAL_BUY_QUOTE_PATH, headers, chunks: [Buffer.from('{}')] };
      const refused = await rawCall(bound.url, sent);
      expect([refused.status, codeOf(refused)]).toEqual([400, 'BODY_NOT_ALLOWED']);
    }
    expect((await quote({ authorization: 'Bearer nonsense' })).status).toBe(200);
  });
});
