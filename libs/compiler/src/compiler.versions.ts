import { createRequire } from 'node:module';

/**
 * A compiler that this build pins: its package, the version that it reports, and the SHA-256 of its only executed file.
 */
export type PinnedCompiler = {
  readonly version: string;
  /** First 8 hex digits of the commit it was built from. */
  readonly commit: string;
  readonly longVersion: string;
  readonly packageName: string;
  readonly sha256: string;
};

const pinned = (version: string, commit: string, sha256: string): PinnedCompiler => ({
  version,
  commit,
  longVersion: `${version}+commit.${commit}.Emscripten.clang`,
  packageName: `solc-${version}`,
  sha256,
});

/** The compilers of this build, oldest first. */
export const PINNED_COMPILERS: readonly PinnedCompiler[] = [
  pinned('0.8.24', 'e11b9ed9', 'fb59b825b7d57f9de89cd9de2415b12aab1fcc7eb2573fd2bf5c9b969eacf4d9'),
  pinned('0.8.26', '8a97fa7a', '35ba6661f3bdaed995fc7af14c405502290cf681b3fd062fe8738cfdf6db14ed'),
  pinned('0.8.28', '7893614a', '9ef37cc1d2597ed6d2f706a960f449e33eb9eee920936cea77b11e6f43861970'),
  pinned('0.8.30', '73712a01', '3bb491a777f76dff9b2fe73ce29ca20e21a971b59a2f2cf8f73415424f00be06'),
];

/** Every version that a context can offer, oldest first. */
export const PINNED_COMPILER_VERSIONS: readonly string[] = PINNED_COMPILERS.map((compiler) => compiler.version);

/**
 * Returns the pinned compiler of exactly that version, or undefined. A requested version is only compared and never
 * used as a path.
 */
export function findPinnedCompiler(version: string): PinnedCompiler | undefined {
  return PINNED_COMPILERS.find((compiler) => compiler.version === version);
}

/** Returns the path of the compiler's only executed file in its npm package. */
export function soljsonPath(compiler: PinnedCompiler): string {
  return createRequire(import.meta.url).resolve(`${compiler.packageName}/soljson.js`);
}
