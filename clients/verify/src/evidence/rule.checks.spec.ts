import { describe, expect, it } from '@jest/globals';
import { agree, ETHEREUM_FINALITY_RULE_V1, finalityRules, type FinalityRule } from '@launch/chain';
import { parseStrictJson } from '@launch/contracts/json';
import { ETHEREUM_FINALITY_V1, type FinalityEvidence, finalityEvidenceSchema } from '@launch/contracts/multi-role';
import type { EvidenceExchange } from '@launch/contracts/launch';
import { Checks } from '../checks.js';
import { verifyEvidence } from '../commands/evidence.command.js';
import { recordedEvidence } from '../fixtures/recorded-launch.fixture.js';
import { checkIdentity } from './identity.checks.js';
import { checkRule } from './rule.checks.js';

const bytes = recordedEvidence();
const evidence: FinalityEvidence = finalityEvidenceSchema.parse(parseStrictJson(bytes));

/**
 * A later rule: it also requires the bridge's inbox block to be below Ethereum's `safe` head, which today's rule does not read.
 */
const LATER: FinalityRule = {
  ...ETHEREUM_FINALITY_RULE_V1,
  policyId: 'service.ethereum-finality.later',
  async finality(look, inclusion, posting) {
    const reached = await ETHEREUM_FINALITY_RULE_V1.finality(look, inclusion, posting);
    if (reached.kind !== 'holds') return reached;
    const safe = await agree(look.l1, 'safe head', async (observer) => (await observer.header('safe'))?.number ?? null);
    if (safe.kind === 'indeterminate') return { kind: 'unknown', reason: safe.reason };
    return safe.value !== null && safe.value >= BigInt(posting.l1BlockNumber) ? reached : { kind: 'absent' };
  },
};
const RULES = finalityRules(ETHEREUM_FINALITY_RULE_V1, LATER);

/** Both Ethereum observers' answers for `safe`, copied from their answers for `finalized`. */
const answered: readonly EvidenceExchange[] = evidence.exchanges
  .filter(
    ({ chainId, method, params }) => chainId === 1 && method === 'eth_getBlockByNumber' && params[0] === 'finalized',
  )
  .map((exchange) => ({ ...exchange, params: ['safe', ...exchange.params.slice(1)] }));

/** Returns the recorded launch as the later rule would have recorded it. */
const later = (exchanges: readonly EvidenceExchange[]): FinalityEvidence => ({
  ...evidence,
  finalityPolicyId: LATER.policyId,
  exchanges: [...exchanges],
});

async function failedOf(bundle: FinalityEvidence, rules = RULES): Promise<object[]> {
  const target = checkIdentity(new Checks(), bundle);
  if (target === null) throw new Error('the recorded bundle is about a launch');
  const checks = new Checks();
  await checkRule(checks, bundle, target, rules);
  return checks.failed.map(({ check, actual }) => ({ check, actual }));
}

describe('a rule with one more question', () => {
  it('does not apply to earlier evidence, which passes byte for byte as recorded', async () => {
    expect(evidence.finalityPolicyId).toBe(ETHEREUM_FINALITY_V1);
    expect(await verifyEvidence(bytes, {}, RULES)).toMatchObject({ verdict: 'pass' });
    expect(await failedOf(evidence)).toEqual([]);
  });

  it('requires that evidence under its own id answers it', async () => {
    expect(answered).toHaveLength(2);
    expect(await failedOf(later([...evidence.exchanges, ...answered]))).toEqual([]);
    expect(await failedOf(later(evidence.exchanges))).toContainEqual({
      check: 'rule.outcome',
      actual: expect.stringContaining('safe head'),
    });
    expect(await failedOf(later([...evidence.exchanges, ...answered.slice(1)]))).toContainEqual({
      check: 'rule.outcome',
      actual: expect.stringContaining('safe head'),
    });
  });

  it('is not served by evidence for the earlier rule, which lacks the question', async () => {
    expect(await failedOf({ ...evidence, exchanges: [...evidence.exchanges, ...answered] })).toEqual([
      { check: 'exchanges.complete', actual: expect.stringContaining('2 answers that nothing asks for') },
    ]);
  });
});

it('A policy that this release does not know is reported together with the release that checks it.', async () => {
  expect(await failedOf(later(evidence.exchanges), finalityRules(ETHEREUM_FINALITY_RULE_V1))).toEqual([
    {
      check: 'rule.policy',
      actual: `${LATER.policyId}; check it with a launch-verify of the release that publishes this policy`,
    },
  ]);
});

it('Each policy has exactly one rule.', () => {
  expect(() => finalityRules(ETHEREUM_FINALITY_RULE_V1, { ...LATER, policyId: ETHEREUM_FINALITY_V1 })).toThrow(
    'one policy has one rule',
  );
});
