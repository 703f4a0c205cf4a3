import { describe, expect, it } from '@jest/globals';
import { json, type Answering } from '../../multi-role/src/fixtures/answering-server.fixture.js';
import { moduleRuns, RELEASE } from './fixtures/module-run.fixture.js';
import { refusal } from './fixtures/module-service.fixture.js';
import { runModuleCli, type Terminal } from './run-module-cli.js';

const { at, newModule, submit, postsSeen } = moduleRuns();
const busy = (retryable: boolean): Answering =>
  json(503, refusal('MODULE_DRAFTS_BUSY', { retryable, retryAfterSeconds: 0 }));

/** Makes the service answer the first requests of a method with these, and the rest honestly. */
const first = (method: 'GET' | 'POST', ...answers: readonly Answering[]): void => {
  const honest = at.service.answer;
  let left = answers;
  at.service.answer = (response, request) => {
    const [next, ...more] = request.method === method ? left : [];
    if (next === undefined) return honest(response, request);
    left = more;
    next(response, request);
  };
};

describe('--retry', () => {
  it('sends the same bytes under the same key again after a retryable refusal', async () => {
    first('POST', busy(true), busy(true));
    expect(await submit(newModule(), '--retry')).toMatchObject({ exitCode: 0, result: { httpStatus: 201 } });
    const sent = postsSeen().map(({ body, headers }) => [body.toString(), headers['idempotency-key']]);
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map((one) => JSON.stringify(one))).size).toBe(1);
  });

  it('repeats at most five times, and no other refusal; without it nothing is repeated', async () => {
    first('POST', ...new Array<Answering>(6).fill(busy(true)));
    expect((await submit(newModule(), '--retry')).exitCode).toBe(8);
    expect(postsSeen()).toHaveLength(6);
    first('POST', busy(false));
    expect((await submit(newModule(), '--retry')).exitCode).toBe(8);
    first('POST', busy(true));
    expect((await submit(newModule())).exitCode).toBe(8);
    expect(postsSeen()).toHaveLength(8);
  });

  it('reports that a submission may exist if an earlier attempt may have left one', async () => {
    first(
      'POST',
      busy(true),
      json(429, refusal('RATE_LIMITED', { retryAfterSeconds: 0 })),
      json(401, refusal('UNAUTHORIZED')),
    );
    const { exitCode, error } = await submit(newModule(), '--retry');
    expect([exitCode, error]).toMatchObject([4, { code: 'UNAUTHORIZED', submissionMayExist: true }]);
  });

  it('repeats a read, and reports each wait on stderr', async () => {
    first('GET', busy(true));
    const said: string[] = [];
    const terminal: Terminal = { stderr: false, say: (text) => void said.push(text), sleep: async () => undefined };
    const argv = ['module-capabilities', '--api-origin', at.origin, '--retry'];
    expect((await runModuleCli(argv, {}, RELEASE, 'module-cli.mjs', terminal)).exitCode).toBe(0);
    expect(said.map((line) => JSON.parse(line))).toEqual([{ retrying: { code: 'MODULE_DRAFTS_BUSY', seconds: 0 } }]);
  });
});

it('a wrong command line is explained in words on a terminal, and as JSON with --json', async () => {
  const terminal: Terminal = { stderr: true, say: () => undefined, sleep: async () => undefined };
  const run = (...argv: readonly string[]) => runModuleCli(argv, {}, RELEASE, 'module-cli.mjs', terminal);
  expect(await run('status-module', '--di', 'x')).toEqual({
    exitCode: 2,
    stdout: '',
    stderr:
      'module-cli: --di is not an option of status-module. Did you mean --id? Run module-cli status-module --help.\n',
  });
  expect(JSON.parse((await run('status-module', '--di', 'x', '--json')).stderr)).toMatchObject({
    code: 'MODULE_CLI_ARGUMENTS_INVALID',
    path: '',
  });
});
