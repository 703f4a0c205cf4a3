import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LaunchCapabilities } from '@launch/contracts/reports';
import { DISCOVERY_EXAMPLE } from '../../../apps/api-gateway/src/products/discovery/http/discovery.example.js';
import { reportExample } from '../../../apps/api-gateway/src/products/reports/http/launch-reports.example.js';
import { waitingLaunch } from '../../core/src/fixtures/custom-launch-answers.fixture.js';
import { AnsweringServer, json, type Answering } from '../../multi-role/src/fixtures/answering-server.fixture.js';
import { temporaryFolder } from '../../multi-role/src/fixtures/bundle.fixture.js';
import { inventoryMaterial } from '../../multi-role/src/fixtures/inventory.fixture.js';
import { launchIn } from './fixtures/launch-run.fixture.js';
import { packedRequests, type PackedRequests } from './fixtures/packed-requests.fixture.js';
import { runLaunch } from './run-launch.js';

const folder = temporaryFolder();
const service = new AnsweringServer();
let requests: PackedRequests;
let environment: Record<string, string>;

/** Serves discovery and the context, and answers every create in one way. */
function answering(create: Answering): void {
  const published = { contextHash: requests.launch.sent.contextHash, document: requests.context };
  service.answer = (response, request) => {
    if (request.url.startsWith('/.well-known/')) return json(200, DISCOVERY_EXAMPLE)(response, request);
    if (request.url.endsWith('/capabilities'))
      return json(200, { ...(reportExample('capabilities') as LaunchCapabilities), context: published })(
        response,
        request,
      );
    create(response, request);
  };
}
const half =
  (status: number): Answering =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': '4096' });
    response.write('{"schemaVersion":', () => response.destroy());
  };
const refusal = (code: string, retryable: boolean) => ({
  error: {
    code,
    message: 'Not now.',
    requestId: `req_${'0'.repeat(26)}`,
    retryable,
    retryAfterSeconds: null,
    statusUrl: null,
    findings: [],
  },
});

beforeAll(async () => {
  requests = await packedRequests(folder.path);
  environment = { SERVICE_API_BASE_URL: await service.start(), SERVICE_API_KEY: 'sentinel-key' };
});
afterAll(async () => {
  await service.stop();
  folder.remove();
});

/** Runs `submit` or `plan submit` with a file of its own. */
const submit = (command: readonly string[], more: Parameters<typeof launchIn>[1] = {}, ...options: string[]) => {
  const { file } = command.length === 1 ? requests.launch : requests.plan;
  const run = launchIn(environment, { material: inventoryMaterial(), ...more });
  return run(...command, file, '--config', requests.config, ...options);
};
const repeated = (command: readonly string[]): string => {
  const { file, sent } = command.length === 1 ? requests.launch : requests.plan;
  const key = `${command.length === 1 ? 'v4' : 'plan-v1'}-${sent.requestSha256.slice(7)}`;
  return `launch ${command.join(' ')} ${file} --config ${requests.config} --idempotency-key ${key}`;
};

describe.each([[['submit']], [['plan', 'submit']]])('launch %j that is cut off', (command) => {
  it.each<[string, Answering, number]>([
    ['after the request, before an answer', (response) => void response.destroy(), 9],
    ['in the middle of the answer', half(202), 9],
    [
      "by a proxy's page",
      (response) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>'),
      8,
    ],
    ['by an answer that is no contract answer', json(202, { launchId: 1 }), 10],
  ])('may have left a submission when it ends %s, and says how to repeat it', async (_when, create, exitCode) => {
    answering(create);
    const { exitCode: code, failure } = await submit(command);
    expect([code, failure]).toMatchObject([exitCode, { submissionMayExist: true, repeat: repeated(command) }]);
  });

  it('ends with 9 when the service never answers, and with 130 when it is interrupted', async () => {
    answering(() => undefined);
    expect(await submit(command, { bounds: { writeMs: 200 } })).toMatchObject({
      exitCode: 9,
      failure: { submissionMayExist: true, repeat: repeated(command) },
    });
    const interruption = new AbortController();
    answering(() => interruption.abort());
    expect(await submit(command, { signal: interruption.signal })).toMatchObject({
      exitCode: 130,
      failure: { error: { code: 'LAUNCH_CLI_INTERRUPTED' }, submissionMayExist: true, repeat: repeated(command) },
    });
  });

  it('repeats the same bytes under the same key', async () => {
    answering((response) => void response.destroy());
    const { failure } = await submit(command, {}, '--idempotency-key', 'a-key-of-mine-0001');
    const first = service.seen.at(-1)!;
    const [, ...argv] = (failure.repeat as string).split(' ');
    await launchIn(environment, { material: inventoryMaterial() })(...argv);
    const second = service.seen.at(-1)!;
    expect([second.headers['idempotency-key'], second.body.equals(first.body)]).toEqual(['a-key-of-mine-0001', true]);
  });

  it('reports on a terminal that the request may have arrived', async () => {
    answering((response) => void response.destroy());
    const { file } = command.length === 1 ? requests.launch : requests.plan;
    const terminal = {
      stdout: true,
      stderr: true,
      signal: new AbortController().signal,
      program: new URL(import.meta.url),
    };
    const { stderr } = await runLaunch([...command, file, '--config', requests.config], environment, {
      ...terminal,
      material: inventoryMaterial(),
      progress: () => undefined,
    });
    expect(stderr).toContain(`Send the same file under the same key again:\n  ${repeated(command)}\n`);
  });
});

describe('launch submit', () => {
  it('leaves nothing behind when it is refused or never sent', async () => {
    answering(json(422, refusal('BUDGET_EXCEEDED', false)));
    expect((await submit(['submit'])).failure).toMatchObject({ submissionMayExist: false, repeat: null });
    const closed = structuredClone(DISCOVERY_EXAMPLE) as { customLaunchApi: { versions: { v4: object } } };
    Object.assign(closed.customLaunchApi.versions.v4, { publicWrites: false });
    const gates: Answering = json(200, closed);
    answering(() => undefined);
    const { answer } = service;
    service.answer = (response, request) =>
      request.url.startsWith('/.well-known/') ? gates(response, request) : answer(response, request);
    expect((await submit(['submit'])).failure).toMatchObject({ exitCode: 8, submissionMayExist: false });
  });

  it('still reports that its first attempt may have arrived after a later refusal', async () => {
    const attempts = [json(503, refusal('SERVICE_UNAVAILABLE', true), { 'retry-after': '0' })];
    const last = json(422, refusal('BUDGET_EXCEEDED', false));
    answering((response, request) => (attempts.shift() ?? last)(response, request));
    expect(await submit(['submit'], {}, '--retry')).toMatchObject({
      exitCode: 3,
      failure: { submissionMayExist: true },
    });
  });

  it('may have arrived when it receives the answer of another launch, and keeps nothing of that answer', async () => {
    const other = { ...waitingLaunch(requests.launch.sent), requestSha256: `sha256:${'0'.repeat(64)}` };
    answering(json(202, other));
    expect(await submit(['submit'])).toMatchObject({
      exitCode: 10,
      result: null,
      failure: {
        error: {
          code: 'LAUNCH_CLI_ANSWER_MISMATCH',
          findings: expect.arrayContaining([expect.objectContaining({ path: '/requestSha256' })]),
        },
        submissionMayExist: true,
      },
    });
  });
});
