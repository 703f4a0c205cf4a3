import type { Hex } from '../encoding/hex.js';

/** Byte ranges of a bytecode in solc's format. */
export interface CodeRange {
  readonly start: number;
  readonly length: number;
}

/** `{[path]: {[library]: ranges}}` */
export type LinkReferences = Readonly<Record<string, Readonly<Record<string, readonly CodeRange[]>>>>;

/** A compiled contract: code as lowercase hex, with zeros in place of libraries and immutables. */
export interface CompiledCode {
  readonly abi: readonly unknown[];
  readonly creation: { readonly object: Hex; readonly linkReferences: LinkReferences };
  readonly runtime: {
    readonly object: Hex;
    readonly linkReferences: LinkReferences;
    /** `{[astId]: ranges}`; solc's IR uses the key `library_deploy_address` for a library's own address. */
    readonly immutableReferences: Readonly<Record<string, readonly CodeRange[]>>;
  };
}

/** A library's declared address. */
export interface LinkedLibrary {
  readonly path: string;
  readonly name: string;
  readonly address: Hex;
}

/** An immutable of the sources, and the constructors that assign an unchanged argument to it. */
export interface NamedImmutable {
  readonly astId: number;
  readonly name: string;
  readonly arguments?: readonly { readonly path: string; readonly contract: string; readonly index: number }[];
}

/** The input of a match. Absent parts are not checked, and the result reports that. */
export interface BytecodeMatchInput {
  readonly compiled: CompiledCode;
  /**
   * The file and the name of the compiled contract, which identify its constructor among those that assign an
   * immutable.
   */
  readonly target?: { readonly path: string; readonly contract: string };
  readonly libraries: readonly LinkedLibrary[];
  /**
   * The names of the immutables in `immutableReferences`, by AST id. Without their `arguments`, no constructor argument
   * is confirmed.
   */
  readonly immutableNames?: readonly NamedImmutable[];
  /** Creation bytecode without constructor arguments. */
  readonly creationBytecode?: Hex;
  /** ABI-encoded constructor arguments, `0x` for none. */
  readonly constructorArgs?: Hex;
  readonly runtimeBytecode?: Hex;
  /** The address of the runtime. Only a library's runtime depends on it, because it contains its own address. */
  readonly address?: Hex;
  /** Expected values of immutables by name or AST id, one 32-byte word each. */
  readonly immutables?: Readonly<Record<string, Hex>>;
}

/** An explained difference between compiled and given code, which anyone can reproduce. */
export type CodeTransformation =
  | {
      readonly kind: 'library';
      readonly part: 'creation' | 'runtime';
      readonly library: string;
      readonly address: Hex;
      readonly offsets: readonly number[];
    }
  | {
      readonly kind: 'immutable';
      readonly astId: string;
      readonly name: string | null;
      readonly value: Hex;
      readonly offsets: readonly number[];
    }
  | { readonly kind: 'own-address'; readonly address: Hex; readonly offsets: readonly number[] }
  | { readonly kind: 'constructor-arguments'; readonly offset: number; readonly value: Hex };

export type BytecodeMismatchCode =
  | 'CREATION_BYTECODE_MISMATCH'
  | 'RUNTIME_BYTECODE_MISMATCH'
  | 'CONSTRUCTOR_ARGUMENTS_MISMATCH'
  | 'LIBRARY_UNLINKED';

export type BytecodeMismatchReason =
  | 'not-hex'
  | 'length'
  | 'bytes'
  | 'reference-invalid'
  | 'not-deployable'
  | 'own-address'
  | 'immutable-inconsistent'
  | 'immutable-value'
  | 'immutable-unknown'
  | 'immutable-ambiguous'
  | 'not-canonical-abi'
  | 'constructor-takes-none'
  | 'library-undeclared'
  | 'library-address-invalid'
  | 'library-declared-twice'
  | 'library-unreferenced';

/** One unexplained difference. `offset` is the first differing byte; lengths in bytes; `subject` a library or immutable. */
export interface BytecodeMismatch {
  readonly code: BytecodeMismatchCode;
  readonly reason: BytecodeMismatchReason;
  readonly offset: number | null;
  readonly expectedLength: number | null;
  readonly actualLength: number | null;
  readonly subject: string | null;
}

/** The verdict: `pass` and `fail` are facts; `indeterminate` means that nothing could be checked. */
export interface BytecodeMatchResult {
  readonly verdict: 'pass' | 'fail' | 'indeterminate';
  readonly checked: {
    readonly creation: boolean;
    /**
     * True if the runtime confirms every argument, or if the arguments are not an encoding for that constructor. An
     * encoding alone shows only that some deployment could have had these arguments.
     */
    readonly constructorArguments: boolean;
    readonly runtime: boolean;
    readonly immutables: boolean;
  };
  /** The parts of a checked runtime that were accepted without a comparison. */
  readonly unchecked: {
    /** Immutables without a compared expected value, by name, or by AST id if several immutables share the name. */
    readonly immutables: readonly string[];
    /** True if the runtime contains a library's own address and the input gives none. */
    readonly ownAddress: boolean;
  };
  readonly transformations: readonly CodeTransformation[];
  readonly mismatches: readonly BytecodeMismatch[];
}
