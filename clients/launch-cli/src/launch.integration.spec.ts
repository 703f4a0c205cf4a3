import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DISCOVERY_EXAMPLE } from '../../../apps/api-gateway/src/products/discovery/http/discovery.example.js';
import { MACHINE_CONTRACT_DIGESTS } from '@launch/contracts/custom-launch';
import { credentialSchema } from '@launch/contracts/launch';
import { launchCliReleaseSchema, launchCoverageSchema, type LaunchCliRelease } from '@launch/contracts/reports';
import { AnsweringServer, json, type Answering } from '../../multi-role/src/fixtures/answering-server.fixture.js';
import { customLaunchConfig, customLaunchContext } from '../../multi-role/src/fixtures/custom-launch.fixture.js';
import { REPOSITORY, runNode, temporaryFolder } from '../../multi-role/src/fixtures/bundle.fixture.js';
import { pipedTerminal } from './fixtures/launch-run.fixture.js';
import { runLaunch } from './run-launch.js';

const folder = temporaryFolder();
const built = join(folder.path, 'built');
const program = join(built, 'launch.mjs');
const service = new AnsweringServer();
const elsewhere = new AnsweringServer();
let origin: string;
let otherOrigin: string;
beforeAll(async () => {
  [origin, otherOrigin] = await Promise.all([service.start(), elsewhere.start()]);
  const build = await runNode([join(REPOSITORY, 'clients/launch-cli/build.mjs'), built]);
  expect(build).toMatchObject({ code: 0, stderr: '' });
});
afterAll(async () => {
  await Promise.all([service.stop(), elsewhere.stop()]);
  folder.remove();
});

const REPORT = launchCoverageSchema.parse({
  schemaVersion: 'service.chain-launch-coverage.v1',
  chainId: '4663',
  caip2: 'eip155:4663',
  profile: null,
  serviceReadiness: { status: 'unavailable', reasonCodes: ['NO_PROFILE'] },
  representableArchitecture: null,
  activatedVerifierCoverage: { seedV1: 'unavailable' },
  requestAuthorization: { requestAuthorized: false },
});
const run = (...argv: string[]) =>
  runNode([program, ...argv], { env: { SERVICE_API_BASE_URL: origin, SERVICE_API_KEY: 'sentinel-key' } });

describe('launch coverage', () => {
  it('prints the report and keeps its exact bytes, without a key', async () => {
    const bytes = JSON.stringify({ ...REPORT, later: 1 }, null, 2);
    service.answer = json(200, bytes);
    const file = join(folder.path, 'coverage.json');
    const { code, stdout, stderr } = await run('coverage', '--chain-id', '4663', '--output', file);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({
      command: 'coverage',
      httpStatus: 200,
      replayed: false,
      resource: { ...REPORT, later: 1 },
    });
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([bytes, 0o600]);
    const { url, headers } = service.seen.at(-1)!;
    expect([url, headers.authorization]).toEqual(['/v4/chains/4663/launch-coverage', undefined]);
    expect((await run('coverage', '--output', file)).code).toBe(11);
    expect(readFileSync(file, 'utf8')).toBe(bytes);
  });

  const refused = (code: string) => ({
    error: {
      code,
      message: 'Nothing of it.',
      requestId: `req_${'0'.repeat(26)}`,
      retryable: false,
      retryAfterSeconds: null,
      statusUrl: null,
      findings: [],
    },
  });
  it.each<[string, number, string, Answering]>([
    ['switched off', 5, 'LAUNCH_CLI_REFUSED', json(404, refused('NOT_FOUND'))],
    ['a later code', 8, 'LAUNCH_CLI_REFUSED', json(503, refused('CODE_OF_LATER'))],
    [
      'a redirect',
      10,
      'LAUNCH_CLI_ANSWER_INVALID',
      (one) => void one.writeHead(302, { location: `${otherOrigin}/` }).end(),
    ],
    ['too large', 10, 'LAUNCH_CLI_ANSWER_INVALID', json(200, { ...REPORT, later: 'x'.repeat(4 * 1024 * 1024) })],
    ['another schema', 10, 'LAUNCH_CLI_ANSWER_INVALID', json(200, { ...REPORT, profile: 4 })],
    [
      'an authorization',
      10,
      'LAUNCH_CLI_ANSWER_INVALID',
      json(200, { ...REPORT, requestAuthorization: { requestAuthorized: true } }),
    ],
  ])('ends on the answer %s with %d and keeps no file', async (what, exitCode, errorCode, answering) => {
    service.answer = answering;
    const file = join(folder.path, `${what}.json`);
    const { code, stdout, stderr } = await run('coverage', '--output', file);
    expect([code, stdout, existsSync(file), elsewhere.seen]).toEqual([exitCode, '', false, []]);
    expect(JSON.parse(stderr)).toMatchObject({ command: 'coverage', error: { code: errorCode }, exitCode });
    expect(stderr).not.toContain('sentinel-key');
  });

  it('ends with 9 when no answer arrives in time', async () => {
    service.answer = (response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    const { exitCode, stderr } = await runLaunch(
      ['coverage'],
      { SERVICE_API_BASE_URL: origin },
      { ...pipedTerminal(), bounds: { readMs: 50 } },
    );
    expect([exitCode, stderr]).toEqual([9, expect.stringContaining('ANSWER_TOO_SLOW')]);
  });

  it('ends with 9 when no server answers', async () => {
    const unused = new AnsweringServer();
    const gone = await unused.start();
    await unused.stop();
    const { code } = await runNode([program, 'coverage'], { env: { SERVICE_API_BASE_URL: gone } });
    expect(code).toBe(9);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends with 130 and keeps no file when %s interrupts it', async (signal) => {
    const file = join(folder.path, `${signal}.json`);
    const asked = new Promise<void>((resolve) => {
      service.answer = () => resolve();
    });
    const child = spawn(process.execPath, [program, 'coverage', '--output', file], {
      env: { SERVICE_API_BASE_URL: origin },
      stdio: 'ignore',
    });
    const ended = once(child, 'close');
    await asked;
    child.kill(signal);
    expect([(await ended)[0], existsSync(file)]).toEqual([130, false]);
  });
});

describe('launch credential', () => {
  const CREDENTIAL = credentialSchema.parse({
    schemaVersion: 'service.custom-launch-credential.v1',
    credentialId: 'one',
    lineageId: 'two',
    generation: 1,
    kind: 'wallet',
    scopes: ['custom-launch:read'],
    chainGrants: ['4663'],
    boundController: `0x${'1'.repeat(40)}`,
    allowedControllers: [],
    createdAt: '2026-01-01T00:00:00.000Z',
    expiresAt: null,
    rotatedFrom: null,
    status: 'active',
  });
  const DISCOVERED = ['/.well-known/custom-launch.json', undefined];

  it('reads discovery without the key, then sends the key to the one route that takes it', async () => {
    service.answer = (response, request) =>
      json(200, request.url.startsWith('/v4/') ? CREDENTIAL : DISCOVERY_EXAMPLE)(response, request);
    const before = service.seen.length;
    const { code, stdout, stderr } = await run('credential');
    expect([code, stderr, JSON.parse(stdout).resource]).toEqual([0, '', CREDENTIAL]);
    expect(service.seen.slice(before).map(({ url, headers }) => [url, headers.authorization])).toEqual([
      DISCOVERED,
      ['/v4/chains/4663/custom-launch-credentials/me', 'Bearer sentinel-key'],
    ]);
  });

  it('sends no key to a server without a discovery document', async () => {
    service.answer = json(200, { hello: 'world' });
    const before = service.seen.length;
    const { code, stderr } = await run('credential');
    expect([code, stderr.includes('sentinel-key')]).toEqual([10, false]);
    expect(service.seen.slice(before).map(({ url, headers }) => [url, headers.authorization])).toEqual([DISCOVERED]);
  });
});

describe('launch version --verify', () => {
  const CONTRACT = MACHINE_CONTRACT_DIGESTS['4.1'];
  const digestOf = (bytes: string | Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  const manifest = (): LaunchCliRelease =>
    launchCliReleaseSchema.parse(JSON.parse(readFileSync(join(built, 'launch-cli-release.json'), 'utf8')));
  interface Deployment {
    readonly release?: object;
    /** The digest of the manifest in discovery. Defaults to its actual digest. */
    readonly manifestSha256?: string;
    readonly programSha256?: string;
    /** The digest of the machine contract in discovery. */
    readonly bound?: string | null;
  }
  /** Serves a manifest, and the discovery document of a deployment that publishes it. */
  const publishing = ({ release = manifest(), ...deployment }: Deployment = {}): Answering => {
    const text = JSON.stringify(release);
    const { manifestSha256 = digestOf(text), programSha256 = manifest().file.sha256, bound = CONTRACT } = deployment;
    const clients = {
      launchCli: {
        program: { path: '/x', contentSha256: programSha256 },
        manifest: { path: '/y', contentSha256: manifestSha256 },
      },
    };
    return (response, request) =>
      json(200, request.url.startsWith('/v4/clients/') ? text : discovery({ clients, bound }))(response, request);
  };
  const discovery = ({ clients, bound }: { readonly clients: object; readonly bound: string | null }) => {
    const { customLaunchApi } = DISCOVERY_EXAMPLE;
    const { versions } = customLaunchApi;
    const v4 = { ...versions.v4, openApiSha256: bound, openApiUrl: bound === null ? null : versions.v4.openApiUrl };
    return {
      ...DISCOVERY_EXAMPLE,
      clients: { ...DISCOVERY_EXAMPLE.clients, ...clients },
      customLaunchApi: { ...customLaunchApi, versions: { ...versions, v4 } },
    };
  };

  it('ends with 0 when the published program is this file, and the deployment binds the contract of its manifest', async () => {
    expect(manifest().openApiSha256).toBe(digestOf(readFileSync(join(REPOSITORY, 'libs/contracts/machine/4.1.json'))));
    expect(manifest().file).toEqual({
      path: 'launch.mjs',
      byteLength: statSync(program).size,
      sha256: digestOf(readFileSync(program)),
    });
    service.answer = publishing();
    const { code, stdout } = await run('version', '--verify');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { resource: { isPublished: true, differences: [], openApiSha256: CONTRACT } },
    ]);
  });

  const OTHER = `sha256:${'0'.repeat(64)}`;
  it.each<[string, () => Deployment, readonly object[]]>([
    [
      'another file in the manifest',
      () => ({ release: { ...manifest(), file: { ...manifest().file, sha256: OTHER } } }),
      [{ member: 'sha256', source: 'manifest', expected: OTHER }],
    ],
    [
      'another file in discovery',
      () => ({ programSha256: OTHER }),
      [{ member: 'sha256', source: 'discovery', expected: OTHER }],
    ],
    [
      'another profile',
      () => ({ release: { ...manifest(), apiProfile: '4.0.0' } }),
      [{ member: 'apiProfile', source: 'manifest', found: '4.1.0', expected: '4.0.0' }],
    ],
    [
      'another contract in the manifest',
      () => ({ release: { ...manifest(), openApiSha256: OTHER } }),
      [{ member: 'openApiSha256', source: 'manifest', expected: OTHER }],
    ],
    [
      'another bound contract',
      () => ({ bound: OTHER }),
      [{ member: 'openApiSha256', source: 'discovery', found: CONTRACT, expected: OTHER }],
    ],
    ['no bound contract', () => ({ bound: null }), [{ member: 'openApiSha256', source: 'discovery', expected: null }]],
    [
      'a manifest that is not the one of discovery',
      () => ({ manifestSha256: OTHER }),
      [{ member: 'manifest', source: 'discovery', expected: OTHER }],
    ],
  ])('ends with 3 and names the difference when the deployment has %s', async (_what, deployment, differences) => {
    service.answer = publishing(deployment());
    const { code, stdout } = await run('version', '--verify');
    expect([code, JSON.parse(stdout)]).toMatchObject([3, { resource: { isPublished: false, differences } }]);
  });

  it('ends with 5 when no program is published', async () => {
    service.answer = json(200, discovery({ clients: { launchCli: null }, bound: CONTRACT }));
    expect((await run('version', '--verify')).code).toBe(5);
  });
});

describe('launch.mjs', () => {
  it('packs with its own material, and sends no request', async () => {
    const context = customLaunchContext();
    const [config, document, output] = ['config', 'context', 'request'].map((name) =>
      join(folder.path, `${name}.json`),
    ) as [string, string, string];
    writeFileSync(config, JSON.stringify(customLaunchConfig(context)));
    writeFileSync(document, JSON.stringify(context));
    const before = service.seen.length;
    const { code, stdout } = await run('pack', '--config', config, '--context', document, '--output', output);
    expect([code, service.seen.length]).toEqual([0, before]);
    expect(JSON.parse(stdout).resource.requestSha256).toBe(
      `sha256:${createHash('sha256').update(readFileSync(output)).digest('hex')}`,
    );
  });

  it('needs only Node and contains no path of the source tree', () => {
    const text = readFileSync(program, 'utf8');
    // The module that runs commands is in it as a string.
    const code = text.replaceAll('\\n', '\n').replaceAll('\\"', '"');
    const imported = [...code.matchAll(/(?:^|;)import ?[\w*{][^;"']*?from ?"([^"]+)"/gm)].map(([, from]) =>
      from!.replace(/^node:/, ''),
    );
    expect(imported).toContain('fs');
    expect(imported.filter((from) => !builtinModules.includes(from))).toEqual([]);
    expect(text).not.toContain(REPOSITORY);
    expect(statSync(program).mode & 0o111).toBe(0o111);
  });

  it('has the same bytes when it is built from a copy of the source tree at another path', async () => {
    const copy = join(folder.path, 'clone');
    const left = /\/(node_modules|dist|bundles)(\/|$)/;
    const parts = ['clients/api-client', 'clients/core', 'clients/handoff', 'clients/launch-cli', 'clients/multi-role'];
    for (const part of [...parts, 'libs/contracts', 'libs/evm', 'libs/images', 'libs/launch-rules'])
      cpSync(join(REPOSITORY, part), join(copy, part), {
        recursive: true,
        filter: (from) => !left.test(from.slice(REPOSITORY.length - 1)),
      });
    cpSync(join(REPOSITORY, 'solidity/artifacts'), join(copy, 'solidity/artifacts'), { recursive: true });
    cpSync(join(REPOSITORY, 'tools/build-info.mjs'), join(copy, 'tools/build-info.mjs'));
    const packages = join(REPOSITORY, 'node_modules');
    mkdirSync(join(copy, 'node_modules/@launch'), { recursive: true });
    for (const name of readdirSync(packages).filter((one) => !one.startsWith('.') && one !== '@launch'))
      symlinkSync(join(packages, name), join(copy, 'node_modules', name));
    for (const part of readdirSync(join(copy, 'libs')))
      symlinkSync(join('../../libs', part), join(copy, 'node_modules/@launch', part));
    for (const part of readdirSync(join(copy, 'clients')))
      symlinkSync(join('../../clients', part), join(copy, 'node_modules/@launch', part));
    symlinkSync('../../clients/core', join(copy, 'node_modules/@launch/client-core'));
    const elsewhereBuilt = join(folder.path, 'built-elsewhere');
    const { sourceCommit: commit } = launchCliReleaseSchema.parse(
      JSON.parse(readFileSync(join(built, 'launch-cli-release.json'), 'utf8')),
    );
    const { code, stderr } = await runNode([join(copy, 'clients/launch-cli/build.mjs'), elsewhereBuilt], {
      cwd: folder.path,
      // The copy has no history, so the build takes its commit as an argument.
      env: { HOME: folder.path, TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8', SOURCE_COMMIT: commit },
    });
    expect([code, stderr]).toEqual([0, '']);
    for (const file of ['launch.mjs', 'launch-cli-release.json'])
      expect([file, readFileSync(join(elsewhereBuilt, file)).equals(readFileSync(join(built, file)))]).toEqual([
        file,
        true,
      ]);
  });
});
