import { afterAll, describe, expect, it } from '@jest/globals';
import { LINEAR_INSTRUCTION_POLICY_ID, REACHABLE_INSTRUCTION_POLICY_ID } from '@launch/evm';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runVerify } from './verify.cli.js';

const folder = mkdtempSync(join(tmpdir(), 'launch-verify-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
function file(content: string | Uint8Array): string {
  const path = join(folder, `input-${(count += 1)}`);
  writeFileSync(path, content);
  return path;
}

async function verdictOf(...args: string[]) {
  const { exitCode, stdout, stderr } = await runVerify(args);
  expect(stderr).toBe('');
  expect(stdout).not.toContain(folder);
  const verdict = JSON.parse(stdout);
  expect(exitCode).toBe(verdict.verdict === 'pass' ? 0 : 3);
  return verdict;
}

describe('The command opcodes', () => {
  /** Verdict under the linear policy, under the reachable one, and the position of the first hit. */
  it.each([
    ['00ff', 'fail', 'pass', 1],
    ['5bff', 'fail', 'fail', 1],
    ['60ff', 'pass', 'pass', null],
    ['61ff', 'pass', 'pass', null],
    ['fe5bff', 'fail', 'fail', 2],
    ['feff', 'fail', 'pass', 1],
    ['57ff', 'fail', 'fail', 1],
    ['56ff', 'fail', 'pass', 1],
    ['0cff', 'fail', 'fail', 1],
    ['605bff', 'fail', 'fail', 2],
    ['56605bff', 'fail', 'pass', 3],
    ['f0', 'pass', 'fail', 0],
    ['f5', 'pass', 'fail', 0],
  ])('judges %s as %s under v2 and as %s under reachable', async (runtime, linear, reachable, programCounter) => {
    const input = file(`0x${runtime}\n`);
    const verdicts = [
      await verdictOf('opcodes', '--policy', 'v2', input),
      await verdictOf('opcodes', input, '--policy', 'reachable'),
    ];
    expect(verdicts.map(({ verdict }) => verdict)).toEqual([linear, reachable]);
    expect(verdicts.map(({ details }) => details.policyId)).toEqual([
      LINEAR_INSTRUCTION_POLICY_ID,
      REACHABLE_INSTRUCTION_POLICY_ID,
    ]);
    for (const { details } of verdicts)
      if (details.hits.length > 0) expect(details.hits[0].programCounter).toBe(programCounter);
  });

  it.each([
    ['nothing', '', 'RUNTIME_EMPTY'],
    ['0x alone', '0x', 'RUNTIME_EMPTY'],
    ['an unsupported mode', 'ef00', 'MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED'],
    ['half a byte', '0x0', 'SCHEMA_INVALID'],
    ['no hex', 'zz', 'SCHEMA_INVALID'],
  ])('reports %s by its own code', async (_title, content, code) => {
    expect((await verdictOf('opcodes', '--policy', 'reachable', file(content))).findings[0].code).toBe(code);
  });
});

describe('The command json', () => {
  it.each([
    ['{"a":1,"b":[]}', true],
    [' { "b" : [ ] , "a" : 1.0 } ', false],
  ])('accepts %s as strict JSON and reports canonical: %s', async (text, canonical) => {
    expect(await verdictOf('json', file(text))).toMatchObject({ verdict: 'pass', details: { canonical } });
  });

  it.each([
    ['{"a":1,"a":2}', 'JSON_DUPLICATE_KEY'],
    ['{"a":1,}', 'JSON_SYNTAX'],
    ['"\\ud800"', 'JSON_SYNTAX'],
    ['1 2', 'JSON_TRAILING_DATA'],
    [Buffer.from([0x22, 0xff, 0x22]), 'JSON_INVALID_UTF8'],
    ['', 'JSON_EMPTY'],
  ])('refuses %j with %s', async (content, code) => {
    expect((await verdictOf('json', file(content))).findings[0].code).toBe(code);
  });
});

describe('The command image', () => {
  it.each([
    ['no image', 'GIF'],
    ['only a signature', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ])('fails %s', async (_title, content) => {
    expect((await verdictOf('image', file(content))).findings[0].code).toBe('IMAGE_INVALID');
  });
});

describe('The program', () => {
  const COMMANDS: readonly (readonly string[])[] = [
    ['opcodes', '--policy', 'v2'],
    ['opcodes', '--policy', 'reachable'],
    ['match'],
    ['image'],
    ['json'],
    ['request'],
    ['evidence'],
  ];
  const nothing = (): string => file('');
  const huge = (): string => {
    const path = file('');
    truncateSync(path, 100 * 1024 * 1024);
    return path;
  };
  const FILES: readonly (readonly [string, () => string])[] = [
    ['nothing', nothing],
    ['100 MB of zeros', huge],
    ['one zero byte', () => file(Uint8Array.of(0))],
    ['a byte order mark alone', () => file('\ufeff')],
    ['JSON behind a byte order mark', () => file('\ufeff{}')],
    ['UTF-16', () => file(Buffer.from('{}', 'utf16le'))],
    ['no UTF-8', () => file(Buffer.from([0x7b, 0xff, 0x7d]))],
    ['half a byte of hex', () => file('0xfff')],
    ['null', () => file('null')],
    ['an empty object', () => file('{}')],
    ['an empty list', () => file('[]')],
    ['a list in a list, 100,000 times', () => file('['.repeat(100_000))],
    ['a number beyond any', () => file(`1${'0'.repeat(400)}`)],
    ['a prototype', () => file('{"__proto__":{"verdict":"pass"}}')],
    ['random bytes', () => file(randomBytes(4_096))],
  ];

  it.each(
    COMMANDS.flatMap((command) => FILES.map(([title, make]) => [command.join(' '), title, command, make] as const)),
  )('gives a verdict when %s reads %s', async (_name, _title, command, make) => {
    const { exitCode, stdout, stderr } = await runVerify([...command, make()]);
    expect(stderr).toBe('');
    const verdict = JSON.parse(stdout);
    expect(verdict).toMatchObject({ schemaVersion: 'launch.verify-verdict.v1', command: command[0] });
    expect(exitCode).toBe(verdict.verdict === 'pass' ? 0 : 3);
    if (verdict.verdict === 'fail') expect([...verdict.findings, ...(verdict.checks ?? [])].length).toBeGreaterThan(0);
    // Only hex is a runtime, and only strict JSON is JSON.
    if (verdict.verdict === 'pass') expect(['opcodes', 'json']).toContain(command[0]);
  });

  it.each([
    ['a folder', () => folder],
    ['a device without an end', () => '/dev/zero'],
    ['an absent file', () => join(folder, 'absent')],
    ['a name with a NUL character', () => join(folder, 'a\0b')],
    ['a name that is too long', () => join(folder, 'a'.repeat(5_000))],
    [
      'a pipe without a writer',
      () => {
        const path = join(folder, `pipe-${(count += 1)}`);
        execFileSync('mkfifo', [path]);
        return path;
      },
    ],
  ])('ends with 11 in each command for %s', async (_title, make) => {
    const path = make();
    for (const command of [
      ...COMMANDS.map((one) => [...one, path]),
      ['handoff', path, path],
      ['evidence', '--request', path, file('{}')],
    ]) {
      const { exitCode, stdout, stderr } = await runVerify(command);
      expect({ command: command[0], exitCode, stdout }).toEqual({ command: command[0], exitCode: 11, stdout: '' });
      expect(JSON.parse(stderr)).toMatchObject({ schemaVersion: 'launch.verify-error.v1', code: 'VERIFY_IO_ERROR' });
    }
  });

  it.each([
    ['0X00FF', 'fail'],
    ['00FF', 'fail'],
    ['0x00FF\r\n', 'fail'],
    ['0x6000\n\n', 'pass'],
    ['60 00', 'none'],
    ['0x60\n00', 'none'],
    ['0x0x60', 'none'],
    ['\ufeff6000', 'none'],
  ])('reads a runtime written as %j with the result %s', async (text, outcome) => {
    const { verdict, findings } = await verdictOf('opcodes', '--policy', 'v2', file(text));
    expect({ verdict, code: findings[0]?.code }).toEqual(
      {
        pass: { verdict: 'pass', code: undefined },
        fail: {
          verdict: 'fail',
          code: text.startsWith('0X') ? 'SCHEMA_INVALID' : 'MULTI_ROLE_RUNTIME_OPCODE_FORBIDDEN',
        },
        none: { verdict: 'fail', code: 'SCHEMA_INVALID' },
      }[outcome as 'pass' | 'fail' | 'none'],
    );
  });
});

describe('The program', () => {
  it.each([
    ['no command', []],
    ['an unknown command', ['prove']],
    ['evidence under a malformed digest', ['evidence', '--digest', 'sha256:00', file('{}')]],
    ['evidence with a digest alone', ['evidence', '--digest', `sha256:${'0'.repeat(64)}`]],
    ['evidence with a checkpoint that is no hash', ['evidence', '--checkpoint', '0x12', file('{}')]],
    ['evidence with an L2 block by its number', ['evidence', '--l2-block', '12', file('{}')]],
    [
      'an option given twice',
      ['evidence', '--digest', `sha256:${'0'.repeat(64)}`, '--digest', `sha256:${'0'.repeat(64)}`, file('{}')],
    ],
    ['an option of another command', ['json', '--policy', 'v2', file('{}')]],
    ['an option without its value', ['evidence', file('{}'), '--request']],
    ['an empty name', ['json', '']],
    ['no file', ['json']],
    ['two files', ['json', 'a', 'b']],
    ['a hand-off without its request', ['handoff', 'a']],
    ['an option among the files of a hand-off', ['handoff', 'a', '--b']],
    ['no policy', ['opcodes', 'a']],
    ['an unknown policy', ['opcodes', '--policy', 'toString', file('00')]],
    ['an option instead of a file', ['image', '--file']],
  ])('ends with 2 for %s', async (_title, args) => {
    const { exitCode, stdout, stderr } = await runVerify(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({ code: 'VERIFY_ARGUMENTS_INVALID' });
  });

  it.each([
    ['absent', () => join(folder, 'absent')],
    ['a folder', () => folder],
  ])('ends with 11 and does not name a file that is %s', async (_title, path) => {
    const { exitCode, stderr } = await runVerify(['json', path()]);
    expect(exitCode).toBe(11);
    expect(stderr).not.toContain(folder);
  });

  it('explains itself with --help', async () => {
    expect(await runVerify(['--help'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('Usage: launch-verify <command> [options]'),
    });
    expect(await runVerify(['evidence', '-h'])).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('Usage: launch-verify evidence <file> [--digest <digest>]'),
    });
  });
});
