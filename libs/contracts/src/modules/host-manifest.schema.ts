import { z } from 'zod';
import { sha256DigestSchema, sourceCommitSchema } from '../primitives/scalars.schema.js';
import { buildLimitsSchema, compilerVersionSchema } from './build-plan.schema.js';
import { NATIVE_SOLIDITY_PROFILE } from './build-profile.js';

const compiler = z.strictObject({
  version: compilerVersionSchema,
  /** The version that it reports. */
  longVersion: z.string().max(128),
  /** Digest of the one file that is executed. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** The confinement that a build ran in. It contains no time, host name or path. */
export const hostManifestSchema = z.strictObject({
  schemaVersion: z.literal('service.modules.host-manifest.v1'),
  profile: z.literal(NATIVE_SOLIDITY_PROFILE),
  compiler,
  limits: buildLimitsSchema,
  /** The flags that confine the compiler's process; the two files that it may read are named by their role. */
  confinement: z.array(z.string().max(128)).max(32),
  /** The commit that the builder was built from. */
  serviceCommit: sourceCommitSchema,
  reviewerPolicyDigest: sha256DigestSchema,
});
export type HostManifest = z.output<typeof hostManifestSchema>;

/** The compiler and the engine that ran it. */
export const buildToolchainSchema = z.strictObject({
  schemaVersion: z.literal('service.modules.build-toolchain.v1'),
  compiler,
  engine: z.strictObject({ name: z.literal('node'), version: z.string().max(32), v8: z.string().max(64) }),
});
export type BuildToolchain = z.output<typeof buildToolchainSchema>;

/** A diagnostic of solc about a source: severity, type, code and place in bytes, never its text. */
export const buildDiagnosticSchema = z.strictObject({
  severity: z.enum(['error', 'warning', 'info']),
  type: z.string().max(64),
  errorCode: z.string().max(16).nullable(),
  sourceLocation: z.strictObject({ file: z.string(), start: z.number().int(), end: z.number().int() }).nullable(),
});
export type BuildDiagnostic = z.output<typeof buildDiagnosticSchema>;

/** Diagnostics of solc in both runs. */
export const buildLogsSchema = z.strictObject({
  schemaVersion: z.literal('service.modules.build-logs.v1'),
  runs: z.array(z.strictObject({ diagnostics: z.array(buildDiagnosticSchema) })).length(2),
});
export type BuildLogs = z.output<typeof buildLogsSchema>;
