import { PINNED_COMPILER_VERSIONS } from '@launch/compiler';
import { canonicalizeJson } from '@launch/contracts/json';
import { reviewerPolicyOf, type ReviewerPolicy } from '@launch/contracts/modules';
import { addressSchema, canonicalSha256, type Hex } from '@launch/contracts/primitives';
import { z, ZodError } from 'zod';
import type { Command } from '../command.types.js';
import { DeployError } from '../deploy.error.js';
import { createNamed, invalidDocument, parseDocument, readNamed } from '../documents.js';

const MAX_KEY_BYTES = 16 * 1024;

export const writeReviewerPolicy: Command = {
  summary: 'Write the policy that names the reviewers of modules and the builder',
  options: [
    {
      name: 'public-key',
      value: 'file',
      summary: "the builder's public key, Ed25519 in SPKI PEM; make-secrets writes it as build-public-key.pem",
      required: true,
    },
    {
      name: 'reviewers',
      value: 'wallets',
      summary: "the reviewers' wallets, lowercase, separated by commas",
      required: true,
    },
    { name: 'out', value: 'file', summary: 'the policy to write; it must not exist', required: true },
  ],
  details: `Writes the reviewer policy of a deployment: the reviewers of modules, and the builder whose results count. A policy is
never edited, only succeeded by another one.

Output: the SHA-256 digest that names the policy.`,
  examples: [
    'write-reviewer-policy --public-key deploy/secrets/build-public-key.pem --reviewers 0x…,0x… --out deploy/reviewer-policy.json',
  ],
  async run({ 'public-key': keyFile = '', reviewers = '', out = '' }, { progress }) {
    const workerPublicPem = Buffer.from(readNamed('--public-key', keyFile, MAX_KEY_BYTES)).toString('utf8');
    const policy = policyOf(
      workerPublicPem,
      parseDocument(z.array(addressSchema), reviewers.split(','), '--reviewers'),
    );
    createNamed('--out', out, canonicalizeJson(policy));
    progress(`wrote ${out}`);
    return `${canonicalSha256(policy)}\n`;
  },
};

/** @throws {DeployError} DOCUMENT_INVALID, which never repeats the key. */
function policyOf(workerPublicPem: string, reviewers: readonly Hex[]): ReviewerPolicy {
  try {
    return reviewerPolicyOf({ reviewers, workerPublicPem, compilerVersions: PINNED_COMPILER_VERSIONS });
  } catch (error) {
    if (error instanceof ZodError) throw invalidDocument('reviewer policy', error);
    if (!(error instanceof TypeError)) throw error;
    throw new DeployError(
      'DOCUMENT_INVALID',
      `--public-key: ${error.message}`,
      "Name the public half of the builder's key: openssl pkey -in <private key> -pubout.",
    );
  }
}
