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

describe('The settings of the permit signer', () => {
  it('require a key file unless another signer is chosen', () => {
    expect(wrong({})).toBe('configuration: PERMIT_KEY_FILE: is required');
    expect(wrong({ PERMIT_KEY_FILE: '/run/secrets/permit-key' })).toBe('accepted');
  });

  it.each([
    ['aws-kms', 'PERMIT_KMS_KEY_ID: is required; PERMIT_KMS_REGION: is required'],
    ['web3signer', 'PERMIT_WEB3SIGNER_URL: is required; PERMIT_WEB3SIGNER_PUBLIC_KEY: is required'],
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
  });

  it('refuse a certificate without its key, and an unknown signer', () => {
    expect(wrong({ PERMIT_KEY_FILE: '/key', PERMIT_WEB3SIGNER_CLIENT_CERT_FILE: import.meta.filename })).toBe(
      'configuration: PERMIT_WEB3SIGNER_CLIENT_KEY_FILE: is required',
    );
    expect(wrong({ PERMIT_SIGNER: 'ledger' })).toContain('PERMIT_SIGNER');
  });
});
