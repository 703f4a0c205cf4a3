import { describe, expect, it } from '@jest/globals';
import { preflightResultSchema, type CreateRequest } from '@launch/contracts/multi-role';
import type { MultiRoleEvaluation } from '@launch/contracts/orchestration';
import { createLogger } from '@launch/platform';
import { SourceEvaluationService } from '../../../core/launches/source-evaluation.service.js';
import { foundIn, refusalOfWork } from '../../../fixtures/refused.js';
import { memoryBlobs } from '../../../fixtures/memory-blobs.js';
import { recordedWorkflows } from '../../../fixtures/recorded-workflows.js';
import { servedContext } from '../../../fixtures/served-context.js';
import { testCaller } from '../../../fixtures/test-caller.js';
import { testChain } from '../../../fixtures/test-chain.js';
import { testAssessment, testFindings } from '../../../fixtures/test-documents.js';
import { requestBytes, TEST_CONTROLLER, testContext, testRequest } from '../../../fixtures/test-request.js';
import { DEFAULT_LIMITS } from '../../../platform/configuration/limits.js';
import { inlineFormReader } from '../../../platform/request-forms/form-reader.js';
import { PreflightService } from './preflight.service.js';
import { RequestJudge } from './request-judge.js';

const supported: MultiRoleEvaluation = {
  receipt: {
    receiptSha256: `sha256:${'0'.repeat(64)}`,
    assessment: testAssessment('source_supported'),
    disposition: 'source_supported',
  },
  economicsHash: `0x${'2'.repeat(64)}`,
  findings: [],
};

/** Returns a preflight over a chain and a Temporal in memory. */
async function preflights() {
  const [workflows, chain, blobs] = [recordedWorkflows(), testChain(), memoryBlobs()];
  workflows.evaluation = async () => supported;
  const held = new Set<string>();
  const rows = { isNonceReserved: async (_router: string, _wallet: string, nonce: string) => held.has(nonce) };
  const clock = { now: () => Date.now() };
  const storage = { keepTemporary: blobs.putTemporary, deleteTemporary: blobs.deleteTemporary };
  const service = new PreflightService(
    new RequestJudge(await servedContext({ chain }), rows, chain, inlineFormReader, clock),
    { run: (_kind, _lineage, work) => work() },
    new SourceEvaluationService(storage, workflows, DEFAULT_LIMITS, createLogger({ service: 'test', level: 'silent' })),
  );
  const evaluate = (request: CreateRequest) =>
    service.evaluate(testCaller(), Buffer.from(requestBytes(request)), new AbortController().signal);
  return { workflows, chain, blobs, held, evaluate };
}

describe('A preflight of a multi-role launch', () => {
  it('returns the verdict, and stores the bytes only while it evaluates them', async () => {
    const { workflows, blobs, evaluate } = await preflights();
    let during = 0;
    workflows.evaluation = async () => {
      during = blobs.stored().length;
      return supported;
    };
    const result = preflightResultSchema.parse(await evaluate(testRequest()));
    expect(result).toMatchObject({
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
    expect([during, blobs.stored()]).toEqual([1, []]);
  });

  it('reports a rehearsal that reverts beside the verdict, and changes nothing else of the answer', async () => {
    const { workflows, evaluate } = await preflights();
    const request = testRequest();
    const plain = await evaluate(request);
    const [warning] = testFindings('SIMULATION_REVERTED').map((one) => ({ ...one, severity: 'warning' as const }));
    workflows.evaluation = async () => ({ ...supported, findings: [warning!] });
    expect(preflightResultSchema.parse(await evaluate(request))).toEqual({ ...plain, findings: [warning] });
  });

  it('returns a negative verdict like a positive one, with its findings and their remediation', async () => {
    const { workflows, evaluate } = await preflights();
    const code = 'MULTI_ROLE_ECONOMIC_RECIPE_EVIDENCE_REQUIRED';
    workflows.evaluation = async () => ({
      receipt: {
        ...supported.receipt,
        disposition: 'evidence_required',
        assessment: { ...testAssessment('evidence_required', [code]), remediation: 'A verifier is needed.' },
      },
      economicsHash: null,
      findings: testFindings(code),
    });
    expect(preflightResultSchema.parse(await evaluate(testRequest()))).toMatchObject({
      source: {
        disposition: 'evidence_required',
        findingCodes: [code],
        receipt: { kind: 'preflight' },
        remediation: 'A verifier is needed.',
      },
      findings: [{ code, remediation: { action: 'await_platform_coverage' } }],
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
  ])('refuses %s as a create does, and evaluates nothing', async (_fault, status, code, make) => {
    const { workflows, evaluate } = await preflights();
    const refused = await refusalOfWork(() => evaluate(make()));
    expect([refused.status, refused.code, workflows.inputs]).toEqual([status, code, []]);
  });

  it('reports a nonce in use as one finding among the others, even while the chain is away', async () => {
    const { chain, held, evaluate } = await preflights();
    const faulty = (nonce: string) => testRequest({ nonce, change: (one) => void (one.funding.totalValueWei = '1') });
    const both = [422, ['FUNDING_TOTAL_MISMATCH /funding/totalValueWei', 'NONCE_IN_USE /nonce']];
    chain.used.add(`${TEST_CONTROLLER} 777`);
    const spent = await refusalOfWork(() => evaluate(faulty('777')));
    expect([spent.status, foundIn(spent)]).toEqual(both);
    held.add('778');
    expect(foundIn(await refusalOfWork(() => evaluate(testRequest({ nonce: '778' }))))).toEqual([
      'NONCE_IN_USE /nonce',
    ]);
    Object.assign(chain, { clockSeconds: () => null, agrees: false });
    const away = await refusalOfWork(() => evaluate(faulty('778')));
    expect([away.status, foundIn(away)]).toEqual(both);
  });
});
