/** An immutable of a contract: where its 32-byte words stand in the runtime. */
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

/** Reviewed code of one contract of a recipe, with everything masked that a launch may choose. */
export interface ContractTemplate {
  readonly role: string;
  readonly roleMask: number;
  /** Contract whose constructor makes this one, and at which CREATE nonce; absent for components. */
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
 * What the server recognises as one recipe: reviewed templates for one compiler
 * version and settings. A request's own source never recognises itself.
 */
export interface TemplateSet {
  readonly schemaVersion: string;
  readonly recipe: { readonly id: string; readonly version: string };
  readonly compilerVersion: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly contracts: readonly ContractTemplate[];
}
