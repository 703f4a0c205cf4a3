import { secretTextFile, textFile, url } from '@launch/platform';
import { z } from 'zod';

const absolutePath = () => z.string().regex(/^\/[^\0]{1,1023}$/, 'must be an absolute path');

/** The variables of the permit authority's signer. */
export const signerFields = {
  /** The kind of place that holds the permit authority's key. */
  PERMIT_SIGNER: z.enum(['file', 'aws-kms', 'web3signer', 'pkcs11']).default('file'),
  /** File with the permit authority's private key, 64 hex digits, readable by its owner only. */
  PERMIT_KEY_FILE: z.string().min(1).optional(),
  /** Key in AWS KMS: id, ARN or alias. */
  PERMIT_KMS_KEY_ID: z.string().min(1).max(2_048).optional(),
  PERMIT_KMS_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,64}$/, 'must be an AWS region')
    .optional(),
  PERMIT_KMS_ENDPOINT: url('https:', 'http:').optional(),
  PERMIT_WEB3SIGNER_URL: url('https:', 'http:').optional(),
  PERMIT_WEB3SIGNER_PUBLIC_KEY: z
    .string()
    .regex(/^(0x)?[0-9a-fA-F]{128}$/, 'must be a public key of 128 hex digits')
    .optional(),
  PERMIT_WEB3SIGNER_CA_FILE: textFile().optional(),
  /** Custody's certificate and its key, for mutual TLS. */
  PERMIT_WEB3SIGNER_CLIENT_CERT_FILE: textFile().optional(),
  PERMIT_WEB3SIGNER_CLIENT_KEY_FILE: secretTextFile().optional(),
  /** The vendor's PKCS#11 library. */
  PERMIT_PKCS11_MODULE: absolutePath().optional(),
  PERMIT_PKCS11_TOKEN_LABEL: z
    .string()
    .regex(/^[\x20-\x7e]{1,32}$/, 'must be a label of at most 32 printable characters')
    .optional(),
  PERMIT_PKCS11_KEY_ID: z
    .string()
    .regex(/^([0-9a-fA-F]{2}){1,64}$/, 'must be the CKA_ID of the key in hex')
    .optional(),
  PERMIT_PKCS11_PIN_FILE: secretTextFile().optional(),
  /** OpenSC's `pkcs11-tool`, which loads the library. */
  PERMIT_PKCS11_TOOL: absolutePath().default('/usr/bin/pkcs11-tool'),
  /** The variables that the library needs, `NAME=value` separated by commas. The tool receives no other. */
  PERMIT_PKCS11_ENVIRONMENT: z
    .string()
    .regex(/^\w+=[^,\0]*(,\w+=[^,\0]*)*$/, 'must read NAME=value, separated by commas')
    .optional(),
};
const schema = z.object(signerFields);
export type SignerConfig = z.output<typeof schema>;

type Signer = SignerConfig['PERMIT_SIGNER'];
const REQUIRED = {
  file: ['PERMIT_KEY_FILE'],
  'aws-kms': ['PERMIT_KMS_KEY_ID', 'PERMIT_KMS_REGION'],
  web3signer: ['PERMIT_WEB3SIGNER_URL', 'PERMIT_WEB3SIGNER_PUBLIC_KEY'],
  pkcs11: ['PERMIT_PKCS11_MODULE', 'PERMIT_PKCS11_TOKEN_LABEL', 'PERMIT_PKCS11_KEY_ID', 'PERMIT_PKCS11_PIN_FILE'],
} as const satisfies Readonly<Record<Signer, readonly (keyof SignerConfig)[]>>;

/** Reports the variables that the chosen signer lacks, and half of a client certificate. */
export function requireSignerFields(config: SignerConfig, { addIssue }: Pick<z.RefinementCtx, 'addIssue'>): void {
  const required: (keyof SignerConfig)[] = [...REQUIRED[config.PERMIT_SIGNER]];
  if (config.PERMIT_WEB3SIGNER_CLIENT_CERT_FILE !== undefined) required.push('PERMIT_WEB3SIGNER_CLIENT_KEY_FILE');
  if (config.PERMIT_WEB3SIGNER_CLIENT_KEY_FILE !== undefined) required.push('PERMIT_WEB3SIGNER_CLIENT_CERT_FILE');
  for (const name of required)
    if (config[name] === undefined) addIssue({ code: 'custom', path: [name], message: 'is required' });
}

/** Returns a variable that `requireSignerFields` has found present. */
export function signerField<Name extends keyof SignerConfig>(
  config: SignerConfig,
  name: Name,
): NonNullable<SignerConfig[Name]> {
  const value = config[name];
  if (value === undefined) throw new TypeError(`${name} is required`);
  return value;
}
