import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CreateRequest } from '@launch/contracts/multi-role';
import { multiRoleRequest } from './fixtures/multi-role-request.fixture.js';
import {
  changed,
  declared,
  factsOf,
  refusalsOf,
  reportOf,
  type Facts,
  type Refusal,
} from './fixtures/refusal-corpus.fixture.js';
import { remembering } from './fixtures/remembered-groups.fixture.js';
import { MULTI_ROLE_ARRIVAL, MULTI_ROLE_CUSTODY, type RuleGroup, type Stage, type Extent } from './index.js';
import * as family from './multi-role.stages.js';

const known = new Map<RuleGroup<Facts>, WeakMap<Facts, ReturnType<RuleGroup<Facts>['find']>>>();
const STAGES: readonly Stage<Facts>[] = Object.values<Stage<Facts>>(family).map((stage) => remembering(stage, known));
const CORPUS = refusalsOf('multi-role.v2');

let good: CreateRequest;
let facts: ReadonlyMap<Refusal, Facts>;
let atArrival: ReadonlyMap<Refusal, Facts>;
beforeAll(() => {
  good = multiRoleRequest();
  facts = new Map(CORPUS.map((refusal) => [refusal, factsOf(good, changed(good, refusal), refusal)]));
  atArrival = new Map([...facts].map(([refusal, one]) => [refusal, declared(one)]));
});

const reportBy = (stage: Stage<Facts>, refusal: Refusal, extent?: Extent): string[] =>
  reportOf(stage, (stage.name === MULTI_ROLE_ARRIVAL.name ? atArrival : facts).get(refusal)!, extent);
const refusalOf = (title: string): Refusal => CORPUS.find((refusal) => refusal.title === title)!;

describe('a multi-role request, at every stage', () => {
  it.each(CORPUS)('has the findings of its stage for $title', (refusal) => {
    const findings = STAGES.map((stage) => [stage.name, reportBy(stage, refusal)] as const);
    expect(Object.fromEntries(findings.filter(([, found]) => found.length > 0))).toEqual(refusal.findings);
  });
});

describe('The corpus', () => {
  const groups = STAGES.flatMap((stage) => stage.steps.flat().map(({ name }) => ({ name, stage })));

  it.each(groups)('detects the absence of the rules $name at $stage.name', ({ name, stage }) => {
    const without = { ...stage, steps: stage.steps.map((step) => step.filter((group) => group.name !== name)) };
    const missing = CORPUS.filter(({ findings }) => findings[stage.name] !== undefined).filter(
      (refusal) => reportBy(without, refusal).join() !== refusal.findings[stage.name]!.join(),
    );
    expect(missing.length).toBeGreaterThan(0);
  });
});

it('A request gets all of its findings on demand.', () => {
  const refusal = refusalOf('a context of another release, and another nonce');
  expect(reportBy(MULTI_ROLE_CUSTODY, refusal)).toEqual(['CONTEXT_NOT_CURRENT /context']);
  expect(reportBy(MULTI_ROLE_CUSTODY, refusal, 'all-independent')).toEqual([
    'CONTEXT_NOT_CURRENT /context',
    'LAUNCH_INTENT_HASH_MISMATCH /launchIntentHash',
  ]);
});

it('An unknown policy scans no runtime, even if all findings are requested.', () => {
  const refusal = refusalOf('an unknown instruction policy');
  expect(reportBy(MULTI_ROLE_CUSTODY, refusal, 'all-independent')).toEqual(refusal.findings['custody']);
});
