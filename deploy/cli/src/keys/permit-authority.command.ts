import { privateKeyToAddress } from 'viem/accounts';
import type { Command } from '../command.types.js';
import { DeployError } from '../deploy.error.js';
import { readNamed } from '../documents.js';
import { DEFAULT_SECRETS } from '../secrets/secrets-folder.js';

const MAX_KEY_BYTES = 256;

export const permitAuthority: Command = {
  summary: 'Show the address of a permit key',
  options: [
    {
      name: 'key',
      value: 'file',
      summary: 'the key, 64 hex digits with or without 0x',
      default: `${DEFAULT_SECRETS}/permit-key`,
    },
  ],
  details: `Prints the address of a permit key: the authority that the router has to know (setAuthority) and that the facts of a
context name in permitAuthorities.

Output: the address, lowercase.`,
  examples: ['permit-authority --key deploy/secrets/permit-key'],
  async run({ key: file = `${DEFAULT_SECRETS}/permit-key` }) {
    const text = Buffer.from(readNamed('--key', file, MAX_KEY_BYTES))
      .toString('latin1')
      .trim();
    const [, digits] = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(text) ?? [];
    const address = digits === undefined ? undefined : addressOf(`0x${digits}`);
    if (address === undefined)
      throw new DeployError(
        'DOCUMENT_INVALID',
        `--key ${file} is not a private key of secp256k1`,
        'The file contains 64 hex digits, with or without 0x; launch-deploy make-secrets writes one.',
      );
    return `${address.toLowerCase()}\n`;
  },
};

/** Zero and numbers beyond the order of the curve are no keys. The error of the curve may repeat the key, so it is dropped. */
function addressOf(key: `0x${string}`): string | undefined {
  try {
    return privateKeyToAddress(key);
  } catch {
    return undefined;
  }
}
