export {
  createCompiler,
  type AllowedVerdict,
  type BuildRefusal,
  type BuildRequest,
  type BuildVerdict,
  type Compiler,
  type CompileRequest,
  type CompilerOptions,
  type CompileVerdict,
  type ImmutableNamesVerdict,
  type Spent,
} from './compiler.js';
export type { CompileAllowance } from './bounded-compilation.js';
export type { CompileCache } from './compile.cache.js';
export { CompilerError, type CompilerErrorCode, type CompilerErrorData } from './compiler.errors.js';
export { confinementFlags } from './solc.process.js';
export type { BuildOutput, BuiltContract, CompiledContract, CompilerOutput, ImmutableName } from './compiler.output.js';
export {
  findPinnedCompiler,
  PINNED_COMPILERS,
  PINNED_COMPILER_VERSIONS,
  type PinnedCompiler,
} from './compiler.versions.js';
export type { CompileTarget } from './standard-json.rules.js';
