import { SHELLS } from './completion/shells.js';
import type { Command, CommandOption } from './command.js';

export const JSON_OPTION: CommandOption = {
  name: 'json',
  value: null,
  describes: 'one line of JSON, as in a pipe',
};
export const HELP_OPTION: CommandOption = { name: 'help', value: null, describes: 'this text' };

const chainId: CommandOption = {
  name: 'chain-id',
  value: 'id',
  describes: '4663, the only chain; may be left out',
  values: ['4663'],
};
const output: CommandOption = {
  name: 'output',
  value: 'file',
  describes: "keep the answer's exact bytes in a new file (mode 0600)",
};

/** Everything that `launch` does: each command is one that the service answers. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'coverage',
    summary: 'what V4 launches may be at this service',
    details: 'Reads the public report; no key is used. A report that the deployment does not provide ends with 5.',
    options: [chainId, output],
    load: async () => (await import('./coverage/coverage.js')).coverage,
  },
  {
    name: 'credential',
    summary: 'what your API key may do',
    details: `Shows scopes, chains and controllers, and nothing of the secret. Discovery is read first, without the key.
The key is SERVICE_API_KEY, else in the file SERVICE_API_KEY_FILE (mode 0600), else what
SERVICE_API_KEY_COMMAND prints, a JSON array of strings that is run without a shell.`,
    options: [chainId],
    load: async () => (await import('./credential/credential.js')).credential,
  },
  {
    name: 'completion',
    summary: 'a script that completes commands in a shell',
    details: 'For a shell that runs already: source <(launch completion bash). The script is text in a pipe too.',
    operand: { name: 'shell', value: 'shell', describes: SHELLS.join(', '), values: SHELLS },
    options: [],
    isScript: true,
    load: async () => (await import('./completion/completion.js')).completion,
  },
  {
    name: 'version',
    summary: 'which release this is',
    details: 'Says the release, its API profile, and the SHA-256 of this file. With --verify a difference ends with 3.',
    options: [{ name: 'verify', value: null, describes: 'compare with what the service publishes' }],
    load: async () => (await import('./version/version.js')).version,
  },
];
