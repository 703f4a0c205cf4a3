import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DECLARED_FAULTS, provoke } from '../../fixtures/declared-faults.js';
import { startHarness, type Harness } from '../../fixtures/gateway.harness.js';
import { codeOf } from '../../fixtures/http.client.js';

describe('Every declared route', () => {
  let gateway: Harness;
  let keys: { readonly whole: string; readonly powerless: string };
  let moduleKey: string;
  beforeAll(async () => {
    gateway = await startHarness({ signIn: { origin: 'https://launch.example', keySeconds: 3_600 } });
    const whole = await gateway.issueKey();
    const powerless = await gateway.issueKey(['custom-launch:create']);
    keys = { whole: whole.key, powerless: powerless.key };
    moduleKey = (await gateway.issueKey(['modules:submit', 'modules:read'])).key;
  });
  afterAll(() => gateway.close());

  it.each(DECLARED_FAULTS)('$title: $code', async (fault) => {
    const concerned = gateway.openapi.routes.filter((route) => fault.concerns(route));
    expect(concerned.length).toBeGreaterThan(1);
    for (const route of concerned) {
      const answer = await provoke(
        gateway.url,
        route,
        fault,
        route.family.key.missingScope === 'API_SCOPE_REQUIRED' ? { ...keys, whole: moduleKey } : keys,
      );
      expect([route.path, codeOf(answer), answer.status, route.allErrors.includes(fault.code)]).toEqual([
        route.path,
        fault.code,
        route.family.errors.entry(fault.code).status,
        true,
      ]);
    }
  });
});
