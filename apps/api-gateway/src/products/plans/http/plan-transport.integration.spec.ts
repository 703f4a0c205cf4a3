import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PLAN_LIMITS, PLAN_OPERATIONS, planCapabilitiesSchema, planErrorsSchema } from '@launch/contracts/plans';
import { credentialSchema } from '@launch/contracts/launch';
import { discoverySchema } from '@launch/contracts/reports';
import { startHarness, type Harness } from '../../../fixtures/gateway.harness.js';
import { call, rawCall, type Answer } from '../../../fixtures/http.client.js';
import { detailedFindings } from '../../../fixtures/detailed-findings.js';
import { TEST_CONTROLLER } from '../../../fixtures/test-request.js';

let gateway: Harness;
let key: string;
beforeAll(async () => {
  gateway = await startHarness();
  ({ key } = await gateway.issueKey());
});
afterAll(() => gateway.close());

const CHAIN = '/v4/chains/4663';
const CAPABILITIES = `${CHAIN}/custom-launch-capabilities`;
const ME = `${CHAIN}/custom-launch-credentials/me`;
const VERSION = 'service-launch-response-version';
const at = (path: string, options: Parameters<typeof call>[1] = {}) => call(`${gateway.url}${path}`, options);
/** Returns the status, codes and version of an error of the plan transport, whose body is closed for every `Accept`. */
function errorOf(answer: Answer): unknown[] {
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('vary')).toMatch(/(^|, )Service-Launch-Response-Version$/);
  const { status, errors, requestId, retryable, retryAfterSeconds } = planErrorsSchema.parse(answer.json);
  detailedFindings(answer);
  expect([status, requestId]).toEqual([answer.status, answer.headers.get('x-request-id')]);
  expect([retryable, answer.headers.get('retry-after')]).toEqual([
    status === 503,
    retryAfterSeconds === null ? null : String(retryAfterSeconds),
  ]);
  return [status, errors.map(({ code }) => code).join(), answer.headers.get(VERSION)];
}

describe('The capabilities of plans', () => {
  it('name each operation and the reason why new plans are refused', async () => {
    const { status, json, headers } = await at(CAPABILITIES, { headers: { authorization: 'Bearer nonsense' } });
    const capabilities = planCapabilitiesSchema.parse(json);
    expect([status, headers.get(VERSION), headers.get('vary')]).toEqual([
      200,
      '1.0',
      'Service-Launch-Response-Version',
    ]);
    const closed = [
      'CONTEXT_NOT_CONFIGURED',
      'PUBLIC_AUTHORIZATION_CLOSED',
      'PUBLIC_WRITES_CLOSED',
      'RELEASE_NOT_DECLARED_READY',
    ];
    for (const name of PLAN_OPERATIONS) {
      const reasonCodes = name === 'preflight' || name === 'create' ? closed : [];
      expect([name, capabilities.operations[name]]).toEqual([
        name,
        { available: reasonCodes.length === 0, reasonCodes },
      ]);
    }
    expect([capabilities.modes.atomic.available, capabilities.contextHash, capabilities.limits]).toEqual([
      false,
      null,
      { ...PLAN_LIMITS, compileBudgetSeconds: 120 },
    ]);
  });

  it('are at the path that discovery names', async () => {
    const { planTransport } = discoverySchema.parse((await at('/v4/discovery')).json).customLaunchApi.versions;
    expect(planTransport.capabilitiesUrl).toBe(CAPABILITIES);
  });
});

describe('The credential', () => {
  const issue = (input: Partial<Parameters<Harness['credentials']['issue']>[0]>) =>
    gateway.credentials.issue({
      controller: TEST_CONTROLLER,
      scopes: ['custom-launch:read'],
      chains: ['4663'],
      label: 'a label of the operator',
      expiresAt: null,
      ...input,
    } as Parameters<Harness['credentials']['issue']>[0]);
  const me = async (bearer: string) => {
    const answer = await at(ME, { key: bearer });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect(answer.text).not.toContain(bearer.split('_').slice(2).join('_'));
    expect(answer.text).not.toContain('label');
    return credentialSchema.parse(answer.json);
  };

  it('shows the scopes, grants and wallet of a key, and the predecessor of a rotated key', async () => {
    const first = await issue({});
    expect(await me(first.key)).toMatchObject({
      credentialId: first.credentialId,
      generation: 1,
      kind: 'wallet',
      scopes: ['custom-launch:read'],
      chainGrants: ['4663'],
      boundController: TEST_CONTROLLER,
      allowedControllers: [],
      rotatedFrom: null,
      status: 'active',
    });
    const next = await gateway.credentials.rotate(first.credentialId, 60);
    expect(await me(next!.key)).toMatchObject({
      lineageId: first.lineageId,
      generation: 2,
      rotatedFrom: first.credentialId,
    });
  });

  it('is readable by a key without scopes and grants, and shows the missing ones', async () => {
    const bare = await issue({ scopes: [], chains: [] });
    expect(await me(bare.key)).toMatchObject({ scopes: [], chainGrants: [] });
    const launches = await call(gateway.base, { key: bare.key });
    expect(launches.status).toBe(403);
  });

  it('of a partner has its wallets and no bound wallet', async () => {
    const partner = await gateway.credentials.issue({
      kind: 'partner',
      allowedControllers: [TEST_CONTROLLER],
      scopes: ['custom-launch:read'],
      chains: ['4663'],
      label: null,
      expiresAt: null,
    });
    expect(await me(partner.key)).toMatchObject({
      kind: 'partner',
      boundController: null,
      allowedControllers: [TEST_CONTROLLER],
    });
  });

  it('is refused with 401 without an active key', async () => {
    const ended = await issue({});
    await gateway.credentials.revoke(ended.credentialId);
    for (const options of [{}, { key: 'nonsense' }, { key: ended.key }]) {
      const answer = await at(ME, options);
      expect(errorOf(answer)).toEqual([401, 'UNAUTHENTICATED', '1.0']);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });
});

describe('A response version', () => {
  it.each(['1.0', '1.1', '1.2'])('is echoed on answers and on errors: %s', async (version) => {
    const headers = { [VERSION]: version };
    expect((await at(CAPABILITIES, { headers })).headers.get(VERSION)).toBe(version);
    expect((await at(ME, { key, headers })).headers.get('vary')).toBe(
      'Accept, Authorization, Service-Launch-Response-Version',
    );
    expect(errorOf(await at(ME, { headers }))).toEqual([401, 'UNAUTHENTICATED', version]);
    expect(errorOf(await at(ME, { key, headers, method: 'DELETE' }))).toEqual([405, 'METHOD_NOT_ALLOWED', version]);
  });

  it.each(['', '1', '1.3', '2.0', '1.0, 1.0', '1.0,1.2', '01.0'])(
    'that is unknown is refused in 1.0, before the key is read, with the known ones: %j',
    async (version) => {
      const answer = await at(ME, { headers: { [VERSION]: version } });
      expect(errorOf(answer)).toEqual([422, 'RESPONSE_VERSION_UNKNOWN', '1.0']);
      expect(answer.json.errors[0]).toMatchObject({ expected: '1.0, 1.1, 1.2', actual: version });
    },
  );

  it('that is named twice is refused', async () => {
    const headers = { [VERSION]: ['1.1', '1.1'] } as unknown as Record<string, string>;
    const answer = await rawCall(gateway.url, { method: 'GET', path: CAPABILITIES, headers });
    expect(errorOf(answer)).toEqual([422, 'RESPONSE_VERSION_UNKNOWN', '1.0']);
  });
});

describe('The statuses of the plan transport', () => {
  it.each(['1', '4662', '04663', '4663%20', 'mainnet', '0x1237', '4'.repeat(129), '4'.repeat(4_000)])(
    'include 422 for chain %s before a key is read, on the public route too',
    async (chainId) => {
      for (const path of [CAPABILITIES, ME]) {
        const answer = await at(path.replace('4663', chainId), { key: 'nonsense' });
        expect(errorOf(answer)).toEqual([422, 'CHAIN_NOT_SUPPORTED', '1.0']);
      }
    },
  );

  it('are the same for a client that asks for problem details', async () => {
    const answer = await at(ME, { headers: { accept: 'application/problem+json' } });
    expect(errorOf(answer)).toEqual([401, 'UNAUTHENTICATED', '1.0']);
  });

  it('are 422 for a query, 405 with Allow for another method, and an ordinary 404 for a path below without a route', async () => {
    expect(errorOf(await at(`${CAPABILITIES}?x=1`))).toEqual([422, 'QUERY_NOT_ALLOWED', '1.0']);
    const other = await at(CAPABILITIES, { method: 'POST', body: '{}' });
    expect([errorOf(other), other.headers.get('allow')]).toEqual([
      [405, 'METHOD_NOT_ALLOWED', '1.0'],
      'GET, HEAD, OPTIONS',
    ]);
    const nowhere = await at(`${CAPABILITIES}/more`);
    expect([nowhere.status, nowhere.json.error.code, nowhere.headers.get(VERSION)]).toEqual([404, 'NOT_FOUND', null]);
  });

  it('include a retryable 503 for an exhausted quota', async () => {
    const narrow = await startHarness({
      beside: gateway,
      quotas: { read: { quantity: 1, windowSeconds: 3_600, burst: 1 } },
    });
    try {
      const { key: own } = await narrow.issueKey();
      expect((await call(`${narrow.url}${ME}`, { key: own })).status).toBe(200);
      expect(errorOf(await call(`${narrow.url}${ME}`, { key: own }))).toEqual([503, 'RATE_LIMITED', '1.0']);
    } finally {
      await narrow.close();
    }
  });

  it('do not change those of other routes', async () => {
    const answer = await call(`${gateway.base}?limit=0`, { key });
    expect([answer.status, answer.json.error.code, answer.headers.get(VERSION)]).toEqual([400, 'QUERY_INVALID', null]);
  });
});
