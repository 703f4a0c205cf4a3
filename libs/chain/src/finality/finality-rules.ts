import { type AnyLaunchContext, CHAIN_ETHEREUM_FINALIZED_V1 } from '@launch/contracts/launch';
import { ETHEREUM_FINALITY_V1, finalityGeneration } from '@launch/contracts/multi-role';
import { judgeDerived } from './judge-derived.js';
import { judgeExpiry } from './judge-expiry.js';
import { judgeFinality } from './judge-finality.js';
import { judgeInclusion } from './judge-inclusion.js';
import { judgePosting } from './judge-posting.js';
import type { FinalityRule } from './ports.types.js';

/** The rule as first published. Every evidence bundle records its requests under its id, so the rule never changes. */
export const ETHEREUM_FINALITY_RULE_V1: FinalityRule = {
  policyId: ETHEREUM_FINALITY_V1,
  inclusion: judgeInclusion,
  posting: judgePosting,
  finality: judgeFinality,
  derived: judgeDerived,
  expiry: judgeExpiry,
};

/** The same rule under the id that contexts of custom launches and plans use. */
export const CHAIN_ETHEREUM_FINALIZED_RULE_V1: FinalityRule = {
  ...ETHEREUM_FINALITY_RULE_V1,
  policyId: CHAIN_ETHEREUM_FINALIZED_V1,
};

/** Rules by the policy id of a context. */
export type FinalityRules = ReadonlyMap<string, FinalityRule>;

/** @throws TypeError if two rules share an id. */
export function finalityRules(...rules: readonly FinalityRule[]): FinalityRules {
  const byId = new Map(rules.map((rule) => [rule.policyId, rule]));
  if (byId.size !== rules.length) throw new TypeError('one policy has one rule');
  return byId;
}

/**
 * Every published version. Later versions are added and none is removed, because evidence is checked by its own
 * version.
 */
export const FINALITY_RULES: FinalityRules = finalityRules(ETHEREUM_FINALITY_RULE_V1, CHAIN_ETHEREUM_FINALIZED_RULE_V1);

/** Checks whether this release supports both the generation and the finality rule of a context. */
export function finalityPolicyReasons(
  context: AnyLaunchContext,
  rules: FinalityRules = FINALITY_RULES,
): 'FINALITY_POLICY_UNKNOWN'[] {
  const known = typeof finalityGeneration(context) === 'string' && rules.has(context.providerProfile.finalityPolicyId);
  return known ? [] : ['FINALITY_POLICY_UNKNOWN'];
}
