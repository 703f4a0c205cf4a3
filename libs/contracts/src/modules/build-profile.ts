import { MODULE_LIMITS } from './module-limits.js';

/** The only build profile: Solidity by a pinned solc, compiled twice. */
export const NATIVE_SOLIDITY_PROFILE = 'service.native-solidity@1';

/**
 * Capacity of the profile in bytes. Intake accepts more; only a build refuses it
 * (docs/reference/modules.md#build-profile-capacity).
 */
export const BUILD_PROFILE_CAPACITY = {
  /** Raw bytes of all files of a package: source, dependencies and documentation. */
  packagedBytes: 4 * 1024 * 1024,
  /** Largest ABI encoding of a configuration. */
  encodedConfigurationBytes: MODULE_LIMITS.encodedConfigurationBytes,
} as const;

/** Bounds of one compilation that no plan and no policy may raise: those of the confined process. */
export const BUILD_LIMITS = {
  cpuMs: 120_000,
  /** WebAssembly memory, in pages of 64 KiB. */
  memoryPages: 16_384,
  outputBytes: 32 * 1024 * 1024,
} as const;

/** The contract outputs of a build, by their names in solc. */
export const BUILD_OUTPUTS = [
  'abi',
  'evm.bytecode.object',
  'evm.bytecode.linkReferences',
  'evm.deployedBytecode.object',
  'evm.deployedBytecode.linkReferences',
  'evm.deployedBytecode.immutableReferences',
  'storageLayout',
  'metadata',
] as const;

/**
 * Reasons why a build ended without an artifact. Another attempt cannot change them.
 * - `COMPILER_ERROR`: solc refuses the sources; the place is that of the first error.
 * - `COMPILER_TIMEOUT`: the processor time of the plan, or, with the place `analysis`, that of reading the package and
 * the compiled output.
 * - `COMPILER_OUT_OF_MEMORY`: memory, stack or output of one compilation, or the memory of the `analysis`, as the place
 * says.
 * - `COMPILER_INPUT_INVALID`: a source is not UTF-8, or the input has a feature that the confined compiler does not
 * accept.
 * - `PLAN_MISMATCH`: the plan names another submission, policy, file or Standard JSON; the place is the field of the
 * plan.
 * - `TARGET_MISSING`: the sources have no such contract.
 * - `NON_REPRODUCIBLE`: two compilations gave unequal artifacts.
 * - `MODULE_BUILD_PROFILE_CAPACITY_EXCEEDED`: the package is larger than the profile allows.
 * - `JOB_ABANDONED`: the third builder was lost.
 */
export const BUILD_FAILURE_CODES = [
  'COMPILER_ERROR',
  'COMPILER_TIMEOUT',
  'COMPILER_OUT_OF_MEMORY',
  'COMPILER_INPUT_INVALID',
  'PLAN_MISMATCH',
  'TARGET_MISSING',
  'NON_REPRODUCIBLE',
  'MODULE_BUILD_PROFILE_CAPACITY_EXCEEDED',
  'JOB_ABANDONED',
] as const;
export type BuildFailureCode = (typeof BUILD_FAILURE_CODES)[number];

/** A build that ended without an artifact. `place` is a path, a span or a field, never source text. */
export type BuildFailure = { readonly code: BuildFailureCode; readonly place: string };

/** Returns the part of a package that exceeds the profile; null if it fits. */
export function beyondBuildProfile(size: {
  readonly packagedBytes: number;
  readonly encodedConfigurationBytes: number;
}): keyof typeof BUILD_PROFILE_CAPACITY | null {
  if (size.packagedBytes > BUILD_PROFILE_CAPACITY.packagedBytes) return 'packagedBytes';
  return size.encodedConfigurationBytes > BUILD_PROFILE_CAPACITY.encodedConfigurationBytes
    ? 'encodedConfigurationBytes'
    : null;
}
