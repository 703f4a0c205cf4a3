import { canonicalJsonText } from '@launch/contracts/json';
import type { EvidenceExchange } from '@launch/contracts/launch';
import { FINALITY_RULES, replayFinality, type FinalityRules, type LaunchTarget, type RpcExchange } from '@launch/chain';
import type { Checks } from '../checks.js';
import type { AnyEvidence } from './evidence.types.js';

/** Returns a fault unless exactly both observers of both chains of the context answered. */
function strangersIn({ context, exchanges }: AnyEvidence): string | null {
  const { l2Observers, l1Observers } = context.providerProfile;
  const known = new Set([...l2Observers.map(({ id }) => `4663 ${id}`), ...l1Observers.map(({ id }) => `1 ${id}`)]);
  const asked = new Set(exchanges.map(({ chainId, observer }) => `${chainId} ${observer}`));
  const stranger = [...asked].find((one) => !known.has(one));
  if (stranger !== undefined) return `${stranger} is none of them`;
  const silent = [...known].find((one) => !asked.has(one));
  return silent === undefined ? null : `${silent} answered nothing`;
}

/**
 * Runs the finality rule again on the recorded answers: both observers agree on every answer, the stamp is exact, the batch
 * covers the block, and the accumulator at the checkpoint equals the event's. It must reach the same conclusion. Uses the
 * version that the bundle names, because the additional questions of a later version were never asked for this launch.
 */
export async function checkRule(
  checks: Checks,
  evidence: AnyEvidence,
  target: LaunchTarget,
  rules: FinalityRules = FINALITY_RULES,
): Promise<void> {
  checks.holds('observers', 'exactly the four that the context names', strangersIn(evidence));
  const { conclusion, context, exchanges, finalityPolicyId, observedAt } = evidence;
  const rule = rules.get(finalityPolicyId);
  const known = [...rules.keys()].join(', ');
  if (
    !checks.holds(
      'rule.policy',
      `a rule that this release knows: ${known}`,
      rule === undefined
        ? `${finalityPolicyId}; check it with a launch-verify of the release that publishes this policy`
        : null,
    ) ||
    rule === undefined
  )
    return;
  const { transactionHash } = conclusion;
  if (
    !checks.holds('conclusion.transactionHash', 'a transaction', transactionHash === null ? 'none' : null) ||
    transactionHash === null
  )
    return;
  const { l2Observers, l1Observers } = context.providerProfile;
  const { memory, status, reason, unasked } = await replayFinality({
    l2: l2Observers,
    l1: l1Observers,
    target,
    rule,
    transactionHash,
    exchanges: exchanges.map(asRecorded),
    at: Date.parse(observedAt),
  });
  checks.holds(
    'rule.outcome',
    'finalized, both observers of both chains agreed',
    memory.stage === 'finalized' && status === 'agreed' ? null : `${memory.stage}, ${reason ?? status}`,
  );
  for (const part of ['inclusion', 'posting', 'checkpoint'] as const)
    checks.equal(`conclusion.${part}`, textOf(memory[part]), textOf(conclusion[part]));
  checks.holds(
    'exchanges.complete',
    'the rule asks for every recorded answer',
    unasked.length === 0 ? null : `${unasked.length} answers that nothing asks for, first ${unasked[0]?.method ?? ''}`,
  );
}

const asRecorded = ({ answer, ...asked }: EvidenceExchange): RpcExchange => ({
  ...asked,
  answer: 'error' in answer ? { error: answer.error } : { result: answer.result },
});

/** Returns the text without the names of the observers, which are in the exchanges. */
function textOf(part: object | null): string {
  return canonicalJsonText(
    part === null ? null : Object.fromEntries(Object.entries(part).filter(([name]) => name !== 'observers')),
  );
}
