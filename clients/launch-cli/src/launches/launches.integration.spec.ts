import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sentLaunch, type SentLaunch } from '@launch/client-core/binding';
import {
  anyCustomLaunchRequestSchema,
  customLaunchResourceSchema,
  type CustomLaunchResource,
} from '@launch/contracts/custom-launch';
import { customLaunchFinding } from '@launch/contracts/errors';
import { canonicalizeJson } from '@launch/contracts/json';
import { sha256Digest } from '@launch/contracts/primitives';
import type { LaunchCapabilities } from '@launch/contracts/reports';
import type { CustomLaunchStatus } from '@launch/contracts/states';
import { DISCOVERY_EXAMPLE } from '../../../../apps/api-gateway/src/products/discovery/http/discovery.example.js';
import { CUSTOM_LAUNCH_EXAMPLE } from '../../../../apps/api-gateway/src/products/custom-launch/http/custom-launches.examples.js';
import { reportExample } from '../../../../apps/api-gateway/src/products/reports/http/launch-reports.example.js';
import {
  finalizedLaunch,
  launchPreflight,
  waitingLaunch,
} from '../../../core/src/fixtures/custom-launch-answers.fixture.js';
import { AnsweringServer, json, type Answering } from '../../../multi-role/src/fixtures/answering-server.fixture.js';
import { temporaryFolder } from '../../../multi-role/src/fixtures/bundle.fixture.js';
import { customLaunchConfig, customLaunchContext } from '../../../multi-role/src/fixtures/custom-launch.fixture.js';
import { inventoryMaterial } from '../../../multi-role/src/fixtures/inventory.fixture.js';
import { packCustomLaunch } from '../../../multi-role/src/custom-launch/pack-custom-launch.js';
import type { Environment } from '../command.js';
import { launchIn, pipedTerminal, type Ran } from '../fixtures/launch-run.fixture.js';
import { runLaunch } from '../run-launch.js';
import { launchText } from './launch-text.js';

const KEY = 'sentinel-key';
const CHAIN = '/v4/chains/4663';
const DISCOVERY = '/.well-known/custom-launch.json';
const { launchId } = CUSTOM_LAUNCH_EXAMPLE;

const folder = temporaryFolder();
const service = new AnsweringServer();
const context = customLaunchContext();
const config = customLaunchConfig(context);
const [configFile, requestFile, otherFile] = ['config.json', 'request.json', 'other.json'].map((name) =>
  join(folder.path, name),
) as [string, string, string];
let environment: Environment;
let bytes: Uint8Array;
/** The request, as responses repeat it. */
let sentRequest: SentLaunch;
let launch: (...argv: readonly string[]) => Promise<Ran>;

/** Serves answers by path in order, repeating the last one. Always serves discovery and the published context. */
function serving(routes: Readonly<Record<string, readonly Answering[]>>, discovery: object = DISCOVERY_EXAMPLE): void {
  const capabilities = { ...(reportExample('capabilities') as LaunchCapabilities) };
  capabilities.context = { contextHash: config.contextHash, document: context };
  const left = new Map<string, readonly Answering[]>([
    [DISCOVERY, [json(200, discovery)]],
    [`${CHAIN}/capabilities`, [json(200, capabilities)]],
    ...Object.entries(routes).map(([path, answers]) => [`${CHAIN}${path}`, answers] as const),
  ]);
  service.answer = (response, request) => {
    const path = request.url.split('?')[0]!;
    const [next, ...more] = left.get(path) ?? [];
    if (next === undefined) return void response.writeHead(500).end();
    if (more.length > 0) left.set(path, more);
    next(response, request);
  };
  service.seen.length = 0;
}
const sent = () => service.seen.map(({ url, headers }) => [url, headers.authorization]);

const resource = (status: CustomLaunchStatus, more: Partial<CustomLaunchResource> = {}): CustomLaunchResource =>
  customLaunchResourceSchema.parse({
    ...(status === 'finalized' ? finalizedLaunch : waitingLaunch)(sentRequest),
    handoff: null,
    status,
    ...more,
  });
const refused = (status: number, code: string, { retryable = false, findings = [] as object[] } = {}): Answering =>
  json(
    status,
    {
      error: {
        code,
        message: 'Nothing of it.',
        requestId: `req_${'0'.repeat(26)}`,
        retryable,
        retryAfterSeconds: 0,
        statusUrl: null,
        findings,
      },
    },
    { 'retry-after': '0' },
  );

beforeAll(async () => {
  environment = { SERVICE_API_BASE_URL: await service.start(), SERVICE_API_KEY: KEY };
  const packed = await packCustomLaunch(config, context, inventoryMaterial());
  ({ bytes } = packed);
  const request = anyCustomLaunchRequestSchema.parse(JSON.parse(Buffer.from(bytes).toString()));
  sentRequest = sentLaunch(request, { ...packed.report, router: context.chainBindings.router });
  writeFileSync(configFile, JSON.stringify(config));
  writeFileSync(requestFile, bytes);
  writeFileSync(otherFile, `${Buffer.from(bytes).toString()}\n`);
  launch = launchIn(environment, { material: inventoryMaterial(), watchMs: 1 });
});
afterAll(async () => {
  await service.stop();
  folder.remove();
});
beforeEach(() => serving({}));

describe('launch validate', () => {
  const validate = (...more: readonly string[]) => launch('validate', requestFile, '--config', configFile, ...more);

  it('compares the file with the packed bytes of its config, without a key and without a request', async () => {
    const { exitCode, result } = await validate();
    expect([exitCode, result.resource.requestSha256]).toEqual([0, sha256Digest(bytes)]);
    expect(sent()).toEqual([[`${CHAIN}/capabilities`, undefined]]);
    const { exitCode: code, failure } = await launch('validate', otherFile, '--config', configFile, '--remote');
    expect([code, failure.error.code]).toEqual([3, 'LAUNCH_CLI_BYTES_DIFFER']);
  });

  it('reads discovery without the key, then asks for a preflight of the exact bytes', async () => {
    serving({ '/custom-launches/preflight': [json(200, { ...launchPreflight(sentRequest), later: 1 })] });
    const { exitCode, result } = await validate('--remote');
    expect([exitCode, result.httpStatus, result.resource.warnings]).toEqual([
      0,
      200,
      [{ code: 'TX_SIMULATION_PENDING' }],
    ]);
    expect(sent().slice(1)).toEqual([
      [DISCOVERY, undefined],
      [`${CHAIN}/custom-launches/preflight`, `Bearer ${KEY}`],
    ]);
    expect(Buffer.from(bytes).equals(service.seen.at(-1)!.body)).toBe(true);
  });

  it('ends with 3 for an undeployable file, and with 8 before using the key when a gate is closed', async () => {
    const launchEligibility = { deployable: false, disposition: 'needs_evidence', findings: [], remediation: [] };
    const verdict = { classification: 'needs_evidence', launchEligibility, warnings: [] };
    const answer = { ...launchPreflight(sentRequest), ...verdict };
    serving({ '/custom-launches/preflight': [json(200, answer)] });
    expect(await validate('--remote')).toMatchObject({ exitCode: 3, result: { resource: { launchEligibility } } });

    for (const place of ['version', 'chain'] as const) {
      const closed = structuredClone(DISCOVERY_EXAMPLE) as typeof DISCOVERY_EXAMPLE;
      const { v4 } = closed.customLaunchApi.versions;
      Object.assign(place === 'version' ? v4 : v4.chains[0]!, { publicWrites: false });
      serving({}, closed);
      const { exitCode, failure } = await validate('--remote');
      expect([exitCode, failure.error.code]).toEqual([8, 'LAUNCH_CLI_GATES_CLOSED']);
      expect(sent().map(([, key]) => key)).toEqual([undefined, undefined]);
    }
  });
});

describe('launch submit', () => {
  const submit = (...more: readonly string[]) => launch('submit', requestFile, '--config', configFile, ...more);
  const route = '/custom-launches';

  it('reserves a launch under the key of its bytes, and reports a replay', async () => {
    const replay = json(200, resource('authorized'), { 'idempotency-replayed': 'true' });
    serving({ [route]: [json(202, resource('admitting')), replay] });
    const first = await submit();
    expect(first).toMatchObject({
      exitCode: 0,
      result: { command: 'submit', httpStatus: 202, replayed: false, resource: { launchId, status: 'admitting' } },
    });
    const { headers, body } = service.seen.at(-1)!;
    expect([headers['idempotency-key'], headers.authorization]).toEqual([
      `v4-${sha256Digest(bytes).slice(7)}`,
      `Bearer ${KEY}`,
    ]);
    expect(body.equals(bytes)).toBe(true);
    expect(await submit('--idempotency-key', 'a-key-of-mine-0001')).toMatchObject({
      exitCode: 0,
      result: { httpStatus: 200, replayed: true },
    });
    expect(service.seen.at(-1)!.headers['idempotency-key']).toBe('a-key-of-mine-0001');
    expect((await submit('--idempotency-key', 'short')).exitCode).toBe(2);
  });

  it('repeats the same bytes and key while the refusal allows it, and only with --retry', async () => {
    const busy = refused(503, 'SERVICE_UNAVAILABLE', { retryable: true });
    serving({ [route]: [busy, refused(429, 'RATE_LIMITED'), json(202, resource('admitting'))] });
    const { exitCode, progress } = await submit('--retry');
    const tries = service.seen.filter(({ url }) => url === `${CHAIN}${route}`);
    expect([exitCode, tries.length, progress]).toEqual([
      0,
      3,
      ['SERVICE_UNAVAILABLE: again in 0 s', 'RATE_LIMITED: again in 0 s'],
    ]);
    expect(new Set(tries.map(({ body, headers }) => `${headers['idempotency-key']} ${body.toString()}`)).size).toBe(1);

    serving({ [route]: [busy] });
    expect((await submit('--retry')).exitCode).toBe(8);
    expect(service.seen.filter(({ url }) => url === `${CHAIN}${route}`)).toHaveLength(6);
    serving({ [route]: [busy] });
    expect((await submit()).exitCode).toBe(8);
    expect(service.seen.filter(({ url }) => url === `${CHAIN}${route}`)).toHaveLength(1);
  });

  it('prints each finding of a refusal, and does not repeat the request', async () => {
    const finding = customLaunchFinding('BUDGET_EXCEEDED', '/budgets/maxLaunchValueWei', {
      expected: '2',
      actual: '1',
    });
    serving({ [route]: [refused(422, 'BUDGET_EXCEEDED', { findings: [finding] })] });
    const { exitCode, failure, stderr } = await submit('--retry');
    expect(exitCode).toBe(3);
    expect(failure.error).toMatchObject({
      refusal: { code: 'BUDGET_EXCEEDED' },
      findings: [{ code: 'BUDGET_EXCEEDED', path: '/budgets/maxLaunchValueWei', expected: '2', actual: '1' }],
    });
    expect(stderr).not.toContain(KEY);
    serving({ [route]: [refused(409, 'IDEMPOTENCY_CONFLICT')] });
    expect((await submit()).exitCode).toBe(6);
  });
});

describe('launch status', () => {
  const path = `/custom-launches/${launchId}`;
  const status = (...more: readonly string[]) =>
    launch('status', launchId, '--api-version', '4', '--chain-id', '4663', ...more);
  it('watches until the goal, prints each change once with the time of the next, and keeps the hand-off', async () => {
    const { handoff } = waitingLaunch(sentRequest);
    const reached = resource('awaiting_wallet_signature', { handoff });
    serving({
      [path]: ['admitting', 'admitting', 'authorized'].map((one) => json(200, resource(one as CustomLaunchStatus))),
    });
    expect(await status('--watch', '--until', 'authorized')).toMatchObject({
      exitCode: 0,
      result: { resource: { status: 'authorized' } },
      progress: ['admitting'],
    });
    expect(sent()[0]).toEqual([DISCOVERY, undefined]);

    const posted = resource('ethereum_posted');
    const expected = { ...posted, finality: { ...posted.finality, estimatedNextStageAt: '2100-01-01T00:00:00.000Z' } };
    serving({ [path]: [json(200, expected), json(200, resource('finalized'))] });
    expect((await status('--watch')).progress).toEqual([
      expect.stringMatching(/^ethereum_posted, next stage 2100-01-01 00:00:00 UTC \(in \d+ h\)$/),
    ]);
    expect(launchText(expected, Date.now())).toMatch(/^ *next stage +2100-01-01 00:00:00 UTC \(in \d+ h\)$/m);

    const output = join(folder.path, 'handoff.json');
    serving({ [path]: [json(200, reached)] });
    expect((await status('--output', output)).exitCode).toBe(0);
    expect(readFileSync(output).equals(canonicalizeJson(handoff!))).toBe(true);
    expect(statSync(output).mode & 0o777).toBe(0o600);
    serving({ [path]: [json(200, reached)] });
    expect([(await status('--output', output)).exitCode, service.seen]).toEqual([11, []]);
  });

  it.each<[CustomLaunchStatus, string, number]>([
    ['finalized', 'finalized', 0],
    ['finalized', 'authorized', 0],
    ['wallet_action_required', 'authorized', 0],
    ['ethereum_posted', 'authorized', 0],
    ['action_required', 'authorized', 3],
    ['failed', 'finalized', 3],
  ])('ends, for a launch in %s, a watch until %s with %d', async (reached, until, exitCode) => {
    serving({ [path]: [json(200, resource('admitting')), json(200, resource(reached))] });
    expect(await status('--watch', '--until', until)).toMatchObject({
      exitCode,
      result: { resource: { status: reached } },
    });
  });

  it('ends with 5 for an unknown launch and with 3 without a hand-off to keep, and keeps no file', async () => {
    serving({ [path]: [refused(404, 'NOT_FOUND')] });
    const output = join(folder.path, 'nothing.json');
    expect((await status('--watch', '--until', 'finalized', '--output', output)).exitCode).toBe(5);
    serving({ [path]: [json(200, resource('action_required'))] });
    expect((await status('--output', output)).failure.error.code).toBe('LAUNCH_CLI_HANDOFF_ABSENT');
    expect(existsSync(output)).toBe(false);
  });

  it('ends with 130 when it is interrupted during a wait', async () => {
    const interruption = new AbortController();
    serving({ [path]: [json(200, resource('admitting'))] });
    const run = launchIn(environment, { signal: interruption.signal, progress: () => interruption.abort() });
    expect((await run('status', launchId, '--watch')).exitCode).toBe(130);
  });

  it.each([
    [['--api-version', '2']],
    [['--chain-id', '1']],
    [['--watch', '--until', 'submitted']],
    [['--until', 'finalized']],
  ])('reports a usage error for %j', async (more) => {
    expect((await launch('status', launchId, ...more)).exitCode).toBe(2);
    expect(service.seen).toEqual([]);
  });
});

describe('The pages of a launch on the website', () => {
  const path = `/custom-launches/${launchId}`;
  const onTerminal = async (...argv: readonly string[]): Promise<string> => {
    const terminal = { ...pipedTerminal(), stdout: true, material: inventoryMaterial() };
    const { exitCode, stdout } = await runLaunch(argv, environment, terminal);
    expect(exitCode).toBe(0);
    return stdout;
  };
  const submitted = ['submit', requestFile, '--config', configFile];

  it('are printed on a terminal, the wallet page with the digest of the request that was sent', async () => {
    const waiting = waitingLaunch(sentRequest);
    const pinned = `${waiting.walletUrl}#request=${sha256Digest(bytes).slice('sha256:'.length)}`;
    serving({ '/custom-launches': [json(200, waiting)], [path]: [json(200, waiting)] });
    for (const text of [
      await onTerminal(...submitted),
      await onTerminal('status', launchId, '--request', requestFile),
    ]) {
      expect(text).toMatch(new RegExp(`^ *page +${waiting.launchUrl}$`, 'm'));
      expect(text.split('\n')).toContainEqual(expect.stringMatching(/^ *wallet page +/));
      expect(text).toContain(`${pinned}\n`);
    }
    // The digest of a launch that another program submitted is only the service's word.
    const read = await onTerminal('status', launchId);
    expect(read).toContain(`${waiting.walletUrl}\n`);
    expect(read).not.toContain('#request=');
  });

  it('are in the JSON as the service gives them, and on no line without a website', async () => {
    const waiting = waitingLaunch(sentRequest);
    serving({ '/custom-launches': [json(200, waiting)] });
    const { result } = await launch(...submitted);
    expect(result.resource).toMatchObject({ launchUrl: waiting.launchUrl, walletUrl: waiting.walletUrl });
    serving({ '/custom-launches': [json(200, { ...waiting, launchUrl: null, walletUrl: null })] });
    expect(await onTerminal(...submitted)).not.toMatch(/page/);
  });

  it.each(['launchUrl', 'walletUrl'] as const)('are refused if %s is the page of another launch', async (name) => {
    const waiting = waitingLaunch(sentRequest);
    serving({ [path]: [json(200, { ...waiting, [name]: waiting[name]!.replace(/.$/, '0') })] });
    const { exitCode, failure } = await launch('status', launchId);
    expect([exitCode, JSON.stringify(failure)]).toEqual([10, expect.stringContaining(`/${name}`)]);
  });
});
