import type { CommandShape } from '@launch/client-core/command';

/** A command's options, and the part of the client that it belongs to if not every release has it. */
export interface ModuleCommand extends CommandShape {
  readonly isOfReview?: true;
  readonly isOfAuthoring?: true;
}

const NETWORK = { required: ['api-origin'], optional: ['timeout-ms'] } as const;
const KEPT = ['timeout-ms', 'receipts'] as const;

/** Every command. The first release lacks those of the review, the first two those of authoring (docs/reference/modules.md#module-cli-release). */
export const COMMANDS = {
  'check-client': { ...NETWORK, isOfAuthoring: true },
  'module-capabilities': NETWORK,
  'pin-module-sources': { required: ['root', 'package', 'out'], optional: ['module-version'], isOfAuthoring: true },
  'prepare-module-submission': { required: ['root', 'package', 'out'], optional: ['supersedes'] },
  'submit-module': {
    required: ['root', 'api-origin', 'idempotency-key'],
    optional: ['request', 'package', ...KEPT],
  },
  'status-module': { required: ['id', 'api-origin'], optional: KEPT },
  'list-module-submissions': { required: ['api-origin'], optional: ['cursor', ...KEPT] },
  'review-capabilities': { ...NETWORK, isOfReview: true },
  'review-status-module': { required: ['id', 'api-origin'], optional: KEPT, isOfReview: true },
} as const satisfies Readonly<Record<string, ModuleCommand>>;
export type CommandName = keyof typeof COMMANDS;

/** The capabilities of a client release. */
export interface Release {
  readonly version: string;
  readonly hasReview: boolean;
  readonly hasAuthoring: boolean;
}

/** Returns the commands of one release. */
export const commandsOf = ({ hasReview, hasAuthoring }: Release): Readonly<Record<string, ModuleCommand>> =>
  Object.fromEntries(
    Object.entries<ModuleCommand>(COMMANDS).filter(
      ([, { isOfReview, isOfAuthoring }]) =>
        (hasReview || isOfReview !== true) && (hasAuthoring || isOfAuthoring !== true),
    ),
  );

/** Returns the text of `--help`. */
export function helpOf(release: Release): string {
  const lines = Object.entries(commandsOf(release)).map(([name, { required, optional = [] }]) =>
    [
      `  node module-cli.mjs ${name}`,
      ...required.map((option) => `--${option} <${option}>`),
      ...optional.map((option) => `[--${option} <${option}>]`),
    ].join(' '),
  );
  return `module-cli ${release.version}: takes modules to the service, and its answers back

${lines.join('\n')}

check-client compares this file with the digest that the service publishes for its version. pin-module-sources writes
the descriptor anew with the digest of each file in /source/files, and with --module-version as its version.
submit-module takes either --request, a file of prepare-module-submission, or --package. --package is relative to --root.
SERVICE_MODULES_API_KEY is the key; no argument may hold it. --receipts is the folder of kept receipts (.service-modules).
--timeout-ms is 1 to 120000 (20000). An origin is HTTPS, or HTTP on loopback. No call is repeated, no redirect followed.
Results are a line of JSON on stdout, failures one on stderr. Files are created new (mode 0600).
Exit codes: 0 done, 2 usage, 3 findings, 4 authorization, 5 not found, 6 conflict, 7 rate limited, 8 unavailable,
9 network or time (a submission may exist: repeat the same request with the same key), 10 answer not usable, 11 file.
`;
}
