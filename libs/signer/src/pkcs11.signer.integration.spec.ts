import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { recoverPermitSigner } from '@launch/evm';
import { keccak256 } from 'viem/utils';
import { describeSigner, encodingOf, PERMITS } from './fixtures/signer-contract.fixture.js';
import {
  createSoftHsm,
  hasSoftHsm,
  KEY_ID,
  OTHER_CURVE_ID,
  PIN,
  SOFT_HSM,
  type SoftHsm,
} from './fixtures/softhsm.fixture.js';
import { createPkcs11Signer } from './index.js';

const WRONG_PIN = '90917263';
const describeWithSoftHsm = hasSoftHsm ? describe : describe.skip;

describeWithSoftHsm('With SoftHSM (skipped only without the packages softhsm2 and opensc)', () => {
  describeSigner(SOFT_HSM, PERMITS.commitByProcess);

  describe('A key behind PKCS#11', () => {
    let hsm: SoftHsm;
    beforeEach(async () => {
      hsm = await createSoftHsm();
    });
    afterEach(() => hsm.close());
    const logins = async (): Promise<number> => (await hsm.calls()).filter((args) => args.includes('--login')).length;

    it('is used by one process for each signature, and by none with its PIN at start and for readiness', async () => {
      const signer = await createPkcs11Signer(hsm.options);
      await signer.check();
      expect(await logins()).toBe(0);
      for (let index = 0; index < 3; index += 1) await signer.signPermit(encodingOf(index));
      expect(await logins()).toBe(3);
    });

    it('is not asked again after its token refused the PIN, however many permits wait', async () => {
      const signer = await createPkcs11Signer({ ...hsm.options, pin: WRONG_PIN });
      await signer.check();
      const refusal = { code: 'SIGNER_REFUSED', message: 'SIGNER_REFUSED: CKR_PIN_INCORRECT', retryable: true };
      const waiting = Array.from({ length: 8 }, (_, index) => signer.signPermit(encodingOf(index)));
      for (const one of waiting) await expect(one).rejects.toMatchObject(refusal);
      await expect(signer.signPermit(encodingOf(9))).rejects.toMatchObject(refusal);
      await expect(signer.check()).rejects.toMatchObject(refusal);
      expect(await logins()).toBe(1);

      // A restart with the right PIN.
      const restarted = await createPkcs11Signer(hsm.options);
      await restarted.signPermit(encodingOf(1));
    });

    it('is asked once with a PIN that an operator changed meanwhile', async () => {
      const signer = await createPkcs11Signer(hsm.options);
      await signer.signPermit(encodingOf(1));
      await hsm.manage('--change-pin', `--new-pin=${WRONG_PIN}`);
      const waiting = Array.from({ length: 4 }, (_, index) => signer.signPermit(encodingOf(index)));
      for (const one of waiting) await expect(one).rejects.toMatchObject({ code: 'SIGNER_REFUSED' });
      expect(await logins()).toBe(2);
    });

    it('is reported while its token is absent, and signs again once the token is back', async () => {
      const signer = await createPkcs11Signer(hsm.options);
      const absence = { code: 'SIGNER_UNAVAILABLE', message: 'SIGNER_UNAVAILABLE: token absent', retryable: true };
      await hsm.withdraw();
      for (const call of [
        () => signer.signPermit(encodingOf(1)),
        () => signer.check(),
        () => createPkcs11Signer(hsm.options),
      ])
        await expect(call()).rejects.toMatchObject(absence);
      await hsm.restore();
      await signer.check();
      const signature = await signer.signPermit(encodingOf(1));
      expect(recoverPermitSigner(keccak256(encodingOf(1)), signature)).toBe(signer.address);
    });

    it('is reported when another key has taken its id', async () => {
      const signer = await createPkcs11Signer(hsm.options);
      for (const type of ['privkey', 'pubkey']) await hsm.manage('--delete-object', `--type=${type}`, `--id=${KEY_ID}`);
      await expect(signer.signPermit(encodingOf(1))).rejects.toMatchObject({ message: 'SIGNER_REFUSED: key absent' });
      await expect(signer.check()).rejects.toMatchObject({ message: 'SIGNER_REFUSED: key absent' });
      await hsm.manage('--keypairgen', '--key-type=EC:secp256k1', `--id=${KEY_ID}`, '--usage-sign');
      await expect(signer.signPermit(encodingOf(1))).rejects.toMatchObject({ code: 'SIGNER_SIGNATURE_WRONG' });
      await expect(signer.check()).rejects.toMatchObject({ message: 'SIGNER_REFUSED: other key' });
    });

    it('is refused at start if it is absent or of another curve, without a login', async () => {
      await hsm.manage('--keypairgen', '--key-type=EC:prime256v1', `--id=${OTHER_CURVE_ID}`, '--usage-sign');
      const open = (keyId: string) => createPkcs11Signer({ ...hsm.options, keyId });
      await expect(open('77')).rejects.toMatchObject({ message: 'SIGNER_REFUSED: key absent' });
      await expect(open(OTHER_CURVE_ID)).rejects.toMatchObject({ code: 'SIGNER_KEY_INVALID' });
      expect(await logins()).toBe(0);
    });

    it.each([
      ['token absent', { tokenLabel: 'another' }],
      ['module not loaded', { module: '/nonexistent/module.so' }],
      ['tool missing', { tool: '/nonexistent/pkcs11-tool' }],
      ['tool not started EACCES', { tool: '/usr/lib/softhsm/libsofthsm2.so' }],
    ])('is unavailable with the reason: %s', async (reason, change) => {
      const opened = createPkcs11Signer({ ...hsm.options, ...change });
      await expect(opened).rejects.toMatchObject({
        code: 'SIGNER_UNAVAILABLE',
        message: `SIGNER_UNAVAILABLE: ${reason}`,
      });
    });

    it('has its PIN in no argument, error or printed object, and its tool no other variable', async () => {
      const signer = await createPkcs11Signer(hsm.options);
      await signer.signPermit(encodingOf(1));
      expect((await hsm.variables()).sort()).toEqual(['PERMIT_PIN', 'SOFTHSM2_CONF']);
      const refused = await createPkcs11Signer({ ...hsm.options, pin: WRONG_PIN });
      const error: unknown = await refused.signPermit(encodingOf(1)).catch((failure: unknown) => failure);
      const shown = [inspect(signer, { depth: 10, showHidden: true }), inspect(error)].join();
      for (const args of await hsm.calls()) expect(args).not.toMatch(new RegExp(`${PIN}|${WRONG_PIN}`));
      for (const secret of [PIN, WRONG_PIN, 'softhsm']) expect(shown).not.toContain(secret);
    });
  });
});
