import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Payload } from '@temporalio/common';
import { dataConverterOf } from './data-converter.js';
import { EncryptingCodec } from './encrypting-codec.js';
import { parsePayloadKeys } from './payload-keys.js';
import { MAX_PAYLOAD_BYTES } from './size-rule.js';

const OLD = `2026-01=${'ab'.repeat(32)}`;
const NEW = `2026-07=${'cd'.repeat(32)}`;
const keys = parsePayloadKeys(`${OLD}\n`);
const rotated = parsePayloadKeys(`${NEW}\n${OLD}\n`);
const payload = (text: string): Payload => ({
  metadata: { encoding: Buffer.from('json/plain') },
  data: Buffer.from(text),
});
const plain = (decoded: readonly Payload[]): string[] => decoded.map(({ data }) => Buffer.from(data!).toString());

describe('The encrypting codec', () => {
  const codec = new EncryptingCodec('launches', keys);

  it('returns each payload with its metadata, and shows none of it', async () => {
    const values = ['"a secret"', '', 'x'.repeat(60_000)];
    const encrypted = await codec.encode(values.map(payload));
    expect(plain(await codec.decode(encrypted))).toEqual(values);
    expect((await codec.decode(encrypted))[0]!.metadata!['encoding']).toEqual(
      new Uint8Array(Buffer.from('json/plain')),
    );
    expect(Buffer.from(encrypted[0]!.data!).includes('secret')).toBe(false);
  });

  it('encrypts the same value to other bytes each time', async () => {
    const [first, second] = await codec.encode([payload('1'), payload('1')]);
    expect(first!.data).not.toEqual(second!.data);
  });

  it('reads payloads of an earlier key after a rotation, and writes those of the current one', async () => {
    const [before] = await codec.encode([payload('before')]);
    const after = new EncryptingCodec('launches', rotated);
    const [written] = await after.encode([payload('after')]);
    expect(Buffer.from(written!.metadata!['encryption-key-id']!).toString()).toBe('2026-07');
    expect(plain(await after.decode([before!, written!]))).toEqual(['before', 'after']);
    await expect(codec.decode([written!])).rejects.toMatchObject({ type: 'PAYLOAD_KEY_UNKNOWN', nonRetryable: true });
  });

  it('refuses plaintext, so that a client without the keys forges no value', async () => {
    await expect(codec.decode([payload('forged')])).rejects.toMatchObject({ type: 'PAYLOAD_NOT_ENCRYPTED' });
    await expect(codec.decode([{}])).rejects.toMatchObject({ type: 'PAYLOAD_NOT_ENCRYPTED' });
  });

  it('refuses a payload of another namespace', async () => {
    const [other] = await new EncryptingCodec('modules', keys).encode([payload('1')]);
    await expect(codec.decode([other!])).rejects.toMatchObject({ type: 'PAYLOAD_NOT_AUTHENTIC' });
  });

  it('reads and writes in the name of its callers, for a service of operations', async () => {
    const custody = dataConverterOf({ namespace: 'custody', payloadNamespace: 'launches', payloadKeys: keys })
      .payloadCodecs![1]!;
    expect(plain(await custody.decode(await codec.encode([payload('asked')])))).toEqual(['asked']);
    expect(plain(await codec.decode(await custody.encode([payload('answered')])))).toEqual(['answered']);
    const others = new EncryptingCodec('modules', keys);
    await expect(custody.decode(await others.encode([payload('forged')]))).rejects.toMatchObject({
      type: 'PAYLOAD_NOT_AUTHENTIC',
    });
  });

  it('refuses every altered byte and every shorter payload', async () => {
    const [encrypted] = await codec.encode([payload('1')]);
    const { metadata, data } = encrypted!;
    for (let index = 0; index < data!.length; index += 1) {
      const altered = Buffer.from(data!);
      altered[index]! ^= 1;
      await expect(codec.decode([{ metadata, data: altered } as Payload])).rejects.toMatchObject({
        type: 'PAYLOAD_NOT_AUTHENTIC',
      });
      const shorter = Buffer.from(data!.subarray(0, index));
      await expect(codec.decode([{ metadata, data: shorter } as Payload])).rejects.toMatchObject({
        type: 'PAYLOAD_NOT_AUTHENTIC',
      });
    }
  });

  it('follows the size rule, which counts plaintext', async () => {
    const [rule, encryption] = dataConverterOf({ namespace: 'launches', payloadKeys: keys }).payloadCodecs!;
    const largest = { data: randomBytes(MAX_PAYLOAD_BYTES) };
    expect((await encryption!.encode(await rule!.encode([largest])))[0]!.data!.length).toBeGreaterThan(
      MAX_PAYLOAD_BYTES,
    );
    await expect(rule!.encode([{ data: randomBytes(MAX_PAYLOAD_BYTES + 1) }])).rejects.toMatchObject({
      type: 'PAYLOAD_TOO_LARGE',
    });
  });
});

describe('A file of payload keys', () => {
  it('has the current key first', () => {
    expect(rotated.current).toBe('2026-07');
    expect([...rotated.byId.keys()]).toEqual(['2026-07', '2026-01']);
  });

  it.each([
    ['no key', '\n'],
    ['a short key', 'a=ab'],
    ['capital digits', `a=${'AB'.repeat(32)}`],
    ['a key without an id', `=${'ab'.repeat(32)}`],
    ['an id twice', `${OLD}\n2026-01=${'cd'.repeat(32)}`],
    ['more than 32 keys', Array.from({ length: 33 }, (_, index) => `k${index}=${'ab'.repeat(32)}`).join('\n')],
  ])('is refused with %s, and its error shows no key', (_name, text) => {
    const problem = (): unknown => parsePayloadKeys(text);
    expect(problem).toThrow(expect.objectContaining({ code: 'PAYLOAD_KEYS_INVALID' }));
    expect(problem).not.toThrow(/(ab){2}|(cd){2}/i);
  });
});
