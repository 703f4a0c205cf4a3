import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { recoverPermitSigner } from '@launch/evm';
import { keccak256 } from 'viem/utils';
import { startKmsServer, type KmsServer } from './fixtures/kms-server.fixture.js';
import { encodingOf } from './fixtures/signer-contract.fixture.js';
import { CREDENTIALS, KMS_KEY, kmsOptions } from './fixtures/signers.fixture.js';
import { createKmsSigner } from './index.js';

const KEY = Buffer.alloc(32, 0x42);

let kms: KmsServer;
beforeEach(async () => {
  kms = await startKmsServer(KMS_KEY, KEY);
});
afterEach(() => kms.close());

describe('A key in AWS KMS', () => {
  it('gives low s, although KMS returns a high s for half of the digests', async () => {
    const signer = await createKmsSigner(kmsOptions(kms));
    for (let index = 0; index < 40; index += 1) {
      const signature = await signer.signPermit(encodingOf(index));
      expect(recoverPermitSigner(keccak256(encodingOf(index)), signature)).toBe(signer.address);
    }
    expect(kms.seen.highS).toBeGreaterThan(0);
    expect(kms.seen.highS).toBeLessThan(40);
  });

  it('is asked again when KMS throttles or fails, and only a bounded number of times', async () => {
    const signer = await createKmsSigner(kmsOptions(kms));
    kms.state.throttled = 2;
    kms.state.failing = 1;
    await signer.signPermit(encodingOf(1));
    expect(kms.seen.operations.get('Sign')).toBe(4);

    kms.state.throttled = 1_000;
    await expect(signer.signPermit(encodingOf(2))).rejects.toMatchObject({
      code: 'SIGNER_UNAVAILABLE',
      retryable: true,
      message: 'SIGNER_UNAVAILABLE: ThrottlingException',
    });
    expect(kms.seen.operations.get('Sign')).toBe(8);
  });

  it('reports a disabled key, and signs again once it is enabled', async () => {
    const signer = await createKmsSigner(kmsOptions(kms));
    kms.state.keyState = 'Disabled';
    const refusal = { code: 'SIGNER_REFUSED', retryable: true };
    await expect(signer.signPermit(encodingOf(1))).rejects.toMatchObject({
      ...refusal,
      message: 'SIGNER_REFUSED: DisabledException',
    });
    await expect(signer.check()).rejects.toMatchObject({ ...refusal, message: 'SIGNER_REFUSED: Disabled' });
    expect(kms.seen.operations.get('Sign')).toBe(1);
    kms.state.keyState = 'Enabled';
    await signer.check();
    await signer.signPermit(encodingOf(1));
  });

  it('reports a key that waits for its deletion, and a denied caller', async () => {
    const signer = await createKmsSigner(kmsOptions(kms));
    kms.state.keyState = 'PendingDeletion';
    await expect(signer.signPermit(encodingOf(1))).rejects.toMatchObject({
      message: 'SIGNER_REFUSED: KMSInvalidStateException',
    });
    kms.state.keyState = 'Enabled';
    kms.state.isDenied = true;
    for (const call of [signer.signPermit(encodingOf(1)), signer.check(), createKmsSigner(kmsOptions(kms))])
      await expect(call).rejects.toMatchObject({ message: 'SIGNER_REFUSED: AccessDeniedException' });
  });

  it('is reported unavailable when KMS does not answer in time, or not at all', async () => {
    const signer = await createKmsSigner({ ...kmsOptions(kms), timeoutMs: 300 });
    kms.state.isSilent = true;
    await expect(signer.signPermit(encodingOf(1))).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' });
    await expect(signer.check()).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' });
    await kms.close();
    await expect(signer.check()).rejects.toMatchObject({ code: 'SIGNER_UNAVAILABLE' });
    kms = await startKmsServer(KMS_KEY, KEY);
  });

  it('never gives a signature of another key', async () => {
    const signer = await createKmsSigner(kmsOptions(kms));
    kms.state.signsByOther = true;
    await expect(signer.signPermit(encodingOf(1))).rejects.toMatchObject({ code: 'SIGNER_SIGNATURE_WRONG' });
  });

  it('is refused if it is unknown or of another curve', async () => {
    await expect(createKmsSigner({ ...kmsOptions(kms), keyId: 'alias/other' })).rejects.toMatchObject({
      message: 'SIGNER_REFUSED: NotFoundException',
    });
    kms.state.keySpec = 'ECC_NIST_P256';
    await expect(createKmsSigner(kmsOptions(kms))).rejects.toMatchObject({ code: 'SIGNER_KEY_INVALID' });
  });

  it('shows neither credentials nor texts of KMS in errors and printed objects', async () => {
    const signer = await createKmsSigner(kmsOptions(kms));
    kms.state.isDenied = true;
    const error: unknown = await signer.signPermit(encodingOf(1)).catch((failure: unknown) => failure);
    for (const shown of [inspect(signer, { depth: 10, showHidden: true }), inspect(error, { depth: 10 })]) {
      expect(shown).not.toContain(CREDENTIALS.secretAccessKey);
      expect(shown).not.toContain('arn:aws');
      expect(shown).not.toContain(KMS_KEY);
    }
  });
});
