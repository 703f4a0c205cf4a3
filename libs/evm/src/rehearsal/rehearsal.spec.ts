import { describe, expect, it } from '@jest/globals';
import { hexToBytes, keccak256, toBytes } from 'viem/utils';
import { samplePermit, sampleRouter } from '../launch-call/sample-launch.fixture.js';
import { MAX_SIGNATURE_S, recoverPermitSigner } from '../permit/permit-signature.js';
import { permitDigest } from '../permit/launch-permit.js';
import type { Hex } from '../encoding/hex.js';
import { rehearsalAuthority, REHEARSAL_SIGNATURES } from './rehearsal-signature.js';
import { authorityWord, KNOWN_ROUTERS, routerStorage } from './router-storage.js';

const DIGEST = permitDigest(sampleRouter, samplePermit);
const MODULUS = 2n ** 256n - 2n ** 32n - 977n;
const GENERATOR_X = '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let [b, e] = [base % MODULUS, exponent]; e > 0n; e >>= 1n, b = (b * b) % MODULUS)
    if ((e & 1n) === 1n) result = (result * b) % MODULUS;
  return result;
}
const isOnCurve = (x: bigint): boolean => power(x ** 3n + 7n, (MODULUS - 1n) / 2n) === 1n;
const hashed = (part: string, index: number): bigint =>
  BigInt(keccak256(toBytes(`launch rehearsal signature ${part} ${index}`)));

describe('the rehearsal’s signatures', () => {
  it('are the first hashes of a text that name a point and a low s, so that no key chooses them', () => {
    const indexes = [1, 2, 3, 4, 5, 6];
    const rs = indexes.map((index) => hashed('r', index)).filter(isOnCurve);
    const ss = indexes.map((index) => hashed('s', index)).filter((s) => s <= MAX_SIGNATURE_S);
    const word = (value: bigint): string => value.toString(16).padStart(64, '0');
    expect(REHEARSAL_SIGNATURES).toEqual([`0x${word(rs[0]!)}${word(ss[0]!)}1b`, `0x${word(rs[1]!)}${word(ss[1]!)}1b`]);
  });

  it('recover the first constant by the router’s own rule, to another address for another digest', () => {
    const authority = rehearsalAuthority(DIGEST);
    expect(authority).toEqual({
      signature: REHEARSAL_SIGNATURES[0],
      signer: recoverPermitSigner(DIGEST, REHEARSAL_SIGNATURES[0]),
    });
    expect(rehearsalAuthority(keccak256(DIGEST)).signer).not.toBe(authority.signer);
  });

  it('fall back to the second constant if the first recovers no address, and fail if neither does', () => {
    // With the generator as its point, a signature over its own `s` recovers the point at infinity.
    const s = hashed('s', 2).toString(16).padStart(64, '0');
    const barren = `0x${GENERATOR_X}${s}1b` as Hex;
    const digest = `0x${s}` as Hex;
    expect(() => recoverPermitSigner(digest, barren)).toThrow(
      expect.objectContaining({ code: 'PERMIT_SIGNATURE_INVALID' }),
    );
    expect(rehearsalAuthority(digest, [barren, REHEARSAL_SIGNATURES[1]])).toEqual({
      signature: REHEARSAL_SIGNATURES[1],
      signer: recoverPermitSigner(digest, REHEARSAL_SIGNATURES[1]),
    });
    expect(() => rehearsalAuthority(digest, [barren])).toThrow(
      expect.objectContaining({ code: 'PERMIT_SIGNATURE_INVALID' }),
    );
    expect(() => rehearsalAuthority('0x12')).toThrow(expect.objectContaining({ code: 'HEX_INVALID' }));
  });
});

describe('the storage of a router', () => {
  const [known] = KNOWN_ROUTERS;
  it('is unknown for an unknown program', () => {
    expect(routerStorage('0x')).toBeNull();
    expect(routerStorage(`0x${'00'.repeat(known!.runtimeLength)}`)).toBeNull();
  });

  it('has one slot and one word per signer', () => {
    const signer = `0x${'ab'.repeat(20)}` as Hex;
    const { slot, word } = authorityWord({ authoritySlot: 2n }, signer);
    expect(slot).toBe(keccak256(hexToBytes(`0x${'00'.repeat(12)}${'ab'.repeat(20)}${'2'.padStart(64, '0')}`)));
    expect(word).toBe(`0x${'0'.repeat(32)}${'f'.repeat(16)}${'0'.repeat(16)}`);
  });
});
