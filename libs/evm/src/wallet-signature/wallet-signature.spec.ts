import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Hex } from '@launch/contracts/primitives';
import { readWalletSignature, recoverWalletSigner } from './wallet-signature.js';

/** Signatures by viem in every encoding. `another`: an address other than the signer's. */
type Case = {
  readonly name: string;
  readonly digest: Hex;
  readonly signature: string;
} & (
  | { readonly encoding: string }
  | { readonly encoding?: undefined; readonly signer: Hex | 'another' | null; readonly normal: Hex }
);

const CASES = JSON.parse(
  readFileSync(new URL('../../testdata/wallet-signatures/encodings.json', import.meta.url), 'utf8'),
) as readonly Case[];
const SIGNERS = new Set(CASES.flatMap((one) => (one.encoding === undefined ? [one.signer] : [])));

describe("a wallet's signature", () => {
  it.each(CASES)('The signature $name recovers its signer or names its encoding.', (one) => {
    const signer = recoverWalletSigner(one.digest, one.signature);
    if (one.encoding !== undefined) {
      expect([readWalletSignature(one.signature), signer]).toEqual([
        { kind: 'unsupported', encoding: one.encoding },
        null,
      ]);
      return;
    }
    expect(readWalletSignature(one.signature)).toEqual({ kind: 'supported', signature: one.normal });
    if (one.signer === 'another') {
      expect(signer).toMatch(/^0x[0-9a-f]{40}$/);
      expect(SIGNERS).not.toContain(signer);
    } else expect(signer).toBe(one.signer);
  });
});
