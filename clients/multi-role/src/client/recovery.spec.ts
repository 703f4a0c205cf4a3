import { isCanonical, parseStrictJson } from '@launch/contracts/json';
import { commitContext } from '@launch/contracts/launch';
import {
  DERIVED_CONTRACT_FINALITY_V3,
  FINALITY_READINESS_PATH,
  FINALITY_ROUTES,
  type FinalityDiscovery,
  type FinalityStatusV3,
  type LaunchResource,
  MULTI_ROLE_BASE_PATH,
  transactionHintV3Schema,
} from '@launch/contracts/multi-role';
import type { Hex } from '@launch/contracts/primitives';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AnsweringServer, json, type Answering } from '../fixtures/answering-server.fixture.js';
import { fixtureError, fixtureFinality, fixtureLaunch, FIXTURE_LAUNCH_ID } from '../fixtures/launch-answers.fixture.js';
import { recoverFinality, recoverTransactionHint } from './recovery.js';
import { readOriginalLaunch } from './original-launch.js';
import { runClient, type ClientRun } from './client.cli.js';

const KEY = 'key-for-tests';
const HASH = `0x${'7'.repeat(64)}`;
const OTHER = `0x${'8'.repeat(64)}`;
const AT = '2026-01-01T00:00:00.000Z';
const DISCOVERY_URL = `${MULTI_ROLE_BASE_PATH}/derived-finality-v3/discovery`;

const server = new AnsweringServer();
let origin: string;
let folder: string;
beforeAll(async () => {
  origin = await server.start();
  folder = mkdtempSync(join(tmpdir(), 'client-recovery-'));
});
beforeEach(() => void (server.seen.length = 0));
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns an original response; a marker of `undefined` is V2. */
function original(marker?: unknown): LaunchResource {
  const launch = fixtureLaunch(Buffer.from('request'));
  const context = {
    ...launch.context,
    profile: {
      ...launch.context.profile,
      ...(marker === undefined ? {} : { derivedContractFinality: marker as string }),
    },
  };
  return { ...launch, context, contextHash: commitContext(context).contextHash };
}
const bytesOf = (launch: object): Buffer => Buffer.from(JSON.stringify(launch));
const V3 = original(DERIVED_CONTRACT_FINALITY_V3);

const discovery = (policyV3 = DERIVED_CONTRACT_FINALITY_V3): FinalityDiscovery => ({
  schemaVersion: 'service.multi-role-finality-discovery.v3',
  chainId: '4663',
  caip2: 'eip155:4663',
  selection: { contextField: 'profile.derivedContractFinality', absent: 'v2', policyV3, otherwise: 'refused' },
  current: 'v3',
  ...FINALITY_ROUTES,
  readiness: FINALITY_READINESS_PATH,
});
const statusV3 = (more: Partial<FinalityStatusV3> = {}): FinalityStatusV3 => ({
  ...fixtureFinality(),
  schemaVersion: 'service.multi-role-finality-status.v3',
  policy: DERIVED_CONTRACT_FINALITY_V3,
  contextHash: V3.contextHash,
  onchainLaunchId: V3.onchainLaunchId,
  nextStage: 'included',
  derivedContracts: null,
  ...more,
});
const receiptV3 = (more: object = {}) => ({
  schemaVersion: 'service.multi-role-transaction-hint-receipt.v3',
  launchId: FIXTURE_LAUNCH_ID,
  contextHash: V3.contextHash,
  transactionHash: HASH,
  registeredAt: AT,
  assertsInclusion: false,
  statusUrl: `${MULTI_ROLE_BASE_PATH}/${FIXTURE_LAUNCH_ID}/finality-v3`,
  ...more,
});
/** Serves discovery and all other routes separately. */
const service =
  (rest: Answering, policyV3?: string): Answering =>
  (response, request) =>
    (request.url === DISCOVERY_URL ? json(200, discovery(policyV3)) : rest)(response, request);

let files = 0;
function client(launch: object | string, ...args: string[]): Promise<ClientRun> {
  const file = join(folder, `original-${(files += 1)}.json`);
  writeFileSync(file, typeof launch === 'string' ? launch : bytesOf(launch));
  return runClient([args[0]!, '--original-launch', file, ...args.slice(1)], {
    SERVICE_API_BASE_URL: origin,
    SERVICE_API_KEY: KEY,
  });
}
const failure = (run: ClientRun) =>
  JSON.parse(run.stderr) as { code: string; findings: { path: string; message: string }[] };

describe('recovery by the original launch', () => {
  it('reads V2 for an original without a marker, and nothing else', async () => {
    server.answer = json(200, fixtureFinality());
    const run = await client(original(), 'recovery-finality');
    expect([run.exitCode, run.stderr]).toEqual([0, '']);
    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET ${MULTI_ROLE_BASE_PATH}/${FIXTURE_LAUNCH_ID}/finality`,
    ]);
  });

  it('reads V3 for an original with the policy, after discovery has named it, and sends the key to the launch route only', async () => {
    server.answer = service(json(200, statusV3()));
    const run = await client(V3, 'recovery-finality');
    expect(JSON.parse(run.stdout)).toMatchObject({
      command: 'recovery-finality',
      response: { contextHash: V3.contextHash },
    });
    expect(server.seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      [DISCOVERY_URL, undefined],
      [`${MULTI_ROLE_BASE_PATH}/${FIXTURE_LAUNCH_ID}/finality-v3`, `Bearer ${KEY}`],
    ]);
  });

  it("sends canonical hint bytes of the original's generation", async () => {
    server.answer = service(json(202, receiptV3()));
    expect((await client(V3, 'recovery-transaction-hints', '--transaction-hash', HASH)).exitCode).toBe(0);
    const [, sent] = server.seen;
    expect(sent?.url).toBe(`${MULTI_ROLE_BASE_PATH}/${FIXTURE_LAUNCH_ID}/transaction-hints-v3`);
    expect(isCanonical(sent!.body)).toBe(true);
    expect(transactionHintV3Schema.parse(parseStrictJson(sent!.body)).transactionHash).toBe(HASH);

    server.seen.length = 0;
    server.answer = json(202, {
      ...receiptV3({ schemaVersion: 'service.multi-role-transaction-hint-receipt.v2' }),
      statusUrl: `${MULTI_ROLE_BASE_PATH}/${FIXTURE_LAUNCH_ID}/finality`,
      contextHash: undefined,
    });
    expect((await client(original(), 'recovery-transaction-hints', '--transaction-hash', HASH)).exitCode).toBe(0);
    expect(server.seen.map(({ url }) => url)).toEqual([
      `${MULTI_ROLE_BASE_PATH}/${FIXTURE_LAUNCH_ID}/transaction-hints`,
    ]);
  });

  it('keeps working for an original with fields of another time, in it and in its context', async () => {
    const context = { ...original().context, later: { any: ['thing'] } };
    const launch = {
      ...original(),
      context,
      contextHash: commitContext(context).contextHash,
      somethingNewer: 1,
      findings: undefined,
    };
    server.answer = json(200, fixtureFinality());
    expect((await client(launch, 'recovery-finality')).exitCode).toBe(0);
  });

  it.each([
    ['a context changed after it was stored', { ...V3, context: original().context }, '/contextHash'],
    ['a marker taken away', { ...V3, context: { ...V3.context, profile: original().context.profile } }, '/contextHash'],
    ['a hash of something else', { ...V3, contextHash: OTHER }, '/contextHash'],
    ['an unknown marker', original('service.derived-contract-finality.v4'), '/context/profile/derivedContractFinality'],
    [
      'a marker in other letters',
      original('SERVICE.DERIVED-CONTRACT-FINALITY.V3'),
      '/context/profile/derivedContractFinality',
    ],
    ['an empty marker', original(''), '/context/profile/derivedContractFinality'],
    ['a marker that is null', original(null), '/context/profile/derivedContractFinality'],
    ['a marker that is a list', original([DERIVED_CONTRACT_FINALITY_V3]), '/context/profile/derivedContractFinality'],
    ['another document', { schemaVersion: 'service.multi-role-wallet-handoff.v2' }, '/schemaVersion'],
    ['a launch id that is a path', { ...V3, launchId: '../capabilities' }, '/launchId'],
    ['no JSON', '{', ''],
    ['a repeated key', JSON.stringify(V3).replace('{', '{"contextHash":"0x00",'), ''],
  ])('sends nothing for an original with %s', async (_what, launch, path) => {
    server.answer = service(json(200, statusV3()));
    const run = await client(launch, 'recovery-finality');
    expect([run.exitCode, run.stdout]).toEqual([3, '']);
    expect(failure(run)).toMatchObject({ code: 'MULTI_ROLE_CLIENT_ORIGINAL_INVALID' });
    expect(failure(run).findings.map((finding) => finding.path)).toContain(path);
    expect(server.seen).toHaveLength(0);
  });

  it("stops when the service's V3 is another policy", async () => {
    server.answer = service(json(200, statusV3()), 'service.derived-contract-finality.v4');
    const run = await client(V3, 'recovery-finality');
    expect([run.exitCode, failure(run).findings[0]?.path]).toEqual([10, '/selection/policyV3']);
    expect(server.seen).toHaveLength(1);
  });

  it.each([
    ['another launch', statusV3({ launchId: 'aaaaaaaa-0000-4000-8000-000000000000' }), '/launchId'],
    ['another context', statusV3({ contextHash: OTHER as Hex }), '/contextHash'],
    ['another on-chain launch', statusV3({ onchainLaunchId: OTHER as Hex }), '/onchainLaunchId'],
    ['V2', fixtureFinality(), '/schemaVersion'],
    ['finality without its proofs', { ...statusV3(), state: 'ethereum_finalized' }, ''],
  ])('refuses an answer for %s', async (_what, body, path) => {
    server.answer = service(json(200, body));
    const run = await client(V3, 'recovery-finality');
    expect([run.exitCode, run.stdout]).toEqual([10, '']);
    expect(failure(run).findings.map((finding) => finding.path)).toContain(path);
  });

  it('refuses a V3 answer for a V2 launch, and a receipt of another hash', async () => {
    server.answer = json(200, statusV3());
    expect((await client(original(), 'recovery-finality')).exitCode).toBe(10);
    server.answer = service(json(202, receiptV3({ transactionHash: OTHER })));
    expect((await client(V3, 'recovery-transaction-hints', '--transaction-hash', HASH)).exitCode).toBe(10);
  });

  it('finality-discovery needs no key', async () => {
    server.answer = json(200, discovery());
    const run = await runClient(['finality-discovery'], { SERVICE_API_BASE_URL: origin });
    expect(JSON.parse(run.stdout)).toMatchObject({
      response: { selection: { policyV3: DERIVED_CONTRACT_FINALITY_V3 } },
    });
  });
});

describe('the recovery as a library', () => {
  it('gives the same result', async () => {
    expect(readOriginalLaunch(bytesOf(V3))).toEqual({
      launchId: FIXTURE_LAUNCH_ID,
      onchainLaunchId: V3.onchainLaunchId,
      contextHash: V3.contextHash,
      generation: 'v3',
    });
    server.answer = service(json(200, statusV3()));
    expect(await recoverFinality({ origin, apiKey: KEY }, bytesOf(V3))).toEqual(statusV3());
    server.answer = service(json(202, receiptV3()));
    expect(await recoverTransactionHint({ origin, apiKey: KEY }, bytesOf(V3), HASH)).toEqual(receiptV3());
  });

  it('has one deadline for both requests', async () => {
    server.answer = service(() => undefined);
    await expect(recoverFinality({ origin, apiKey: KEY, deadlineMs: 300 }, bytesOf(V3))).rejects.toMatchObject({
      code: 'MULTI_ROLE_CLIENT_DEADLINE_EXCEEDED',
    });
  });

  it.each([
    [
      'a plain HTTP origin',
      { origin: 'http://service.example', apiKey: KEY },
      HASH,
      'MULTI_ROLE_CLIENT_ENVIRONMENT_INVALID',
    ],
    [
      'a key that is none',
      { origin: 'https://service.example', apiKey: '' },
      HASH,
      'MULTI_ROLE_CLIENT_ENVIRONMENT_INVALID',
    ],
    [
      'a hash that is none',
      { origin: 'https://service.example', apiKey: KEY },
      'latest',
      'MULTI_ROLE_CLIENT_ARGUMENTS_INVALID',
    ],
  ])('sends nothing with %s', async (_what, where, hash, code) => {
    await expect(recoverTransactionHint(where, bytesOf(V3), hash)).rejects.toMatchObject({ code });
  });
});

describe('a launch that a kept response names', () => {
  it.each([
    ['get', [], `/${FIXTURE_LAUNCH_ID}`],
    ['wait', ['--until', 'authorized'], `/${FIXTURE_LAUNCH_ID}`],
  ])('is read by %s without its id', async (command, more, route) => {
    server.answer = json(200, { ...original(), status: 'submitted' });
    const run = await client(original(), command, ...more);
    expect([run.exitCode, run.stderr.includes('"code"')]).toEqual([0, false]);
    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([`GET ${MULTI_ROLE_BASE_PATH}${route}`]);
  });

  it.each([
    ['V2', original(), 'finalized'],
    ['V3', V3, 'finalized-v3'],
  ])('has the public record of its generation: %s', async (_generation, launch, feed) => {
    server.answer = json(404, fixtureError('NOT_FOUND'));
    const run = await client(launch, 'finalized-record');
    expect([run.exitCode, server.seen[0]?.url]).toEqual([
      5,
      `${MULTI_ROLE_BASE_PATH}/${feed}/${launch.onchainLaunchId}`,
    ]);
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
  });

  it('has its evidence read without the id', async () => {
    server.answer = json(404, fixtureError('NOT_FOUND'));
    const run = await client(original(), 'evidence', '--save-response', join(folder, 'evidence.json'));
    expect([run.exitCode, server.seen[0]?.url]).toEqual([
      5,
      `${MULTI_ROLE_BASE_PATH}/${FIXTURE_LAUNCH_ID}/finality/evidence`,
    ]);
  });

  it.each([
    ['get', ['--launch-id', FIXTURE_LAUNCH_ID], '--launch-id'],
    ['finalized-record', ['--onchain-launch-id', HASH], '--onchain-launch-id'],
  ])('is not named twice to %s', async (command, more, option) => {
    const run = await client(original(), command, ...more);
    expect([run.exitCode, failure(run).findings.map(({ path }) => path)]).toEqual([2, [option]]);
    expect(server.seen).toEqual([]);
  });

  it.each([
    ['get', '--launch-id'],
    ['finalized-record', '--onchain-launch-id'],
  ])('is required by %s', async (command, option) => {
    const run = await runClient([command], { SERVICE_API_BASE_URL: origin, SERVICE_API_KEY: KEY });
    expect([run.exitCode, failure(run).findings.map(({ path }) => path)]).toEqual([2, [option]]);
  });
});
