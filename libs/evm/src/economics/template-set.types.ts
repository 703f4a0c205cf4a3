/** An immutable of a contract and the positions of its 32-byte words in the runtime. */
export interface TemplateImmutable {
  readonly name: string;
  readonly type: string;
  /** Byte offsets of the 32-byte word in the runtime. */
  readonly offsets: readonly number[];
}

/** One constructor input, as the ABI names it. */
export interface TemplateAbiInput {
  readonly name: string;
  readonly type: string;
  readonly internalType?: string;
  readonly components?: readonly TemplateAbiInput[];
}

/** Reviewed code of one contract of a recipe, with every value masked that a launch may choose. */
export interface ContractTemplate {
  readonly role: string;
  readonly roleMask: number;
  /** Contract whose constructor creates this one, and the CREATE nonce at which it does; absent for components. */
  readonly parent?: string;
  readonly createNonce?: number;
  readonly contract: string;
  readonly path: string;
  readonly creationCodeHash: string;
  readonly creationCodeLength: number;
  readonly runtimeLength: number;
  readonly runtimeMaskedHash: string;
  readonly runtimeMasked: string;
  readonly immutables: readonly TemplateImmutable[];
  readonly constructor: readonly TemplateAbiInput[];
}

/**
 * The reviewed templates that the server recognises as one recipe, for one compiler version and settings. A request's
 * own source never makes it recognised.
 */
export interface TemplateSet {
  readonly schemaVersion: string;
  readonly recipe: { readonly id: string; readonly version: string };
  readonly compilerVersion: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly contracts: readonly ContractTemplate[];
}
