import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { validate } from '../validation/validate.js';
import { parseStrictJson } from '../json/index.js';
import { MULTI_ROLE_BASE_PATH } from '../multi-role/routes.js';
import { PLAN_REQUEST_SCHEMA, planDigest, planRequestSchema } from '../plans/plan-request.schema.js';
import {
  anyCustomLaunchRequestSchema,
  customLaunchRequestSchema,
  type CustomLaunchRequest,
} from './create-request.schema.js';

const FILE = new URL('../../../launch-rules/testdata/requests/custom-launch.v4.json', import.meta.url);
const good = (parseStrictJson(readFileSync(FILE)) as { request: CustomLaunchRequest }).request;

/** Returns the path and the expectation of the first finding about a changed body. */
function refused(change: (body: CustomLaunchRequest) => void): (readonly [string, string | null])[] {
  const body = structuredClone(good);
  change(body);
  const outcome = validate(anyCustomLaunchRequestSchema, body);
  return outcome.ok ? [] : outcome.findings.map(({ path, expected }) => [path, expected] as const);
}
const pool = (body: CustomLaunchRequest) => body.graphBundle as { officialPool?: unknown };

describe('the body of a custom launch', () => {
  it('is accepted with its members in any order', () => {
    const turned = Object.fromEntries(Object.entries(good).reverse());
    expect(customLaunchRequestSchema.parse(turned)).toEqual(good);
  });

  it.each<[string, (body: CustomLaunchRequest) => void, string, RegExp]>([
    [
      'one contract as token and hook, with the scenario and the API that accepts it',
      (body) => (body.graphBundle.components[1]!.roleMask = 3),
      '/graphBundle/components/1/roleMask',
      /multi-role-custom-launches.*scenario combined-token-hook/,
    ],
    ['no pool', (body) => delete pool(body).officialPool, '/graphBundle/officialPool', /scenario no-pool$/],
    [
      'two pools',
      (body) => (pool(body).officialPool = [good.graphBundle.officialPool, good.graphBundle.officialPool]),
      '/graphBundle/officialPool',
      /scenario multiple-pools$/,
    ],
    [
      'a component id too long for a step id',
      (body) => (body.graphBundle.components[0]!.componentId = 'x'.repeat(58)),
      '/graphBundle/components/0/componentId',
      /1-57/,
    ],
    ['an unknown kind of funding', (body) => (body.funding.kind = 'fiat' as never), '/funding/kind', /none/],
    ['another profile', (body) => (body.profile = '4.2.0' as never), '/profile', /4\.1\.0/],
  ])('is refused with %s', (_what, change, path, expected) => {
    const findings = refused(change);
    expect(findings.map(([at]) => at)).toEqual([path]);
    expect(findings[0]![1]).toMatch(expected);
  });

  it('A finding about one contract as token and hook names the route that launches it and the scenario.', () => {
    const body = structuredClone(good);
    body.graphBundle.components[1]!.roleMask = 3;
    const outcome = validate(customLaunchRequestSchema, body);
    const [found] = outcome.ok ? [] : outcome.findings;
    expect(found?.message).toContain('the token role (1) and the hook role (2)');
    expect(found?.remediation).toEqual({
      action: 'correct_and_resubmit',
      detail: expect.stringMatching(
        /POST \/v4\/chains\/4663\/multi-role-custom-launches \(scenario combined-token-hook\)/,
      ),
    });
    expect(found?.remediation.detail).toContain(`POST ${MULTI_ROLE_BASE_PATH} `);
  });

  it('is closed', () => {
    expect(refused((body) => ((body as Record<string, unknown>)['context'] = {}))).toEqual([['/context', null]]);
  });

  it('has no buy under profile 4.0', () => {
    const historical = (body: CustomLaunchRequest) =>
      Object.assign(body, { schemaVersion: 'service.custom-launch-create-request.v4.0', profile: '4.0.0' });
    expect(refused(historical).map(([at]) => at)).toEqual(['/funding/kind']);
    expect(refused((body) => (historical(body).funding.kind = 'none'))).toEqual([]);
  });
});

describe('a plan', () => {
  const { moduleSelections: _none, ...body } = good;
  const plan = planRequestSchema.parse({
    ...body,
    schemaVersion: PLAN_REQUEST_SCHEMA,
    mode: 'sequential',
    predecessor: null,
  });

  it('has the same digest in every order of its members', () => {
    const turned = planRequestSchema.parse(Object.fromEntries(Object.entries(plan).reverse()));
    expect(planDigest(turned)).toBe(planDigest(plan));
    expect(planDigest({ ...plan, mode: 'atomic' })).not.toBe(planDigest(plan));
  });
});
