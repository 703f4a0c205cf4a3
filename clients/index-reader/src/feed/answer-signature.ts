import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import { ANSWER_KEYS_PATH, answerKeysSchema } from '@launch/contracts/index';
import type { Received } from '@launch/client-core/transport';
import { FeedError } from './feed.error.js';
import type { ServiceRead } from './service-read.js';

/** Keys by the thumbprints that signatures name. */
export type AnswerKeys = ReadonlyMap<string, KeyObject>;

/** The components that a signature must cover. It may cover more. */
const COVERED = ['"@status"', '"content-type"', '"content-digest"', '"@path";req', '"@query";req'];
const TAG = 'service-answer-v1';

/**
 * Reads the keys of a service from the service itself, never from a mirror. Computes each thumbprint (RFC 7638) instead of
 * trusting it.
 * @throws {FeedError} `KEYS_INVALID`. @throws {ExchangeError} without an answer.
 */
export async function readAnswerKeys(service: ServiceRead): Promise<AnswerKeys> {
  const read = answerKeysSchema.safeParse((await service.get(ANSWER_KEYS_PATH)).json);
  if (!read.success) throw new FeedError('KEYS_INVALID', 'the keys have another form');
  return new Map(
    read.data.keys.map(({ kty, crv, x, kid }) => {
      const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
      if (thumbprint !== kid) throw new FeedError('KEYS_INVALID', 'a key has another thumbprint than it says');
      return [kid, createPublicKey({ key: { kty, crv, x }, format: 'jwk' })] as const;
    }),
  );
}

/**
 * Checks the digest of an answer (RFC 9530), and its signature by one of the keys (RFC 9421) for exactly the requested target.
 * @throws {FeedError} `DIGEST_DIFFERS`, `SIGNATURE_INVALID`
 */
export function checkSignature({ status, headers, bytes }: Received, target: URL, keys: AnswerKeys): void {
  const digest = `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;
  const digests = (headers.get('content-digest') ?? '').split(',').map((member) => member.trim());
  if (!digests.includes(digest))
    throw new FeedError('DIGEST_DIFFERS', 'an answer has other bytes than its digest names');
  const invalid = (what: string): FeedError => new FeedError('SIGNATURE_INVALID', `a signature ${what}`);
  const [, label, parameters] = /^([a-z][a-z0-9_.-]*)=(\([^)]*\).*)$/.exec(headers.get('signature-input') ?? '') ?? [];
  if (label === undefined || parameters === undefined) throw invalid('is missing');
  const end = parameters.indexOf(')');
  const components = parameters.slice(1, end).split(' ');
  if (COVERED.some((name) => !components.includes(name))) throw invalid('covers too little');
  const said = (name: string): string | undefined => new RegExp(`;${name}="([^"]*)"`).exec(parameters.slice(end))?.[1];
  const key = keys.get(said('keyid') ?? '');
  if (key === undefined || said('alg') !== 'ed25519' || said('tag') !== TAG)
    throw invalid('is by no key of the service');
  const own = new Map([
    ['"@status"', String(status)],
    ['"@path";req', target.pathname],
    ['"@query";req', target.search === '' ? '?' : target.search],
  ]);
  const base = [
    ...components.map((name) => `${name}: ${own.get(name) ?? headers.get(name.slice(1, -1))?.trim() ?? ''}`),
    `"@signature-params": ${parameters}`,
  ].join('\n');
  const signature = /^([a-z][a-z0-9_.-]*)=:([A-Za-z0-9+/]+=*):$/.exec(headers.get('signature') ?? '');
  if (signature?.[1] !== label || !verify(null, Buffer.from(base), key, Buffer.from(signature[2]!, 'base64')))
    throw invalid('is of another answer');
}
