import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runDeploy } from './deploy.cli.js';
import { DEPLOY_EXIT_CODES } from './deploy.error.js';
import { hostOf } from './host.fixture.js';

const COMMANDS = [
  'make-secrets',
  'permit-authority',
  'write-context',
  'write-reviewer-policy',
  'write-index-sources',
  'answer-key',
  'pin-images',
];
let folder: string;
const at = (name: string): string => path.join(folder, name);
beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'launch-deploy-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));
const run = (...args: string[]) => runDeploy(args, hostOf());

describe('launch-deploy', () => {
  it('prints its commands and every error code with its exit code, also without arguments', async () => {
    const { exitCode, stdout } = await run('--help');
    expect(exitCode).toBe(0);
    for (const text of [...COMMANDS, ...Object.keys(DEPLOY_EXIT_CODES)]) expect(stdout).toContain(text);
    expect(await run()).toEqual({ exitCode: 0, stdout, stderr: '' });
  });

  it.each(COMMANDS)('describes the options of %s, and shows an example', async (command) => {
    const { exitCode, stdout } = await run(command, '--help');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`Usage: launch-deploy ${command}`));
    expect(stdout).toMatch(new RegExp(`^Examples?:\n  (sudo )?launch-deploy ${command}`, 'm'));
  });

  it.each<[string, string[], string]>([
    ['an unknown command', ['deploy'], 'deploy is not a command. The commands are: make-secrets'],
    ['a missing option', ['write-context', '--facts', 'facts.json'], '--out is required'],
    ['an option without a value', ['write-context', '--facts'], '--facts needs a value'],
    ['an option that is given twice', ['make-secrets', '--folder', 'a', '--folder', 'b'], '--folder is given twice'],
    [
      'an unknown option, which it does not repeat',
      ['make-secrets', '--0xsecret'],
      'argument 1 is not an option of make-secrets',
    ],
    ['a mistyped option', ['make-secrets', '--foldre', 'a'], 'Did you mean --folder?'],
    ['an argument that is no option', ['pin-images', 'here'], 'pin-images takes no argument; here is one too many'],
  ])('refuses %s with 2, and names the help', async (_what, args, message) => {
    const { exitCode, stdout, stderr } = await run(...args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^launch-deploy: ARGUMENTS_INVALID: [^\n]+\nRun launch-deploy [^\n]*--help\.\n$/);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('0xsecret');
  });

  it('names the observer files that are not configured', async () => {
    await writeFile(at('facts.json'), JSON.stringify({ profile: 'x', rollup: {}, sources: [] }));
    const wrong = await run('write-index-sources', '--facts', at('facts.json'), '--folder', at('indexing'));
    expect(wrong.exitCode).toBe(3);
    expect(wrong.stderr).toMatch(/DOCUMENT_INVALID: facts: rollup\.sequencerInbox: /);
    const address = (digits: string): string => `0x${digits.repeat(20)}`;
    const rollup = {
      sequencerInbox: address('d4'),
      bridge: address('e5'),
      nodeInterface: address('c8'),
      genesisBlock: '0',
    };
    const source = {
      sourceVersion: 'module-native-v1',
      chainId: 4663,
      address: address('a1'),
      startBlock: '1',
      sourceCommit: 'c'.repeat(40),
      contracts: {},
    };
    await writeFile(at('facts.json'), JSON.stringify({ profile: 'production', rollup, sources: [source] }));
    const call = ['write-index-sources', '--facts', at('facts.json'), '--folder', at('indexing'), '--secrets', folder];
    const silent = await run(...call);
    expect(silent.exitCode).toBe(2);
    expect(silent.stderr).toContain(
      `CONFIGURATION_INVALID: configuration: RPC_4663_URLS_FILE: must name a readable file`,
    );
    expect(silent.stderr).toContain(`Write two observers of each chain, id=url,id=url, to ${at('rpc-4663-urls')}`);
    await writeFile(at('rpc-4663-urls'), 'one=https://one.example/key');
    await writeFile(at('rpc-1-urls'), 'one=https://one.example,two=https://two.example');
    const single = await run(...call);
    expect([single.exitCode, single.stderr]).toEqual([2, expect.stringContaining('CONFIGURATION_INVALID')]);
    expect(single.stderr).not.toContain('one.example');
  });

  it('refuses absent facts with 11, and facts that are not JSON with 3', async () => {
    const call = (facts: string) => run('write-context', '--facts', facts, '--out', at('context.json'));
    expect(await call(at('absent.json'))).toEqual({
      exitCode: 11,
      stdout: '',
      stderr: `launch-deploy: FILE_NOT_READ: --facts ${at('absent.json')} cannot be read (ENOENT)\nCorrect the path.\n`,
    });
    await writeFile(at('text.json'), '{"profileId": 1,}');
    expect(await call(at('text.json'))).toMatchObject({
      exitCode: 3,
      stderr: expect.stringMatching(/DOCUMENT_INVALID: --facts .*byte 16/),
    });
  });
});
