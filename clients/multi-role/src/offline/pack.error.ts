import type { packErrorSchema } from '@launch/contracts/multi-role';
import type { z } from 'zod';

export type PackErrorBody = z.infer<typeof packErrorSchema>;
export type PackErrorCode = PackErrorBody['code'];
export type PackFinding = PackErrorBody['findings'][number];

/** Exit code of each refusal: 2 usage, 3 findings about the input, 11 input or output that failed. */
export const PACK_EXIT_CODES: Readonly<Record<PackErrorCode, number>> = {
  MULTI_ROLE_PACK_ARGUMENTS_INVALID: 2,
  MULTI_ROLE_PACK_CONFIG_INVALID: 3,
  MULTI_ROLE_PACK_REFERENCE_INVALID: 3,
  MULTI_ROLE_PACK_IO_ERROR: 11,
};

const MESSAGES: Readonly<Record<PackErrorCode, string>> = {
  MULTI_ROLE_PACK_ARGUMENTS_INVALID: 'The arguments are not those of a command.',
  MULTI_ROLE_PACK_CONFIG_INVALID: 'The input is not a valid configuration.',
  MULTI_ROLE_PACK_REFERENCE_INVALID: 'The reference file is not the published one of this release.',
  MULTI_ROLE_PACK_IO_ERROR: 'A file or the output could not be read or written.',
};

/**
 * The only refusal of the offline tools (docs/reference/multi-role.md#packer-errors). Its findings name fields of the
 * schema and the expected value. Of the input they repeat only numbers out of bounds, never sources, paths on disk or
 * credentials. No code is retryable: the same input fails again.
 */
export class PackError extends Error {
  override readonly name = 'PackError';

  constructor(
    readonly code: PackErrorCode,
    readonly findings: readonly PackFinding[] = [],
  ) {
    super(MESSAGES[code]);
  }

  get exitCode(): number {
    return PACK_EXIT_CODES[this.code];
  }

  /** The body written to stderr, `service.multi-role-request-pack-error.v2`. */
  toBody(): PackErrorBody {
    return {
      schemaVersion: 'service.multi-role-request-pack-error.v2',
      code: this.code,
      message: this.message,
      findings: this.findings.slice(0, 256).map(({ path, message, expected, actual }) => ({
        path,
        message,
        ...(expected === undefined ? {} : { expected }),
        ...(actual === undefined ? {} : { actual }),
      })),
    };
  }
}
