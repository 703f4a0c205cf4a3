import { beforeAll, describe, expect, it } from '@jest/globals';
import { customLaunchPreflightSchema, launchEligibilitySchema, type CustomLaunchFinding } from '@launch/contracts';
import { EvmError } from '@launch/evm';
import {
  customFactsOf,
  customRefusals,
  goodLaunch,
  type CustomFacts,
  type CustomRefusal,
} from './fixtures/custom-launch-corpus.fixture.js';
import { checksOf, classify, eligibilityOf, judge, type Check, type RuleGroup, type Stage } from './index.js';
import * as families from './custom-launch.stages.js';
import { remembering } from './fixtures/remembered-groups.fixture.js';

type CustomStage = Stage<CustomFacts, CustomLaunchFinding>;
const known = new Map<
  RuleGroup<CustomFacts, CustomLaunchFinding>,
  WeakMap<CustomFacts, readonly CustomLaunchFinding[]>
>();
const STAGES = Object.values<CustomStage>(families).map((stage) => remembering(stage, known));
const CORPUS = customRefusals();
const isPreflight = ({ name }: CustomStage): boolean => name.endsWith('preflight');
const preflightOf = ({ plan }: CustomRefusal): CustomStage =>
  STAGES.find(({ name }) => name === (plan === undefined ? 'preflight' : 'plan-preflight'))!;

let facts: ReadonlyMap<CustomRefusal, CustomFacts>;
beforeAll(() => {
  const good = goodLaunch();
  facts = new Map(CORPUS.map((refusal) => [refusal, customFactsOf(good, refusal)]));
});

const lines = (found: readonly CustomLaunchFinding[]): string[] => found.map(({ code, path }) => `${code} ${path}`);
const checked = (stage: CustomStage, refusal: CustomRefusal): Check<CustomLaunchFinding>[] =>
  checksOf(stage, facts.get(refusal)!, new Set(refusal.unanswered));

/** What a stage tells: a preflight all that is independent, any other what its place needs to know. */
function toldBy(stage: CustomStage, refusal: CustomRefusal): string[] {
  try {
    return lines(findingsOf(stage, refusal));
  } catch (error) {
    if (error instanceof EvmError) return [`fault ${error.code}`];
    throw error;
  }
}

const findingsOf = (stage: CustomStage, refusal: CustomRefusal): CustomLaunchFinding[] =>
  isPreflight(stage) ? checked(stage, refusal).flatMap(({ findings }) => findings) : judge(stage, facts.get(refusal)!);

describe('a V4 request or a plan, at every stage', () => {
  it.each(CORPUS)('$title', (refusal) => {
    const own = preflightOf(refusal);
    const stages = STAGES.filter((stage) => !isPreflight(stage) || stage === own);
    const told = stages.map((stage) => [stage.name, toldBy(stage, refusal)] as const);
    const checks = checked(own, refusal);
    expect({
      findings: Object.fromEntries(told.filter(([, found]) => found.length > 0)),
      classification: classify(checks),
      notRun: checks.filter(({ outcome }) => outcome === 'not_run').map(({ checkId }) => checkId),
    }).toEqual({ findings: refusal.findings, classification: refusal.classification, notRun: refusal.notRun ?? [] });
  });

  it('has no multi-role code and no multi-role place', () => {
    const told = CORPUS.flatMap(({ findings }) => Object.values(findings).flat());
    expect(told.filter((line) => /MULTI_ROLE|fundingPlan| \/context\//.test(line))).toEqual([]);
  });
});

describe('each group of rules is missed', () => {
  const groups = STAGES.flatMap((stage) => stage.steps.flat().map(({ name }) => ({ name, stage })));

  it.each(groups)('$name at $stage.name', ({ name, stage }) => {
    const without = { ...stage, steps: stage.steps.map((step) => step.filter((group) => group.name !== name)) };
    const missing = CORPUS.filter((refusal) => toldBy(without, refusal).join() !== toldBy(stage, refusal).join());
    expect(missing.length).toBeGreaterThan(0);
  });
});

describe('a preflight', () => {
  const refusalOf = (title: string): CustomRefusal => CORPUS.find((refusal) => refusal.title === title)!;

  it('says of every check what became of it, and what it needs', () => {
    const refusal = refusalOf('sources that do not compile');
    const checks = checked(preflightOf(refusal), refusal);
    expect(checks.filter(({ outcome }) => outcome !== 'pass').map(({ findings: _f, ...check }) => check)).toEqual([
      { checkId: 'compilation', outcome: 'fail', dependsOn: [] },
      { checkId: 'hook-permissions', outcome: 'not_run', dependsOn: ['compilation'] },
    ]);
  });

  it('asks no group that nobody can answer, and is not deployable then', () => {
    const refusal = refusalOf('price feeds that say nothing');
    const checks = checked(preflightOf(refusal), refusal);
    expect(checks.find(({ checkId }) => checkId === 'usd-reference')).toMatchObject({
      outcome: 'indeterminate',
      findings: [],
    });
    expect(eligibilityOf(checks)).toMatchObject({ deployable: false, disposition: 'needs_evidence' });
  });

  it('is deployable of the reviewed launch alone, and has nothing to remedy', () => {
    const refusal = refusalOf('the reviewed launch');
    expect(eligibilityOf(checked(preflightOf(refusal), refusal))).toEqual({
      deployable: true,
      disposition: 'deployable',
      findings: [],
      remediation: [],
    });
  });

  it('tells once what two checks find in the same place', () => {
    const refusal = refusalOf('no runtime');
    const { findings } = eligibilityOf(checked(preflightOf(refusal), refusal));
    expect(lines(findings)).toEqual([
      'RUNTIME_EMPTY /graphBundle/components/1/expectedRuntimeCode',
      'CUSTOM_LAUNCH_BINDINGS_REQUIRE_CORRECTION /graphBundle/components/1/expectedRuntimeCode',
    ]);
  });

  it.each(CORPUS)('answers what its wire format holds: $title', (refusal) => {
    const checks = checked(preflightOf(refusal), refusal);
    const eligibility = eligibilityOf(checks);
    expect(launchEligibilitySchema.parse(eligibility)).toEqual(eligibility);
    const told = checks.map(({ findings: _told, ...check }) => check);
    expect(customLaunchPreflightSchema.shape.checks.parse(told)).toEqual(told);
  });

  it('tells each way out once, and the findings in order', () => {
    const refusal = refusalOf('everything at once');
    const { disposition, findings, remediation } = eligibilityOf(checked(preflightOf(refusal), refusal));
    expect(disposition).toBe('unsupported');
    expect(lines(findings).slice(0, 4)).toEqual([
      'CHECKPOINT_STALE /checkpoint',
      'CONTEXT_NOT_CURRENT /contextHash',
      'GRAPH_POOL_INVALID /graphBundle/officialPool/poolKey/fee',
      'GRAPH_POOL_INVALID /graphBundle/officialPool/poolKey/tickSpacing',
    ]);
    expect(lines(findings)).toContain('CHAIN_INITIAL_BUY_BELOW_ONE_USD_REFERENCE /funding/initialBuyWei');
    expect(new Set(remediation.map(({ code, detail }) => `${code} ${detail}`)).size).toBe(remediation.length);
  });
});
