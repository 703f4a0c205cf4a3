import { beforeAll, describe, expect, it } from '@jest/globals';
import { customLaunchPreflightSchema } from '@launch/contracts/custom-launch';
import { launchEligibilitySchema } from '@launch/contracts/launch';
import type { CustomLaunchFinding } from '@launch/contracts/errors';
import { EvmError } from '@launch/evm';
import {
  customLaunchFactsOf,
  customLaunchRefusals,
  goodLaunch,
  type CustomLaunchFacts,
  type CustomLaunchRefusal,
} from './fixtures/custom-launch-corpus.fixture.js';
import { checksOf, classify, eligibilityOf, judge, type Check, type RuleGroup, type Stage } from './index.js';
import * as families from './custom-launch.stages.js';
import { remembering } from './fixtures/remembered-groups.fixture.js';

type CustomLaunchStage = Stage<CustomLaunchFacts, CustomLaunchFinding>;
const known = new Map<
  RuleGroup<CustomLaunchFacts, CustomLaunchFinding>,
  WeakMap<CustomLaunchFacts, readonly CustomLaunchFinding[]>
>();
const STAGES = Object.values<CustomLaunchStage>(families).map((stage) => remembering(stage, known));
const CORPUS = customLaunchRefusals();
const isPreflight = ({ name }: CustomLaunchStage): boolean => name.endsWith('preflight');
const PREFLIGHT = STAGES.find(({ name }) => name === 'preflight')!;

let facts: ReadonlyMap<CustomLaunchRefusal, CustomLaunchFacts>;
beforeAll(() => {
  const good = goodLaunch();
  facts = new Map(CORPUS.map((refusal) => [refusal, customLaunchFactsOf(good, refusal)]));
});

const lines = (found: readonly CustomLaunchFinding[]): string[] => found.map(({ code, path }) => `${code} ${path}`);
const checked = (stage: CustomLaunchStage, refusal: CustomLaunchRefusal): Check<CustomLaunchFinding>[] =>
  checksOf(stage, facts.get(refusal)!, new Set(refusal.unanswered));

/** Returns the findings of a stage: all independent ones for a preflight, those that the stage needs otherwise. */
function reportOf(stage: CustomLaunchStage, refusal: CustomLaunchRefusal): string[] {
  try {
    return lines(findingsOf(stage, refusal));
  } catch (error) {
    if (error instanceof EvmError) return [`fault ${error.code}`];
    throw error;
  }
}

const findingsOf = (stage: CustomLaunchStage, refusal: CustomLaunchRefusal): CustomLaunchFinding[] =>
  isPreflight(stage) ? checked(stage, refusal).flatMap(({ findings }) => findings) : judge(stage, facts.get(refusal)!);

describe('a custom-launch request or a plan, at every stage', () => {
  it.each(CORPUS)('has the findings of its stage for $title', (refusal) => {
    const stages = STAGES.filter((stage) => !isPreflight(stage) || stage === PREFLIGHT);
    const reports = stages.map((stage) => [stage.name, reportOf(stage, refusal)] as const);
    const checks = checked(PREFLIGHT, refusal);
    expect({
      findings: Object.fromEntries(reports.filter(([, found]) => found.length > 0)),
      classification: classify(checks),
      notRun: checks.filter(({ outcome }) => outcome === 'not_run').map(({ checkId }) => checkId),
    }).toEqual({ findings: refusal.findings, classification: refusal.classification, notRun: refusal.notRun ?? [] });
  });

  it.each(CORPUS)('gets findings with expected and actual values for $title', (refusal) => {
    for (const stage of STAGES) {
      // A stage has no findings for a request that it cannot parse.
      if (reportOf(stage, refusal)[0]?.startsWith('fault ')) continue;
      for (const { code, path, expected, actual } of findingsOf(stage, refusal))
        expect({ code, path, expected, actual }).toEqual({
          code,
          path,
          expected: expect.any(String),
          actual: expect.any(String),
        });
    }
  });

  it('without a reviewed recipe keeps its findings for every client claim and every key scope', () => {
    const unreviewed = CORPUS.find(({ title }) => title === 'unreviewed creation code')!;
    const check = { checkId: 'economic-coverage', evidenceSha256: `sha256:${'1'.repeat(64)}` };
    const claims: readonly unknown[] = [
      { agentId: 'service', checkedAt: '2026-01-01T00:00:00.000Z', checks: [check] },
      { agentId: 'reviewer', checkedAt: '2026-01-01T00:00:00.000Z', checks: Array(64).fill(check) },
    ];
    for (const claim of claims) {
      const claimed = { ...unreviewed, change: [...unreviewed.change!, { at: '/attestation', to: claim }] };
      const asked = { ...customLaunchFactsOf(goodLaunch(), claimed), controllers: null };
      expect(asked.request.attestation).toEqual(claim);
      const preflight = checksOf(PREFLIGHT, asked).flatMap(({ findings }) => findings);
      expect(lines(preflight)).toEqual(unreviewed.findings['preflight']);
      expect(lines(preflight)).toContain('CUSTOM_LAUNCH_EVIDENCE_REQUIRED /graphBundle/components');
      for (const name of ['economics', 'custody'])
        expect(
          lines(
            judge(
              STAGES.find((stage) => stage.name === name)!,
              asked,
            ),
          ),
        ).toEqual(unreviewed.findings[name]);
    }
  });

  it('has no multi-role code and no multi-role path', () => {
    const reports = CORPUS.flatMap(({ findings }) => Object.values(findings).flat());
    expect(reports.filter((line) => /MULTI_ROLE|fundingPlan| \/context\//.test(line))).toEqual([]);
  });
});

describe('The corpus', () => {
  const groups = STAGES.flatMap((stage) => stage.steps.flat().map(({ name }) => ({ name, stage })));

  it.each(groups)('detects the absence of the rules $name at $stage.name', ({ name, stage }) => {
    const without = { ...stage, steps: stage.steps.map((step) => step.filter((group) => group.name !== name)) };
    const missing = CORPUS.filter((refusal) => reportOf(without, refusal).join() !== reportOf(stage, refusal).join());
    expect(missing.length).toBeGreaterThan(0);
  });
});

describe('a preflight', () => {
  it('has exactly the groups that the gateway and admission judge', () => {
    const parts = ['key', 'arrival', 'usd', 'admission-preflight'];
    const namesOf = (stages: readonly CustomLaunchStage[]) =>
      stages.flatMap(({ steps }) => steps.flat().map(({ name }) => name));
    const judged = namesOf(STAGES.filter(({ name }) => parts.includes(name)));
    expect([...new Set(judged)].sort()).toEqual(namesOf([PREFLIGHT]).sort());
  });

  const refusalOf = (title: string): CustomLaunchRefusal => CORPUS.find((refusal) => refusal.title === title)!;

  it('reports the outcome and the dependencies of every check', () => {
    const refusal = refusalOf('sources that do not compile');
    const checks = checked(PREFLIGHT, refusal);
    expect(checks.filter(({ outcome }) => outcome !== 'pass').map(({ findings: _f, ...check }) => check)).toEqual([
      { checkId: 'compilation', outcome: 'fail', dependsOn: [] },
      { checkId: 'hook-permissions', outcome: 'not_run', dependsOn: ['compilation'] },
    ]);
  });

  it('skips unanswered groups, and is then not deployable', () => {
    const refusal = refusalOf('price feeds without an answer');
    const checks = checked(PREFLIGHT, refusal);
    expect(checks.find(({ checkId }) => checkId === 'usd-reference')).toMatchObject({
      outcome: 'indeterminate',
      findings: [],
    });
    expect(eligibilityOf(checks)).toMatchObject({ deployable: false, disposition: 'needs_evidence' });
  });

  it('is deployable for the reviewed launch only, without remedies', () => {
    const refusal = refusalOf('the reviewed launch');
    expect(eligibilityOf(checked(PREFLIGHT, refusal))).toEqual({
      deployable: true,
      disposition: 'deployable',
      findings: [],
      remediation: [],
    });
  });

  it('reports a finding once if two checks have it at the same path', () => {
    const refusal = refusalOf('no runtime');
    const { findings } = eligibilityOf(checked(PREFLIGHT, refusal));
    expect(lines(findings)).toEqual([
      'RUNTIME_EMPTY /graphBundle/components/1/expectedRuntimeCode',
      'CUSTOM_LAUNCH_BINDINGS_REQUIRE_CORRECTION /graphBundle/components/1/expectedRuntimeCode',
    ]);
  });

  it.each(CORPUS)('fits its wire schema for $title', (refusal) => {
    const checks = checked(PREFLIGHT, refusal);
    const eligibility = eligibilityOf(checks);
    expect(launchEligibilitySchema.parse(eligibility)).toEqual(eligibility);
    const reports = checks.map(({ findings: _findings, ...check }) => check);
    expect(customLaunchPreflightSchema.shape.checks.parse(reports)).toEqual(reports);
  });

  it('lists each remedy once, and the findings in order', () => {
    const refusal = refusalOf('everything at once');
    const { disposition, findings, remediation } = eligibilityOf(checked(PREFLIGHT, refusal));
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
