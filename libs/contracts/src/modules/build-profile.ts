import { MODULE_LIMITS } from './module-limits.js';

/** The one build profile there is: Solidity by a pinned solc, compiled twice. */
export const NATIVE_SOLIDITY_PROFILE = 'service.native-solidity@1';

/** Capacity of the profile, bytes. Intake takes more: only a build refuses it (docs/reference/modules.md#build-profile-capacity). */
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

/** The contract outputs of a build, as solc names them. */
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
 * Why a build ended without an artifact. None of them goes away by trying again.
 * - `COMPILER_ERROR`: solc refuses the sources; the place is the first error's.
 * - `COMPILER_TIMEOUT`: the processor time of the plan, or `analysis`: that of reading what was packaged and compiled.
 * - `COMPILER_OUT_OF_MEMORY`: memory, stack or output of one compilation, or the memory of the `analysis`; the place says which.
 * - `COMPILER_INPUT_INVALID`: a source is no UTF-8, or the input has a feature that the compiler's box does not accept.
 * - `PLAN_MISMATCH`: the plan is of another submission, policy, file or Standard JSON; the place is the plan's field.
 * - `TARGET_MISSING`: the sources have no such contract.
 * - `NON_REPRODUCIBLE`: two compilations gave unequal artifacts.
 * - `MODULE_BUILD_PROFILE_CAPACITY_EXCEEDED`: the package is larger than the profile takes.
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

/** Which part of a package the profile cannot take; null: it fits. */
export function beyondBuildProfile(size: {
  readonly packagedBytes: number;
  readonly encodedConfigurationBytes: number;
}): keyof typeof BUILD_PROFILE_CAPACITY | null {
  if (size.packagedBytes > BUILD_PROFILE_CAPACITY.packagedBytes) return 'packagedBytes';
  return size.encodedConfigurationBytes > BUILD_PROFILE_CAPACITY.encodedConfigurationBytes
    ? 'encodedConfigurationBytes'
    : null;
}
