import { z } from 'zod';
import { uuidSchema } from '../primitives/scalars.schema.js';
import { configurationFieldSchema, configurationSchema } from './configuration.schema.js';
import { MODULE_LIMITS, MODULE_PACKAGE_SCHEMA, MODULE_SUBMISSION_SCHEMA } from './module-limits.js';

const utf8Length = (text: string): number => new TextEncoder().encode(text).length;

/** Permissions of a Uniswap v4 hook, by their names there. */
export const HOOK_PERMISSIONS = [
  'beforeInitialize',
  'afterInitialize',
  'beforeAddLiquidity',
  'afterAddLiquidity',
  'beforeRemoveLiquidity',
  'afterRemoveLiquidity',
  'beforeSwap',
  'afterSwap',
  'beforeDonate',
  'afterDonate',
  'beforeSwapReturnDelta',
  'afterSwapReturnDelta',
  'afterAddLiquidityReturnDelta',
  'afterRemoveLiquidityReturnDelta',
] as const;

/** SemVer 2.0.0, by the regular expression of its specification. */
const SEMVER =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/;

/** Any text; `OPEN_ADDRESS` reports one that is not a nonzero address. */
const declaredAddressSchema = z.string().max(128);
/** Any text; `MODULE_PATH_INVALID` reports a path that a package must not have. */
const declaredPathSchema = z.string().max(2_048);
const declaredDigestSchema = z
  .string()
  .regex(/^(?:sha256:)?[0-9a-f]{64}$/, '64 lowercase hex digits, with or without sha256:');
const nameSchema = z.string().regex(/^[A-Za-z_$][A-Za-z0-9_$]{0,127}$/, 'an identifier of Solidity');
const roleSchema = z
  .string()
  .regex(/^[a-z][A-Za-z0-9-]{0,63}$/, 'a letter a-z, then at most 63 letters, digits or hyphens');
/** A function as Solidity writes its signature. */
const signatureSchema = z.string().min(3).max(1_024);

const sourceSchema = z
  .strictObject({
    files: z.array(z.strictObject({ path: declaredPathSchema, sha256: declaredDigestSchema })).min(1),
    repository: z
      .url({ protocol: /^https$/, error: 'an https URL' })
      .max(2_048)
      .optional(),
    revision: z.string().min(1).max(64).optional(),
  })
  .refine(({ repository, revision }) => (repository === undefined) === (revision === undefined), {
    error: 'repository and revision: both or neither',
    // Also beside a fault of another member.
    when: ({ value }) => typeof value === 'object' && value !== null,
  });

const capabilitiesSchema = z.strictObject({
  runtime: z.strictObject({ profile: z.string().min(1).max(64), evmVersion: z.string().min(1).max(32) }),
  /** The flags that are set, in any order, none twice. */
  hookPermissions: z
    .array(z.enum(HOOK_PERMISSIONS))
    .max(HOOK_PERMISSIONS.length)
    .refine((flags) => new Set(flags).size === flags.length, 'each flag once'),
  contracts: z.array(z.strictObject({ name: nameSchema, role: roleSchema })).max(64),
  dependencies: z
    .array(
      z.strictObject({
        familyId: z.string().regex(/^0x[0-9a-f]{64}$/, 'a lowercase 0x-prefixed 32-byte word'),
        versionRange: z.string().min(1).max(128),
      }),
    )
    .max(64),
  resources: z.strictObject({
    maxGasPerCallback: z.number().int().min(0).max(30_000_000),
    storageSlots: z.number().int().min(0).max(1_000_000),
  }),
  funding: z.strictObject({ native: z.enum(['none', 'launch', 'ongoing']) }),
  failureBehaviour: z.enum(['revert', 'ignore', 'degrade']),
});

const managementSchema = z.strictObject({
  reads: z
    .array(z.strictObject({ name: nameSchema, abi: signatureSchema, returnsUnit: z.string().min(1).max(32) }))
    .max(64),
  actions: z
    .array(
      z.strictObject({
        name: nameSchema,
        abi: signatureSchema,
        inputs: z.array(configurationFieldSchema).max(32),
        authorizedRoles: z.array(roleSchema).max(16),
        payable: z.boolean(),
      }),
    )
    .max(64),
  roles: z
    .array(z.strictObject({ role: roleSchema, holder: z.enum(['creator', 'author', 'address', 'none']) }))
    .max(16),
  instructions: z
    .string()
    .refine(
      (text) => utf8Length(text) <= MODULE_LIMITS.instructionsBytes,
      `at most ${MODULE_LIMITS.instructionsBytes} UTF-8 bytes`,
    ),
});

/** `module.json` (docs/reference/modules.md#package-descriptor). */
export const modulePackageSchema = z
  .strictObject({
    schemaVersion: z.literal(MODULE_PACKAGE_SCHEMA),
    name: z.string().min(1).max(64),
    version: z.string().max(64).regex(SEMVER, 'a version of SemVer 2.0'),
    family: z.string().regex(/^[a-z0-9][a-z0-9-]{1,63}$/, '2-64 lowercase letters, digits and hyphens'),
    author: declaredAddressSchema,
    rewardWallet: declaredAddressSchema,
    source: sourceSchema,
    configuration: configurationSchema,
    capabilities: capabilitiesSchema,
    management: managementSchema,
  })
  .meta({ id: 'ModulePackage' });
export type ModulePackage = z.infer<typeof modulePackageSchema>;

/** The prepared request: the descriptor with exactly the files that it pins (docs/reference/modules.md#submission-request). */
export const moduleSubmissionSchema = z
  .strictObject({
    schemaVersion: z.literal(MODULE_SUBMISSION_SCHEMA),
    package: modulePackageSchema,
    files: z
      .array(
        z.strictObject({
          path: declaredPathSchema,
          sha256: declaredDigestSchema,
          /** Standard base64 with padding and zero spare bits. */
          contentBase64: z.string(),
        }),
      )
      .min(1),
    /** The revision that this one supersedes. */
    supersedes: uuidSchema.nullable(),
  })
  .meta({ id: 'ModuleSubmission' });
export type ModuleSubmission = z.infer<typeof moduleSubmissionSchema>;
