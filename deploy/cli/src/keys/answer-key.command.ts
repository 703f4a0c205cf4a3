import { createPublicKey, type KeyObject } from 'node:crypto';
import type { Command } from '../command.types.js';
import { DeployError } from '../deploy.error.js';
import { readNamed } from '../documents.js';
import { DEFAULT_SECRETS } from '../secrets/secrets-folder.js';

const MAX_KEY_BYTES = 16 * 1024;

export const answerKey: Command = {
  summary: 'Show the public half of a key that signs answers',
  options: [
    {
      name: 'key',
      value: 'file',
      summary: 'the private or the public key, PEM',
      default: `${DEFAULT_SECRETS}/answer-signing-key.pem`,
    },
  ],
  details: `Prints the public half of an Ed25519 key as a JSON Web Key, for the set of ANSWER_OTHER_KEYS_FILE, and the kid that
answers name (docs/runbooks/answer-keys.md).

Output: {"key": …, "kid": …}, JSON.`,
  examples: ['answer-key --key new.pem'],
  async run({ key: file = `${DEFAULT_SECRETS}/answer-signing-key.pem` }) {
    const { crv, x } = publicKeyIn(file, readNamed('--key', file, MAX_KEY_BYTES)).export({ format: 'jwk' });
    if (crv !== 'Ed25519' || x === undefined) throw notEd25519(file);
    // The library of the gateway, which this command alone loads: it takes most of a second.
    const { verifyingKeyOf } = await import('@launch/http');
    return `${JSON.stringify({ key: { kty: 'OKP', crv, x }, kid: verifyingKeyOf(x).kid }, null, 2)}\n`;
  },
};

/** @throws {DeployError} DOCUMENT_INVALID, which never repeats the key. */
function publicKeyIn(file: string, pem: Uint8Array): KeyObject {
  try {
    return createPublicKey(Buffer.from(pem));
  } catch {
    throw notEd25519(file);
  }
}

const notEd25519 = (file: string): DeployError =>
  new DeployError(
    'DOCUMENT_INVALID',
    `--key ${file} is not an Ed25519 key in PEM`,
    'Make one: openssl genpkey -algorithm ed25519 -out new.pem.',
  );
