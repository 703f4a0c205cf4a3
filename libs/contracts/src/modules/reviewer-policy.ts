import { assertCanonicalJson, StrictJsonError } from '../json/index.js';
import { readBase64 } from '../primitives/base64.js';
import { CHAIN_ID } from '../primitives/limits.js';
import type { Address } from '../primitives/scalars.schema.js';
import { NATIVE_SOLIDITY_PROFILE } from './build-profile.js';
import { reviewerPolicySchema, type ReviewerPolicy } from './reviewer-policy.schema.js';

/** The facts of a policy that a person decides. */
export interface ReviewerPolicyFacts {
  readonly reviewers: readonly Address[];
  /** SPKI PEM of the builder's public key. */
  readonly workerPublicPem: string;
  readonly compilerVersions: readonly string[];
  /** The highest bounds that a plan may request; defaults to a minute, 512 MiB and 16 MiB of output. */
  readonly limits?: ReviewerPolicy['limits'];
}

const DEFAULT_LIMITS: ReviewerPolicy['limits'] = {
  cpuMs: 60_000,
  memoryPages: 8_192,
  outputBytes: 16 * 1024 * 1024,
};

/** Makes the policy of these facts. @throws ZodError for invalid facts, TypeError for a key that is not Ed25519. */
export function reviewerPolicyOf(facts: ReviewerPolicyFacts): ReviewerPolicy {
  return reviewerPolicySchema.parse({
    schemaVersion: 'service.modules.reviewer-policy.v1',
    chainId: CHAIN_ID,
    reviewers: [...facts.reviewers].sort(),
    workerPublicKey: ed25519KeyOf(facts.workerPublicPem),
    buildProfiles: [NATIVE_SOLIDITY_PROFILE],
    compilerVersions: [...facts.compilerVersions],
    limits: facts.limits ?? DEFAULT_LIMITS,
  });
}

/** SubjectPublicKeyInfo of an Ed25519 key (RFC 8410), before its 32 bytes. */
const SPKI_PREFIX = '302a300506032b6570032100';

/** Returns a public key in the form of a policy. @param pem SPKI PEM. @throws TypeError for any other key. */
export function ed25519KeyOf(pem: string): string {
  const [, body = ''] = /^-----BEGIN PUBLIC KEY-----\s+([\s\S]+?)\s+-----END PUBLIC KEY-----\s*$/.exec(pem) ?? [];
  const text = body.replaceAll(/\s/g, '');
  const der = readBase64(text) ?? new Uint8Array();
  const hex = Array.from(der, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (!hex.startsWith(SPKI_PREFIX) || der.length !== SPKI_PREFIX.length / 2 + 32) {
    throw new TypeError('the public key must be Ed25519 in SPKI PEM');
  }
  return `ed25519:${hex.slice(SPKI_PREFIX.length)}`;
}

/** Parses a policy, or returns the fault of the text. A policy is addressed by its bytes, so they must be canonical. */
export function parseReviewerPolicy(text: string): { readonly policy: ReviewerPolicy } | { readonly problem: string } {
  let value: unknown;
  try {
    value = assertCanonicalJson(new TextEncoder().encode(text));
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return { problem: 'must be canonical JSON' };
  }
  const parsed = reviewerPolicySchema.safeParse(value);
  if (parsed.success) return { policy: parsed.data };
  const [first] = parsed.error.issues;
  return { problem: `names no reviewer policy: ${first?.path.join('.') ?? ''}: ${first?.message ?? ''}` };
}
