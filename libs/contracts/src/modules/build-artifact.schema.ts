import { z } from 'zod';
import { namedRecord } from '../primitives/named-record.schema.js';
import { hexBytesSchema, sha256DigestSchema, sourcePathSchema } from '../primitives/scalars.schema.js';
import { buildTargetSchema } from './build-plan.schema.js';
import { NATIVE_SOLIDITY_PROFILE } from './build-profile.js';

const MAX_CODE_BYTES = 4 * 1024 * 1024;
const positions = z.array(
  z.strictObject({ start: z.number().int().nonnegative(), length: z.number().int().positive() }),
);
const code = {
  /** Libraries and immutables are zeros. */
  object: hexBytesSchema(MAX_CODE_BYTES),
  linkReferences: namedRecord(z.string(), namedRecord(z.string(), positions)),
};

/** The storage layout of a contract, as solc writes it. */
export const storageLayoutSchema = z.strictObject({
  storage: z.array(
    z.strictObject({
      astId: z.number().int(),
      contract: z.string(),
      label: z.string(),
      offset: z.number().int().min(0).max(31),
      slot: z.string().regex(/^(0|[1-9][0-9]{0,77})$/),
      type: z.string(),
    }),
  ),
  types: namedRecord(z.string(), z.unknown()).nullable(),
});
export type StorageLayout = z.output<typeof storageLayoutSchema>;

const artifactTarget = z.strictObject({
  ...buildTargetSchema.shape,
  abi: z.array(z.unknown()),
  creation: z.strictObject(code),
  runtime: z.strictObject({ ...code, immutableReferences: namedRecord(z.string(), positions) }),
  storageLayout: storageLayoutSchema,
  /** The compiler's metadata: the exact text that the metadata hash covers. */
  metadata: z.string(),
});
export type ArtifactTarget = z.output<typeof artifactTarget>;

/**
 * The result of a build, in the plan's order of targets. It contains no time, no host and no path outside the package.
 */
export const buildArtifactSchema = z.strictObject({
  schemaVersion: z.literal('service.modules.build-artifact.v1'),
  profile: z.literal(NATIVE_SOLIDITY_PROFILE),
  /** The version that the compiler reports. */
  compiler: z.string().max(128),
  standardJsonInputSha256: sha256DigestSchema,
  sources: z.array(z.strictObject({ path: sourcePathSchema, sha256: sha256DigestSchema })),
  targets: z.array(artifactTarget).min(1),
});
export type BuildArtifact = z.output<typeof buildArtifactSchema>;
