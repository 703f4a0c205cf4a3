import { z } from 'zod';
import { sha256DigestSchema, sourcePathSchema } from '../primitives/scalars.schema.js';
import { MODULE_LIMITS } from './module-limits.js';
import { BUILD_LIMITS, NATIVE_SOLIDITY_PROFILE } from './build-profile.js';

const MAX_TARGETS = 32;

const compilerVersion = z.string().regex(/^0\.8\.[0-9]{1,2}$/, 'a solc release of the 0.8 line');

/** Bounds of one compilation: processor time, WebAssembly memory, size of the answer. */
export const buildLimitsSchema = z.strictObject({
  cpuMs: z.number().int().min(1_000).max(BUILD_LIMITS.cpuMs),
  /** Pages of 64 KiB. */
  memoryPages: z.number().int().min(512).max(BUILD_LIMITS.memoryPages),
  outputBytes: z.number().int().min(1_024).max(BUILD_LIMITS.outputBytes),
});
export type BuildLimits = z.output<typeof buildLimitsSchema>;

/** A contract and its file. */
export const buildTargetSchema = z.strictObject({
  path: sourcePathSchema,
  contract: z.string().regex(/^[A-Za-z_$][A-Za-z0-9_$]{0,127}$/, 'a Solidity identifier'),
});
export type BuildTarget = z.output<typeof buildTargetSchema>;

/** `[context:]prefix=target`, all inside the package. */
const remapping = z
  .string()
  .max(1_024)
  .regex(/^[^=\u0000-\u001f\\]*=[^=\u0000-\u001f\\]*$/, 'prefix=target')
  .refine((text) => !text.split(/[:=]/).some((part) => part.startsWith('/') || part.split('/').includes('..')), {
    error: 'paths inside the package',
  });

const settings = z.strictObject({
  optimizer: z.strictObject({ enabled: z.boolean(), runs: z.number().int().min(0).max(0xffff_ffff) }),
  evmVersion: z.enum(['paris', 'shanghai', 'cancun']),
  viaIR: z.boolean(),
  metadata: z.strictObject({ appendCBOR: z.boolean(), bytecodeHash: z.enum(['none', 'ipfs']) }),
});

const unique = (list: readonly string[]): boolean => new Set(list).size === list.length;

/**
 * A reviewer's plan to build a submission. It names its submission and the policy that it was made under. `sources` are
 * the packaged files that the compiler reads; `standardJsonInputSha256` covers the Standard JSON made from them.
 */
export const buildPlanSchema = z
  .strictObject({
    schemaVersion: z.literal('service.modules.build-plan.v1'),
    profile: z.literal(NATIVE_SOLIDITY_PROFILE),
    reviewerPolicyDigest: sha256DigestSchema,
    /** The submission's `requestDigest`. */
    submissionDigest: sha256DigestSchema,
    compilerVersion,
    targets: z
      .array(buildTargetSchema)
      .min(1)
      .max(MAX_TARGETS)
      .refine((targets) => unique(targets.map(({ path, contract }) => `${path}:${contract}`)), 'each target once'),
    remappings: z.array(remapping).max(64),
    settings,
    sources: z
      .array(z.strictObject({ path: sourcePathSchema, sha256: sha256DigestSchema }))
      .min(1)
      .max(MODULE_LIMITS.maxFiles)
      .refine((sources) => unique(sources.map(({ path }) => path)), 'each path once'),
    standardJsonInputSha256: sha256DigestSchema,
    limits: buildLimitsSchema,
  })
  .meta({ id: 'BuildPlan' });
export type BuildPlan = z.output<typeof buildPlanSchema>;

/** Versions of solc in plans and policies. */
export const compilerVersionSchema = compilerVersion;
