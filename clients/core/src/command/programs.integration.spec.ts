import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { png } from '../../../../libs/images/src/image-encoders.fixture.js';

// Builds every program, and starts each several times.
jest.setTimeout(300_000);

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));
const CLIENTS = join(REPOSITORY, 'clients');
const root = mkdtempSync(join(tmpdir(), 'programs-'));
let folder: string;
const at = (name: string): string => join(folder, name);

const launchVerify = [
  ...['--no-warnings', '--conditions', '@launch/source', '--import', join(REPOSITORY, 'tools/source-hooks.mjs')],
  join(REPOSITORY, 'clients/verify/src/main.ts'),
];
const launchDeploy = [...launchVerify.slice(0, -1), join(REPOSITORY, 'deploy/cli/src/main.ts')];
const launchAdmin = [
  ...['--no-warnings', '--conditions', '@launch/source'],
  ...['--import', join(REPOSITORY, 'tools/decorated-source-hooks.mjs')],
  join(REPOSITORY, 'apps/api-gateway/src/composition/admin/main.ts'),
];
const moduleCli = (): string => {
  const [release] = readdirSync(join(root, 'module-cli'));
  return join(root, 'module-cli', release!, 'module-cli.mjs');
};
const multiRole = (name: string): string => join(CLIENTS, 'multi-role/bundles', name);

interface Program {
  readonly name: string;
  readonly node: () => readonly string[];
  /** Arguments with which the program prints to stdout and ends with 0. */
  readonly tells: readonly string[];
  /** An option that precedes a value that is not UTF-8, and the place that the refusal names. */
  readonly takes: readonly string[];
  readonly names: RegExp;
}

const PROGRAMS: readonly Program[] = [
  {
    name: 'launch',
    node: () => [join(root, 'launch-cli/launch.mjs')],
    tells: ['--help'],
    takes: ['init', '--name'],
    names: /"--name is not valid UTF-8\./,
  },
  {
    name: 'launch, running a command',
    node: () => [join(root, 'launch-cli/launch.mjs')],
    tells: ['completion', 'bash'],
    takes: ['pack', '--config'],
    names: /"--config is not valid UTF-8\./,
  },
  {
    name: 'client',
    node: () => [multiRole('client.mjs')],
    tells: ['--help'],
    takes: ['capabilities', '--save-response'],
    names: /"is not valid UTF-8","path":"--save-response"/,
  },
  {
    name: 'request-packer',
    node: () => [multiRole('request-packer.mjs')],
    tells: ['--help'],
    takes: ['pack', '--config'],
    names: /"is not valid UTF-8","path":"--config"/,
  },
  {
    name: 'reference-builder',
    node: () => [multiRole('reference-builder.mjs')],
    tells: ['--help'],
    takes: ['--name'],
    names: /"is not valid UTF-8","path":"--name"/,
  },
  {
    name: 'inventory-builder',
    node: () => [multiRole('inventory-builder.mjs')],
    tells: ['--help'],
    takes: ['--input'],
    names: /"is not valid UTF-8","path":"--input"/,
  },
  {
    name: 'module-cli',
    node: () => [moduleCli()],
    tells: ['--help'],
    takes: ['prepare-module-submission', '--root'],
    names: /"MODULE_CLI_ARGUMENTS_INVALID","path":"--root"/,
  },
  {
    name: 'index-reader',
    node: () => [join(root, 'index-reader/index-reader.mjs')],
    tells: ['--help'],
    takes: ['coin', '--api-origin'],
    names: /"path":"--api-origin","message":"is not valid UTF-8\./,
  },
  {
    name: 'launch-verify',
    node: () => launchVerify,
    tells: ['image', 'ok.png'],
    takes: ['evidence', '--digest'],
    names: /--digest is not valid UTF-8/,
  },
  {
    name: 'launch-admin',
    node: () => launchAdmin,
    tells: ['--help'],
    takes: ['keys', 'issue', '--label'],
    names: /--label is not valid UTF-8/,
  },
  {
    name: 'launch-deploy',
    node: () => launchDeploy,
    tells: ['--help'],
    takes: ['make-secrets', '--folder'],
    names: /--folder is not valid UTF-8/,
  },
];

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a line of bash in the test's folder with the program and its arguments as `"$@"`. */
async function bash(line: string, program: Program, args: readonly string[]): Promise<Ended> {
  const child = spawn(
    'bash',
    ['-c', `set -o pipefail; ${line}`, 'bash', process.execPath, ...program.node(), ...args],
    {
      cwd: folder,
      env: { PATH: process.env['PATH']!, LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
    const pieces: Buffer[] = [];
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    return pieces;
  }) as [Buffer[], Buffer[]];
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
}

beforeAll(async () => {
  const builds = ['launch-cli', 'index-reader', 'module-cli'].map((name) => [`${name}/build.mjs`, join(root, name)]);
  for (const [script, ...into] of [...builds, ['multi-role/build.mjs']]) {
    const child = spawn(process.execPath, [join(CLIENTS, script!), ...into], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    expect((await once(child, 'close'))[0]).toBe(0);
  }
});
beforeEach(() => {
  folder = mkdtempSync(join(root, 'run-'));
  writeFileSync(at('ok.png'), png());
});
afterAll(() => rmSync(root, { recursive: true }));

describe.each(PROGRAMS)('$name', (program) => {
  it('ends quietly when its reader is closed, and with its usual code when standard error is closed', async () => {
    const all = await bash('"$@"', program, program.tells);
    expect([all.code, all.stderr, all.stdout.length > 0]).toEqual([0, '', true]);
    // The reader ends before the program begins.
    expect(await bash('"$@" | true', program, program.tells)).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    const unread = await bash('"$@" 2>&1 >/dev/null | true', program, ['no-such-command']);
    expect([unread.code, unread.stderr]).toEqual([2, '']);
    expect((await bash('"$@" 2>/dev/full', program, ['no-such-command'])).code).toBe(2);
  });

  it('prints its help, its version and a completion script, and nothing in colour', async () => {
    const help = await bash('"$@"', program, ['-h']);
    expect(help).toEqual({ code: 0, stdout: expect.stringContaining('\nUsage: '), stderr: '' });
    const version = await bash('"$@"', program, ['--version']);
    expect(version).toEqual({ code: 0, stdout: expect.stringMatching(/^[a-z-]+ \d+\.\d+\.\d+\S*\n$/), stderr: '' });
    expect(await bash('"$@" | bash -n', program, ['completion', 'bash'])).toEqual({ code: 0, stdout: '', stderr: '' });
    // eslint-disable-next-line no-control-regex -- escape sequences begin with this character
    expect(help.stdout).not.toMatch(/\u001b/);
  });

  it('answers a mistyped argument with exit code 2 and one line that names the help to read', async () => {
    const { code, stdout, stderr } = await bash('"$@"', program, ['--hepl']);
    expect([code, stdout]).toEqual([2, '']);
    // The failures of the module CLI have codes and places alone, except on a terminal.
    expect(stderr).toMatch(
      program.name === 'module-cli'
        ? /^\{"schemaVersion":"service\.modules\.cli-error\.v1","code":"MODULE_CLI_ARGUMENTS_INVALID",[^\n]+\n$/
        : /^[^\n]*--hepl[^\n]*\n?[^\n]*Run [^\n]+--help\.[^\n]*\n$/,
    );
  });

  it('reports in one line that a full disk rejects its output, and ends with the documented code', async () => {
    const { code, stderr } = await bash('"$@" > /dev/full', program, program.tells);
    expect([code, stderr]).toEqual([11, expect.stringMatching(/^[^\n]*(ENOSPC|MODULE_CLI_FILE)[^\n]*\n$/)]);
    const bounded = await bash('ulimit -f 0; "$@" > output', program, program.tells);
    expect([bounded.code, bounded.stderr]).toEqual([
      11,
      expect.stringMatching(/^[^\n]*(EFBIG|MODULE_CLI_FILE)[^\n]*\n$/),
    ]);
  });

  it('names the option of an argument that is not UTF-8, and accepts the replacement character itself', async () => {
    const refused = await bash('"$@" $\'Caf\\xe9\'', program, program.takes);
    expect([refused.code, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toMatch(program.names);
    expect((await bash('"$@" $\'Caf\\xef\\xbf\\xbd\'', program, program.takes)).stderr).not.toMatch(program.names);
  });
});

describe('a file that a program writes', () => {
  const packer = PROGRAMS.find(({ name }) => name === 'request-packer')!;
  const reference = [
    'reference',
    '--input',
    multiRole('request-packer-reference.json'),
    '--case',
    'zero',
    '--out',
    'out.json',
  ];

  it('is absent when it may not grow to its size, and the program reports that', async () => {
    const { code, stderr } = await bash('ulimit -f 1; "$@"', packer, reference);
    expect([code, stderr]).toEqual([11, expect.stringMatching(/^[^\n]*"cannot be written \(EFBIG\)"[^\n]*\n$/)]);
    expect(existsSync(at('out.json'))).toBe(false);
  });

  it('is complete when only the output cannot be written, and the failure does not name a file', async () => {
    const { code, stderr } = await bash('"$@" > /dev/full', packer, reference);
    expect([code, stderr]).toEqual([11, expect.stringMatching(/"standard output cannot be written \(ENOSPC\)"/)]);
    expect(existsSync(at('out.json'))).toBe(true);
    await bash('"$@"', packer, reference.with(-1, 'again.json'));
    expect((await bash('cmp out.json again.json', packer, [])).code).toBe(0);
  });
});
