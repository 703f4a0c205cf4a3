import { describe, expect, it } from '@jest/globals';
import { canonicalJsonText } from '@launch/contracts/json';
import { commitContext } from '@launch/contracts/launch';
import { createLogger } from '@launch/platform';
import { refusalOfWork } from '../../fixtures/refused.js';
import { testChain } from '../../fixtures/test-chain.js';
import { testContext, testReviews } from '../../fixtures/test-request.js';
import { ContextService } from './context.service.js';
import type { ReviewedRouter } from './router-review.js';

interface Deployment {
  readonly context?: ReturnType<typeof testContext> | null;
  readonly reviews?: readonly ReviewedRouter[];
}

/** Returns a context service, and the function that has it check the context again. */
function deploymentOf({ context = testContext(), reviews = testReviews(context ?? testContext()) }: Deployment = {}) {
  const chain = testChain();
  const kept: (readonly [hash: string, document: string])[] = [];
  const contexts = new ContextService(
    context,
    chain,
    { now: () => Date.UTC(2026, 10, 20) },
    createLogger({ service: 'test', level: 'silent' }),
    reviews,
    { keep: async (hash, document) => void kept.push([hash, document]) },
  );
  const check = async (reasons: readonly string[] | Error = []) => {
    chain.readinessReasons = reasons instanceof Error ? () => Promise.reject(reasons) : async () => reasons;
    await contexts.start();
    contexts.onApplicationShutdown();
    const { status, reasonCodes } = contexts.describe();
    return [status, ...reasonCodes];
  };
  return { contexts, kept, check };
}

describe('The readiness of a context', () => {
  it('is unavailable before the first check and ready after one that finds no reason', async () => {
    const { contexts, check } = deploymentOf();
    expect(contexts.describe()).toMatchObject({ status: 'unavailable', reasonCodes: ['CONTEXT_NOT_CHECKED_YET'] });
    expect((await refusalOfWork(() => contexts.ready())).code).toBe('CONTEXT_UNAVAILABLE');
    expect(await check()).toEqual(['ready']);
    expect(contexts.ready().commitments).toEqual(commitContext(testContext()));
  });

  it('is lost to a code mismatch and not to silent observers, which do not restore it either', async () => {
    const { check } = deploymentOf();
    expect(await check()).toEqual(['ready']);
    expect(await check(['OBSERVERS_INDETERMINATE'])).toEqual(['ready']);
    expect(await check(['ROUTER_CODE_MISMATCH'])).toEqual(['unavailable', 'ROUTER_CODE_MISMATCH']);
    expect(await check(['OBSERVERS_INDETERMINATE'])).toEqual(['unavailable', 'OBSERVERS_INDETERMINATE']);
  });

  it('is unavailable after a check that fails', async () => {
    expect(await deploymentOf().check(new Error('away'))).toEqual(['unavailable', 'OBSERVERS_INDETERMINATE']);
  });

  it('is unavailable without a context', async () => {
    const { contexts, check } = deploymentOf({ context: null });
    expect([await check(), contexts.current]).toEqual([['unavailable', 'CONTEXT_NOT_CONFIGURED'], null]);
  });

  const { instructionPolicy } = testContext().profile;
  it.each<readonly [string, Deployment]>([
    [
      'INSTRUCTION_POLICY_UNKNOWN',
      {
        context: testContext({
          instructionPolicy: { ...instructionPolicy, id: 'service.runtime-instructions.reachable.v2' },
        }),
      },
    ],
    ['ROUTER_UNREVIEWED', { reviews: [] }],
    [
      'ROUTER_RELABELLED',
      {
        reviews: testReviews().map((review) => ({
          ...review,
          policyId: 'service.multi-role-runtime-instruction-policy.v2',
        })),
      },
    ],
    [
      'ROUTER_CODE_UNREVIEWED',
      { reviews: testReviews().map((review) => ({ ...review, runtimeCodeHash: `0x${'9'.repeat(64)}` as const })) },
    ],
    ['FINALITY_POLICY_UNKNOWN', { context: testContext({ derivedContractFinality: 'v3' }) }],
  ])('reports %s, and a context with it is neither used nor kept', async (reason, deployment) => {
    const { contexts, kept, check } = deploymentOf(deployment);
    expect(await check()).toEqual(['unavailable', reason]);
    expect((await refusalOfWork(() => contexts.ready())).code).toBe('CONTEXT_UNAVAILABLE');
    expect(kept).toEqual([]);
  });

  it('keeps a context under its hash once it was ready', async () => {
    const { kept, check } = deploymentOf();
    await check(['ROUTER_CODE_MISMATCH']);
    expect(kept).toEqual([]);
    await check();
    await check();
    expect(kept).toEqual([[commitContext(testContext()).contextHash, canonicalJsonText(testContext())]]);
  });
});
