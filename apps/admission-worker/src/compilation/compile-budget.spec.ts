import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AllowedVerdict, CompileAllowance, Compiler } from '@launch/compiler';
import { finding } from '@launch/contracts/errors';
import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { createRequestSchema, type CreateRequest } from '@launch/contracts/multi-role';
import { fixtureConfig } from '../../../../clients/multi-role/src/fixtures/reference.fixture.js';
import { packRequest } from '../../../../clients/multi-role/src/packer/pack-request.js';
import { dispositionOf } from '../receipt/receipt.service.js';
import { compileDeclared } from './compile-and-match.service.js';
import type { CompileLane } from './compile-spending.js';

const UNITS = 8;
let request: CreateRequest;
beforeAll(async () => {
  request = createRequestSchema.parse(
    parseStrictJson(packRequest(canonicalizeJson(await fixtureConfig('zero'))).bytes),
  );
  const [unit] = request.compilerVerification.compilationUnits;
  request.compilerVerification.compilationUnits = Array.from({ length: UNITS }, (_, index) => ({
    ...unit!,
    compilationUnitId: `unit-${index}`,
  }));
});

/**
 * A compiler whose units each take `needsMs`, with `remembered` ones compiled earlier, and the allowances that it
 * received.
 */
function scripted(needsMs: number, remembered = 0) {
  const allowed: CompileAllowance[] = [];
  const verdictOf = (allowance: CompileAllowance): AllowedVerdict => {
    const isRemembered = allowed.push(allowance) <= remembered;
    if (needsMs > allowance.budgetMs) return { verdict: 'unfinished', by: 'budget', costMs: 0, usedMs: 0 };
    if (!isRemembered && needsMs > allowance.attemptMs)
      return { verdict: 'unfinished', by: 'attempt', costMs: 0, usedMs: allowance.attemptMs };
    const output = { compiler: '0.8.26', contracts: [] };
    return { verdict: 'compiled', output, costMs: needsMs, usedMs: isRemembered ? 0 : needsMs };
  };
  const compiler = { compileWithin: async (_asked: unknown, allowance: CompileAllowance) => verdictOf(allowance) };
  return { compiler: compiler as unknown as Compiler, allowed };
}

const LANE: CompileLane = { budgetMs: 120_000, attemptMs: Number.POSITIVE_INFINITY, spentMs: 10_000 };
const compiled = (compiler: Compiler, lane: CompileLane = LANE) =>
  compileDeclared(request, compiler, lane, new AbortController().signal);

describe('The budget of a request', () => {
  it('Eight slow units together get the processor time of one budget, in order, and a finding names the unit that ended it.', async () => {
    const { compiler, allowed } = scripted(50_000);
    const outcome = await compiled(compiler);
    expect(allowed.map(({ budgetMs }) => budgetMs)).toEqual([120_000, 70_000, 20_000]);
    expect(allowed.map(({ spentMs }) => spentMs)).toEqual([10_000, 60_000, 110_000]);
    expect(outcome).toMatchObject({
      compiled: null,
      findings: [
        {
          code: 'COMPILE_BUDGET_EXCEEDED',
          path: '/compilerVerification/compilationUnits/2',
          expected: 'at most 120 s of processor time for all compilation units together',
          actual: 'the budget ended at compilation unit unit-2',
        },
      ],
    });
  });

  it('Units that were compiled earlier count against the budget with their original time, so that the result stays the same.', async () => {
    const first = await compiled(scripted(50_000).compiler);
    expect(await compiled(scripted(50_000, 3).compiler)).toEqual(first);
  });

  it('Units that were compiled earlier use no time of an attempt, so that the next attempt gets further.', async () => {
    const short: CompileLane = { ...LANE, attemptMs: 10_000 };
    const { compiler, allowed } = scripted(6_000);
    expect(await compiled(compiler, short)).toBe('unfinished');
    expect(allowed.map(({ attemptMs }) => attemptMs)).toEqual([10_000, 4_000]);
    const again = scripted(6_000, 1);
    expect(await compiled(again.compiler, short)).toBe('unfinished');
    expect(again.allowed.map(({ attemptMs }) => attemptMs)).toEqual([10_000, 10_000, 4_000]);
  });

  it('A unit that exhausts its own limit ends the request, and later units are not compiled.', async () => {
    const limit = finding('COMPILER_LIMIT_EXCEEDED', '/compilerVerification/compilationUnits/0');
    let asked = 0;
    const compiler = {
      compileWithin: async (): Promise<AllowedVerdict> => {
        asked += 1;
        return { verdict: 'failed', findings: [limit], costMs: 60_000, usedMs: 60_000 };
      },
    };
    expect(await compiled(compiler as unknown as Compiler)).toEqual({ findings: [limit], compiled: null });
    expect(asked).toBe(1);
  });
});

describe('The disposition', () => {
  const budget = finding('COMPILE_BUDGET_EXCEEDED', '/compilerVerification/compilationUnits/2');

  it('requires evidence for a request over its budget, and rejects one with another fault', () => {
    expect(dispositionOf([budget])).toBe('evidence_required');
    expect(dispositionOf([budget, finding('COMPILER_ERROR', '')])).toBe('rejected');
  });
});
