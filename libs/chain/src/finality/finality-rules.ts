import { type AnyLaunchContext, CHAIN_ETHEREUM_FINALIZED_V1 } from '@launch/contracts/launch';
import { ETHEREUM_FINALITY_V1, finalityGeneration } from '@launch/contracts/multi-role';
import { judgeDerived } from './judge-derived.js';
import { judgeExpiry } from './judge-expiry.js';
import { judgeFinality } from './judge-finality.js';
import { judgeInclusion } from './judge-inclusion.js';
import { judgePosting } from './judge-posting.js';
import type { FinalityRule } from './ports.types.js';

/** The rule as first published. Every bundle of evidence has its questions under its id, so it does not change. */
export const ETHEREUM_FINALITY_RULE_V1: FinalityRule = {
  policyId: ETHEREUM_FINALITY_V1,
  inclusion: judgeInclusion,
  posting: judgePosting,
  finality: judgeFinality,
  derived: judgeDerived,
  expiry: judgeExpiry,
};

/** The same rule under the id by which contexts of V4 launches and plans name it. */
export const CHAIN_ETHEREUM_FINALIZED_RULE_V1: FinalityRule = {
  ...ETHEREUM_FINALITY_RULE_V1,
  policyId: CHAIN_ETHEREUM_FINALIZED_V1,
};

/** Rules by the policy that a context names. */
export type FinalityRules = ReadonlyMap<string, FinalityRule>;

/** @throws TypeError when two rules have one id. */
export function finalityRules(...rules: readonly FinalityRule[]): FinalityRules {
  const byId = new Map(rules.map((rule) => [rule.policyId, rule]));
  if (byId.size !== rules.length) throw new TypeError('one policy has one rule');
  return byId;
}

/** Every version that was ever published. A later one is added and none is taken away: evidence is checked by its own. */
export const FINALITY_RULES: FinalityRules = finalityRules(ETHEREUM_FINALITY_RULE_V1, CHAIN_ETHEREUM_FINALIZED_RULE_V1);

/** Whether this release can observe launches of a context to their end: it knows both the generation and the rule. */
export function finalityPolicyReasons(
  context: AnyLaunchContext,
  rules: FinalityRules = FINALITY_RULES,
): 'FINALITY_POLICY_UNKNOWN'[] {
  const known = typeof finalityGeneration(context) === 'string' && rules.has(context.providerProfile.finalityPolicyId);
  return known ? [] : ['FINALITY_POLICY_UNKNOWN'];
}
