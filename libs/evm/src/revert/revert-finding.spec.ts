import { describe, expect, it } from '@jest/globals';
import { findingSchema } from '@launch/contracts/validation';
import fc from 'fast-check';
import { encodeErrorResult, toFunctionSelector } from 'viem/utils';
import type { Hex } from '../encoding/hex.js';
import { decodeRevert, revertText, rootCause } from './decode-revert.js';
import { LAUNCH_ERRORS } from './launch-errors.abi.js';
import { explainRevert, revertFinding } from './revert-finding.js';

const HOOK = `0x${'ab'.repeat(20)}` as Hex;
const error = (errorName: string, ...args: unknown[]): Hex =>
  encodeErrorResult({ abi: LAUNCH_ERRORS as never, errorName, args } as never);
const BEFORE_SWAP = toFunctionSelector(
  'beforeSwap(address,(address,address,uint24,int24,address),(bool,int256,uint160),bytes)',
);
const wrapped = (
  reason: Hex,
  selector: Hex = BEFORE_SWAP,
  details: Hex = toFunctionSelector('HookCallFailed()'),
): Hex => error('WrappedError', HOOK, selector, reason, details);

describe('a revert', () => {
  it('A revert of too few tokens names the minimum, the tokens that the buy gives, and the field to change.', () => {
    expect(revertFinding(error('TooFewTokens', 5_000n, 4_321n))).toMatchObject({
      code: 'SIMULATION_REVERTED',
      layer: 'simulation',
      severity: 'error',
      path: '/fundingPlan/minimumTokensOut',
      expected: 'at least 5000 base units of the token from the first buy',
      actual: 'TooFewTokens(minimumTokensOut: 5000, tokenDelta: 4321)',
      remediation: {
        action: 'correct_and_resubmit',
        detail: expect.stringContaining('The first buy gives 4321 base units'),
      },
    });
  });

  it('A revert of a spent nonce names the nonce.', () => {
    expect(revertFinding(error('NonceUsed', HOOK, 77n))).toMatchObject({
      path: '/nonce',
      actual: `NonceUsed(controller: ${HOOK}, nonce: 77)`,
      remediation: { detail: expect.stringContaining('Nonce 77 is spent') },
    });
  });

  it.each<[string, readonly unknown[], string, string, RegExp]>([
    ['BuyMissing', [`0x${'11'.repeat(32)}`], '/funding/initialBuyWei', 'profile 4.0 alone', /above zero/],
    ['TokenIsHook', [2n], '/graphBundle/components/2/roleMask', 'two components', /multi-role/],
    ['PlanIncomplete', [3n, 1n], '', 'all 3 components', /^1 of them stand/],
    ['StepOutOfOrder', [1n, 2n], '', 'component 1', /step of component 2 was sent/],
    ['AtomicStepsApart', [7n, 9n], '', 'one transaction', /one batch/],
    ['StepNotOfPlan', [1, `0x${'11'.repeat(32)}`, `0x${'12'.repeat(32)}`], '', 'its step', /in their order/],
    ['StepsHashMismatch', [`0x${'11'.repeat(32)}`, `0x${'12'.repeat(32)}`], '', 'its step', /in their order/],
    ['WrongMode', [2], '', 'its step', /in their order/],
    ['TooFewTokens', [5n, 4n], '/funding/minimumTokensOut', 'at least 5', /gives 4 base units/],
    ['ValueNotFunding', [5n, 4n], '/funding', 'the first buy and nothing else', /Correct the funding/],
  ])('A revert of router V1 by %s names the member and the remedy.', (name, args, path, expected, detail) => {
    expect(revertFinding(error(name, ...args), undefined, 'funding')).toMatchObject({
      code: 'SIMULATION_REVERTED',
      path,
      expected: expect.stringContaining(expected),
      actual: expect.stringMatching(new RegExp(`^${name}\\(`)),
      remediation: { detail: expect.stringMatching(detail) },
    });
  });

  it('A revert of a multi-role request names a member of that request.', () => {
    expect(explainRevert(error('ValueNotFunding', 5n, 4n)).path).toBe('/fundingPlan');
  });

  it('A revert that V4 wraps names the hook, the callback and the error inside.', () => {
    expect(explainRevert(wrapped(error('PartialFill')))).toMatchObject({
      path: '/graphBundle',
      actual: `WrappedError(target: ${HOOK}, selector: beforeSwap, details: HookCallFailed): PartialFill()`,
    });
  });

  it('is judged by the innermost error at any depth', () => {
    const deep = wrapped(error('ComponentDeployFailed', 1n, wrapped(error('TickMisaligned', -7, 60))));
    expect(explainRevert(deep)).toMatchObject({
      path: '/liquidityModel',
      actual: expect.stringMatching(
        /^WrappedError\(.*\): ComponentDeployFailed\(componentIndex: 1\): WrappedError\(.*\): TickMisaligned\(tick: -7, tickSpacing: 60\)$/,
      ),
    });
  });

  it.each<[string, Hex, string]>([
    ['without data', '0x', 'no reason'],
    ['with a sentence', error('Error', 'not today'), 'Error("not today")'],
    ['with an assertion', error('Panic', 1n), 'Panic(1: an assertion does not hold)'],
    ['with an unknown panic code', error('Panic', 2n), 'Panic(2: unknown code)'],
    [
      'with an unreviewed error',
      '0xdeadbeef00',
      'an error that no reviewed contract declares, 0xdeadbeef, data 0xdeadbeef00 (5 bytes)',
    ],
    ['with too few bytes for an error', '0x1234', 'an answer of 2 bytes, 0x1234'],
    [
      'with a known error’s selector and no arguments',
      toFunctionSelector('TooFewTokens(uint256,int128)'),
      `an error that no reviewed contract declares, ${toFunctionSelector('TooFewTokens(uint256,int128)')}, data ${toFunctionSelector('TooFewTokens(uint256,int128)')} (4 bytes)`,
    ],
    ['with bytes that are not hex', '0xzz' as Hex, 'no reason'],
  ])('The revert %s is reported unchanged.', (_what, data, text) => {
    expect(explainRevert(data)).toMatchObject({ actual: text, path: '/graphBundle' });
  });

  it('A revert of a native transfer names its receiver.', () => {
    expect(
      explainRevert(error('WrappedError', HOOK, '0x00000000', '0x', toFunctionSelector('NativeTransferFailed()')))
        .actual,
    ).toBe(`WrappedError(target: ${HOOK}, selector: 0x00000000, details: NativeTransferFailed): no reason`);
  });

  it('A revert that wraps an unknown error gets the advice for the wrapping error.', () => {
    expect(explainRevert(error('ComponentDeployFailed', 0n, '0xdeadbeef'))).toMatchObject({
      path: '/graphBundle',
      expected: expect.stringContaining('accounts'),
    });
  });

  it('A revert of any depth and length yields a bounded text that keeps its cause.', () => {
    let data = error('Error', 'x'.repeat(100_000));
    for (let level = 0; level < 200; level += 1) data = wrapped(data);
    const { actual } = explainRevert(data);
    expect(actual.length).toBeLessThanOrEqual(512);
    let bounded = error('NonceUsed', HOOK, 1n);
    for (let level = 0; level < 5; level += 1) bounded = wrapped(bounded);
    expect(rootCause(decodeRevert(bounded)).name).toBe('NonceUsed');
    expect(explainRevert(bounded)).toMatchObject({
      path: '/nonce',
      actual: `…: NonceUsed(controller: ${HOOK}, nonce: 1)`,
    });
  });

  it('puts no control character, line or half character into a finding', () => {
    const text = explainRevert(error('Error', `a\n\r\u0000\u2028\u202e${'😀'.repeat(200)}`)).actual;
    expect(text).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    expect(text.isWellFormed()).toBe(true);
  });

  it('A revert of any bytes gives a finding that fits the wire schema.', () => {
    const selectors = LAUNCH_ERRORS.map(({ name, inputs }) =>
      toFunctionSelector(`${name}(${inputs.map(({ type }) => type).join(',')})`),
    );
    fc.assert(
      fc.property(
        fc.oneof(fc.constant(''), fc.constantFrom(...selectors)),
        fc.uint8Array({ maxLength: 400 }),
        (selector, tail) => {
          const data = `0x${selector.slice(2)}${Buffer.from(tail).toString('hex')}` as Hex;
          expect(findingSchema.safeParse(revertFinding(data)).success).toBe(true);
          expect(revertText(decodeRevert(data), 80).length).toBeLessThanOrEqual(80);
        },
      ),
    );
  });
});
