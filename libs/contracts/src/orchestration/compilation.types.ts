import type { AnyFinding } from '../errors/custom-launch.catalogue.js';
import type { LaunchRef } from './launch-ref.types.js';

/** Facts for later steps about sources that compile to the declared bytecode. */
export interface CompiledSource {
  readonly schemaVersion: 'service.compiled-launch.v1';
  readonly components: readonly {
    readonly componentId: string;
    /** Callbacks of `IHooks` that the compiled contract implements. */
    readonly hookCallbacks: readonly string[];
  }[];
}

/** The outcome of the compilation of a request. */
export type CompilationVerdict =
  | { readonly kind: 'compiled'; readonly compiled: CompiledSource }
  | { readonly kind: 'refused'; readonly findings: readonly AnyFinding[] };

/** `unfinished`: the request needs more processor time than short compilations get. */
export type ShortCompilationVerdict = CompilationVerdict | { readonly kind: 'unfinished' };

/** Compilations that take little processor time; on `launch-compilation`. */
export interface CompilationActivities {
  /** Scans the declared runtimes, compiles every unit with its pinned solc and matches creation and runtime bytecode exactly. */
  compileRequest(ref: LaunchRef): Promise<ShortCompilationVerdict>;
}

/** The remaining compilations, within the budget of a request; on `launch-long-compilation`. */
export interface LongCompilationActivities {
  /** Does the same, and continues after the units that are already compiled. */
  compileLongRequest(ref: LaunchRef): Promise<CompilationVerdict>;
}
