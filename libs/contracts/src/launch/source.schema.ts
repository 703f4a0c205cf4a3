import { z } from 'zod';
import { LIMITS } from '../primitives/limits.js';
import {
  addressSchema,
  base64Schema,
  bytes32Schema,
  sha256DigestSchema,
  slugSchema,
  sourcePathSchema,
  timestampSchema,
} from '../primitives/scalars.schema.js';

export const additionalFileSchema = z.strictObject({
  path: sourcePathSchema,
  base64: base64Schema(LIMITS.requestBytes),
});

export const manifestEntrySchema = z.strictObject({
  path: sourcePathSchema,
  mode: z.literal('100644'),
  byteLength: z.number().int().nonnegative().max(LIMITS.requestBytes),
  sha256: sha256DigestSchema,
});
export type ManifestEntry = z.infer<typeof manifestEntrySchema>;

export const sourceSchema = z.strictObject({
  sourceLineageNonce: bytes32Schema,
  publicOriginCommitment: bytes32Schema,
  bundleSha256: sha256DigestSchema,
  /** Every Standard JSON source and additional file once, sorted by UTF-8 bytes of the path. */
  manifest: z.array(manifestEntrySchema).min(1).max(LIMITS.sourceFiles),
  additionalFiles: z.array(additionalFileSchema).max(64),
  imagePath: sourcePathSchema,
});

export const compilationTargetSchema = z.strictObject({
  compilationUnitId: slugSchema,
  path: sourcePathSchema,
  contract: z.string().regex(/^[A-Za-z_$][A-Za-z0-9_$]{0,127}$/),
});

export const componentCompilationSchema = z.strictObject({
  componentId: slugSchema,
  target: compilationTargetSchema,
  /** Binds the graph's constructorArgs: keccak-256 of the ABI-encoded bytes. */
  constructor: z.strictObject({ encoding: z.literal('abi'), argumentsHash: bytes32Schema }),
  /**
   * Production of the runtime: executing the creation code as CREATE2 from the router, with these libraries
   * linked.
   */
  runtimeMaterialization: z.strictObject({
    method: z.literal('create2-from-router'),
    libraries: z
      .array(z.strictObject({ path: sourcePathSchema, name: z.string().min(1).max(128), address: addressSchema }))
      .max(16),
  }),
});
export type ComponentCompilation = z.infer<typeof componentCompilationSchema>;

export const compilationUnitSchema = z.strictObject({
  compilationUnitId: slugSchema,
  compilerVersion: z.string().min(1).max(32),
  standardJsonInputSha256: sha256DigestSchema,
  standardJsonInputBase64: base64Schema(LIMITS.requestBytes),
});

export const compilerVerificationSchema = z.strictObject({
  compilationUnits: z.array(compilationUnitSchema).min(1).max(8),
  components: z.array(componentCompilationSchema).min(1).max(16),
});

const text = (maxBytes: number) =>
  z
    .string()
    .max(maxBytes)
    .refine((value) => new TextEncoder().encode(value).length <= maxBytes, `at most ${maxBytes} UTF-8 bytes`)
    .refine((value) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(value), 'no control characters');

export const imageSchema = z.strictObject({
  mediaType: z.enum(['image/png', 'image/gif']),
  width: z.number().int().min(32).max(4096),
  height: z.number().int().min(32).max(4096),
  byteLength: z
    .number()
    .int()
    .positive()
    .max(2 * 1024 * 1024),
  sha256: sha256DigestSchema,
});
export type ImageDeclaration = z.infer<typeof imageSchema>;

export const projectMetadataSchema = z.strictObject({
  name: text(64).min(1),
  symbol: text(16).min(1),
  description: text(1200),
  links: z
    .array(
      z.strictObject({
        label: text(64).min(1),
        url: z
          .string()
          .max(512)
          .regex(/^https:\/\/[^\s"'<>\\]+$/, 'an https URL'),
      }),
    )
    .max(16),
  image: imageSchema,
});
export type ProjectMetadata = z.infer<typeof projectMetadataSchema>;

export const attestationSchema = z.strictObject({
  agentId: z.string().min(1).max(128),
  checkedAt: timestampSchema,
  checks: z.array(z.strictObject({ checkId: slugSchema, evidenceSha256: sha256DigestSchema })).max(64),
});
