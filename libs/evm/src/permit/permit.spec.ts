import { readFileSync } from 'node:fs';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { describe, expect, it } from '@jest/globals';
import { concatHex, encodeAbiParameters, keccak256, toBytes } from 'viem/utils';
import { samplePermit, sampleRouter } from '../launch-call/sample-launch.fixture.js';
import type { Hex } from '../encoding/hex.js';
import { LAUNCH_PERMIT_TYPES, permitDigest, permitEncoding, permitTypedData } from './launch-permit.js';
import { recoverPermitSigner } from './permit-signature.js';

const hex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;
const addressOf = (publicKey: Uint8Array): Hex => `0x${keccak256(publicKey.subarray(1)).slice(26)}`;
const code = (text: string): Error => expect.objectContaining({ code: text }) as unknown as Error;

describe('permitDigest', () => {
  it('equals the EIP-712 digest that is written out by hand', () => {
    const domain = keccak256(
      encodeAbiParameters(
        [{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'bytes32' }, { type: 'uint256' }, { type: 'address' }],
        [
          keccak256(toBytes('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)')),
          keccak256(toBytes('Service Multi Role Launch Router')),
          keccak256(toBytes('2')),
          sampleRouter.chainId,
          sampleRouter.router,
        ],
      ),
    );
    const type =
      'LaunchPermit(address controller,bytes32 requestHash,bytes32 contextHash,bytes32 economicsHash,bytes32 instructionPolicyHash,bytes32 graphHash,bytes32 poolHash,bytes32 callHash,uint256 value,uint256 nonce,uint64 validAfter,uint64 deadline)';
    const words = LAUNCH_PERMIT_TYPES.LaunchPermit.map(({ name }) => {
      const value = samplePermit[name];
      return `0x${(typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0')}` as Hex;
    });
    const struct = keccak256(concatHex([keccak256(toBytes(type)), ...words]));
    expect(permitDigest(sampleRouter, samplePermit)).toBe(keccak256(concatHex(['0x1901', domain, struct])));
  });

  it.each(LAUNCH_PERMIT_TYPES.LaunchPermit)('depends on $name', ({ name, type }) => {
    const value = type.startsWith('uint')
      ? (samplePermit[name] as bigint) + 1n
      : (`${(samplePermit[name] as Hex).slice(0, -1)}e` as Hex);
    expect(permitDigest(sampleRouter, { ...samplePermit, [name]: value })).not.toBe(
      permitDigest(sampleRouter, samplePermit),
    );
  });

  it('depends on chain and router', () => {
    const digests = [
      permitDigest(sampleRouter, samplePermit),
      permitDigest({ ...sampleRouter, chainId: 1n }, samplePermit),
      permitDigest({ ...sampleRouter, router: `0x${'99'.repeat(20)}` }, samplePermit),
    ];
    expect(new Set(digests).size).toBe(3);
    expect(permitTypedData(sampleRouter, samplePermit).message).toBe(samplePermit);
  });

  it('is the hash of the encoding of 66 bytes', () => {
    const encoding = permitEncoding(sampleRouter, samplePermit);
    expect(encoding).toMatch(/^0x1901[0-9a-f]{128}$/);
    expect(keccak256(encoding)).toBe(permitDigest(sampleRouter, samplePermit));
  });

  it('refuses values that its types cannot hold', () => {
    expect(() => permitDigest(sampleRouter, { ...samplePermit, deadline: 2n ** 64n })).toThrow(
      code('LAUNCH_VALUE_OUT_OF_RANGE'),
    );
    expect(() => permitDigest(sampleRouter, { ...samplePermit, value: -1n })).toThrow(
      code('LAUNCH_VALUE_OUT_OF_RANGE'),
    );
    expect(() => permitDigest(sampleRouter, { ...samplePermit, callHash: '0x12' })).toThrow(
      code('LAUNCH_VALUE_OUT_OF_RANGE'),
    );
  });
});

describe('recoverPermitSigner', () => {
  const key = new Uint8Array(32).fill(7);
  const digest = permitDigest(sampleRouter, samplePermit);
  const signed = secp256k1.sign(Buffer.from(digest.slice(2), 'hex'), key, { lowS: true });
  const signature = (s = signed.s, v = signed.recovery + 27, r = signed.r): Hex =>
    `0x${r.toString(16).padStart(64, '0')}${s.toString(16).padStart(64, '0')}${v.toString(16).padStart(2, '0')}`;
  const order = secp256k1.CURVE.n;

  it('recovers the signer of a signature', () => {
    expect(recoverPermitSigner(digest, signature())).toBe(addressOf(secp256k1.getPublicKey(key, false)));
  });

  it('recovers another address for another digest', () => {
    expect(recoverPermitSigner(`0x${'ab'.repeat(32)}`, signature())).not.toBe(
      addressOf(secp256k1.getPublicKey(key, false)),
    );
  });

  it.each([
    ['the twin with a high s', signature(order - signed.s, 28 - signed.recovery), 'PERMIT_SIGNATURE_HIGH_S'],
    ['one above half the order', signature(order / 2n + 1n), 'PERMIT_SIGNATURE_HIGH_S'],
    ['v of 0 or 1', signature(signed.s, signed.recovery), 'PERMIT_SIGNATURE_RECOVERY_BYTE'],
    ['v of 29', signature(signed.s, 29), 'PERMIT_SIGNATURE_RECOVERY_BYTE'],
    ['64 bytes', signature().slice(0, -2), 'PERMIT_SIGNATURE_LENGTH'],
    ['66 bytes', `${signature()}00`, 'PERMIT_SIGNATURE_LENGTH'],
    ['no hex', `0x${'zz'.repeat(65)}`, 'PERMIT_SIGNATURE_LENGTH'],
    ['r of zero', signature(signed.s, 27, 0n), 'PERMIT_SIGNATURE_INVALID'],
    ['s of zero', signature(0n), 'PERMIT_SIGNATURE_INVALID'],
    ['r of the order', signature(signed.s, 27, order), 'PERMIT_SIGNATURE_INVALID'],
    ['an r that is not a point', signature(signed.s, 27, 5n), 'PERMIT_SIGNATURE_INVALID'],
  ])('refuses %s', (_name, given, expected) => {
    expect(() => recoverPermitSigner(digest, given)).toThrow(code(expected));
  });

  it('accepts an s of exactly half the order', () => {
    expect(recoverPermitSigner(digest, signature(order / 2n))).toMatch(/^0x[0-9a-f]{40}$/);
  });
});

describe('The Wycheproof corpus for ECDSA over secp256k1 with low s', () => {
  const file = JSON.parse(
    readFileSync(new URL('../../testdata/secp256k1/ecdsa_secp256k1_sha256_bitcoin_test.json', import.meta.url), 'utf8'),
  ) as {
    numberOfTests: number;
    testGroups: {
      publicKey: { uncompressed: string };
      tests: { tcId: number; comment: string; msg: string; sig: string; result: string }[];
    }[];
  };
  const cases = file.testGroups.flatMap(({ publicKey, tests }) =>
    tests.map((test) => ({ ...test, key: publicKey.uncompressed })),
  );

  it(`contains ${file.numberOfTests} cases`, () => expect(cases).toHaveLength(file.numberOfTests));

  /**
   * Reports whether the key signed, as a router can verify: a strict DER signature converted to 65 bytes with either v.
   */
  function accepted(key: string, message: string, der: string): boolean {
    let compact: string;
    try {
      compact = secp256k1.Signature.fromDER(der).toCompactHex();
    } catch {
      return false;
    }
    const expected = addressOf(Uint8Array.from(Buffer.from(key, 'hex')));
    const digest = hex(sha256(Uint8Array.from(Buffer.from(message, 'hex'))));
    return ['1b', '1c'].some((v) => {
      try {
        return recoverPermitSigner(digest, `0x${compact}${v}`) === expected;
      } catch {
        return false;
      }
    });
  }

  /** Valid signatures whose r wrapped around the order: they need a v of 29 or 30, which ecrecover does not support. */
  const beyondEcrecover = new Set([346]);

  it.each(cases)('gives case $tcId ($comment) the result $result', ({ tcId, key, msg, sig, result }) => {
    expect(accepted(key, msg, sig)).toBe(result === 'valid' && !beyondEcrecover.has(tcId));
  });
});
