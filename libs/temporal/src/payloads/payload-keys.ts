/** The keys of a namespace's payloads. The first encrypts; all decrypt, so that a rotation keeps old histories readable. */
export interface PayloadKeys {
  readonly current: string;
  /** 32 bytes by key id. */
  readonly byId: ReadonlyMap<string, Uint8Array>;
}

/** Reports a key file that cannot be used. The message names the line, never its text. */
export class PayloadKeysError extends Error {
  override readonly name = 'PayloadKeysError';
  readonly code = 'PAYLOAD_KEYS_INVALID';
}

const KEY_LINE = /^(?<id>[a-z0-9][a-z0-9-]{0,31})=(?<hex>[0-9a-f]{64})$/;
const MAX_KEYS = 32;

/**
 * Reads payload keys: one `<id>=<64 hexadecimal digits>` a line, the current key first.
 * @throws PayloadKeysError for another form, a repeated id, or more than 32 keys.
 */
export function parsePayloadKeys(text: string): PayloadKeys {
  const byId = new Map<string, Uint8Array>();
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  for (const [index, line] of lines.entries()) {
    const { id, hex } = KEY_LINE.exec(line)?.groups ?? {};
    if (id === undefined || hex === undefined)
      throw new PayloadKeysError(`line ${index + 1} must read <id>=<64 lowercase hexadecimal digits>`);
    if (byId.has(id)) throw new PayloadKeysError(`line ${index + 1} repeats a key id`);
    byId.set(id, Buffer.from(hex, 'hex'));
  }
  const [current] = byId.keys();
  if (current === undefined) throw new PayloadKeysError('the file has no key');
  if (byId.size > MAX_KEYS) throw new PayloadKeysError(`the file has more than ${MAX_KEYS} keys`);
  return { current, byId };
}
