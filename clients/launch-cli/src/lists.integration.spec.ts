import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CUSTOM_LAUNCH_LIST_EXAMPLE } from '../../../apps/api-gateway/src/products/custom-launch/http/custom-launches.examples.js';
import { DISCOVERY_EXAMPLE } from '../../../apps/api-gateway/src/products/discovery/http/discovery.example.js';
import { PLAN_LIST_EXAMPLE } from '../../../apps/api-gateway/src/products/plans/http/plans.examples.js';
import { AnsweringServer, json, type Answering } from '../../multi-role/src/fixtures/answering-server.fixture.js';
import { temporaryFolder } from '../../multi-role/src/fixtures/bundle.fixture.js';
import type { Environment } from './command.js';
import { launchIn, pipedTerminal, type Ran } from './fixtures/launch-run.fixture.js';
import { runLaunch } from './run-launch.js';

const service = new AnsweringServer();
const folder = temporaryFolder();
let environment: Environment;
let launch: (...argv: readonly string[]) => Promise<Ran>;

/** Serves discovery, and these answers of a list in order, repeating the last one. */
function serving(...answers: readonly Answering[]): void {
  let left = answers;
  service.answer = (response, request) => {
    if (request.url.startsWith('/.well-known/')) return json(200, DISCOVERY_EXAMPLE)(response, request);
    const [next, ...more] = left;
    if (more.length > 0) left = more;
    next!(response, request);
  };
  service.seen.length = 0;
}
const queries = (): readonly string[] =>
  service.seen.filter(({ url }) => url.startsWith('/v4/')).map(({ url }) => url.split('?')[1] ?? '');

beforeAll(async () => {
  environment = { SERVICE_API_BASE_URL: await service.start(), SERVICE_API_KEY: 'sentinel-key' };
  launch = launchIn(environment);
});
afterAll(async () => {
  await service.stop();
  folder.remove();
});

describe.each([
  ['list', ['list'], CUSTOM_LAUNCH_LIST_EXAMPLE, 'launchId'],
  ['plan list', ['plan', 'list'], PLAN_LIST_EXAMPLE, 'planId'],
] as const)('launch %s', (command, words, example, id) => {
  const page = (nextCursor: string | null): Answering => json(200, { ...example, nextCursor });
  const item = (example.items as readonly object[])[0] as Readonly<Record<string, string>>;

  it('reads one page from a cursor and of a given size', async () => {
    serving(page('b'));
    expect(await launch(...words, '--limit', '3', '--cursor', 'a')).toMatchObject({
      exitCode: 0,
      result: { command, httpStatus: 200, resource: { items: [{ [id]: item[id] }], nextCursor: 'b' } },
    });
    expect(queries()).toEqual(['limit=3&cursor=a']);
    expect((await launch(...words, '--limit', '0')).exitCode).toBe(2);
  });

  it('names one trace in all its calls', async () => {
    serving(page('b'), page(null));
    await launch(...words, '--all');
    const traces = new Set(service.seen.map(({ headers }) => headers['traceparent']));
    expect([service.seen.length >= 2, traces.size, traces.has(undefined)]).toEqual([true, 1, false]);
  });

  it('reads every page with --all', async () => {
    serving(page('b'), page('c'), page(null));
    const { exitCode, result } = await launch(...words, '--all');
    expect([exitCode, result.resource.items.length, result.resource.nextCursor]).toEqual([0, 3, null]);
    expect(queries()).toEqual(['limit=25', 'limit=25&cursor=b', 'limit=25&cursor=c']);
  });

  it('reads at most 40 pages with --all, and prints the cursor behind them', async () => {
    let count = 0;
    serving((response, request) => page(`c${(count += 1)}`)(response, request));
    const { exitCode, result } = await launch(...words, '--all');
    expect([exitCode, result.resource.items.length, result.resource.nextCursor]).toEqual([0, 40, 'c40']);
  });

  it('ends with 10 for a list whose cursors repeat', async () => {
    serving(page('b'), page('c'), page('b'));
    const { exitCode, failure } = await launch(...words, '--all');
    expect([exitCode, failure.error.code]).toEqual([10, 'LAUNCH_CLI_ANSWER_MISMATCH']);
  });

  it('prints a table on a terminal', async () => {
    serving(page('b'));
    const { stdout } = await runLaunch(words, environment, { ...pipedTerminal(), stdout: true });
    const [headings, row, more] = stdout.split('\n');
    expect(headings).toMatch(/^created +(launch|plan) +status +/);
    expect(row!.indexOf(item[id]!)).toBe(headings!.search(/launch|plan/));
    expect(row).toContain(item['launchWallet']);
    expect(more).toBe('more: --cursor b');
    serving(json(200, { ...example, items: [] }));
    expect((await runLaunch(words, environment, { ...pipedTerminal(), stdout: true })).stdout).toBe('nothing\n');
  });
});

describe('--retry', () => {
  const OUTPUT = join(folder.path, 'output.json');
  const busy: Answering = json(
    503,
    {
      error: {
        code: 'SERVICE_BUSY',
        message: 'Later.',
        requestId: `req_${'0'.repeat(26)}`,
        retryable: true,
        retryAfterSeconds: 0,
        statusUrl: null,
        findings: [],
      },
    },
    { 'retry-after': '0' },
  );
  const INIT = [
    '--wallet',
    `0x${'1'.repeat(40)}`,
    '--name',
    'A',
    '--symbol',
    'A',
    '--public-origin',
    'https://a.example',
  ];

  it.each([
    ['list', ['list']],
    ['coverage', ['coverage']],
    ['credential', ['credential']],
    ['version --verify', ['version', '--verify']],
    ['init', ['init', ...INIT, '--image', OUTPUT, '--output', OUTPUT]],
  ])(
    'makes %s repeat a retryable refusal at most five times, and it is sent once without the option',
    async (_name, argv) => {
      service.answer = busy;
      for (const [more, requests] of [
        [['--retry'], 6],
        [[], 1],
      ] as const) {
        service.seen.length = 0;
        const { exitCode, progress } = await launch(...argv, ...more);
        expect([exitCode, service.seen.length, progress.length]).toEqual([8, requests, requests - 1]);
      }
    },
  );
});
