import { MULTI_ROLE_BASE_PATH } from '@launch/contracts/multi-role';
import { sha256Digest } from '@launch/contracts/primitives';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AnsweringServer, json } from '../fixtures/answering-server.fixture.js';
import { temporaryFolder } from '../fixtures/bundle.fixture.js';
import { fixtureCapabilities } from '../fixtures/launch-context.fixture.js';
import { runClient, type ClientRun } from './client.cli.js';

const FILES: Readonly<Record<string, string>> = {
  'client.mjs': '// the client\n',
  'guide.md': '# The guide\n',
  'request-packer.mjs': '// the packer\n',
};
const ENTRIES = { client: 'client.mjs', guide: 'guide.md', packer: 'request-packer.mjs' };

const root = temporaryFolder();
const server = new AnsweringServer();
let origin: string;
let folder: string;
/** The bytes that the service answers, by name. */
let served: Record<string, string>;
let entries: Record<string, { path: string; mediaType: string; contentSha256: string }>;
const at = (name: string): string => join(folder, name);
const download = (...more: string[]): Promise<ClientRun> =>
  runClient(['download', '--into', folder, ...more], { SERVICE_API_BASE_URL: origin });
const asked = (): string[] => server.seen.map(({ url }) => url.slice(MULTI_ROLE_BASE_PATH.length + 1));

const entryOf = (path: string, content: string) => ({
  path,
  mediaType: 'text/plain',
  contentSha256: sha256Digest(Buffer.from(content)),
});

beforeAll(async () => {
  origin = await server.start();
});
beforeEach(() => {
  server.seen.length = 0;
  folder = mkdtempSync(join(root.path, 'run-'));
  served = { ...FILES };
  entries = Object.fromEntries(
    Object.entries(ENTRIES).map(([entry, name]) => [entry, entryOf(`${MULTI_ROLE_BASE_PATH}/${name}`, FILES[name]!)]),
  );
  server.answer = (response, request) => {
    const name = request.url.slice(MULTI_ROLE_BASE_PATH.length + 1);
    if (name === 'capabilities')
      return json(200, { ...fixtureCapabilities(), documentation: entries })(response, request);
    return void response.writeHead(200, { 'content-type': 'text/plain' }).end(served[name]);
  };
});
afterAll(async () => {
  await server.stop();
  root.remove();
});

describe('download', () => {
  it('fetches the files that the folder lacks, without a key, and checks those that it has', async () => {
    writeFileSync(at('client.mjs'), FILES['client.mjs']!);
    const run = await download('--save-response', at('capabilities.json'));
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    const { command, responseSaved, response } = JSON.parse(run.stdout);
    expect([command, responseSaved, response.readiness.status]).toEqual(['download', true, 'ready']);
    expect(response.files).toEqual([
      { file: 'client.mjs', contentSha256: entries['client']!.contentSha256, downloaded: false },
      { file: 'guide.md', contentSha256: entries['guide']!.contentSha256, downloaded: true },
      { file: 'request-packer.mjs', contentSha256: entries['packer']!.contentSha256, downloaded: true },
    ]);
    expect(asked()).toEqual(['capabilities', 'guide.md', 'request-packer.mjs']);
    expect(server.seen.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
    for (const [name, content] of Object.entries(FILES)) expect(readFileSync(at(name), 'utf8')).toBe(content);
    expect(statSync(at('guide.md')).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(at('capabilities.json'), 'utf8')).documentation).toEqual(entries);
  });

  it('names every file with other bytes, writes none of them and leaves those that were there', async () => {
    writeFileSync(at('client.mjs'), '// another client\n');
    served['guide.md'] = '# Another guide\n';
    const run = await download('--save-response', at('capabilities.json'));
    expect([run.exitCode, run.stdout]).toEqual([3, '']);
    const { code, findings } = JSON.parse(run.stderr);
    expect([code, findings.map(({ path }: { path: string }) => path)]).toEqual([
      'MULTI_ROLE_CLIENT_DOWNLOAD_DIFFERS',
      ['client.mjs', 'guide.md'],
    ]);
    expect(readdirSync(folder).sort()).toEqual(['client.mjs', 'request-packer.mjs']);
    expect(readFileSync(at('client.mjs'), 'utf8')).toBe('// another client\n');
  });

  it('downloads nothing twice', async () => {
    await download();
    server.seen.length = 0;
    const again = await download();
    expect([again.exitCode, asked()]).toEqual([0, ['capabilities']]);
  });

  it('refuses capabilities with a file that has no plain name below the base path, and writes nothing', async () => {
    entries = {
      client: entryOf(`${MULTI_ROLE_BASE_PATH}/../../escape.mjs`, 'x'),
      guide: entryOf(`${MULTI_ROLE_BASE_PATH}/.bashrc`, 'x'),
      packer: entryOf('/other/packer.mjs', 'x'),
      openapi: entryOf('/openapi.json', 'x'),
    };
    const run = await download();
    const { code, findings } = JSON.parse(run.stderr) as { code: string; findings: { path: string }[] };
    expect([run.exitCode, code, asked()]).toEqual([10, 'MULTI_ROLE_CLIENT_RESPONSE_INVALID', ['capabilities']]);
    expect(findings.map(({ path }) => path)).toEqual(
      ['guide', 'client', 'packer'].map((file) => `/documentation/${file}/path`),
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it("ends with the service's refusal of a file", async () => {
    const answer = server.answer;
    server.answer = (response, request) =>
      request.url.endsWith('/guide.md')
        ? json(503, 'no JSON of the contract')(response, request)
        : answer(response, request);
    const run = await download();
    expect([run.exitCode, JSON.parse(run.stderr).code]).toEqual([8, 'MULTI_ROLE_CLIENT_UNAVAILABLE']);
  });

  it('reads as one line a file on a terminal', async () => {
    writeFileSync(at('client.mjs'), FILES['client.mjs']!);
    const clock = { now: () => 0, sleep: () => Promise.resolve() };
    const terminal = { stdout: true, stderr: true, say: () => undefined, clock };
    const run = await runClient(['download', '--into', folder], { SERVICE_API_BASE_URL: origin }, undefined, terminal);
    expect(run.stdout).toBe(
      'as published  client.mjs (was here)\nas published  guide.md\nas published  request-packer.mjs\nreadiness     ready\n',
    );
  });
});
