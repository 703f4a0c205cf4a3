import { canonicalizeJson, parseStrictJson } from '@launch/contracts/json';
import { createRequestSchema, finalityEvidenceSchema, type WalletHandoff } from '@launch/contracts/multi-role';
import type { Hex } from '@launch/contracts/primitives';
import { describe, expect, it } from '@jest/globals';
import { decodeLaunchCalldata } from '@launch/evm';
import fc from 'fast-check';
import { recordedEvidence, recordedRequest } from '../fixtures/recorded-launch.fixture.js';
import type { Verdict } from '../verdict.types.js';
import { verifyHandoff } from './handoff.command.js';
import { verifyRequest } from './request.command.js';

const FUZZ_FACTOR = Number(process.env['FUZZ_FACTOR'] ?? 1);
const request = recordedRequest();
const { permitWindow } = createRequestSchema.parse(parseStrictJson(request));
const { handoff } = finalityEvidenceSchema.parse(parseStrictJson(recordedEvidence()));
const { data } = handoff.walletTransaction;
const { signature } = decodeLaunchCalldata(data);
/** The position of the signature in the calldata, as an index into its text. */
const signatureAt = data.lastIndexOf(signature.slice(2));

const failed = ({ checks }: Verdict): string[] =>
  (checks ?? []).filter(({ verdict }) => verdict === 'fail').map(({ check }) => check);
const verdictOn = (file: WalletHandoff, now?: () => number): Verdict =>
  verifyHandoff(request, canonicalizeJson(file), now);
const withData = (changed: string): WalletHandoff => ({
  ...handoff,
  walletTransaction: { ...handoff.walletTransaction, data: changed as Hex },
});
const flipped = (at: number, bits: number): string =>
  `${data.slice(0, at)}${(Number.parseInt(data.slice(at, at + 2), 16) ^ bits).toString(16).padStart(2, '0')}${data.slice(at + 2)}`;

describe('the wallet file of a recorded launch', () => {
  it('passes with its request', () => expect(verdictOn(handoff)).toMatchObject({ verdict: 'pass' }));

  it.each([
    ['not-yet', BigInt(permitWindow.validAfter) - 1n],
    ['open', BigInt(permitWindow.validAfter)],
    ['open', BigInt(permitWindow.deadline)],
    ['passed', BigInt(permitWindow.deadline) + 1n],
  ])("has a window that is %s by this machine's clock", (atThisClock, seconds) => {
    expect(verdictOn(handoff, () => Number(seconds) * 1_000)).toMatchObject({
      verdict: 'pass',
      details: { permitWindow: { ...permitWindow, atThisClock } },
    });
  });

  it('fails after a change to any byte of the signature, and names the signature', () => {
    for (let byte = 0; byte < 65; byte += 1) {
      const checks = failed(verdictOn(withData(flipped(signatureAt + 2 * byte, 1))));
      expect(checks).toHaveLength(1);
      expect(checks[0]).toMatch(/^signature\.(?:form|signer)$/);
    }
  });

  it(
    'fails after a change to any other byte of the calldata, and names the calldata',
    () => {
      const outside = fc
        .integer({ min: 0, max: data.length / 2 - 2 })
        .map((byte) => 2 + 2 * byte)
        .filter((at) => at < signatureAt || at >= signatureAt + 130);
      fc.assert(
        fc.property(outside, fc.integer({ min: 1, max: 255 }), (at, bits) => {
          const checks = failed(verdictOn(withData(flipped(at, bits))));
          expect(['calldata.canonical', 'calldata.bytes'].some((name) => checks.includes(name))).toBe(true);
          // A readable difference is reported by its field, not only by its bytes.
          if (!checks.includes('calldata.canonical'))
            expect(checks.some((name) => /^(?:call|permit|signature)\./.test(name))).toBe(true);
        }),
        { verbose: 1, numRuns: 60 * FUZZ_FACTOR },
      );
    },
    60_000 * FUZZ_FACTOR,
  );

  it('fails together with its request when no permit can hold the sums', () => {
    const changed = createRequestSchema.parse(parseStrictJson(request));
    changed.fundingPlan.nativeLiquidityWei = String(2n ** 256n - 1n);
    expect(failed(verifyHandoff(canonicalizeJson(changed), canonicalizeJson(handoff)))).toEqual(['request.economics']);
    expect(verifyRequest(canonicalizeJson(changed)).findings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['FUNDING_TOTAL_MISMATCH', 'FUNDING_INVALID']),
    );
  });

  it('fails when bytes are cut off, doubled or appended', () => {
    for (const changed of [
      data.slice(0, -2),
      data.slice(0, -64),
      `${data}${data.slice(2)}`,
      `${data}00`,
      `${data}${'00'.repeat(32)}`,
      '0x',
    ]) {
      expect(failed(verdictOn(withData(changed)))).toContain('calldata.canonical');
    }
  });
});
