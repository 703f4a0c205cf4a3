/** A release of the module CLI: a file that stays as it was first published (spec 3, Module CLI). */
export interface ModuleClientRelease {
  readonly version: string;
  /** Of its bytes. */
  readonly contentSha256: string;
  readonly commands: readonly string[];
}

const INTAKE = [
  'module-capabilities',
  'prepare-module-submission',
  'submit-module',
  'status-module',
  'list-module-submissions',
] as const;

/** Every release. One is added, never changed: `clients/module-cli/frozen` has the bytes. */
export const MODULE_CLIENT_RELEASES = [
  {
    version: '1.0.0-development.1',
    contentSha256: 'sha256:f7a6f67887b7bfafed409efdc4374145732e5b22f57f0e8098bb8feb077a00bb',
    commands: INTAKE,
  },
  {
    version: '1.0.0-development.3',
    contentSha256: 'sha256:cc31cd389db769e89aad879c00eefa146df9aef42fa709327b776cf94d697036',
    commands: [...INTAKE, 'review-capabilities', 'review-status-module'],
  },
] as const satisfies readonly ModuleClientRelease[];
