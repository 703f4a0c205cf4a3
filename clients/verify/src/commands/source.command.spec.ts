import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { IndexEvidence } from '@launch/contracts/index';
import { canonicalizeJson } from '@launch/contracts/json';
import { sha256Digest } from '@launch/contracts/primitives';
import { sourceReleaseDigest, verificationOf } from '@launch/evm/sources';
import { judged, turned } from '../../../../libs/evm/src/sources/fixtures/source-case.fixture.js';
import { MODULE_NATIVE_V1 } from '../../../../libs/evm/src/sources/module-native/native.adapter.js';
import { nativeCase } from '../../../../libs/evm/src/sources/module-native/native.case.fixture.js';
import { runVerify } from '../verify.cli.js';
import { verifySource } from './source.command.js';

const CASE = nativeCase(MODULE_NATIVE_V1);
const { candidate, reads, answers, verdict } = judged(CASE);
const { evidence, digest } = verificationOf({ ...CASE, candidate, reads, answers });
const OTHER = sha256Digest(new Uint8Array());

const check = (document: IndexEvidence, pins: Partial<Parameters<typeof verifySource>[1]> = {}) =>
  verifySource(canonicalizeJson(document), { digest: null, ...pins });
const failedOf = ({ checks = [] }: ReturnType<typeof verifySource>) =>
  checks.filter((one) => one.verdict === 'fail').map(({ check: name, actual }) => [name, actual]);

describe('the evidence of an indexed launch', () => {
  it('passes by its address, its record and its source, and names its launch', () => {
    const bytes = canonicalizeJson(evidence);
    const result = verifySource(bytes, {
      digest: sha256Digest(bytes),
      verification: digest,
      release: sourceReleaseDigest(CASE.source),
    });
    if (verdict.kind !== 'pass') throw new Error(verdict.reason);
    const { tokenAddress, creator, launchId } = verdict.launch.record;
    expect(result).toMatchObject({
      verdict: 'pass',
      details: { verificationDigest: digest, launch: { tokenAddress, creator, launchId } },
    });
    expect(result.checks?.map((one) => one.check)).toEqual(['address', 'pin.release', 'pin.verification', 'verdict']);
    expect(result.notChecked).toHaveLength(2);
  });

  it('names the missing pins', () => {
    expect(check(evidence)).toMatchObject({ verdict: 'pass', notChecked: { length: 5 } });
  });

  it.each(reads.map(({ name }, at) => [name, at] as const))('fails with another answer to %s', (_name, at) => {
    const changed = {
      ...evidence,
      reads: evidence.reads.map(({ read, answer }, index) => ({
        read,
        answer: index === at ? turned(answer) : answer,
      })),
    };
    const result = check(changed, { verification: digest });
    expect([result.verdict, failedOf(result).map(([name]) => name)]).toEqual([
      'fail',
      expect.arrayContaining(['pin.verification']),
    ]);
  });

  it('fails without one of the reads that its adapter requires', () => {
    const less = { ...evidence, reads: evidence.reads.slice(0, -1) };
    expect(failedOf(check(less))).toEqual([['verdict', expect.stringContaining('EVENT_MISMATCH')]]);
  });

  it.each([
    ['address', { digest: OTHER }],
    ['pin.verification', { verification: OTHER }],
    ['pin.release', { release: OTHER }],
  ])('fails against another %s', (name, pins) => {
    expect(failedOf(check(evidence, pins)).map(([failed]) => failed)).toEqual([name]);
  });

  it('is refused with an added member or in another order', () => {
    expect(check({ ...evidence, more: 1 } as never)).toMatchObject({
      verdict: 'fail',
      findings: [{ code: expect.any(String) }],
    });
    const loose = new TextEncoder().encode(JSON.stringify(evidence, null, 1));
    expect(verifySource(loose, { digest: null })).toMatchObject({ verdict: 'fail', findings: { length: 1 } });
  });

  it('passes the command, whose pins are digests', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'source-evidence-'));
    try {
      const bytes = canonicalizeJson(evidence);
      const file = path.join(folder, `${sha256Digest(bytes).slice('sha256:'.length)}.json`);
      writeFileSync(file, bytes);
      const passed = await runVerify(['source', '--verification', digest, file]);
      expect([passed.exitCode, JSON.parse(passed.stdout).checks[0]]).toMatchObject([
        0,
        { check: 'address', verdict: 'pass' },
      ]);
      expect((await runVerify(['source', '--verification', OTHER, file])).exitCode).toBe(3);
      expect((await runVerify(['source', '--release', 'abc', file])).exitCode).toBe(2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
