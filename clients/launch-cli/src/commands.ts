import {
  JSON_OPTION,
  RETRY_OPTION,
  type CommandDeclaration,
  type OptionDeclaration,
  type ProgramDeclaration,
} from '@launch/client-core/command';
import { VERSION } from './version/release.js';

const chainId: OptionDeclaration = {
  name: 'chain-id',
  value: 'id',
  summary: 'the chain',
  values: ['4663'],
  default: '4663',
};
const output: OptionDeclaration = {
  name: 'output',
  value: 'file',
  summary: 'write the exact bytes of the response to a new file (mode 0600)',
};
const newRequest: OptionDeclaration = {
  ...output,
  summary: 'write the request to this new file (mode 0600)',
  required: true,
};
const config: OptionDeclaration = {
  name: 'config',
  value: 'file',
  summary: 'read the config of the launch, service.custom-launch-pack-config.v4.1',
  required: true,
};
const context: OptionDeclaration = {
  name: 'context',
  value: 'file',
  summary: 'read the context from this file instead of the service',
};
const waitMax: OptionDeclaration = {
  name: 'wait-max',
  value: 'seconds',
  summary: 'set how long --watch outlives an outage, which then ends with 8 or 9',
  range: [0, 86_400],
  default: '300',
};
const request: OptionDeclaration = {
  name: 'request',
  value: 'file',
  summary: 'compare the response with the request that was sent',
};
const idempotencyKey: OptionDeclaration = {
  name: 'idempotency-key',
  value: 'key',
  summary: 'replace the key that follows from the bytes: 16 to 128 of A-Z a-z 0-9 . _ : -',
};
const watch: OptionDeclaration = { name: 'watch', summary: 'repeat the read until the goal or the end' };
const until = (...values: readonly string[]): OptionDeclaration => ({
  name: 'until',
  value: 'state',
  summary: 'set the goal of --watch',
  values,
  default: 'finalized',
});
const step: OptionDeclaration = { name: 'step', value: 'stepId', summary: 'select one step of the plan' };

const file = { name: 'file', noun: 'a packed request', summary: 'the packed request', isFile: true } as const;
const launchId = { name: 'launchId', noun: 'a launch id', summary: 'resource.launchId of submit' } as const;
const planId = { name: 'planId', noun: 'a plan id', summary: 'resource.planId of plan submit' } as const;

const text = (name: string, summary: string): OptionDeclaration => ({ name, value: 'text', summary });
const pages: readonly OptionDeclaration[] = [
  { name: 'limit', value: 'n', summary: 'items of a page', range: [1, 25] },
  { name: 'cursor', value: 'cursor', summary: 'begin with the page that nextCursor of another page names' },
  { name: 'all', summary: 'read the pages behind it too, at most 40' },
];

const TABLE = [
  {
    name: 'init',
    summary: 'create a config from the data that the service publishes',
    details: `Reads the context, the checkpoint and the recommended buy, without a key. The permit window opens now and lasts half an
hour. Review and edit the file before you pack it, above all minimumTokensOut, the range, the fees and the links.`,
    options: [
      { name: 'wallet', value: 'address', summary: 'the controller, which signs and pays', required: true },
      { ...text('name', 'the name of the token'), required: true },
      { ...text('symbol', 'the symbol of the token'), required: true },
      {
        name: 'image',
        value: 'file',
        summary: 'a PNG or GIF, at most 2 MiB, 32 to 4,096 pixels a side',
        required: true,
      },
      { ...text('public-origin', 'the origin of the project; committed to, not published'), required: true },
      text('description', 'a sentence about the token'),
      { ...output, summary: 'write the config to this new file (mode 0600)', required: true },
      RETRY_OPTION,
    ],
    examples: [
      'init --wallet 0x… --name Atlas --symbol ATLAS --image logo.png --public-origin https://atlas.example --output launch.json',
    ],
  },
  {
    name: 'pack',
    summary: 'build the create request of a launch or a plan',
    details: `The same config packs to the same bytes. The request is checked by every rule that it decides itself, and nothing is sent.
With --context no network is used. A config that breaks a rule ends with 3; the findings name each place.`,
    options: [
      config,
      newRequest,
      context,
      { name: 'plan', value: 'mode', summary: 'build a plan of several steps', values: ['sequential', 'atomic'] },
      { name: 'predecessor', value: 'planId/planDigest', summary: 'name the plan that this one replaces' },
      RETRY_OPTION,
    ],
    examples: [
      'pack --config launch.json --output request.json',
      'pack --config launch.json --plan sequential --output plan.json',
    ],
  },
  {
    name: 'validate',
    summary: 'check a packed request, with --remote at the service',
    details: `Packs the config again and refuses a file of other bytes (3). With --remote it reads discovery without the key, ends with
8 while a gate is closed, and asks for a preflight. A request that is not deployable exits with 3. The service stores nothing.`,
    positionals: [file],
    options: [config, context, { name: 'remote', summary: 'ask the service for a preflight' }, RETRY_OPTION],
    examples: ['validate request.json --config launch.json --remote'],
  },
  {
    name: 'submit',
    summary: 'create a launch from a packed request',
    details: `Packs the config again and refuses a file of other bytes (3). It reads discovery without the key and ends with 8 while a gate
is closed. The same file under the same key is the same launch, however often it is sent; other bytes end with 6.
The key is v4- and the SHA-256 of the request unless you give one. Submitting authorizes nothing.`,
    positionals: [file],
    options: [config, context, idempotencyKey, RETRY_OPTION],
    examples: ['submit request.json --config launch.json'],
  },
  {
    name: 'status',
    summary: 'show the state of a launch, and keep its wallet hand-off',
    details: `With --watch it reads until the launch is finalized, or authorized with --until authorized, which every later state
meets too. A launch that ends before the goal exits with 3, an unknown launch with 5. --output keeps the hand-off, which
the controller checks and signs with a wallet.`,
    positionals: [launchId],
    options: [
      { name: 'api-version', value: 'version', summary: 'the version of the API', values: ['4'], default: '4' },
      chainId,
      watch,
      until('authorized', 'finalized'),
      waitMax,
      request,
      context,
      { ...output, summary: 'write the hand-off to a new file (mode 0600)' },
      RETRY_OPTION,
    ],
    examples: [
      'status <launchId> --watch --until authorized',
      'status <launchId> --output handoff.json',
      'status <launchId> --watch',
    ],
  },
  {
    name: 'explain',
    summary: 'explain a kept hand-off before you sign it',
    details: `Treats the file of status --output or plan status --output as a claim: recomputes every value from the request, and shows what
the wallet would pay, receive and lock. Needs no key; with --context no service. The context, and with it the router and
the signers, is the one that your request names by its hash. A value that differs ends with 3. With --rpc it also asks the
chain for the router's code, the signer, the nonce, the balance and the result of the exact transaction.`,
    positionals: [{ name: 'file', noun: 'a kept hand-off', summary: 'the file of --output', isFile: true }],
    options: [
      { name: 'request', value: 'file', summary: 'the packed request of the launch or plan', required: true },
      context,
      { name: 'rpc', value: 'url', summary: 'ask this JSON-RPC endpoint of chain 4663' },
      RETRY_OPTION,
    ],
    examples: [
      'explain handoff.json --request request.json',
      'explain deploy-token.json --request plan.json --context context.json --rpc https://rpc.example',
    ],
  },
  {
    name: 'list',
    summary: "list your key's launches, newest first",
    details: 'Prints one page, of 10 launches unless --limit says otherwise, or with --all up to 1,000 launches.',
    options: [chainId, ...pages, RETRY_OPTION],
    examples: ['list', 'list --limit 25', 'list --all'],
  },
  {
    name: 'plan preflight',
    summary: 'ask the service about a packed plan',
    details: 'Like validate --remote, for a file from pack --plan. The service stores nothing.',
    positionals: [file],
    options: [config, context, RETRY_OPTION],
    examples: ['plan preflight plan.json --config launch.json'],
  },
  {
    name: 'plan submit',
    summary: 'create a plan from a packed plan',
    details: 'Like submit. The key is plan-v1- and the SHA-256 of the plan unless you give one.',
    positionals: [file],
    options: [config, context, idempotencyKey, RETRY_OPTION],
    examples: ['plan submit plan.json --config launch.json'],
  },
  {
    name: 'plan status',
    summary: 'show the state of a plan and its steps, and keep the next step to sign',
    details: `With --watch it reads until the plan is finalized, a step awaits a signature, or all steps are included; with --step only
that step counts. A plan that ends before the goal exits with 3, an unknown plan with 5. --output keeps the authorization
of the step that awaits a signature. A plan continues without proofs.`,
    positionals: [planId],
    options: [
      chainId,
      watch,
      until('signature', 'included', 'finalized'),
      step,
      waitMax,
      request,
      context,
      { ...output, summary: 'write the authorization to sign to a new file (mode 0600)' },
      RETRY_OPTION,
    ],
    examples: ['plan status <planId> --watch --until signature --step deploy-token --output deploy-token.json'],
  },
  {
    name: 'plan list',
    summary: "list your key's plans, newest first",
    details: 'Prints one page, of 25 plans unless --limit says otherwise, or with --all up to 1,000 plans.',
    options: [chainId, ...pages, RETRY_OPTION],
    examples: ['plan list', 'plan list --all'],
  },
  {
    name: 'plan prove',
    summary: 'submit the transaction hash of a step',
    details: 'A hint for the observers, without authority: the plan continues without it.',
    positionals: [planId],
    options: [
      { ...step, required: true },
      { name: 'transaction', value: 'hash', summary: '0x and 64 lowercase hex digits', required: true },
      idempotencyKey,
      RETRY_OPTION,
    ],
    examples: ['plan prove <planId> --step deploy-token --transaction 0x…'],
  },
  {
    name: 'coverage',
    summary: 'show the kinds of custom launches that the service supports',
    details: 'Reads the public report, without a key. A report that the deployment does not provide ends with 5.',
    options: [chainId, output, RETRY_OPTION],
    examples: ['coverage', 'coverage --output coverage.json'],
  },
  {
    name: 'credential',
    summary: 'show the permissions of your API key',
    details: `Shows scopes, chains and controllers, never the secret. Discovery is read first, without the key.
The key is SERVICE_API_KEY, else in the file SERVICE_API_KEY_FILE (mode 0600), else the output of
SERVICE_API_KEY_COMMAND, a JSON array of strings that runs without a shell.`,
    options: [chainId, RETRY_OPTION],
    examples: ['credential'],
  },
  {
    name: 'version',
    summary: 'show the release of this program',
    details:
      'Shows the release, its API profile, and the SHA-256 of this file. With --verify a difference ends with 3.',
    options: [{ name: 'verify', summary: 'compare with the release that the service publishes' }, RETRY_OPTION],
    examples: ['version', 'version --verify'],
  },
] as const satisfies readonly CommandDeclaration[];
export type CommandName = (typeof TABLE)[number]['name'];

/** The program `launch` with every command that the service answers. */
export const LAUNCH: ProgramDeclaration & {
  readonly commands: readonly (CommandDeclaration & { readonly name: CommandName })[];
} = {
  name: 'launch',
  version: VERSION,
  summary: 'custom launches and plans on chain 4663',
  commands: TABLE,
  options: [JSON_OPTION],
  helpsByDefault: true,
  groups: { plan: 'launches of several steps' },
  details: `SERVICE_API_BASE_URL is the service's origin: HTTPS, or HTTP on this machine.
A result is text on a terminal, and one line of JSON in a pipe or with --json.
Nothing is signed or sent to a chain, and no redirect is followed.

Exit codes: 0 done, 2 usage, 3 refused or different, 4 not authorized, 5 unknown,
6 conflict, 7 rate limited, 8 gates closed or unavailable, 9 unreachable,
10 an unusable response, 11 file, 130 interrupted.`,
};
