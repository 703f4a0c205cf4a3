import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';

/**
 * An answer to verify. Written from RFC 9421, 9530, 7517, 7638 and 8037 alone: the verifier shares no code with the
 * signer.
 */
export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The request's target: path and query. */
  readonly target: string;
}

export type AnswerVerdict =
  | { readonly ok: true; readonly created: number }
  | { readonly ok: false; readonly reason: string };

/** Returns the keys of a set by their thumbprints, and recomputes each thumbprint. */
export function readKeySet(document: unknown): ReadonlyMap<string, KeyObject> {
  const { keys } = document as { keys: { kty: string; crv: string; x: string; kid: string }[] };
  return new Map(
    keys.map(({ kty, crv, x, kid }) => {
      const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
      if (thumbprint !== kid) throw new Error(`the key ${kid} has the thumbprint ${thumbprint}`);
      return [kid, createPublicKey({ key: { kty, crv, x }, format: 'jwk' })];
    }),
  );
}

/** The components that an independent verifier requires, in the signer's order. */
const NEEDED = ['"@status"', '"content-type"', '"content-digest"', '"@path";req', '"@query";req'];

export function verifyAnswer(answer: ReceivedAnswer, keys: ReadonlyMap<string, KeyObject>): AnswerVerdict {
  const refuse = (reason: string): AnswerVerdict => ({ ok: false, reason });
  // RFC 9530: a dictionary of algorithms, each a byte sequence between colons.
  const digest = createHash('sha256').update(answer.body).digest('base64');
  const digests = (answer.headers['content-digest'] ?? '').split(',').map((member) => member.trim());
  if (!digests.includes(`sha-256=:${digest}:`)) return refuse('content-digest');
  // RFC 9421, 4.1: a dictionary of inner lists with parameters.
  const [, label, parameters] = /^([a-z][a-z0-9_.-]*)=(\(.*)$/.exec(answer.headers['signature-input'] ?? '') ?? [];
  if (label === undefined || parameters === undefined) return refuse('signature-input');
  const list = parameters.slice(1, parameters.indexOf(')'));
  const components = list.split(' ');
  if (NEEDED.some((name) => !components.includes(name))) return refuse('components');
  const parameter = (name: string): string | undefined =>
    new RegExp(`;${name}=(?:"([^"]*)"|(\\d+))`)
      .exec(parameters.slice(parameters.indexOf(')')))
      ?.slice(1)
      .find(Boolean);
  if (parameter('alg') !== 'ed25519') return refuse('alg');
  if (parameter('tag') !== 'service-answer-v1') return refuse('tag');
  const key = keys.get(parameter('keyid') ?? '');
  if (key === undefined) return refuse('keyid');
  const signed = new RegExp(`^${label}=:([A-Za-z0-9+/]+=*):$`).exec(answer.headers['signature'] ?? '')?.[1];
  if (signed === undefined) return refuse('signature');
  const mark = answer.target.indexOf('?');
  // RFC 9421, 2.2: of the response, and with `;req` of the request that it answers.
  const values: Readonly<Record<string, string>> = {
    '"@status"': String(answer.status),
    '"@path";req': mark === -1 ? answer.target : answer.target.slice(0, mark),
    '"@query";req': mark === -1 ? '?' : answer.target.slice(mark),
  };
  const base = [
    ...components.map((name) => `${name}: ${values[name] ?? answer.headers[name.slice(1, -1)]?.trim() ?? ''}`),
    `"@signature-params": ${parameters}`,
  ].join('\n');
  if (!verify(null, Buffer.from(base), key, Buffer.from(signed, 'base64'))) return refuse('signature');
  return { ok: true, created: Number(parameter('created')) };
}
