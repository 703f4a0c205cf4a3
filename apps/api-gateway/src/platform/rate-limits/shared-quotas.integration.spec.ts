import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { call, codeOf, rawCall, type Answer } from '../../fixtures/http.client.js';
import { startHarness, type Harness, type HarnessOptions } from '../../fixtures/gateway.harness.js';
import { runSql } from '../../fixtures/run-sql.js';

/** Grants `burst` requests, and no other while a test runs. */
const only = (burst: number) => ({ quantity: 1, windowSeconds: 86_400, burst });
const left = ({ headers }: Answer): string | undefined => headers.get('ratelimit')?.split(';')[1];

let gateway: Harness;
let key: string;
beforeAll(async () => {
  gateway = await startHarness();
  ({ key } = await gateway.issueKey());
});
afterAll(() => gateway.close());

/** Starts gateways on one database with fresh buckets. */
async function withGateways(
  count: number,
  options: HarnessOptions,
  work: (...gateways: Harness[]) => Promise<void>,
): Promise<void> {
  await runSql(gateway.database, 'TRUNCATE rate_bucket');
  const gateways = await Promise.all(
    Array.from({ length: count }, () => startHarness({ beside: gateway, ...options })),
  );
  try {
    await work(...gateways);
  } finally {
    await Promise.all(gateways.map((one) => one.close()));
  }
}

function refusedOf(answer: Answer): number {
  expect([answer.status, codeOf(answer)]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(answer.headers.get('retry-after'))).toBe(answer.json.error.retryAfterSeconds);
  expect(answer.headers.get('ratelimit')).toMatch(
    new RegExp(`^"[a-z-]+";r=0;t=${answer.json.error.retryAfterSeconds}$`),
  );
  return answer.json.error.retryAfterSeconds as number;
}

describe('Quotas of a lineage', () => {
  it('are shared by every gateway, reported, and refused with the seconds to wait', () =>
    withGateways(2, { quotas: { read: { quantity: 1, windowSeconds: 60, burst: 3 } } }, async (one, other) => {
      const { key: mine } = await gateway.issueKey();
      const answers: Answer[] = [];
      for (const target of [one, other, one, other]) answers.push(await call(target?.base ?? '', { key: mine }));
      expect(answers.map((answer) => [answer.status, left(answer)])).toEqual([
        [200, 'r=2'],
        [200, 'r=1'],
        [200, 'r=0'],
        [429, 'r=0'],
      ]);
      expect(refusedOf(answers[3] as Answer)).toBeGreaterThan(30);
      expect((await call(one?.base ?? '', { key })).status).toBe(200);
    }));
});

describe('Quotas of an address', () => {
  const PAGE = '/v4/chains/4663/multi-role-custom-launches/capabilities';

  it('are granted once by all gateways together, in the order of the requests', () =>
    withGateways(2, { quotas: { public: only(4) } }, async (...gateways) => {
      const answers: Answer[] = [];
      for (let index = 0; index < 6; index += 1) answers.push(await call(`${gateways[index % 2]?.url}${PAGE}`));
      expect(answers.map((answer) => [answer.status, left(answer)])).toEqual([
        [200, 'r=3'],
        [200, 'r=2'],
        [200, 'r=1'],
        [200, 'r=0'],
        [429, 'r=0'],
        [429, 'r=0'],
      ]);
      for (const answer of answers.slice(4)) expect(refusedOf(answer)).toBeGreaterThan(80_000);
      for (const answer of answers) expect(answer.headers.get('ratelimit-policy')).toBe('"public";q=1;w=86400');
    }));

  it('are granted once to many concurrent requests at both gateways, and once more when one more fits', () =>
    withGateways(3, { quotas: { public: only(20) } }, async (one, other, third) => {
      const answers = await Promise.all(
        Array.from({ length: 80 }, (_, index) => call(`${(index % 2 === 0 ? one : other)?.url}${PAGE}`)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
      // A charge that waited for the other gateway counts from its arrival: it may report one less than is left, never more.
      const reported = answers
        .filter(({ status }) => status === 200)
        .map((answer) => Number(String(left(answer)).slice(2)))
        .sort((a, b) => a - b);
      expect(reported.filter((one, index) => one !== index && one !== index - 1)).toEqual([]);
      // Simulates the passage of time.
      await runSql(gateway.database, `UPDATE rate_bucket SET arrival_at = arrival_at - interval '1 day'`);
      expect([(await call(`${third?.url}${PAGE}`)).status, (await call(`${third?.url}${PAGE}`)).status]).toEqual([
        200, 429,
      ]);
    }));

  it('cost the database one statement at a time, and none for an address that is known to be over its quota', () =>
    withGateways(1, { quotas: { public: only(10) } }, async (one) => {
      let [most, now] = [0, 0];
      const query = one?.database.query.bind(one.database) as Harness['database']['query'];
      const spy = jest.spyOn((one as Harness).database, 'query').mockImplementation(async (statement, values) => {
        if (!statement.text.includes('rate_bucket')) return query(statement, values);
        most = Math.max(most, (now += 1));
        return query(statement, values).finally(() => (now -= 1)) as never;
      });
      const count = () => spy.mock.calls.filter(([{ text }]) => text.includes('rate_bucket')).length;
      try {
        const answers = await Promise.all(Array.from({ length: 60 }, () => call(`${one?.url}${PAGE}`)));
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
        expect([most, count() < 12]).toEqual([1, true]);
        spy.mockClear();
        for (const answer of await Promise.all(Array.from({ length: 60 }, () => call(`${one?.url}${PAGE}`))))
          refusedOf(answer);
        expect(count()).toBe(0);
      } finally {
        spy.mockRestore();
      }
    }));

  it('cost few statements for an address that keeps asking, and no gateway grants slots that another holds', () =>
    // A slot lasts 100 ms, and a gateway holds at most a second's worth: ten, while 160 are left.
    withGateways(2, { quotas: { public: { quantity: 10, windowSeconds: 1, burst: 300 } } }, async (one, other) => {
      const spies = [one, other].map((each) => jest.spyOn((each as Harness).database, 'query'));
      const statements = () =>
        spies.reduce((sum, spy) => sum + spy.mock.calls.filter(([{ text }]) => text.includes('rate_bucket')).length, 0);
      const began = performance.now();
      const refilled = () => Math.ceil((performance.now() - began) / 100);
      try {
        for (let asked = 1; asked <= 100; asked += 1) {
          const answer = await call(`${(asked % 2 === 0 ? one : other)?.url}${PAGE}`);
          expect(answer.status).toBe(200);
          // Slots that the other gateway holds count as spent. Its grants from those slots are not visible at once.
          const reported = Number(left(answer)?.slice(2));
          expect([asked, reported, reported >= 300 - asked - 20, reported <= 300 - asked + refilled() + 20]).toEqual([
            asked,
            reported,
            true,
            true,
          ]);
        }
        expect(statements()).toBeLessThan(60);
        const rest = await Promise.all(
          Array.from({ length: 400 }, (_, index) => call(`${(index % 2 === 0 ? one : other)?.url}${PAGE}`)),
        );
        const granted = 100 + rest.filter(({ status }) => status === 200).length;
        expect([granted, granted <= 300 + refilled(), granted >= 300 - 20]).toEqual([granted, true, true]);
      } finally {
        for (const spy of spies) spy.mockRestore();
      }
    }));

  it('count requests that were never routed, and each quota separately', () =>
    withGateways(2, { quotas: { public: only(5), download: only(1) } }, async (one, other) => {
      const [first, second] = [one?.url ?? '', other?.url ?? ''];
      const tried: readonly (readonly [string, string, string])[] = [
        [first, 'GET', '/nowhere'],
        [second, 'GET', '/%zz'],
        [first, 'DELETE', PAGE],
        [second, 'GET', `${PAGE}/not-a-launch/finality`],
        [first, 'OPTIONS', PAGE],
      ];
      const answers = [];
      for (const [url, method, path] of tried) answers.push(await rawCall(url, { method, path }));
      expect(answers.map((answer) => [answer.status, left(answer)])).toEqual([
        [404, 'r=4'],
        [404, 'r=3'],
        [405, 'r=2'],
        [404, 'r=1'],
        [204, 'r=0'],
      ]);
      for (const [url, method, path] of tried) refusedOf(await rawCall(url, { method, path }));
      expect((await call(`${first}${PAGE.replace('capabilities', 'guide.md')}`)).headers.get('ratelimit')).toMatch(
        /^"download";r=0;/,
      );
      refusedOf(await call(`${second}${PAGE.replace('capabilities', 'guide.md')}`));
    }));

  it('trust a forwarding header only from a trusted proxy, count an IPv6 subscriber once, and count a proxy that names no address', async () => {
    const quotas = { public: only(2) };
    const statuses = async (target: Harness | undefined, addresses: readonly string[]) => {
      const seen = [];
      for (const address of addresses)
        seen.push((await call(`${target?.url}${PAGE}`, { headers: { 'x-forwarded-for': address } })).status);
      return seen;
    };
    await withGateways(1, { quotas }, async (open) =>
      expect(await statuses(open, ['10.0.0.1', '10.0.0.2', '10.0.0.3'])).toEqual([200, 200, 429]),
    );
    await withGateways(1, { quotas, limits: { trustedProxies: 1 } }, async (behind) => {
      expect(await statuses(behind, ['10.0.0.1', '10.0.0.2', '10.0.0.3'])).toEqual([200, 200, 200]);
      expect(await statuses(behind, ['6.6.6.6, 10.0.0.9', '7.7.7.7, 10.0.0.9', '8.8.8.8, 10.0.0.9'])).toEqual([
        200, 200, 429,
      ]);
      expect(await statuses(behind, ['2001:db8::1', '2001:db8::ffff', '2001:db8:0:0:9::', '2001:db8:0:1::'])).toEqual([
        200, 200, 429, 200,
      ]);
      expect(await statuses(behind, ['unknown', '_hidden', 'x'.repeat(4_000)])).toEqual([200, 200, 429]);
    });
  });
});

describe('Invalid keys', () => {
  it('are looked up within the quota of their address over all gateways, beyond which no key is looked up', () =>
    withGateways(2, { quotas: { public: only(4) } }, async (one, other) => {
      const guess = (index: number) => `clk_${String(index).padStart(20, '0')}_${'A'.repeat(43)}`;
      const answers: Answer[] = [];
      for (let index = 0; index < 5; index += 1)
        answers.push(await call((index % 2 === 0 ? one : other)?.base ?? '', { key: guess(index) }));
      expect(answers.map((answer) => [answer.status, left(answer)])).toEqual([
        [401, 'r=3'],
        [401, 'r=2'],
        [401, 'r=1'],
        [401, 'r=0'],
        [429, 'r=0'],
      ]);
      const spy = jest.spyOn((one as Harness).database, 'query');
      try {
        refusedOf(await call(one?.base ?? '', { key: guess(9) }));
        refusedOf(await call(one?.base ?? '', { key }));
        expect(spy.mock.calls).toEqual([]);
      } finally {
        spy.mockRestore();
      }
      expect((await call(`${one?.base}/capabilities`)).status).toBe(200);
    }));
});
