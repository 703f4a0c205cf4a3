import type { Finding } from '@launch/contracts/errors';

/**
 * Rules that run together, under a name that is the same at every stage and in every family. `Facts` are the inputs
 * that they need from the judging place: the request, the clock, the answers of the chain or the compiler.
 */
export interface RuleGroup<in Facts, out Found = Finding> {
  readonly name: string;
  /** Groups that must have no findings before this group's result is meaningful. */
  readonly after?: readonly string[];
  readonly find: (facts: Facts) => readonly Found[];
}

/** The rules of one place for a request: steps in order, each with the groups whose findings are reported together. */
export interface Stage<in Facts, out Found = Finding> {
  readonly name: string;
  readonly steps: readonly (readonly RuleGroup<Facts, Found>[])[];
}

/** The facts that the groups of a stage need. */
export type StageFacts<One> = One extends Stage<infer Facts, unknown> ? Facts : never;

type Steps = readonly (readonly RuleGroup<never, unknown>[])[];

/** The facts that all of some groups need together. */
type FactsOf<Group> = (Group extends RuleGroup<infer Facts, unknown> ? (facts: Facts) => void : never) extends (
  facts: infer All,
) => void
  ? All
  : never;

type FoundOf<Group> = Group extends RuleGroup<never, infer Found> ? Found : never;

/** Creates a stage of these steps; it needs the facts of all its groups. */
export const stage = <const S extends Steps>(
  name: string,
  ...steps: S
): Stage<FactsOf<S[number][number]>, FoundOf<S[number][number]>> => ({
  name,
  // TypeScript cannot express that a value suffices for each member of a list; `FactsOf` does.
  steps: steps as Steps as Stage<FactsOf<S[number][number]>, FoundOf<S[number][number]>>['steps'],
});

/**
 * The extent of a judgement. `first-failing-step` ends with the first step that has findings, so that a refused request
 * causes no further, more expensive checks. `all-independent` runs every step.
 */
export type Extent = 'first-failing-step' | 'all-independent';

/** Returns the findings of a stage in the order of its groups; empty if the request passes. */
export function judge<Facts, Found>(
  stage: Stage<Facts, Found>,
  facts: Facts,
  extent: Extent = 'first-failing-step',
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
    if (findings.length > 0 && extent === 'first-failing-step') break;
  }
  return findings;
}

/**
 * The outcome of one group. `not_run`: it depends on a group that did not pass. `indeterminate`: its facts are unknown.
 */
export interface Check<Found> {
  readonly checkId: string;
  readonly outcome: 'pass' | 'fail' | 'not_run' | 'indeterminate';
  readonly dependsOn: readonly string[];
  readonly findings: readonly Found[];
}

/**
 * Returns every group of a stage with its outcome, in order. A failure skips only the groups that depend on it.
 * @param unanswered groups whose facts the judging place could not obtain; they do not run and are indeterminate.
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
