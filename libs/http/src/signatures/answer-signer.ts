import type { KeyObject } from 'node:crypto';
import { contentDigestOf, publicHalfOf, signAnswer, type VerifyingKey } from './message-signature.js';

/** The keys of signed answers. */
export interface AnswerKeys {
  readonly key: KeyObject;
  /** Former keys, and the next one. */
  readonly others: readonly VerifyingKey[];
}

/** The signed parts of an answer in addition to its bytes. */
export interface AnswerPlace {
  readonly contentType: string;
  /** The path of the route as declared, independent of the request's spelling. */
  readonly path: string;
  /** The request's target as it arrived. */
  readonly target: string;
}

type Headers = Readonly<Record<string, string>>;

/** The most signatures cached per page: enough for the queries in use, not for invented ones. */
const MAX_QUERIES = 8;

/**
 * Signs answers, so that a client with the key can verify them from any mirror. Hashes bytes once, and signs them once
 * for each query, for as long as they are cached.
 */
export class AnswerSigner {
  /** Every key that an answer may name, the current one first; null if nothing is signed. */
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

  /** Returns `Content-Digest`, and the signature if there is a key. @param bytes must not change any more */
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
