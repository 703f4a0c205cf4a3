import { connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { launchReportPath } from '@launch/contracts';
import { startHarness, type Harness } from '../fixtures/gateway.harness.js';
import { call, codeOf, rawCall, type Answer } from '../fixtures/http.client.js';
import { LaunchGatesRepository } from '../launch-gates/launch-gates.repository.js';
import { LaunchReportsService } from '../reports/launch-reports.service.js';

const GUIDE = launchReportPath('launch-guide');
const ASKED_BEFORE = 40;

let gateway: Harness;
beforeAll(async () => {
  gateway = await startHarness();
});
afterAll(() => gateway.close());

/** Asks until an answer comes without its handler, as most do once the address keeps coming. */
async function standing(ask: () => Promise<Answer>): Promise<Answer> {
  const handled = jest.spyOn(LaunchReportsService.prototype, 'read');
  try {
    for (let asked = 0; asked < ASKED_BEFORE; asked += 1) {
      const before = handled.mock.calls.length;
      const answer = await ask();
      if (handled.mock.calls.length === before && answer.status === 200) return answer;
    }
  } finally {
    handled.mockRestore();
  }
  throw new Error('every question went to its handler');
}

/** How many of a few questions went to their handler, after answers were sent without it. */
async function handledOf(ask: () => Promise<Answer>): Promise<{ readonly handled: number; readonly last: Answer }> {
  await standing(() => call(`${gateway.url}${GUIDE}`));
  const spy = jest.spyOn(LaunchReportsService.prototype, 'read');
  try {
    const last = await ask();
    return { handled: spy.mock.calls.length, last };
  } finally {
    spy.mockRestore();
  }
}

const comparable = ({ headers }: Answer): readonly (readonly [string, string])[] =>
  [...headers].filter(([name]) => !['date', 'x-request-id', 'ratelimit'].includes(name)).sort();

describe('an answer that stands', () => {
  it('is that of the handler, header by header, under a request id of its own', async () => {
    const first = await call(`${gateway.url}${GUIDE}`, { headers: { 'if-none-match': '"other"' } });
    const again = await standing(() => call(`${gateway.url}${GUIDE}`));
    expect(again.text).toBe(first.text);
    expect(comparable(again)).toEqual(comparable(first));
    expect(again.headers.get('content-length')).toBe(String(Buffer.byteLength(again.text)));
    const ids = [first, again].map(({ headers }) => headers.get('x-request-id'));
    expect(ids.every((id) => /^req_\w+$/.test(String(id)))).toBe(true);
    expect(new Set(ids).size).toBe(2);
  });

  it('is counted by the address and told of it, and measured by its route', async () => {
    const left = ({ headers }: Answer): number => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
    const measured = async (): Promise<number> => {
      const { text } = await call(`${gateway.operationsUrl}/metrics`);
      return Number(
        text
          .split('\n')
          .find((line) => line.includes(`route="${GUIDE}",status="200"`))
          ?.split(' ')[1],
      );
    };
    const before = await measured();
    let asked = 0;
    const ask = (): Promise<Answer> => {
      asked += 1;
      return call(`${gateway.url}${GUIDE}`);
    };
    const answers = [await standing(ask), await standing(ask)];
    expect(answers.every((answer) => left(answer) > 0)).toBe(true);
    expect((await measured()) - before).toBe(asked);
  });

  it('is refused to an address that has used its quota up, as often as its handler would', async () => {
    const few = await startHarness({ quotas: { public: { quantity: 1, windowSeconds: 60, burst: 48 } } });
    try {
      const answers = await Promise.all(Array.from({ length: 64 }, () => call(`${few.url}${GUIDE}`)));
      const statuses = answers.map(({ status }) => status);
      expect([statuses.filter((status) => status === 200).length, new Set(statuses)]).toEqual([
        48,
        new Set([200, 429]),
      ]);
      const refused = await call(`${few.url}${GUIDE}`);
      expect([refused.status, codeOf(refused)]).toEqual([429, 'RATE_LIMITED']);
    } finally {
      await few.close();
    }
  });

  it.each([
    ['a query', () => call(`${gateway.url}${GUIDE}?x=1`), 400, 'QUERY_NOT_ALLOWED'],
    ['a bare question mark', () => rawCall(gateway.url, { method: 'GET', path: `${GUIDE}?` }), 200, null],
    [
      'a body',
      () =>
        rawCall(gateway.url, {
          method: 'GET',
          path: GUIDE,
          headers: { 'content-length': '2' },
          chunks: [Buffer.from('{}')],
        }),
      400,
      'BODY_NOT_ALLOWED',
    ],
    ['an entity tag', () => call(`${gateway.url}${GUIDE}`, { headers: { 'if-none-match': '*' } }), 304, null],
    ['another method', () => call(`${gateway.url}${GUIDE}`, { method: 'DELETE' }), 405, 'METHOD_NOT_ALLOWED'],
    [
      'a fault in its head',
      () => rawCall(gateway.url, { method: 'GET', path: GUIDE, headers: { host: 'a b' } }),
      400,
      'HEADER_INVALID',
    ],
  ] as const)('does not stand for a request with %s', async (_what, ask, status, code) => {
    const { last } = await handledOf(ask);
    expect([last.status, code === null ? null : codeOf(last)]).toEqual([status, code]);
  });

  it('falls when what it says has changed', async () => {
    const before = await standing(() => call(`${gateway.url}${GUIDE}`));
    const gates = jest
      .spyOn(LaunchGatesRepository.prototype, 'open')
      .mockResolvedValue(new Set(['publicAuthorization', 'publicWrites', 'releaseReady']));
    try {
      gateway.clock.shiftMs += 2_000;
      const { handled, last } = await (async () => {
        const spy = jest.spyOn(LaunchReportsService.prototype, 'read');
        try {
          return { last: await call(`${gateway.url}${GUIDE}`), handled: spy.mock.calls.length };
        } finally {
          spy.mockRestore();
        }
      })();
      expect([handled, last.status, last.text === before.text]).toEqual([1, 200, false]);
      expect((await standing(() => call(`${gateway.url}${GUIDE}`))).text).toBe(last.text);
    } finally {
      gates.mockRestore();
      gateway.clock.shiftMs += 2_000;
    }
  });

  it('ends its connection where the client asks for it, and answers what was asked behind it before', async () => {
    await standing(() => call(`${gateway.url}${GUIDE}`));
    const { port } = new URL(gateway.url);
    const socket = connect(Number(port), '127.0.0.1');
    const question = (more: string): string => `GET ${GUIDE} HTTP/1.1\r\nhost: here\r\n${more}\r\n`;
    socket.write(question('') + question('') + question('connection: close\r\n'));
    let heard = '';
    socket.on('data', (chunk) => (heard += chunk.toString()));
    await once(socket, 'close');
    expect(heard.match(/HTTP\/1\.1 200 OK/g)?.length).toBe(3);
    expect(heard.match(/connection: (\S+)/gi)).toEqual([
      'Connection: keep-alive',
      'Connection: keep-alive',
      'Connection: close',
    ]);
  });
});

it('a gateway that stops tells who asks on a kept connection that it ends', async () => {
  // Slots are held for as long as this test takes.
  const quotas = { public: { quantity: 10, windowSeconds: 1, burst: 300 } };
  const stopped = await startHarness({ beside: gateway, quotas });
  await standing(() => call(`${stopped.url}${GUIDE}`));
  const { port } = new URL(stopped.url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  // A request that is half there keeps the connection from being idle.
  socket.write(`GET ${GUIDE} HTTP/1.1\r\nhost: here\r\n`);
  await sleep(50);
  const closed = stopped.close();
  await sleep(50);
  let heard = '';
  socket.on('data', (chunk) => (heard += chunk.toString()));
  socket.write('\r\n');
  await Promise.all([once(socket, 'close'), closed]);
  expect(heard).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(heard.toLowerCase()).toContain('connection: close');
});
