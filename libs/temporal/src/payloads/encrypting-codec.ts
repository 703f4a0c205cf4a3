import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { ApplicationFailure, type Payload, type PayloadCodec } from '@temporalio/common';
import proto from '@temporalio/proto';
import type { PayloadKeys } from './payload-keys.js';

// Node.js cannot see the names that this CommonJS package exports.
const { Payload: PayloadMessage } = proto.temporal.api.common.v1;

/** The value of `encoding` in the metadata of an encrypted payload. */
const ENCODING = 'binary/encrypted';
const KEY_ID = 'encryption-key-id';
const CIPHER = 'aes-256-gcm';
const SALT_BYTES = 32;
const TAG_BYTES = 16;

const text = (bytes: Uint8Array | null | undefined): string => Buffer.from(bytes ?? []).toString('utf8');
const refused = (type: string, message: string): ApplicationFailure =>
  ApplicationFailure.create({ type, nonRetryable: true, message });

/**
 * Encrypts the payloads of one namespace with AES-256-GCM, and refuses payloads that it cannot authenticate: also
 * plaintext, so that a client without the keys can neither read nor forge an argument or a result.
 *
 * `data` is salt (32 bytes), ciphertext of the whole payload, tag (16 bytes). The salt derives a key and a nonce of its
 * own for each payload (HKDF-SHA256), so the number of payloads of a key is not limited. Namespace and key id are
 * authenticated: a payload is invalid in another namespace.
 */
export class EncryptingCodec implements PayloadCodec {
  constructor(
    private readonly namespace: string,
    private readonly keys: PayloadKeys,
  ) {}

  async encode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => this.#encrypt(payload));
  }

  /** @throws ApplicationFailure `PAYLOAD_NOT_ENCRYPTED`, `PAYLOAD_KEY_UNKNOWN` or `PAYLOAD_NOT_AUTHENTIC`. */
  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => this.#decrypt(payload));
  }

  #encrypt(payload: Payload): Payload {
    const id = this.keys.current;
    const salt = randomBytes(SALT_BYTES);
    const { key, nonce } = derived(this.keys.byId.get(id)!, salt);
    const cipher = createCipheriv(CIPHER, key, nonce).setAAD(this.#bound(id));
    const plain = PayloadMessage.encode(payload).finish();
    const data = Buffer.concat([salt, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
    return { metadata: { encoding: Buffer.from(ENCODING), [KEY_ID]: Buffer.from(id) }, data };
  }

  #decrypt({ metadata, data }: Payload): Payload {
    if (text(metadata?.['encoding']) !== ENCODING)
      throw refused('PAYLOAD_NOT_ENCRYPTED', 'a value of the workflow history is not encrypted');
    const id = text(metadata?.[KEY_ID]);
    const master = this.keys.byId.get(id);
    if (master === undefined)
      throw refused(
        'PAYLOAD_KEY_UNKNOWN',
        'a value of the workflow history has a key that TEMPORAL_PAYLOAD_KEYS_FILE lacks',
      );
    const bytes = Buffer.from(data ?? []);
    try {
      const { key, nonce } = derived(master, bytes.subarray(0, SALT_BYTES));
      const decipher = createDecipheriv(CIPHER, key, nonce)
        .setAAD(this.#bound(id))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      const plain = Buffer.concat([decipher.update(bytes.subarray(SALT_BYTES, -TAG_BYTES)), decipher.final()]);
      return PayloadMessage.decode(plain);
    } catch {
      throw refused('PAYLOAD_NOT_AUTHENTIC', 'a value of the workflow history was altered, or is of another namespace');
    }
  }

  readonly #bound = (id: string): Buffer => Buffer.from(`${this.namespace}\n${id}`);
}

function derived(master: Uint8Array, salt: Uint8Array): { readonly key: Buffer; readonly nonce: Buffer } {
  const bytes = Buffer.from(hkdfSync('sha256', master, salt, 'launch temporal payload v1', 44));
  return { key: bytes.subarray(0, 32), nonce: bytes.subarray(32) };
}
