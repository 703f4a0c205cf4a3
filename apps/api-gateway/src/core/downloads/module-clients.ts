/** A release of the module CLI: a file whose bytes never change (docs/reference/modules.md#module-cli-release). */
export interface ModuleClientRelease {
  readonly version: string;
  /** The SHA-256 of its bytes. */
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

const WITH_REVIEW = [...INTAKE, 'review-capabilities', 'review-status-module'] as const;
const WITH_AUTHORING = [...WITH_REVIEW, 'check-client', 'pin-module-sources'] as const;

/** Every release. Entries are added, never changed; `clients/module-cli/frozen` has the bytes. */
export const MODULE_CLIENT_RELEASES = [
  {
    version: '1.0.0-development.1',
    contentSha256: 'sha256:084c835ed6a99eb29aee063f9d920f887008774b2616322996aeda2e4001d420',
    commands: INTAKE,
  },
  {
    version: '1.0.0-development.3',
    contentSha256: 'sha256:e1ecb007a3c4d9b9013c4e4ccba9989e2e581b554a44789957355f3fb42616c2',
    commands: WITH_REVIEW,
  },
  {
    version: '1.0.0-development.5',
    contentSha256: 'sha256:ec033ac9dadded82cea0cd79762769f28ffc57deca159e8508301b36a6c96ea3',
    commands: WITH_AUTHORING,
  },
] as const satisfies readonly ModuleClientRelease[];
