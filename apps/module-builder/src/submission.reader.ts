import type { BlobReader } from '@launch/blob-store';
import { sourcePathSchema, type PlannedSubmission, type Sha256Digest } from '@launch/contracts';
import { parseStrictJson, StrictJsonError, type JsonValue } from '@launch/contracts/json';
import type { DeclaredModule } from '@launch/evm';
import { z } from 'zod';
import { BuildError } from './build.error.js';

/** A submission as a build reads it. */
export interface ReadSubmission {
  readonly planned: PlannedSubmission;
  readonly declared: DeclaredModule;
}

const digest = z
  .string()
  .regex(/^(?:sha256:)?[0-9a-f]{64}$/)
  .transform((text): Sha256Digest => `sha256:${text.slice(-64)}`);

const field = z.looseObject({
  key: z.string(),
  type: z.string(),
  default: z.unknown().optional(),
  options: z.array(z.looseObject({ value: z.string() })).optional(),
  get items() {
    return field.optional();
  },
  get fields() {
    return z.array(field).optional();
  },
});
const declaredFunction = z.looseObject({ name: z.string(), abi: z.string() });

/** The members of a stored request that a build needs. Intake has judged the rest, and stored nothing that it refuses. */
const storedRequest = z.looseObject({
  package: z.looseObject({
    configuration: z.looseObject({ maxEncodedBytes: z.number().int().nonnegative(), fields: z.array(field) }),
    capabilities: z.looseObject({
      hookPermissions: z.array(z.string()),
      contracts: z.array(z.looseObject({ name: z.string() })),
    }),
    management: z.looseObject({
      reads: z.array(declaredFunction),
      actions: z.array(z.looseObject({ ...declaredFunction.shape, payable: z.boolean().optional() })),
    }),
  }),
  files: z.array(z.looseObject({ path: sourcePathSchema, sha256: digest, contentBase64: z.string() })),
});

/**
 * Reads a submission's request by its digest.
 * @throws BuildError `BUILD_INPUT_UNREADABLE` for bytes that intake would not have stored.
 */
export async function readSubmission(blobs: BlobReader, requestDigest: Sha256Digest): Promise<ReadSubmission> {
  const parsed = storedRequest.safeParse(strictJson(await blobs.get(requestDigest)));
  if (!parsed.success) throw new BuildError('BUILD_INPUT_UNREADABLE', 'the submission is no module submission');
  const { package: descriptor, files } = parsed.data;
  return {
    planned: {
      requestDigest,
      files: files.map(({ path, sha256, contentBase64 }) => ({ path, sha256, byteCount: byteCountOf(contentBase64) })),
      encodedConfigurationBytes: descriptor.configuration.maxEncodedBytes,
    },
    declared: descriptor as DeclaredModule,
  };
}

/** Bytes that a padded base64 text stands for. */
const byteCountOf = (base64: string): number =>
  (base64.length / 4) * 3 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);

function strictJson(bytes: Uint8Array): JsonValue {
  try {
    return parseStrictJson(bytes);
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    throw new BuildError('BUILD_INPUT_UNREADABLE', 'the submission is no JSON');
  }
}
