import type { EncryptingCodec } from '@launch/temporal';
import { z } from 'zod';

const MAX_PAYLOADS = 10_000;
const base64 = z.base64();

/** The body that the Temporal UI and the `temporal` program send: payloads as protobuf's JSON. */
const bodySchema = z.strictObject({
  payloads: z
    .array(z.looseObject({ metadata: z.record(z.string().max(255), base64).optional(), data: base64.optional() }))
    .max(MAX_PAYLOADS),
});

const bytes = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64');
const text = (value: Uint8Array | null | undefined): string => Buffer.from(value ?? []).toString('base64');
const mapped = <From, To>(record: Readonly<Record<string, From>>, value: (from: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(record).map(([key, from]) => [key, value(from)]));

/**
 * Encodes or decodes the payloads of a body.
 * @throws ZodError or SyntaxError for another body; ApplicationFailure of the codec for a payload that it refuses.
 */
export async function convertPayloads(
  codec: EncryptingCodec,
  direction: 'encode' | 'decode',
  body: string,
): Promise<object> {
  const { payloads } = bodySchema.parse(JSON.parse(body));
  const given = payloads.map(({ metadata, data }) => ({ metadata: mapped(metadata ?? {}, bytes), data: bytes(data) }));
  const converted = await codec[direction](given);
  return {
    payloads: converted.map(({ metadata, data }) => ({ metadata: mapped(metadata ?? {}, text), data: text(data) })),
  };
}
