import type { Finding } from '@launch/contracts/errors';

/**
 * Rules that are asked together, by a name that is the same at every stage and in every family.
 * `Facts` is what they need of the place that asks: the request, the clock, what the chain or the compiler said.
 */
export interface RuleGroup<in Facts, out Found = Finding> {
  readonly name: string;
  /** Groups that must have found nothing before the answer of this one means anything. */
  readonly after?: readonly string[];
  readonly find: (facts: Facts) => readonly Found[];
}

/** What one place asks of a request: steps in order, in each the groups whose findings are told together. */
export interface Stage<in Facts, out Found = Finding> {
  readonly name: string;
  readonly steps: readonly (readonly RuleGroup<Facts, Found>[])[];
}

/** What the groups of a stage ask for. */
export type StageFacts<One> = One extends Stage<infer Facts, unknown> ? Facts : never;

type Steps = readonly (readonly RuleGroup<never, unknown>[])[];

/** What all of some groups need together. */
type FactsOf<Group> = (Group extends RuleGroup<infer Facts, unknown> ? (facts: Facts) => void : never) extends (
  facts: infer All,
) => void
  ? All
  : never;

type FoundOf<Group> = Group extends RuleGroup<never, infer Found> ? Found : never;

/** A stage of these steps; it needs the facts of all its groups. */
export const stage = <const S extends Steps>(
  name: string,
  ...steps: S
): Stage<FactsOf<S[number][number]>, FoundOf<S[number][number]>> => ({
  name,
  // No type says of a list that a value is enough for each of its members: `FactsOf` does.
  steps: steps as Steps as Stage<FactsOf<S[number][number]>, FoundOf<S[number][number]>>['steps'],
});

/**
 * How much a judgement tells. `first-failing-step` ends with the first step that finds something, so that nothing
 * dearer is asked of a request that is refused already. `all-independent` asks every step.
 */
export type Telling = 'first-failing-step' | 'all-independent';

/** The findings of a stage, in the order of its groups; none when the request passes. */
export function judge<Facts, Found>(
  stage: Stage<Facts, Found>,
  facts: Facts,
  telling: Telling = 'first-failing-step',
): Found[] {
  const findings: Found[] = [];
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

/** What became of one group. `not_run`: it needs the result of one that did not pass. `indeterminate`: nobody could say. */
export interface Check<Found> {
  readonly checkId: string;
  readonly outcome: 'pass' | 'fail' | 'not_run' | 'indeterminate';
  readonly dependsOn: readonly string[];
  readonly findings: readonly Found[];
}

/**
 * Every group of a stage with its outcome, in order: nothing is left out because something else failed, unless it needs
 * that one's result.
 * @param unanswered groups whose facts the asking place could not get; they are not asked and are indeterminate.
 */
export function checksOf<Facts, Found>(
  { steps }: Stage<Facts, Found>,
  facts: Facts,
  unanswered: ReadonlySet<string> = new Set(),
): Check<Found>[] {
  const checks = new Map<string, Check<Found>>();
  for (const { name, after = [], find } of steps.flat()) {
    const dependsOn = after.filter((earlier) => checks.has(earlier));
    const answer = (outcome: Check<Found>['outcome'], findings: readonly Found[] = []): void =>
      void checks.set(name, { checkId: name, outcome, dependsOn, findings });
    if (dependsOn.some((earlier) => checks.get(earlier)?.outcome !== 'pass')) answer('not_run');
    else if (unanswered.has(name)) answer('indeterminate');
    else {
      const findings = find(facts);
      answer(findings.length === 0 ? 'pass' : 'fail', findings);
    }
  }
  return [...checks.values()];
}
