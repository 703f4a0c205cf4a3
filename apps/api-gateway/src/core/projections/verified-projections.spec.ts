import { beforeEach, describe, expect, it } from '@jest/globals';
import { customLaunchFinding, finding } from '@launch/contracts/errors';
import { GATE_CLOSED, type StatedHandoff } from '@launch/contracts/orchestration';
import { Registry } from '@launch/platform';
import {
  customLaunchPoll,
  SIGNERS,
  signedOutcome,
  signedPoll,
  signedRecord,
  STATEMENT_KEYS,
} from '../../fixtures/signed-results.fixture.js';
import type { ProjectionActivities } from './projection.activities.js';
import type { StatedRow } from './stated-launch.repository.js';
import { StatementVerifier } from './statement-verifier.js';
import { VerifiedProjections } from './verified-projections.js';

const word = (digit: string) => `0x${digit.repeat(64)}` as const;
const digest = (digit: string) => `sha256:${digit.repeat(64)}` as const;
const launchId = '3f2b8a4e-0000-4000-8000-000000000001';
const LAUNCH: StatedHandoff = {
  launchId,
  requestSha256: digest('1'),
  requestHash: word('2'),
  contextHash: word('3'),
  handoffSha256: digest('4'),
};
const FINDINGS = [finding('COMPILER_ERROR', '')];
const DEADLINE = 2_000_000_000;

let written: string[];
let row: StatedRow;
let isGateOpen: boolean;
let now: number;
let metrics: Registry;
let projections: VerifiedProjections;

beforeEach(() => {
  written = [];
  row = { ...LAUNCH, family: 'custom-launch.v4', sequence: 5, deadline: BigInt(DEADLINE) };
  isGateOpen = false;
  now = DEADLINE * 1_000;
  metrics = new Registry();
  const port = new Proxy({} as ProjectionActivities, {
    get: (_target, name: string) => async () => void written.push(name),
  });
  projections = new VerifiedProjections({
    projections: port,
    rows: { find: async (id) => (id === launchId ? row : null) },
    statements: new StatementVerifier(STATEMENT_KEYS, metrics),
    gates: { authorizationGate: async () => ({ open: isGateOpen }) },
    clock: { now: () => now } as never,
  });
});

/** Expects a refusal by its code and counted reason, and no write. */
async function refused(call: Promise<void>, code: string, reason: string): Promise<void> {
  await expect(call).rejects.toMatchObject({ code, field: reason, retryable: false });
  expect(written).toEqual([]);
  expect(await metrics.metrics()).toMatch(new RegExp(`launch_statements_refused_total\\{[^}]*reason="${reason}"\\} 1`));
}

const poll = customLaunchPoll('included', 5);
const other: StatedHandoff = { ...LAUNCH, launchId: '3f2b8a4e-0000-4000-8000-000000000002' };

describe('A poll', () => {
  it('is written when the finality worker signed it for this launch', async () => {
    const observed = signedPoll(LAUNCH, poll);
    await projections.recordSubmitted({ launchId, observed });
    await projections.recordFinality({ launchId, observed });
    expect(written).toEqual(['recordSubmitted', 'recordFinality']);
  });

  it.each([
    ['of a key that the gateway does not know', signedPoll(LAUNCH, poll, SIGNERS.foreign), 'unknown-key'],
    ['of admission', signedPoll(LAUNCH, poll, SIGNERS.admission), 'unknown-key'],
    [
      'with another transaction',
      { ...signedPoll(LAUNCH, poll), memory: { ...poll.memory, transactionHash: word('f') } },
      'altered',
    ],
    ['with another number', { ...signedPoll(LAUNCH, poll), memory: { ...poll.memory, polls: 9 } }, 'altered'],
    ['of another launch', signedPoll(other, poll), 'altered'],
    ['of another hand-off', signedPoll({ ...LAUNCH, handoffSha256: digest('5') }, poll), 'altered'],
    ['of another request', signedPoll({ ...LAUNCH, requestHash: word('f') }, poll), 'altered'],
    ['of another context', signedPoll({ ...LAUNCH, contextHash: word('f') }, poll), 'altered'],
  ] as const)('%s is refused', (_name, observed, reason) =>
    refused(projections.recordFinality({ launchId, observed }), 'STATEMENT_UNVERIFIED', reason),
  );

  it.each(['recordSubmitted', 'recordFinality', 'recordFailed', 'recordExpired'] as const)(
    'older than the stored one is refused by %s',
    (name) =>
      refused(
        projections[name]({ launchId, observed: signedPoll(LAUNCH, customLaunchPoll('included', 4)) }),
        'STATEMENT_OUTDATED',
        'outdated',
      ),
  );

  it('is not written as an end that it does not state', async () => {
    const observed = signedPoll(LAUNCH, poll);
    await expect(projections.recordExpired({ launchId, observed })).rejects.toMatchObject({
      code: 'PROJECTION_MISMATCH',
    });
    await expect(projections.recordFailed({ launchId, observed })).rejects.toMatchObject({
      code: 'PROJECTION_MISMATCH',
    });
    await expect(
      projections.recordFinalized({
        launchId,
        observed,
        recordSha256: digest('6'),
        signed: signedRecord(LAUNCH, { recordSha256: digest('6'), evidenceSha256: digest('7') }),
      }),
    ).rejects.toMatchObject({ code: 'PROJECTION_MISMATCH' });
    expect(written).toEqual([]);
  });
});

describe('A record', () => {
  const observed = signedPoll(LAUNCH, customLaunchPoll('finalized', 6, digest('7')));
  const record = { recordSha256: digest('6'), evidenceSha256: digest('7') };

  it('is published with the poll and the signature of both digests', async () => {
    await projections.recordFinalized({
      launchId,
      observed,
      recordSha256: digest('6'),
      signed: signedRecord(LAUNCH, record),
    });
    expect(written).toEqual(['recordFinalized']);
  });

  it.each([
    ['another record', signedRecord(LAUNCH, { ...record, recordSha256: digest('8') }), 'altered'],
    ['other evidence', signedRecord(LAUNCH, { ...record, evidenceSha256: digest('8') }), 'altered'],
    ['another launch', signedRecord(other, record), 'altered'],
    ['its poll', observed.signed, 'altered'],
    ['another key', signedRecord(LAUNCH, record, SIGNERS.foreign), 'unknown-key'],
  ] as const)('is refused under the signature of %s', (_name, signed, reason) =>
    refused(
      projections.recordFinalized({ launchId, observed, recordSha256: digest('6'), signed }),
      'STATEMENT_UNVERIFIED',
      reason,
    ),
  );
});

describe('A result of admission', () => {
  it('is written when admission signed it for this launch', async () => {
    const handedOff = { kind: 'handed-off', handoffSha256: digest('4') } as const;
    await projections.recordHandoff({ launchId, handoffSha256: digest('4'), signed: signedOutcome(LAUNCH, handedOff) });
    await projections.recordRefused({
      launchId,
      findings: FINDINGS,
      nonceReleased: false,
      signed: signedOutcome(LAUNCH, { kind: 'refused', findings: FINDINGS }),
    });
    await projections.recordAdmitting({
      launchId,
      reason: 'CONTROLLER_FUNDS_MISSING',
      signed: signedOutcome(LAUNCH, { kind: 'waiting', reason: 'CONTROLLER_FUNDS_MISSING' }),
    });
    expect(written).toEqual(['recordHandoff', 'recordRefused', 'recordAdmitting']);
  });

  it('is refused without a signature', async () => {
    await refused(
      projections.recordHandoff({ launchId, handoffSha256: digest('4') }),
      'STATEMENT_UNVERIFIED',
      'unsigned',
    );
  });

  it('is refused with the signature of another kind, of another launch, of other findings, or of finality', async () => {
    const reverted = signedOutcome(LAUNCH, { kind: 'reverted', findings: FINDINGS });
    const refusal = { kind: 'refused', findings: FINDINGS } as const;
    for (const signed of [
      reverted,
      signedOutcome(other, refusal),
      signedOutcome(LAUNCH, { ...refusal, findings: [] }),
      signedOutcome(LAUNCH, refusal, SIGNERS.finality),
    ])
      await expect(
        projections.recordRefused({ launchId, findings: FINDINGS, nonceReleased: true, signed }),
      ).rejects.toMatchObject({ code: 'STATEMENT_UNVERIFIED' });
    expect(written).toEqual([]);
  });

  it('ends a launch as failed without a signature only for a fault of the service', async () => {
    const faults = [finding('INTERNAL', '')];
    await projections.recordFailed({ launchId, by: 'admission', findings: faults });
    expect(written).toEqual(['recordFailed']);
    written = [];
    await refused(
      projections.recordFailed({ launchId, by: 'admission', findings: FINDINGS }),
      'STATEMENT_UNVERIFIED',
      'unsigned',
    );
  });
});

describe('What the gateway decides itself', () => {
  it('shows a closed gate only while it is closed', async () => {
    await projections.recordAdmitting({ launchId, reason: GATE_CLOSED });
    expect(written).toEqual(['recordAdmitting']);
    written = [];
    isGateOpen = true;
    await projections.recordAdmitting({ launchId, reason: GATE_CLOSED });
    expect(written).toEqual([]);
    await refused(projections.recordAdmitting({ launchId, reason: 'ANY_TEXT' }), 'STATEMENT_UNVERIFIED', 'unsigned');
  });

  it('expires a launch only when custody can sign no more', async () => {
    await projections.recordExpired({ launchId, by: 'admission' });
    expect(written).toEqual(['recordExpired']);
    written = [];
    now = (DEADLINE - 120) * 1_000;
    await refused(projections.recordExpired({ launchId, by: 'admission' }), 'WINDOW_OPEN', 'window-open');
    const findings = [customLaunchFinding('PERMIT_EXPIRED', '')];
    await expect(projections.recordRefused({ launchId, findings, nonceReleased: false })).rejects.toMatchObject({
      code: 'WINDOW_OPEN',
    });
    expect(written).toEqual([]);
  });
});
