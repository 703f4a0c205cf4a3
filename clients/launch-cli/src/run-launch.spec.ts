import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { RELEASE, usageOf } from '@launch/client-core/command';
import { LAUNCH } from './commands.js';
import { pipedTerminal } from './fixtures/launch-run.fixture.js';
import { EXIT, LaunchError } from './launch.error.js';
import { runLaunch, type Terminal } from './run-launch.js';
import { VERSION } from './version/release.js';

const PACKAGE = path.resolve(import.meta.dirname, '..');
const PIPED = pipedTerminal();
const TERMINAL: Terminal = { ...PIPED, stdout: true, stderr: true };
const launch = (argv: readonly string[], terminal = PIPED) => runLaunch(argv, {}, terminal);

describe('Wrong arguments', () => {
  it.each<[string, readonly string[], RegExp]>([
    ['no such command', ['paint'], /^paint is not a command\. The commands are: init, pack, .+ Run launch --help\.$/],
    ['a mistyped command', ['stats'], /^stats is not a command\. Did you mean status\? Run launch --help\.$/],
    ['a mistyped command of plans', ['plan', 'sumbit'], /^plan sumbit is not a command\. Did you mean plan submit\?/],
    ['no command of plans', ['plan'], /^plan needs a command\. The commands are: plan preflight, plan submit,/],
    [
      '--out',
      ['coverage', '--out', 'x'],
      /^--out is not an option of coverage\. Did you mean --output\? Run launch coverage --help\.$/,
    ],
    ['--out with its value', ['coverage', '--out=x'], /--out is not an option of coverage\. Did you mean --output\?/],
    [
      'an option of none',
      ['coverage', '--chain', '4663'],
      /--chain is not an option of coverage\. Did you mean --chain-id\?/,
    ],
    ['an option twice', ['coverage', '--chain-id', '4663', '--chain-id=4663'], /--chain-id is given twice/],
    ['an option without its value', ['coverage', '--output'], /--output needs a value: --output <file>/],
    ['another chain', ['coverage', '--chain-id', '1'], /--chain-id is one of: 4663/],
    ['a limit beyond a page', ['list', '--limit', '26'], /--limit is a whole number from 1 to 25/],
    ['another shell', ['completion', 'csh'], /<shell> is one of: bash, zsh, fish/],
    [
      'no shell',
      ['completion'],
      /^completion needs a shell: launch completion <shell>\. Run launch completion --help\.$/,
    ],
    ['no launch id', ['status'], /^status needs a launch id: launch status <launchId>\. Run launch status --help\.$/],
    ['two launch ids', ['status', 'a', 'b'], /^status takes <launchId> alone; b is one too many/],
    ['no origin', ['coverage'], /SERVICE_API_BASE_URL: the service's origin is not a URL/],
  ])('end with 2 and a line of JSON: %s', async (_what, argv, message) => {
    const { exitCode, stdout, stderr } = await launch(argv);
    expect([exitCode, stdout]).toEqual([2, '']);
    const body = JSON.parse(stderr) as { readonly error: { readonly message: string }; readonly exitCode: number };
    expect(body.error.message).toMatch(message);
    expect(body.exitCode).toBe(2);
  });

  it('are reported in words on a terminal, and as JSON with --json', async () => {
    expect((await launch(['coverage', '--out', 'x'], TERMINAL)).stderr).toBe(
      'launch: --out is not an option of coverage. Did you mean --output? Run launch coverage --help.\n',
    );
    expect((await launch(['coverage', '--out', 'x', '--json'], TERMINAL)).stderr).toMatch(/^\{"command":"coverage"/);
  });
});

describe('The help', () => {
  it('names every command of the program and every option of a command', async () => {
    const { exitCode, stdout } = await launch(['--help']);
    expect(exitCode).toBe(0);
    for (const { name, options = [] } of LAUNCH.commands) {
      expect(stdout).toContain(`  ${name} `);
      const page = (await launch([...name.split(' '), '--help'])).stdout;
      for (const option of [...options.map((one) => one.name), 'json', 'help']) expect(page).toContain(`--${option}`);
    }
    expect((await launch([])).stdout).toBe(stdout);
  });
});

it('The guide lists every command as it is declared.', () => {
  const guide = readFileSync(path.join(PACKAGE, '../../docs/guides/launch-cli.md'), 'utf8');
  const rows = LAUNCH.commands.map((command) => {
    const usage = usageOf({ ...LAUNCH, options: [] }, command)
      .replace(' [--help]', '')
      .replaceAll('|', String.raw`\|`);
    return `| \`${usage}\` | ${command.summary} |`;
  });
  expect(guide).toContain(['| command | action |', '| --- | --- |', ...rows, ''].join('\n'));
});

describe('The exit code', () => {
  it.each([
    [400, 3],
    [401, 4],
    [403, 4],
    [404, 5],
    [409, 6],
    [422, 3],
    [429, 7],
    [500, 10],
    [503, 8],
  ])('for a refusal with %d is %d', (httpStatus, exitCode) => {
    expect(new LaunchError('LAUNCH_CLI_REFUSED', '', { httpStatus }).exitCode).toBe(exitCode);
  });
});

describe('The version', () => {
  it('is that of the package, with profile and digests', async () => {
    const manifest = JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8')) as {
      readonly version: string;
    };
    expect([manifest.version, RELEASE]).toEqual([VERSION, VERSION]);
    const { resource } = JSON.parse((await launch(['version'])).stdout) as { readonly resource: object };
    expect(resource).toEqual({
      version: '4.1.2',
      apiProfile: '4.1.0',
      sha256: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      openApiSha256: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    expect((await launch(['version'], TERMINAL)).stdout).toMatch(/^launch +4\.1\.2\n/);
  });
});

describe('The completion script', () => {
  const completed = async (...words: readonly string[]): Promise<readonly string[]> => {
    const { stdout } = await launch(['completion', 'bash']);
    const array = words.map((word) => `'${word}'`).join(' ');
    const script = `${stdout}\nCOMP_WORDS=(launch ${array})\nCOMP_CWORD=${words.length}\n_launch\necho "\${COMPREPLY[*]}"`;
    return execFileSync('bash', ['-c', script], { encoding: 'utf8', cwd: PACKAGE }).trim().split(/\s+/);
  };

  it('offers in bash commands, then their options, then values', async () => {
    expect(await completed('co')).toEqual(['coverage', 'completion']);
    expect(await completed('c')).toEqual(['coverage', 'credential', 'completion']);
    expect(await completed('coverage', '--')).toEqual(['--chain-id', '--output', '--retry', '--json', '--help']);
    expect(await completed('coverage', '--chain-id', '')).toEqual(['4663']);
    expect(await completed('status', 'x', '--until', '')).toEqual(['authorized', 'finalized']);
    expect(await completed('plan', 'status', 'x', '--until', 's')).toEqual(['signature']);
    expect(await completed('pack', '--predecessor', '')).toEqual(['']);
    expect(await completed('plan', 'pr')).toEqual(['preflight', 'prove']);
    expect(await completed('plan', 'prove', '--s')).toEqual(['--step']);
    expect(await completed('submit', 'package.j')).toEqual(['package.json']);
    expect(await completed('pack', '--config', 'package.j')).toEqual(['package.json']);
    expect(await completed('completion', '')).toEqual(['--help', 'bash', 'zsh', 'fish']);
  });

  it.each(['zsh', 'fish'])('names in %s every command and option, also as text in a pipe', async (shell) => {
    const { exitCode, stdout } = await launch(['completion', shell]);
    expect([exitCode, stdout.startsWith('{')]).toEqual([EXIT.done, false]);
    for (const { name, options = [] } of LAUNCH.commands) {
      for (const word of name.split(' ')) expect(stdout).toContain(word);
      for (const option of options) expect(stdout).toContain(option.name);
    }
    // A machine need not have the shell. If it does, the script must parse.
    const read = spawnSync(shell, ['-n'], { input: stdout, encoding: 'utf8' });
    if (read.error === undefined) expect([read.status, read.stderr]).toEqual([0, '']);
  });
});
