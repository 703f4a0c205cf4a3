import { z } from 'zod';
import { sourcePathSchema, uuidSchema } from '../primitives/scalars.schema.js';
import { buildTargetSchema } from './build-plan.schema.js';

/** Kinds of findings that a build reports to the reviewer. A finding refuses nothing; the reviewer judges it. */
export const BUILD_FINDING_CODES = [
  'MANAGEMENT_READ_MISSING',
  'MANAGEMENT_READ_CHANGES_STATE',
  'MANAGEMENT_ACTION_MISSING',
  'MANAGEMENT_ACTION_INPUTS_DIFFER',
  'MANAGEMENT_ACTION_PAYABLE_DIFFERS',
  'MANAGEMENT_ABI_UNREADABLE',
  'HOOK_FLAG_WITHOUT_CALLBACK',
  'HOOK_CALLBACK_WITHOUT_FLAG',
  'HOOK_DELTA_WITHOUT_CALLBACK',
  'HOOK_CALLER_UNCHECKED',
  'HOOK_CALLER_UNDETERMINED',
  'OPCODE_FORBIDDEN',
  'RUNTIME_EMPTY',
  'RUNTIME_MODE_UNSUPPORTED',
  'RUNTIME_TOO_LARGE',
  'CREATION_TOO_LARGE',
  'CONFIGURATION_ENCODING_TOO_LARGE',
  'CONFIGURATION_UNENCODABLE',
  'CONTRACT_NOT_BUILT',
  'SIMILAR_TO_EARLIER_MODULE',
  'COMPILER_WARNING',
] as const;
export type BuildFindingCode = (typeof BUILD_FINDING_CODES)[number];

export const buildFindingSchema = z.strictObject({
  code: z.enum(BUILD_FINDING_CODES),
  severity: z.enum(['error', 'warning', 'info']),
  /** The compiled contract that the finding is about. */
  target: buildTargetSchema.nullable(),
  /** Place in the descriptor, an RFC 6901 pointer. */
  pointer: z.string().max(1_024).nullable(),
  /** Place in a packaged file; lines count from 1. */
  source: z.strictObject({ path: sourcePathSchema, line: z.number().int().positive() }).nullable(),
  /** Names, numbers and offsets in the builder's own words, never source text. */
  detail: z.string().max(512),
});
export type BuildFinding = z.output<typeof buildFindingSchema>;

/** A contract's fingerprint for comparing modules: the smallest hashes of its instruction sequences, ascending. */
export const codeFingerprintSchema = z.strictObject({
  ...buildTargetSchema.shape,
  sketch: z.array(z.number().int().min(0).max(0xffff_ffff)).max(256),
});
export type CodeFingerprint = z.output<typeof codeFingerprintSchema>;

/** The findings of a build, and the fingerprints that later builds compare with. */
export const buildFindingsSchema = z.strictObject({
  schemaVersion: z.literal('service.modules.build-findings.v1'),
  submissionId: uuidSchema,
  findings: z.array(buildFindingSchema).max(1_024),
  fingerprints: z.array(codeFingerprintSchema).max(32),
});
export type BuildFindings = z.output<typeof buildFindingsSchema>;
