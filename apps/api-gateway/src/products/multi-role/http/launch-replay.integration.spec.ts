import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ErrorCode } from '@launch/contracts/errors';
import { codeOf } from '../../../fixtures/http.client.js';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { reserveLaunch, type DrivenLaunch } from '../../../fixtures/launch.driver.js';
import { LAUNCH_TRANSACTION, testFindings } from '../../../fixtures/test-documents.js';
import { requestBytes, testRequest } from '../../../fixtures/test-request.js';

let gateway: Harness;
let key: string;
beforeAll(async () => {
  gateway = await startHarness();
  ({ key } = await gateway.issueKey());
});
afterAll(() => gateway.close());

type Step = (launch: DrivenLaunch) => Promise<unknown>;
const signed: Step = (launch) => launch.authorized();
const submitted: Step = async (launch) => {
  await launch.authorized();
  await gateway.projections.recordSubmitted({ launchId: launch.launchId, transactionHash: LAUNCH_TRANSACTION });
};

const table: readonly (readonly [string, Step, number, ErrorCode | string])[] = [
  ['reserved', async () => undefined, 503, 'MULTI_ROLE_ADMISSION_PENDING'],
  ['admitting', (launch) => launch.admitting(), 503, 'MULTI_ROLE_ADMISSION_PENDING'],
  ['assessed, not decided', (launch) => launch.assessed(), 503, 'MULTI_ROLE_ADMISSION_PENDING'],
  [
    'evidence findings',
    (launch) => launch.refused(true, 'MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED'),
    422,
    'MULTI_ROLE_EVIDENCE_REQUIRED',
  ],
  [
    'a forbidden opcode',
    (launch) => launch.refused(true, 'MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN'),
    422,
    'MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN',
  ],
  [
    'an unsupported mode',
    (launch) => launch.refused(true, 'MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED'),
    422,
    'MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED',
  ],
  [
    'any other finding',
    (launch) => launch.refused(false, 'CREATION_BYTECODE_MISMATCH'),
    422,
    'MULTI_ROLE_EVIDENCE_REQUIRED',
  ],
  [
    'refused by its rehearsal, its source supported',
    async (launch) => {
      await launch.assessed();
      await gateway.projections.recordRefused({
        launchId: launch.launchId,
        findings: testFindings('SIMULATION_REVERTED'),
        nonceReleased: true,
      });
    },
    422,
    'MULTI_ROLE_EVIDENCE_REQUIRED',
  ],
  ['authorized', signed, 200, 'authorized'],
  [
    'awaiting the wallet',
    async (launch) => {
      await signed(launch);
      await gateway.projections.recordAwaitingSignature({ launchId: launch.launchId });
    },
    200,
    'awaiting_wallet_signature',
  ],
  ['submitted', submitted, 200, 'submitted'],
  [
    'finalized',
    async (launch) => {
      await submitted(launch);
      await launch.finalized();
    },
    200,
    'finalized',
  ],
  [
    'failed',
    async (launch) =>
      gateway.projections.recordFailed({ launchId: launch.launchId, findings: testFindings('SIMULATION_REVERTED') }),
    200,
    'failed',
  ],
  [
    'expired',
    async (launch) => {
      await signed(launch);
      await gateway.projections.recordExpired({ launchId: launch.launchId });
    },
    200,
    'expired',
  ],
];

describe('an exact replay', () => {
  it.each(table)('of a launch that is %s', async (_name, move, status, outcome) => {
    const launch = await reserveLaunch(gateway, key);
    await move(launch);
    const answer = await launch.replay();
    expect([answer.status, status === 200 ? answer.json.status : codeOf(answer)]).toEqual([status, outcome]);
    expect(answer.headers.get('idempotency-replayed')).toBe('true');
    expect(answer.headers.get('location')).toBe(launch.created.statusUrl);
    if (status === 200) {
      expect(answer.json).toEqual((await launch.get()).json);
    } else {
      expect(answer.json.error).toMatchObject({ statusUrl: launch.created.statusUrl, retryable: status === 503 });
      expect(answer.headers.get('retry-after')).toBe(status === 503 ? '1' : null);
      expect(answer.json.error.findings).toEqual((await launch.get()).json.findings);
    }
    expect((await launch.replay()).text.replace(/req_\w+/, '')).toBe(answer.text.replace(/req_\w+/, ''));
  });

  it.each(table)('with other bytes under the key of a launch that is %s conflicts', async (_name, move) => {
    const launch = await reserveLaunch(gateway, key);
    await move(launch);
    const answer = await launch.replay(key, requestBytes(testRequest({ nonce: `9${launch.created.nonce}` })));
    expect([answer.status, codeOf(answer), answer.json.error.statusUrl]).toEqual([
      409,
      'IDEMPOTENCY_CONFLICT',
      launch.created.statusUrl,
    ]);
  });

  it('answers from the record although window, context and even the schema of bodies have moved on', async () => {
    const launch = await reserveLaunch(gateway, key);
    gateway.clock.shiftMs = 7_200_000;
    gateway.chain.clockSeconds = () => null;
    try {
      expect(codeOf(await launch.replay())).toBe('MULTI_ROLE_ADMISSION_PENDING');
    } finally {
      gateway.clock.shiftMs = 0;
      gateway.chain.clockSeconds = () => [Math.floor(Date.now() / 1_000)];
    }
  });

  it('even conflicts with bytes that are no JSON', async () => {
    const launch = await reserveLaunch(gateway, key);
    expect(codeOf(await launch.replay(key, Buffer.from('not json')))).toBe('IDEMPOTENCY_CONFLICT');
  });

  it('is there for a rotated key, not for a revoked one, and means nothing to a stranger', async () => {
    const issued = await gateway.issueKey();
    const launch = await reserveLaunch(gateway, issued.key);
    const next = await gateway.credentials.rotate(issued.credentialId, 60);
    expect(codeOf(await launch.replay(next?.key))).toBe('MULTI_ROLE_ADMISSION_PENDING');
    expect((await launch.get(next?.key)).json.launchId).toBe(launch.launchId);
    await gateway.credentials.revoke(issued.credentialId);
    expect(codeOf(await launch.replay())).toBe('UNAUTHENTICATED');
    // A stranger with the same key string reserves for itself, and meets the nonce.
    expect(codeOf(await launch.replay(key))).toBe('NONCE_IN_USE');
  });
});

describe('the nonce of a refused launch', () => {
  it.each([
    [true, 202],
    [false, 409],
  ])('released %s: %i for the next request', async (released, status) => {
    const launch = await reserveLaunch(gateway, key);
    await launch.refused(released, 'COMPILER_ERROR');
    const { call, newKey } = await import('../../../fixtures/http.client.js');
    const answer = await call(gateway.base, { key, body: launch.bytes, headers: { 'idempotency-key': newKey() } });
    expect(answer.status).toBe(status);
  });
});
