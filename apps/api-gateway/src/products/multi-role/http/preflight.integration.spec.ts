import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { preflightResultSchema } from '@launch/contracts/multi-role';
import { type MultiRoleEvaluation } from '@launch/contracts/orchestration';
import { call, codeOf, type Answer } from '../../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { testAssessment } from '../../../fixtures/test-documents.js';
import { requestBytes, testRequest } from '../../../fixtures/test-request.js';
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

describe('A preflight', () => {
  it('returns the verdict, reserves nothing and keeps no byte', async () => {
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

  it('runs at most twice at once for one lineage, across all gateways', async () => {
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
    'stops, frees its place and leaves no byte when its client disconnects %s',
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
        // The gateway has noticed the disconnect once it has answered a later request.
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
