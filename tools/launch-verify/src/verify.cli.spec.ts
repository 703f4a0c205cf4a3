import { afterAll, describe, expect, it } from '@jest/globals';
import { LINEAR_INSTRUCTION_POLICY_ID, REACHABLE_INSTRUCTION_POLICY_ID } from '@launch/evm';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

describe('opcodes', () => {
  /** Verdict under the linear policy, under the reachable one, and where the first hit stands. */
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
  ])('%s: v2 %s, reachable %s', async (runtime, linear, reachable, programCounter) => {
    const input = file(`0x${runtime}\n`);
    const verdicts = [await verdictOf('opcodes', '--policy', 'v2', input), await verdictOf('opcodes', input, '--policy', 'reachable')];
    expect(verdicts.map(({ verdict }) => verdict)).toEqual([linear, reachable]);
    expect(verdicts.map(({ details }) => details.policyId)).toEqual([LINEAR_INSTRUCTION_POLICY_ID, REACHABLE_INSTRUCTION_POLICY_ID]);
    for (const { details } of verdicts) if (details.hits.length > 0) expect(details.hits[0].programCounter).toBe(programCounter);
  });

  it.each([
    ['nothing', '', 'RUNTIME_EMPTY'],
    ['0x alone', '0x', 'RUNTIME_EMPTY'],
    ['an unsupported mode', 'ef00', 'MULTI_ROLE_RUNTIME_MODE_UNSUPPORTED'],
    ['half a byte', '0x0', 'SCHEMA_INVALID'],
    ['no hex', 'zz', 'SCHEMA_INVALID'],
  ])('%s has its own code', async (_title, content, code) => {
    expect((await verdictOf('opcodes', '--policy', 'reachable', file(content))).findings[0].code).toBe(code);
  });
});

describe('json', () => {
  it.each([
    ['{"a":1,"b":[]}', true],
    [' { "b" : [ ] , "a" : 1.0 } ', false],
  ])('%s is strict, canonical: %s', async (text, canonical) => {
    expect(await verdictOf('json', file(text))).toMatchObject({ verdict: 'pass', details: { canonical } });
  });

  it.each([
    ['{"a":1,"a":2}', 'JSON_DUPLICATE_KEY'],
    ['{"a":1,}', 'JSON_SYNTAX'],
    ['"\\ud800"', 'JSON_SYNTAX'],
    ['1 2', 'JSON_TRAILING_DATA'],
    [Buffer.from([0x22, 0xff, 0x22]), 'JSON_INVALID_UTF8'],
    ['', 'JSON_EMPTY'],
  ])('%j is refused with %s', async (content, code) => {
    expect((await verdictOf('json', file(content))).findings[0].code).toBe(code);
  });
});

describe('image', () => {
  it.each([
    ['no image', 'GIF'],
    ['only a signature', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ])('%s fails', async (_title, content) => {
    expect((await verdictOf('image', file(content))).findings[0].code).toBe('IMAGE_INVALID');
  });
});

describe('usage', () => {
  it.each([
    ['no command', []],
    ['an unknown command', ['prove']],
    ['evidence under a digest of no kind', ['evidence', '--digest', 'sha256:00', file('{}')]],
    ['evidence with a digest alone', ['evidence', '--digest', `sha256:${'0'.repeat(64)}`]],
    ['no file', ['json']],
    ['two files', ['json', 'a', 'b']],
    ['a hand-off without its request', ['handoff', 'a']],
    ['an option among the files of a hand-off', ['handoff', 'a', '--b']],
    ['no policy', ['opcodes', 'a']],
    ['an unknown policy', ['opcodes', '--policy', 'toString', file('00')]],
    ['an option instead of a file', ['image', '--help']],
  ])('%s ends with 2', async (_title, args) => {
    const { exitCode, stdout, stderr } = await runVerify(args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({ code: 'VERIFY_ARGUMENTS_INVALID' });
  });

  it.each([
    ['absent', () => join(folder, 'absent')],
    ['a folder', () => folder],
  ])('a file that is %s ends with 11 and is not named', async (_title, path) => {
    const { exitCode, stderr } = await runVerify(['json', path()]);
    expect(exitCode).toBe(11);
    expect(stderr).not.toContain(folder);
  });

  it('--help explains itself', async () => {
    expect(await runVerify(['--help'])).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('launch-verify request <file>') });
  });
});
