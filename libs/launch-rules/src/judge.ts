import type { Finding } from '@launch/contracts';

/**
 * Rules that are asked together, by a name that is the same at every stage and in every family.
 * `Facts` is what they need of the place that asks: the request, the clock, what the chain or the compiler said.
 */
export interface RuleGroup<in Facts> {
  readonly name: string;
  /** Groups that must have found nothing before the answer of this one means anything. */
  readonly after?: readonly string[];
  readonly find: (facts: Facts) => readonly Finding[];
}

/** What one place asks of a request: steps in order, in each the groups whose findings are told together. */
export interface Stage<in Facts> {
  readonly name: string;
  readonly steps: readonly (readonly RuleGroup<Facts>[])[];
}

type Steps = readonly (readonly RuleGroup<never>[])[];

/** What all of some groups need together. */
type FactsOf<Group> = (Group extends RuleGroup<infer Facts> ? (facts: Facts) => void : never) extends (
  facts: infer All,
) => void
  ? All
  : never;

/** A stage of these steps; it needs the facts of all its groups. */
export const stage = <const S extends Steps>(name: string, ...steps: S): Stage<FactsOf<S[number][number]>> => ({
  name,
  // No type says of a list that a value is enough for each of its members: `FactsOf` does.
  steps: steps as Steps as Stage<FactsOf<S[number][number]>>['steps'],
});

/**
 * How much a judgement tells. `first-failing-step` ends with the first step that finds something, so that nothing
 * dearer is asked of a request that is refused already. `all-independent` asks every step.
 */
export type Telling = 'first-failing-step' | 'all-independent';

/** The findings of a stage, in the order of its groups; none when the request passes. */
export function judge<Facts>(stage: Stage<Facts>, facts: Facts, telling: Telling = 'first-failing-step'): Finding[] {
  const findings: Finding[] = [];
  const failed = new Set<string>();
  for (const step of stage.steps) {
    for (const { name, after = [], find } of step) {
      if (after.some((earlier) => failed.has(earlier))) continue;
      const found = find(facts);
      if (found.length > 0) failed.add(name);
      findings.push(...found);
    }
    if (findings.length > 0 && telling === 'first-failing-step') break;
  }
  return findings;
}
