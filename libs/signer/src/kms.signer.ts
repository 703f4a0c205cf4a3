import {
  DescribeKeyCommand,
  GetPublicKeyCommand,
  KMSClient,
  KMSServiceException,
  SignCommand,
  type KMSClientConfig,
} from '@aws-sdk/client-kms';
import { hexToBytes } from 'viem/utils';
import { authorityOfSpki, authoritySignature } from './authority-signature.js';
import { guardedSigner, type PermitSigner } from './permit.signer.js';
import { SignerError } from './signer.errors.js';

export interface KmsSignerOptions {
  /** Id, ARN or alias of a key of spec `ECC_SECG_P256K1` for `SIGN_VERIFY`. An alias must not move while custody runs. */
  readonly keyId: string;
  readonly region: string;
  /** Endpoint of a private link; the region's public one by default. */
  readonly endpoint?: string;
  /** Credentials; those of the process's environment by default, as the AWS SDK finds them. */
  readonly credentials?: KMSClientConfig['credentials'];
  /** Bounds one call with its repetitions, in milliseconds; default 8,000. */
  readonly timeoutMs?: number;
}

/** Below the 20 seconds of the activity that signs, with time left to store the signature. */
const DEFAULT_TIMEOUT_MS = 8_000;
const ATTEMPTS = 4;
const CONNECT_MS = 1_000;
const ATTEMPT_MS = 2_500;

/** Errors of AWS KMS after which the same call may succeed without a repair; the SDK repeats them too. */
const PASSING = new Set([
  'DependencyTimeoutException',
  'KMSInternalException',
  'KeyUnavailableException',
  'LimitExceededException',
  'ThrottlingException',
]);

/**
 * Creates the signer of a key in AWS KMS, which never leaves it. Needs `kms:GetPublicKey`, `kms:DescribeKey` and
 * `kms:Sign` on that key. KMS returns DER and does not promise a low `s`; the adapter normalises both. Throws
 * SignerError.
 */
export async function createKmsSigner(options: KmsSignerOptions): Promise<PermitSigner> {
  const { keyId, region, endpoint, credentials, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const client = new KMSClient({
    region,
    maxAttempts: ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ATTEMPT_MS, throwOnRequestTimeout: true },
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
  });
  const bounded = async <T>(send: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> => {
    try {
      return await send({ abortSignal: AbortSignal.timeout(timeoutMs) });
    } catch (error) {
      throw signerErrorOf(error);
    }
  };

  const { PublicKey, KeySpec, KeyUsage } = await bounded((within) =>
    client.send(new GetPublicKeyCommand({ KeyId: keyId }), within),
  );
  if (PublicKey === undefined || KeySpec !== 'ECC_SECG_P256K1' || KeyUsage !== 'SIGN_VERIFY')
    throw new SignerError('SIGNER_KEY_INVALID');
  const authority = authorityOfSpki(PublicKey);

  return guardedSigner(authority, {
    async sign({ digest }) {
      const { Signature } = await bounded((within) =>
        client.send(
          new SignCommand({
            KeyId: keyId,
            Message: hexToBytes(digest),
            MessageType: 'DIGEST',
            SigningAlgorithm: 'ECDSA_SHA_256',
          }),
          within,
        ),
      );
      if (Signature === undefined) throw new SignerError('SIGNER_SIGNATURE_WRONG');
      return authoritySignature(authority, digest, Signature, 'der');
    },
    async check() {
      const { KeyMetadata } = await bounded((within) => client.send(new DescribeKeyCommand({ KeyId: keyId }), within));
      if (KeyMetadata?.KeyState !== 'Enabled') throw new SignerError('SIGNER_REFUSED', KeyMetadata?.KeyState);
    },
  });
}

/** Without the cause: the texts of KMS name accounts, keys and roles. */
function signerErrorOf(error: unknown): SignerError {
  if (!(error instanceof KMSServiceException))
    return new SignerError('SIGNER_UNAVAILABLE', error instanceof Error ? error.name : undefined);
  const { name, $metadata } = error;
  const isPassing = PASSING.has(name) || ($metadata.httpStatusCode ?? 500) >= 500;
  return new SignerError(isPassing ? 'SIGNER_UNAVAILABLE' : 'SIGNER_REFUSED', name);
}
