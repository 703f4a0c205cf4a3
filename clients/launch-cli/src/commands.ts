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

const config: CommandOption = {
  name: 'config',
  value: 'file',
  describes: 'what the launch is packed from, service.custom-launch-pack-config.v4.1',
  isRequired: true,
};
const context: CommandOption = {
  name: 'context',
  value: 'file',
  describes: 'the context document; without it the one that the service publishes',
};

const file: CommandOption = { name: 'file', value: 'file', describes: 'the request that was packed' };
const retry: CommandOption = {
  name: 'retry',
  value: null,
  describes: 'repeat what says that it may be: the same bytes and key, at most five times',
};

const idempotencyKey: CommandOption = {
  name: 'idempotency-key',
  value: 'key',
  describes: '16 to 128 of A-Z a-z 0-9 . _ : -',
};
const text = (name: string, describes: string): CommandOption => ({ name, value: 'text', describes });

const TABLE = [
  {
    name: 'init',
    summary: 'begin a config with what the service publishes',
    details: `Reads context, checkpoint and the recommended buy, without a key. The window is open for half an hour from now on. Read the
file and change it before it is packed: the least number of tokens of the buy, the range, fees and links are yours.`,
    options: [
      { name: 'wallet', value: 'address', describes: 'the controller, which signs and pays', isRequired: true },
      { ...text('name', "the token's name"), isRequired: true },
      { ...text('symbol', "the token's symbol"), isRequired: true },
      {
        name: 'image',
        value: 'file',
        describes: 'a PNG or GIF, at most 2 MiB, 32 to 4,096 pixels a side',
        isRequired: true,
      },
      { ...text('public-origin', 'where the project stands; committed to, not published'), isRequired: true },
      text('description', 'a sentence about it'),
      { ...output, describes: 'the config, a new file (mode 0600)', isRequired: true },
    ],
  },
  {
    name: 'pack',
    summary: 'make the create request of a custom launch',
    details: `The same config packs to the same bytes. They are judged by all that they decide themselves, and nothing is sent.
With --context no network is used. A config that is refused ends with 3 and names every place.`,
    options: [
      config,
      { ...output, describes: 'the request, a new file (mode 0600)', isRequired: true },
      context,
      { name: 'plan', value: 'mode', describes: 'a plan of several steps instead', values: ['sequential', 'atomic'] },
      { name: 'predecessor', value: 'planId/planDigest', describes: 'the plan that this one takes the place of' },
    ],
  },
  {
    name: 'validate',
    summary: 'check a packed request, with --remote at the service',
    details: `Packs the config again and refuses a file of other bytes (3). With --remote it reads discovery without the key, ends with
8 while a gate is closed, and asks for a preflight. A request that is not deployable exits with 3. The service stores nothing.`,
    operand: file,
    options: [config, context, { name: 'remote', value: null, describes: 'ask the service for a preflight' }, retry],
  },
  {
    name: 'submit',
    summary: 'reserve a launch with a packed request',
    details: `Packs the config again and refuses a file of other bytes (3). It reads discovery without the key and ends with 8 while a gate
is closed. The same file under the same key is the same launch, however often it is sent; other bytes end with 6.
The key is v4- and the SHA-256 of the request unless one is given. Nothing is authorized by it.`,
    operand: file,
    options: [config, context, idempotencyKey, retry],
  },
  {
    name: 'status',
    summary: 'where a launch stands, and its wallet hand-off',
    details: `With --watch it looks until the launch is finalized, or authorized with --until authorized, which every later state
meets too. An end short of that is 3, an unknown launch 5. --output keeps the hand-off, which the controller checks and
signs with a wallet of its own.`,
    operand: { name: 'launchId', value: 'launchId', describes: 'resource.launchId of submit' },
    options: [
      { name: 'api-version', value: 'version', describes: '4, the only one; may be left out', values: ['4'] },
      chainId,
      { name: 'watch', value: null, describes: 'repeat the read until the goal or an end' },
      { name: 'until', value: 'state', describes: 'the goal of --watch', values: ['authorized', 'finalized'] },
      { ...output, describes: 'keep the hand-off in a new file (mode 0600)' },
      retry,
    ],
  },
  {
    name: 'list',
    summary: "your key's launches, newest first",
    details: 'One page of at most 25, 10 unless --limit says otherwise.',
    options: [
      chainId,
      { name: 'limit', value: 'n', describes: '1 to 25' },
      { name: 'cursor', value: 'cursor', describes: 'nextCursor of the page before' },
    ],
  },
  {
    name: 'plan preflight',
    summary: 'ask the service about a packed plan',
    details: 'Like validate --remote, for a file from pack --plan. The service stores nothing.',
    operand: file,
    options: [config, context, retry],
  },
  {
    name: 'plan submit',
    summary: 'reserve a plan',
    details: 'As submit. The key is plan-v1- and the SHA-256 of the plan unless one is given.',
    operand: file,
    options: [config, context, idempotencyKey, retry],
  },
  {
    name: 'plan status',
    summary: 'where a plan and its steps stand, and what to sign next',
    details: `With --watch it looks until the plan is finalized, a step awaits a signature, or all steps are included; with --step it looks
at that step alone. An end short of the goal is 3, an unknown plan 5. --output keeps the authorization of the step that
awaits a signature. A plan needs no proof to go on.`,
    operand: { name: 'planId', value: 'planId', describes: 'resource.planId of plan submit' },
    options: [
      chainId,
      { name: 'watch', value: null, describes: 'repeat the read until the goal or an end' },
      {
        name: 'until',
        value: 'state',
        describes: 'the goal of --watch',
        values: ['signature', 'included', 'finalized'],
      },
      { name: 'step', value: 'stepId', describes: 'of this step alone' },
      { ...output, describes: 'keep what is to be signed in a new file (mode 0600)' },
      retry,
    ],
  },
  {
    name: 'plan prove',
    summary: "name a step's transaction",
    details: 'A hint for observers, without authority: the plan continues without any.',
    operand: { name: 'planId', value: 'planId', describes: 'resource.planId of plan submit' },
    options: [
      { name: 'step', value: 'stepId', describes: 'the step', isRequired: true },
      { name: 'transaction', value: 'hash', describes: '0x and 64 lowercase hex digits', isRequired: true },
      idempotencyKey,
      retry,
    ],
  },
  {
    name: 'coverage',
    summary: 'what custom launches may be at this service',
    details: 'Reads the public report; no key is used. A report that the deployment does not provide ends with 5.',
    options: [chainId, output],
  },
  {
    name: 'credential',
    summary: 'what your API key may do',
    details: `Shows scopes, chains and controllers, and nothing of the secret. Discovery is read first, without the key.
The key is SERVICE_API_KEY, else in the file SERVICE_API_KEY_FILE (mode 0600), else what
SERVICE_API_KEY_COMMAND prints, a JSON array of strings that is run without a shell.`,
    options: [chainId],
  },
  {
    name: 'completion',
    summary: 'a script that completes commands in a shell',
    details: 'For a shell that runs already: source <(launch completion bash). The script is text in a pipe too.',
    operand: { name: 'shell', value: 'shell', describes: SHELLS.join(', '), values: SHELLS },
    options: [],
    isScript: true,
  },
  {
    name: 'version',
    summary: 'which release this is',
    details: 'Says the release, its API profile, and the SHA-256 of this file. With --verify a difference ends with 3.',
    options: [{ name: 'verify', value: null, describes: 'compare with what the service publishes' }],
  },
] as const satisfies readonly Command[];
export type CommandName = (typeof TABLE)[number]['name'];

/** Every command of `launch`. The service answers each of them. */
export const COMMANDS: readonly (Command & { readonly name: CommandName })[] = TABLE;
