import {
  createKmsSigner,
  createLocalKeySigner,
  createPkcs11Signer,
  createWeb3Signer,
  type ClientTls,
  type PermitSigner,
} from '@launch/signer';
import { signerField, type SignerConfig } from './signer.fields.js';

/** Opens the signer that the configuration chooses. Throws SignerError if it does not answer or has no such key. */
export function openPermitSigner(config: SignerConfig): Promise<PermitSigner> {
  switch (config.PERMIT_SIGNER) {
    case 'file':
      return createLocalKeySigner(signerField(config, 'PERMIT_KEY_FILE'));
    case 'aws-kms':
      return createKmsSigner({
        keyId: signerField(config, 'PERMIT_KMS_KEY_ID'),
        region: signerField(config, 'PERMIT_KMS_REGION'),
        ...(config.PERMIT_KMS_ENDPOINT === undefined ? {} : { endpoint: config.PERMIT_KMS_ENDPOINT }),
      });
    case 'web3signer':
      return createWeb3Signer({
        url: signerField(config, 'PERMIT_WEB3SIGNER_URL'),
        publicKey: signerField(config, 'PERMIT_WEB3SIGNER_PUBLIC_KEY'),
        tls: clientTls(config),
      });
    case 'pkcs11':
      return createPkcs11Signer({
        tool: config.PERMIT_PKCS11_TOOL,
        module: signerField(config, 'PERMIT_PKCS11_MODULE'),
        tokenLabel: signerField(config, 'PERMIT_PKCS11_TOKEN_LABEL'),
        keyId: signerField(config, 'PERMIT_PKCS11_KEY_ID'),
        pin: signerField(config, 'PERMIT_PKCS11_PIN_FILE').reveal(),
        environment: variablesOf(config.PERMIT_PKCS11_ENVIRONMENT ?? ''),
      });
  }
}

const variablesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .flatMap((one) => (one === '' ? [] : [[one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]])),
  );

function clientTls({
  PERMIT_WEB3SIGNER_CA_FILE: ca,
  PERMIT_WEB3SIGNER_CLIENT_CERT_FILE: cert,
  PERMIT_WEB3SIGNER_CLIENT_KEY_FILE: key,
}: SignerConfig): ClientTls {
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key: key.reveal() }),
  };
}
