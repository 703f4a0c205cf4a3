import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeProblem, settingProblems, type GivenSettings } from './settings.js';

const root = path.resolve(import.meta.dirname, '../../..');

let folder: string;
let busy: { readonly server: Server; readonly port: string };
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'launch-settings-'));
  await writeFile(path.join(folder, 'file'), '');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  busy = { server, port: String((server.address() as { port: number }).port) };
});
afterAll(async () => {
  busy.server.close();
  await rm(folder, { recursive: true });
});

const options: GivenSettings['options'] = {
  policy: { name: 'LAUNCH_POLICY', value: 'reachable' },
  finality: { name: 'LAUNCH_FINALITY', value: 'v2' },
  profile: { name: 'LAUNCH_PROFILE', value: '4.1' },
  'finality-seconds': { name: 'LAUNCH_FINALITY_SECONDS', value: '10' },
};

const linesOf = async (
  env: NodeJS.ProcessEnv,
  dir = path.join(folder, 'new', 'data'),
  given: Partial<GivenSettings['options']> = {},
): Promise<string[]> =>
  (await settingProblems({ options: { ...options, ...given }, dir, env, root })).map(describeProblem);

describe('The settings of a start', () => {
  it.each<[string, NodeJS.ProcessEnv]>([
    ['no variable', {}],
    [
      'free ports only',
      {
        PORT: '0',
        OPERATIONS_PORT: '0',
        REVIEWER_PORT: '0',
        POSTGRES_PORT: '0',
        TEMPORAL_PORT: '0',
        TEMPORAL_UI_PORT: '0',
      },
    ],
    [
      'values for the services',
      {
        RATE_LIMITS: '{"read":{"quantity":1,"windowSeconds":1,"burst":1}}',
        TRUSTED_PROXIES: '1',
        SIWE_ENABLED: 'true',
        SIWE_ORIGIN: 'http://127.0.0.1:3000',
        LOG_LEVEL: 'debug',
      },
    ],
    [
      'other databases and Temporal',
      { GATEWAY_DATABASE_URL: 'postgresql://u:p@h/db', TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_TLS: 'true' },
    ],
    ['empty values', { PORT: '', RATE_LIMITS: '', TEMPORAL_ADDRESS: '', RPC_1_URLS: '' }],
  ])('are accepted with %s', async (_what, env) => expect(await linesOf(env)).toEqual([]));

  it.each<[NodeJS.ProcessEnv, string]>([
    [{ PORT: 'abc' }, 'PORT=abc: must be a port number from 1 to 65535, or 0 for a free one'],
    [{ POSTGRES_PORT: '65536' }, 'POSTGRES_PORT=65536: must be a port number from 1 to 65535, or 0 for a free one'],
    [
      { TEMPORAL_PORT: '9401', TEMPORAL_UI_PORT: '9401' },
      'TEMPORAL_UI_PORT=9401: is TEMPORAL_PORT too; each needs a port of its own',
    ],
    [{ RATE_LIMITS: '{' }, 'RATE_LIMITS={: must be JSON of quotas by name, each {quantity, windowSeconds, burst}'],
    [{ TRUSTED_PROXIES: '99' }, 'TRUSTED_PROXIES=99: must be from 0 to 8'],
    [{ CONCURRENT_CREATES: 'many' }, 'CONCURRENT_CREATES=many: must be a whole number'],
    [{ SIWE_ENABLED: 'true' }, 'SIWE_ORIGIN: is required'],
    [
      { LOG_LEVEL: 'lo\nud' },
      'LOG_LEVEL=lo?ud: Invalid option: expected one of "fatal"|"error"|"warn"|"info"|"debug"|"trace"|"silent"',
    ],
    [{ TEMPORAL_ADDRESS: 'nowhere' }, 'TEMPORAL_ADDRESS=nowhere: must read host:port'],
    [
      { TEMPORAL_API_KEY_FILE: '/nowhere' },
      'TEMPORAL_API_KEY_FILE=/nowhere: must name a readable file of at most 64 KiB',
    ],
    [
      { CUSTODY_DATABASE_URL: 'mysql://user:hunter2@db.example/x?password=hunter2' },
      'CUSTODY_DATABASE_URL=mysql://db.example/…: must be a URL with protocol postgresql: or postgres:',
    ],
    [
      { CUSTODY_DATABASE_URL: 'user:hunter2@db.example' },
      'CUSTODY_DATABASE_URL=[not shown]: must be a URL with protocol postgresql: or postgres:',
    ],
  ])('report %j in one line that names the variable, its value and the allowed values', async (env, line) =>
    expect(await linesOf(env)).toEqual([line]),
  );

  it.each<[string, Partial<GivenSettings['options']>, string]>([
    ['policy', { policy: { name: '--policy', value: 'v9' } }, '--policy=v9: must be v2 or reachable'],
    ['finality', { finality: { name: 'LAUNCH_FINALITY', value: 'v9' } }, 'LAUNCH_FINALITY=v9: must be v2 or v3'],
    ['profile', { profile: { name: '--profile', value: '4' } }, '--profile=4: must be 4.1 or 4.0'],
    ...['-1', '1', 'soon', '1e9', 'Infinity'].map((value): [string, Partial<GivenSettings['options']>, string] => [
      `time of ${value}`,
      { 'finality-seconds': { name: 'LAUNCH_FINALITY_SECONDS', value } },
      `LAUNCH_FINALITY_SECONDS=${value}: must be a number of seconds from 2 to 86400`,
    ]),
  ])('report an unknown %s by its name', async (_what, given, line) =>
    expect(await linesOf({}, undefined, given)).toEqual([line]),
  );

  it('report a port of another program, but not one of a process that an earlier start left', async () => {
    const dir = path.join(folder, 'left');
    expect(await linesOf({ PORT: busy.port }, dir)).toEqual([
      `PORT=${busy.port}: cannot be listened on at 127.0.0.1: another program has it, or this user may not; give a free port, or 0 for one`,
    ]);
    await mkdir(path.join(dir, 'run'), { recursive: true });
    await writeFile(path.join(dir, 'run', 'api-gateway.pid'), `${process.pid}\n`);
    expect(await linesOf({ PORT: busy.port }, dir)).toEqual([]);
  });

  it('require other chains completely or not at all, with two providers each, and show no key of theirs', async () => {
    const lines = await linesOf({
      RPC_4663_URLS: 'a=https://one.example/v3/hunter2,b=hunter2',
      RPC_1_URLS: 'a=https://one.example,b=https://one.example/hunter2',
    });
    expect(lines).toEqual([
      expect.stringMatching(
        /^RPC_4663_URLS=a=https:\/\/one\.example\/…,b=\[not shown\]: other chains need .*; missing: LAUNCH_CONTEXT_FILE, REVIEWED_ROUTERS_FILE, PERMIT_KEY_FILE$/,
      ),
      expect.stringMatching(
        /^RPC_4663_URLS=.*: the URL of observer b does not parse; allowed is id=https:\/\/…,id=https:\/\/… of two providers$/,
      ),
      expect.stringMatching(/^RPC_1_URLS=.*: the two observers must not share a host; allowed is/),
    ]);
    expect(lines.join()).not.toContain('hunter2');
    const [l2, l1] = ['a=https://one.example,b=https://two.example', 'c=https://three.example,d=https://four.example'];
    expect(
      await linesOf({
        RPC_4663_URLS: l2,
        RPC_1_URLS: l1,
        LAUNCH_CONTEXT_FILE: path.join(folder, 'file'),
        REVIEWED_ROUTERS_FILE: folder,
        PERMIT_KEY_FILE: path.join(folder, 'file'),
      }),
    ).toEqual([`REVIEWED_ROUTERS_FILE=${folder}: must name a readable file of at most 64 KiB`]);
  });

  it('report a folder that cannot be created or written with the obstacle, and leave no file there', async () => {
    const file = path.join(folder, 'file');
    expect(await linesOf({}, path.join(file, 'data'))).toEqual([
      `LAUNCH_DATA_DIR=${file}/data: cannot be made: ${file} is no folder; give a folder that this user may make and write`,
    ]);
    expect(await linesOf({}, file)).toEqual([
      `LAUNCH_DATA_DIR=${file}: is no folder; give a folder that this user may make and write`,
    ]);
    if (process.platform === 'linux')
      expect(await linesOf({}, '/proc/data')).toEqual([
        'LAUNCH_DATA_DIR=/proc/data: cannot be made in /proc (ENOENT); give a folder that this user may make and write',
      ]);
    const before = await readdir(folder);
    expect(await linesOf({}, path.join(folder, 'a', 'b'))).toEqual([]);
    expect(await readdir(folder)).toEqual(before);
  });
});

it('npm start reports all faults at once, one line each, ends with 2 and leaves no folder.', async () => {
  const dir = path.join(folder, 'never');
  const start = spawn(process.execPath, [path.join(root, 'tools/start/dist/main.js'), '--finality', 'v9'], {
    env: { PATH: process.env['PATH'], LAUNCH_DATA_DIR: dir, PORT: 'abc', RATE_LIMITS: '[]', LAUNCH_POLICY: 'none' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, said] = ['', ''];
  start.stdout.on('data', (data: Buffer) => (out += data.toString()));
  start.stderr.on('data', (data: Buffer) => (said += data.toString()));
  const code = await new Promise((resolve) => start.once('close', resolve));
  expect([code, out]).toEqual([2, '']);
  expect(
    said
      .trim()
      .split('\n')
      .map((line) => line.slice(0, line.indexOf('='))),
  ).toEqual(['launch: LAUNCH_POLICY', 'launch: --finality', 'launch: PORT', 'launch: RATE_LIMITS']);
  await expect(readdir(dir)).rejects.toMatchObject({ code: 'ENOENT' });
});
