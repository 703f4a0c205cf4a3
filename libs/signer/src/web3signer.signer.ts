import type { Hex } from '@launch/evm';
import { hexToBytes } from 'viem/utils';
import { authorityOf, authoritySignature } from './authority-signature.js';
import { createBoundedHttp, type BoundedHttp, type ClientTls } from './bounded-http.js';
import { guardedSigner, type PermitSigner } from './permit.signer.js';
import { SignerError } from './signer.errors.js';

export interface Web3SignerOptions {
  /** Base URL of the Web3Signer in `eth1` mode, http or https. */
  readonly url: string;
  /** The public key, 64 bytes of hex without the leading `04`; Web3Signer names keys by it. */
  readonly publicKey: string;
  /** Certificates of a connection by mutual TLS. */
  readonly tls?: ClientTls;
  /** Bounds one call with its repetitions, in milliseconds; default 8,000. */
  readonly timeoutMs?: number;
}

/** Below the 20 seconds of the activity that signs, with time left to store the signature. */
const DEFAULT_TIMEOUT_MS = 8_000;
const KEY_FORM = /^(?:0x)?([0-9a-fA-F]{128})$/;
const SIGNATURE_FORM = /^(?:0x)?[0-9a-fA-F]{130}\s*$/;
const MAX_SIGNATURE_BYTES = 256;
/** Room for a thousand public keys. */
const MAX_KEY_LIST_BYTES = 256 * 1024;

/**
 * Creates the signer of a key behind Web3Signer's REST API of `eth1` mode. Web3Signer hashes by itself, so it receives
 * the permit's encoding. Throws SignerError; refuses to start when the signer does not offer the key.
 */
export async function createWeb3Signer(options: Web3SignerOptions): Promise<PermitSigner> {
  const digits = KEY_FORM.exec(options.publicKey)?.[1]?.toLowerCase();
  if (digits === undefined) throw new SignerError('SIGNER_KEY_INVALID');
  const authority = authorityOf(hexToBytes(`0x04${digits}`));
  const http = createBoundedHttp({
    url: options.url,
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    tls: options.tls,
  });

  const check = async (): Promise<void> => {
    if (!(await offeredKeys(http)).has(digits)) throw new SignerError('SIGNER_REFUSED', 'key not offered');
  };
  await check();
  return guardedSigner(authority, {
    check,
    async sign({ encoding, digest }) {
      const text = await http.post(`/api/v1/eth1/sign/0x${digits}`, { data: encoding }, MAX_SIGNATURE_BYTES);
      if (!SIGNATURE_FORM.test(text)) throw new SignerError('SIGNER_SIGNATURE_WRONG');
      const signature: Hex = `0x${text.trim().replace(/^0x/, '')}`;
      // Its `v` is 27 or 28, or 0 or 1 behind some key vaults: recover it instead.
      return authoritySignature(authority, digest, hexToBytes(signature).subarray(0, 64), 'compact');
    },
  });
}

async function offeredKeys(http: BoundedHttp): Promise<ReadonlySet<string>> {
  const text = await http.get('/api/v1/eth1/publicKeys', MAX_KEY_LIST_BYTES);
  const keys = parsed(text);
  if (!Array.isArray(keys)) throw new SignerError('SIGNER_UNAVAILABLE', 'no list of keys');
  return new Set(keys.map((key) => KEY_FORM.exec(String(key))?.[1]?.toLowerCase() ?? ''));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
