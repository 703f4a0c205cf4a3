import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { preflightResultSchema, type CreateRequest } from '@launch/contracts/multi-role';
import { STEP_ABANDONED, type MultiRoleEvaluation } from '@launch/contracts/orchestration';
import { call, codeOf, type Answer } from '../../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { reserveLaunch } from '../../../fixtures/launch.driver.js';
import { testAssessment, testFindings } from '../../../fixtures/test-documents.js';
import { requestBytes, TEST_CONTROLLER, testContext, testRequest } from '../../../fixtures/test-request.js';
import { runSql } from '../../../fixtures/run-sql.js';

let gateway: Harness;
let key: string;
beforeAll(async () => {
  gateway = await startHarness({ limits: { preflightMs: 300, concurrentPreflights: 2 } });
  ({ key } = await gateway.issueKey(['custom-launch:create']));
});
afterAll(() => gateway.close());

const supported: MultiRoleEvaluation = {
  receipt: {
    receiptSha256: `sha256:${'0'.repeat(64)}`,
    assessment: testAssessment('source_supported'),
    disposition: 'source_supported',
  },
  economicsHash: `0x${'2'.repeat(64)}`,
  findings: [],
};
beforeEach(() => void (gateway.workflows.evaluation = async () => supported));

const preflight = (request: unknown): Promise<Answer> =>
  call(`${gateway.base}/preflight`, { key, body: requestBytes(request) });
const files = async (): Promise<string[]> =>
  (await readdir(gateway.blobDir, { recursive: true, withFileTypes: true }))
    .filter((one) => one.isFile())
    .map(({ name }) => name);

describe('preflight', () => {
  it('answers the verdict, reserves nothing and keeps no byte', async () => {
    const before = await files();
    let during: string[] = [];
    gateway.workflows.evaluation = async () => {
      during = await files();
      return supported;
    };
    const request = testRequest({ nonce: '9001' });
    const answer = await preflight(request);
    expect([answer.status, codeOf(answer)]).toEqual([200, expect.any(String)]);
    expect(preflightResultSchema.parse(answer.json)).toMatchObject({
      source: {
        disposition: 'source_supported',
        findingCodes: [],
        receipt: { kind: 'preflight', economicsHash: supported.economicsHash },
      },
      readiness: 'independent-admission-required',
      permitSigned: false,
      walletTransactionProduced: false,
      transactionBroadcast: false,
    });
    expect(during.length).toBe(before.length + 1);
    expect(await files()).toEqual(before);
    expect(await runSql(gateway.database, 'SELECT 1 FROM launch')).toEqual([]);
    expect(await runSql(gateway.database, 'SELECT 1 FROM idempotency_record')).toEqual([]);
  });

  it('tells a rehearsal that reverts beside the verdict, and changes nothing else of the answer', async () => {
    const request = testRequest({ nonce: '9002' });
    const plain = (await preflight(request)).json;
    const [warning] = testFindings('SIMULATION_REVERTED').map((one) => ({ ...one, severity: 'warning' as const }));
    gateway.workflows.evaluation = async () => ({ ...supported, findings: [warning!] });
    const { status, json } = await preflight(request);
    expect([status, json]).toEqual([200, { ...plain, findings: [warning] }]);
    expect(preflightResultSchema.parse(json).source).toMatchObject({
      disposition: 'source_supported',
      findingCodes: [],
    });
  });

  it('tells a bad verdict as 200', async () => {
    gateway.workflows.evaluation = async () => ({
      receipt: {
        ...supported.receipt,
        disposition: 'evidence_required',
        assessment: {
          ...testAssessment('evidence_required', ['MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED']),
          remediation: 'A verifier is needed.',
        },
      },
      economicsHash: null,
      findings: testFindings('MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED'),
    });
    const { status, json } = await preflight(testRequest());
    expect([status, json.source.disposition, json.source.findingCodes, json.findings.length]).toEqual([
      200,
      'evidence_required',
      ['MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED'],
      1,
    ]);
    expect(preflightResultSchema.parse(json)).toMatchObject({
      source: { receipt: { kind: 'preflight' }, remediation: 'A verifier is needed.' },
      findings: [{ remediation: { action: 'await_platform_coverage' } }],
    });
  });

  it.each<readonly [string, number, string, () => CreateRequest]>([
    ['a stale context', 422, 'CONTEXT_NOT_CURRENT', () => testRequest({ context: testContext({ profileId: 'old' }) })],
    [
      'a bad window',
      422,
      'CUSTOM_LAUNCH_V4_PERMIT_WINDOW_INVALID',
      () => testRequest({ now: Math.floor(Date.now() / 1_000) - 7_200 }),
    ],
    [
      'another wallet',
      403,
      'WALLET_BINDING_MISMATCH',
      () => testRequest({ change: (one) => void (one.launchWallet = `0x${'2'.repeat(40)}`) }),
    ],
  ])('refuses %s as create does', async (_name, status, code, make) => {
    const answer = await preflight(make());
    expect([answer.status, codeOf(answer)]).toEqual([status, code]);
  });

  it('finds a nonce in use, as one finding among the others', async () => {
    gateway.chain.used.add(`${TEST_CONTROLLER} 777`);
    const answer = await preflight(
      testRequest({ nonce: '777', change: (one) => void (one.funding.totalValueWei = '1') }),
    );
    expect(answer.status).toBe(422);
    expect((answer.json.error.findings as { code: string }[]).map(({ code }) => code).sort()).toEqual([
      'FUNDING_TOTAL_MISMATCH',
      'NONCE_IN_USE',
    ]);
    const { key: owner } = await gateway.issueKey();
    const held = await reserveLaunch(gateway, owner);
    expect(codeOf(await preflight(testRequest({ nonce: held.created.nonce })))).toBe('NONCE_IN_USE');
  });

  it('gives up in time, stops the evaluation and has no verdict', async () => {
    const cancelled = gateway.workflows.cancelled;
    gateway.workflows.evaluation = () => new Promise(() => undefined);
    const before = await files();
    const answer = await preflight(testRequest());
    expect([answer.status, codeOf(answer), answer.json.error.retryable]).toEqual([503, 'PREFLIGHT_PENDING', true]);
    expect(gateway.workflows.cancelled).toBe(cancelled + 1);
    expect(await files()).toEqual(before);
  });

  it('fails, and is not said to pass, when a step of it cannot be done however often it is tried', async () => {
    const failed = (cause: ApplicationFailure) => () =>
      Promise.reject(new WorkflowFailedError('Workflow execution failed', cause, 'NON_RETRYABLE_FAILURE'));
    gateway.workflows.evaluation = failed(
      ApplicationFailure.nonRetryable('compileAndMatch: ADMISSION_STEP_FAILED', STEP_ABANDONED),
    );
    const answer = await preflight(testRequest());
    expect([answer.status, codeOf(answer)]).toEqual([500, 'INTERNAL']);
    expect(JSON.stringify(answer.json)).not.toContain('compileAndMatch');
    gateway.workflows.evaluation = failed(ApplicationFailure.nonRetryable('another end', 'ANOTHER'));
    expect(codeOf(await preflight(testRequest()))).toBe('SERVICE_UNAVAILABLE');
  });

  it('is unavailable while Temporal is', async () => {
    gateway.workflows.down = true;
    const answer = await preflight(testRequest());
    gateway.workflows.down = false;
    expect([answer.status, codeOf(answer)]).toEqual([503, 'SERVICE_UNAVAILABLE']);
  });

  it('runs two at once for one lineage, in all gateways together', async () => {
    const narrow = await startHarness({ beside: gateway, limits: { concurrentPreflights: 2 } });
    const gate = Promise.withResolvers<MultiRoleEvaluation>();
    let running = 0;
    const both = Promise.withResolvers<void>();
    narrow.workflows.evaluation = () => {
      running += 1;
      if (running === 2) both.resolve();
      return gate.promise;
    };
    try {
      const send = (base = narrow.base) => call(`${base}/preflight`, { key, body: requestBytes(testRequest()) });
      const two = [send(), send()];
      await both.promise;
      expect(codeOf(await send())).toBe('RATE_LIMITED');
      expect(codeOf(await send(gateway.base))).toBe('RATE_LIMITED');
      gate.resolve(supported);
      expect((await Promise.all(two)).map(({ status }) => status)).toEqual([200, 200]);
    } finally {
      await narrow.close();
    }
  });

  it.each(['while its source is evaluated', 'while its request is judged'])(
    '%s, a client that leaves stops the work, frees its place and leaves no byte',
    async (when) => {
      const narrow = await startHarness({ beside: gateway, limits: { concurrentPreflights: 1 } });
      const begun = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      let evaluations = 0;
      narrow.workflows.evaluation = () => {
        evaluations += 1;
        begun.resolve();
        return new Promise(() => undefined);
      };
      const judged = when.includes('judged');
      if (judged) {
        const clocks = narrow.chain.clocks.bind(narrow.chain);
        narrow.chain.clocks = async () => {
          begun.resolve();
          await held.promise;
          return clocks();
        };
      }
      try {
        const before = await files();
        const leaving = new AbortController();
        const left = fetch(`${narrow.base}/preflight`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: new Uint8Array(requestBytes(testRequest())),
          signal: leaving.signal,
        });
        await begun.promise;
        expect(codeOf(await call(`${narrow.base}/preflight`, { key, body: '{}' }))).toBe('RATE_LIMITED');
        leaving.abort();
        await expect(left).rejects.toThrow();
        // The gateway has seen it too, when it has answered somebody who came later.
        await call(`${narrow.url}/healthz`);
        held.resolve();
        for (
          let code = '';
          code !== 'SCHEMA_INVALID';
          code = codeOf(await call(`${narrow.base}/preflight`, { key, body: '{}' }))
        );
        expect([evaluations, narrow.workflows.cancelled]).toEqual(judged ? [0, 0] : [1, 1]);
        expect(await files()).toEqual(before);
      } finally {
        held.resolve();
        await narrow.close();
      }
    },
  );
});
