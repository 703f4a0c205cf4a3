import { describe, expect, it } from '@jest/globals';
import type { ActivityFunction } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { BlobStore } from '@launch/blob-store';
import { finding, type ErrorCode } from '@launch/contracts/errors';
import type { CompilationVerdict, LaunchRef, ReceiptInput } from '@launch/contracts/orchestration';
import type { Hex } from '@launch/contracts/primitives';
import type { AdmissionSteps } from '../admission.steps.js';
import { createAdmissionActivities } from '../admission.activities.js';
import type { SignedOutcomes } from '../receipt/signed-outcomes.js';
import { AdmissionError } from '../admission.error.js';
import type { CompiledLaunch } from '../compilation/compiled-launch.schema.js';

const word = (digit: string): Hex => `0x${digit.repeat(64)}`;
const REF: LaunchRef = {
  launchId: '3f2b8a4e-0000-4000-8000-000000000001',
  requestSha256: `sha256:${'1'.repeat(64)}`,
  requestHash: word('2'),
  contextHash: word('3'),
  controller: `0x${'4'.repeat(40)}`,
};
const COMPILED: CompiledLaunch = {
  schemaVersion: 'service.compiled-launch.v1',
  components: [{ componentId: 'token', hookCallbacks: [] }],
};
const COMPILATION: CompilationVerdict = { kind: 'compiled', compiled: COMPILED };
const MATERIALIZED = [{ account: `0x${'5'.repeat(40)}` as const, runtimeCodeHash: word('6') }];
const RECIPE = { id: 'native20.combined', version: '1' };

interface Script {
  readonly found?: { readonly at: keyof AdmissionSteps; readonly code: ErrorCode };
  readonly fails?: { readonly at: keyof AdmissionSteps; readonly error: Error };
}

/** Runs one attempt of the activity with scripted steps. */
async function judge(script: Script, given: unknown = REF, compilation: CompilationVerdict = COMPILATION) {
  const ran: string[] = [];
  const receipts: ReceiptInput[] = [];
  const heartbeats: unknown[] = [];
  const found = (at: keyof AdmissionSteps) => {
    ran.push(at);
    if (script.fails?.at === at) throw script.fails.error;
    return script.found?.at === at ? [finding(script.found.code, '')] : [];
  };
  const steps: Partial<AdmissionSteps> = {
    judgeGraph: async (_ref, compiled) => {
      expect(compiled).toEqual(COMPILED);
      const findings = found('judgeGraph');
      return { findings, materialized: findings.length > 0 ? [] : MATERIALIZED };
    },
    judgeEconomics: async () => {
      const findings = found('judgeEconomics');
      return findings.length > 0
        ? { findings, economicsHash: null, recipe: null }
        : { findings, economicsHash: word('8'), recipe: RECIPE };
    },
    issueReceipt: async (input) => {
      found('issueReceipt');
      receipts.push(input);
      return { receiptSha256: `sha256:${'9'.repeat(64)}`, disposition: 'source_supported', assessment: {} as never };
    },
  };
  const { judgeRequest } = createAdmissionActivities({
    steps: steps as AdmissionSteps,
    // Its own spec covers the signatures.
    outcomes: { evaluation: (_ref: unknown, result: unknown) => result } as unknown as SignedOutcomes,
    blobs: {} as BlobStore,
    onTrouble: () => undefined,
  }).functions;
  const environment = new MockActivityEnvironment();
  environment.on('heartbeat', (details: unknown) => heartbeats.push(details));
  const outcome: unknown = await environment
    .run(judgeRequest as ActivityFunction<[LaunchRef, CompilationVerdict]>, given as LaunchRef, compilation)
    .catch((error: unknown) => error);
  return { outcome, ran, receipts, heartbeats };
}

const ALL = ['judgeGraph', 'judgeEconomics', 'issueReceipt'] as const;

describe('judgeRequest', () => {
  it('runs a valid request through every step in order and reports each as it begins', async () => {
    const { outcome, ran, receipts, heartbeats } = await judge({});
    expect(outcome).toMatchObject({ economicsHash: word('8'), findings: [] });
    expect(ran).toEqual(ALL);
    expect(receipts).toEqual([
      { ref: REF, findings: [], economicsHash: word('8'), recipe: RECIPE, materialized: MATERIALIZED },
    ]);
    expect(heartbeats).toMatchObject(ALL.map((step) => ({ step })));
  });

  it.each([
    ['judgeGraph', 'GRAPH_RUNTIME_NOT_MATERIALIZED', []],
    ['judgeEconomics', 'MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED', MATERIALIZED],
  ] as const)('ends with a finding of %s and records it in the receipt', async (at, code, materialized) => {
    const { outcome, ran, receipts } = await judge({ found: { at, code } });
    expect(outcome).toMatchObject({ economicsHash: null, findings: [{ code }] });
    expect(ran).toEqual([...ALL.slice(0, ALL.indexOf(at) + 1), 'issueReceipt']);
    expect(receipts).toMatchObject([{ findings: [{ code }], economicsHash: null, recipe: null, materialized }]);
  });

  it.each(ALL)('names %s as the failed step after a fault and after an outage', async (at) => {
    const fault = await judge({ fails: { at, error: new TypeError('x of undefined') } });
    expect(fault.outcome).toMatchObject({
      type: 'ADMISSION_STEP_FAILED',
      nonRetryable: true,
      details: [{ step: at }],
    });
    const outage = await judge({ fails: { at, error: new AdmissionError('PROVIDERS_UNDECIDED', 'they disagree') } });
    expect(outage.outcome).toMatchObject({ type: 'PROVIDERS_UNDECIDED', nonRetryable: false, details: [{ step: at }] });
  });

  it('writes the receipt of the compilation’s findings, and runs no further step', async () => {
    const refused: CompilationVerdict = { kind: 'refused', findings: [finding('CREATION_BYTECODE_MISMATCH', '')] };
    const { outcome, ran, receipts } = await judge({}, REF, refused);
    expect(outcome).toMatchObject({ economicsHash: null, findings: refused.findings });
    expect(ran).toEqual(['issueReceipt']);
    expect(receipts).toMatchObject([{ findings: refused.findings, economicsHash: null, materialized: [] }]);
  });

  it.each([
    [
      'a callback that no hook has',
      { ...COMPILED, components: [{ componentId: 'token', hookCallbacks: ['toString'] }] },
    ],
    ['no component', { ...COMPILED, components: [] }],
  ])('fails on a compilation with %s', async (_what, compiled) => {
    const { outcome, ran } = await judge({}, REF, { kind: 'compiled', compiled });
    expect(outcome).toMatchObject({ nonRetryable: true });
    expect(ran).toEqual([]);
  });

  it('fails on an invalid reference to a request', async () => {
    const { outcome, ran } = await judge({}, { ...REF, requestHash: 'no hash' });
    expect(outcome).toMatchObject({ type: 'INPUT_INVALID', nonRetryable: true });
    expect(ran).toEqual([]);
  });
});
