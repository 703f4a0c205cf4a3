import path from 'node:path';
import { CHECKOUT } from '../checkout.js';
import type { Command } from '../command.types.js';
import { makeSecrets } from './make-secrets.js';
import { SecretFiles } from './secret-files.js';
import { DEFAULT_SECRETS } from './secrets-folder.js';

export const makeSecretsCommand: Command = {
  summary: 'Make the secrets that docker-compose.yml mounts',
  options: [
    {
      name: 'folder',
      value: 'folder',
      summary: 'the folder of secrets',
      default: `${DEFAULT_SECRETS} of the checkout`,
    },
  ],
  details: `Makes the passwords, roles and keys that docker-compose.yml mounts as secrets. A file that exists is left unchanged, so
the command can run again. Each file has mode 0400 and belongs to the one user that reads it in its container. Giving files
away takes root (sudo); without it the command prints what root has to run.

To bring a permit key of your own, write it to <folder>/permit-key first. Write the observers of each chain to
<folder>/rpc-4663-urls and <folder>/rpc-1-urls, before or after, and run the command again after.
Output: what is left to do, a line each.`,
  examples: ['make-secrets'],
  async run({ folder = path.join(CHECKOUT, DEFAULT_SECRETS) }, { progress }) {
    const left = makeSecrets(new SecretFiles(path.resolve(folder), progress));
    return left.map((line) => `${line}\n`).join('');
  },
};
