import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '@launch/platform';
import { z } from 'zod';
import { requireSignerFields, signerFields } from './signer.fields.js';

const schema = z.object(signerFields).superRefine(requireSignerFields);
const wrong = (env: Record<string, string>): string => {
  try {
    loadConfig(schema, env);
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
};

const PKCS11 = {
  PERMIT_SIGNER: 'pkcs11',
  PERMIT_PKCS11_MODULE: '/usr/lib/softhsm/libsofthsm2.so',
  PERMIT_PKCS11_TOKEN_LABEL: 'launch permits',
  PERMIT_PKCS11_KEY_ID: '01',
  PERMIT_PKCS11_PIN_FILE: import.meta.filename,
  PERMIT_PKCS11_ENVIRONMENT: 'SOFTHSM2_CONF=/etc/softhsm2.conf,LC_ALL=C',
};

describe('The settings of the permit signer', () => {
  it('require a key file unless another signer is chosen', () => {
    expect(wrong({})).toBe('configuration: PERMIT_KEY_FILE: is required');
    expect(wrong({ PERMIT_KEY_FILE: '/run/secrets/permit-key' })).toBe('accepted');
  });

  it.each([
    ['aws-kms', 'PERMIT_KMS_KEY_ID: is required; PERMIT_KMS_REGION: is required'],
    ['web3signer', 'PERMIT_WEB3SIGNER_URL: is required; PERMIT_WEB3SIGNER_PUBLIC_KEY: is required'],
    [
      'pkcs11',
      'PERMIT_PKCS11_MODULE: is required; PERMIT_PKCS11_TOKEN_LABEL: is required; PERMIT_PKCS11_KEY_ID: is required; PERMIT_PKCS11_PIN_FILE: is required',
    ],
  ])('require the variables of %s', (signer, problems) => {
    expect(wrong({ PERMIT_SIGNER: signer, PERMIT_KEY_FILE: '/run/secrets/permit-key' })).toBe(
      `configuration: ${problems}`,
    );
  });

  it('accept a complete signer', () => {
    expect(
      wrong({ PERMIT_SIGNER: 'aws-kms', PERMIT_KMS_KEY_ID: 'alias/permits', PERMIT_KMS_REGION: 'eu-west-1' }),
    ).toBe('accepted');
    const key = 'ab'.repeat(64);
    expect(
      wrong({
        PERMIT_SIGNER: 'web3signer',
        PERMIT_WEB3SIGNER_URL: 'https://signer',
        PERMIT_WEB3SIGNER_PUBLIC_KEY: key,
      }),
    ).toBe('accepted');
    expect(wrong(PKCS11)).toBe('accepted');
  });

  it.each([
    ['PERMIT_PKCS11_MODULE', 'module.so', 'must be an absolute path'],
    ['PERMIT_PKCS11_TOOL', 'pkcs11-tool', 'must be an absolute path'],
    ['PERMIT_PKCS11_TOKEN_LABEL', 'l'.repeat(33), 'must be a label of at most 32 printable characters'],
    ['PERMIT_PKCS11_KEY_ID', 'permits', 'must be the CKA_ID of the key in hex'],
    ['PERMIT_PKCS11_KEY_ID', '012', 'must be the CKA_ID of the key in hex'],
    ['PERMIT_PKCS11_PIN_FILE', '/nonexistent/pin', 'must name a readable file of at most 64 KiB'],
    ['PERMIT_PKCS11_ENVIRONMENT', 'SOFTHSM2_CONF', 'must read NAME=value, separated by commas'],
  ])('refuse for PKCS#11 %s=%s', (name, value, problem) => {
    expect(wrong({ ...PKCS11, [name]: value })).toBe(`configuration: ${name}: ${problem}`);
  });

  it('refuse a certificate without its key, and an unknown signer', () => {
    expect(wrong({ PERMIT_KEY_FILE: '/key', PERMIT_WEB3SIGNER_CLIENT_CERT_FILE: import.meta.filename })).toBe(
      'configuration: PERMIT_WEB3SIGNER_CLIENT_KEY_FILE: is required',
    );
    expect(wrong({ PERMIT_SIGNER: 'ledger' })).toContain('PERMIT_SIGNER');
  });
});
