import {
  JSON_OPTION,
  RETRY_OPTION,
  type CommandDeclaration,
  type OptionDeclaration,
  type ProgramDeclaration,
} from '@launch/client-core/command';

/** A command, and the part of the client that it belongs to if not every release has it. */
interface ModuleCommand extends CommandDeclaration {
  readonly isOfReview?: true;
  readonly isOfAuthoring?: true;
}

const apiOrigin: OptionDeclaration = {
  name: 'api-origin',
  value: 'url',
  summary: 'the origin of the service: HTTPS, or HTTP on loopback',
  required: true,
};
const timeout: OptionDeclaration = {
  name: 'timeout-ms',
  value: 'ms',
  summary: 'the longest time of one call',
  range: [1, 120_000],
  default: '20000',
};
const receipts: OptionDeclaration = {
  name: 'receipts',
  value: 'folder',
  summary: 'the folder of kept receipts',
  default: '.service-modules',
};
const root: OptionDeclaration = { name: 'root', value: 'folder', summary: 'the folder of the module', required: true };
const descriptor: OptionDeclaration = {
  name: 'package',
  value: 'file',
  summary: 'the descriptor, relative to --root',
};
const id: OptionDeclaration = { name: 'id', value: 'uuid', summary: 'the id of the submission', required: true };
const NETWORK = [apiOrigin, timeout, RETRY_OPTION];
const KEPT = [...NETWORK, receipts];

/** Every command. The first release lacks those of the review, the first two those of authoring (docs/reference/modules.md#module-cli-release). */
export const COMMANDS = [
  {
    name: 'check-client',
    summary: 'compare this file with the digest that the service publishes for its version',
    options: NETWORK,
    examples: ['check-client --api-origin https://launch.example'],
    isOfAuthoring: true,
  },
  {
    name: 'module-capabilities',
    summary: 'read what the service accepts now, without a key',
    options: NETWORK,
    examples: ['module-capabilities --api-origin https://launch.example'],
  },
  {
    name: 'pin-module-sources',
    summary: 'write the descriptor with the digest of each file in /source/files',
    options: [
      root,
      { ...descriptor, required: true },
      { name: 'out', value: 'file', summary: 'write the descriptor to this new file (mode 0600)', required: true },
      { name: 'module-version', value: 'version', summary: 'replace the version of the descriptor' },
    ],
    examples: ['pin-module-sources --root . --package module.draft.json --out module.json'],
    isOfAuthoring: true,
  },
  {
    name: 'prepare-module-submission',
    summary: 'write the request that submits a module, and send nothing',
    options: [
      root,
      { ...descriptor, required: true },
      { name: 'out', value: 'file', summary: 'write the request to this new file (mode 0600)', required: true },
      { name: 'supersedes', value: 'uuid', summary: 'name the submission that this one replaces' },
    ],
    examples: ['prepare-module-submission --root . --package module.json --out request.json'],
  },
  {
    name: 'submit-module',
    summary: 'send one request, whose exact bytes are in a file first',
    details: 'Needs exactly one of --request, a file of prepare-module-submission, and --package.',
    options: [
      root,
      apiOrigin,
      {
        name: 'idempotency-key',
        value: 'key',
        summary: 'the key of the submission, 16 to 128 characters',
        required: true,
      },
      { name: 'request', value: 'file', summary: 'the prepared request' },
      descriptor,
      timeout,
      RETRY_OPTION,
      receipts,
    ],
    examples: [
      'submit-module --root . --package module.json --idempotency-key my-module-1.0.0 --api-origin https://launch.example',
    ],
  },
  {
    name: 'status-module',
    summary: 'read the receipt of a submission, and compare it with the kept one',
    options: [id, ...KEPT],
    examples: ['status-module --id <uuid> --api-origin https://launch.example'],
  },
  {
    name: 'list-module-submissions',
    summary: 'list your submissions, 20 on a page',
    options: [{ name: 'cursor', value: 'uuid', summary: 'begin behind this submission' }, ...KEPT],
    examples: ['list-module-submissions --api-origin https://launch.example'],
  },
  {
    name: 'review-capabilities',
    summary: 'read the rules of the review, without a key',
    options: NETWORK,
    examples: ['review-capabilities --api-origin https://launch.example'],
    isOfReview: true,
  },
  {
    name: 'review-status-module',
    summary: 'read the review of a submission',
    options: [id, ...KEPT],
    examples: ['review-status-module --id <uuid> --api-origin https://launch.example'],
    isOfReview: true,
  },
] as const satisfies readonly ModuleCommand[];
export type CommandName = (typeof COMMANDS)[number]['name'];

/** The capabilities of a client release. */
export interface Release {
  readonly version: string;
  readonly hasReview: boolean;
  readonly hasAuthoring: boolean;
}

/** Returns the commands of one release. */
export const commandsOf = ({ hasReview, hasAuthoring }: Release): readonly ModuleCommand[] =>
  (COMMANDS as readonly ModuleCommand[]).filter(
    ({ isOfReview, isOfAuthoring }) => (hasReview || isOfReview !== true) && (hasAuthoring || isOfAuthoring !== true),
  );

/** Returns the program of one release. */
export const programOf = (release: Release): ProgramDeclaration => ({
  name: 'module-cli',
  file: 'module-cli.mjs',
  version: release.version,
  summary: 'modules, taken to the service, and its responses back',
  options: [JSON_OPTION],
  commands: commandsOf(release),
  details: `SERVICE_MODULES_API_KEY is the key; no argument may contain it. No redirect is followed, and no call is repeated without
--retry. A result is one line of JSON on stdout, a failure one on stderr. Files are created new (mode 0600).
Exit codes: 0 done, 2 usage, 3 findings, 4 authorization, 5 not found, 6 conflict, 7 rate limited, 8 unavailable,
9 network or time (a submission may exist: repeat the same request with the same key), 10 unusable response, 11 file.`,
});
