import type { KeyObject } from 'node:crypto';
import { contentDigestOf, publicHalfOf, signAnswer, type VerifyingKey } from './message-signature.js';

/** What answers are signed with. */
export interface AnswerKeys {
  readonly key: KeyObject;
  /** Those that signed before, and the one that is to sign next. */
  readonly others: readonly VerifyingKey[];
}

/** What is signed of an answer, besides its bytes. */
export interface AnswerPlace {
  readonly contentType: string;
  /** As the route is declared, whatever spelling the request had. */
  readonly path: string;
  /** The request's target as it came. */
  readonly target: string;
}

type Headers = Readonly<Record<string, string>>;

/** Queries of one page whose signatures are kept: those in use, not those that somebody makes up. */
const MAX_QUERIES = 8;

/**
 * Signs answers, so that whoever has the key knows them from whatever mirror they come. Bytes are hashed once, and
 * signed once for each query that they answer, for as long as they are kept.
 */
export class AnswerSigner {
  /** Every key that an answer may name, the one that signs first; null where nothing is signed. */
  readonly keys: readonly VerifyingKey[] | null;
  private readonly signing: { readonly key: KeyObject; readonly keyId: string } | null;
  private readonly digests = new WeakMap<Uint8Array, Headers>();
  private readonly signed = new WeakMap<Uint8Array, Map<string, Headers>>();

  /** @param now milliseconds */
  constructor(
    keys: AnswerKeys | null,
    private readonly now: () => number = Date.now,
  ) {
    const current = keys === null ? null : publicHalfOf(keys.key);
    this.keys =
      keys === null || current === null ? null : [current, ...keys.others.filter(({ kid }) => kid !== current.kid)];
    this.signing = keys === null || current === null ? null : { key: keys.key, keyId: current.kid };
  }

  /** `Content-Digest`, and the signature where there is a key. @param bytes that nobody changes any more */
  headersOf(bytes: Uint8Array, { contentType, path, target }: AnswerPlace): Headers {
    const digest = this.digestOf(bytes);
    if (this.signing === null) return digest;
    const at = target.indexOf('?');
    const query = at === -1 ? '?' : target.slice(at);
    let ofPage = this.signed.get(bytes);
    if (ofPage === undefined) this.signed.set(bytes, (ofPage = new Map()));
    const name = `${path}${query} ${contentType}`;
    const known = ofPage.get(name);
    if (known !== undefined) return known;
    const created = Math.floor(this.now() / 1_000);
    const { signatureInput, signature } = signAnswer(
      { status: 200, contentType, contentDigest: digest['content-digest'] ?? '', path, query },
      { ...this.signing, created },
    );
    const headers = { ...digest, 'signature-input': signatureInput, signature };
    for (const oldest of ofPage.keys()) if (ofPage.size >= MAX_QUERIES) ofPage.delete(oldest);
    ofPage.set(name, headers);
    return headers;
  }

  private digestOf(bytes: Uint8Array): Headers {
    let headers = this.digests.get(bytes);
    if (headers === undefined) this.digests.set(bytes, (headers = { 'content-digest': contentDigestOf(bytes) }));
    return headers;
  }
}
