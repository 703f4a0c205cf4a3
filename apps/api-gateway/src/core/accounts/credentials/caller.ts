/** The scopes of launch keys; signing in grants all of them. */
export const SCOPES = ['custom-launch:create', 'custom-launch:read'] as const;
export type LaunchScope = (typeof SCOPES)[number];
/** The scopes of module keys. */
export const MODULE_SCOPES = ['modules:submit', 'modules:read'] as const;
export type ModuleScope = (typeof MODULE_SCOPES)[number];
/** The scopes of reviewer keys; no sign-in grants them. */
export const REVIEW_SCOPES = ['modules:review'] as const;
export type ReviewScope = (typeof REVIEW_SCOPES)[number];

/** The scopes that signing in can grant, by the purpose of the key. */
export const SCOPES_BY_PURPOSE = { launches: SCOPES, modules: MODULE_SCOPES } as const;
export type KeyPurpose = keyof typeof SCOPES_BY_PURPOSE;
export type Scope = LaunchScope | ModuleScope | ReviewScope;
/** The lists of scopes. No key has scopes of two of them. */
export const SCOPE_LISTS: readonly (readonly Scope[])[] = [SCOPES, MODULE_SCOPES, REVIEW_SCOPES];
export const ALL_SCOPES: readonly Scope[] = SCOPE_LISTS.flat();

/** Returns whether scopes include one that is valid on granted chains alone. */
export const asksForChain = (scopes: readonly string[]): boolean =>
  SCOPES.some((scope) => scopes.some((one) => one === scope));

export const KEY_KINDS = ['wallet', 'partner'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** The holder of an API key: a lineage of keys, bound to one wallet, or a partner's to a list (docs/reference/api-conventions.md#three-checks-on-a-key). */
export interface Caller {
  readonly credentialId: string;
  readonly lineageId: string;
  /** The wallets that the key may launch for and read, lowercase; exactly one for a wallet's key. */
  readonly controllers: readonly string[];
  /** The wallet that owns the key, lowercase; null for a partner's key. */
  readonly wallet: string | null;
  readonly scopes: readonly Scope[];
  /**
   * The owner of the storage quota that the key uses: its lineage or, for a key from signing in, its wallet. A wallet has
   * a lineage of sign-ins for each purpose but one quota.
   */
  readonly storageOwner: string;
}

export const maySee = (caller: Caller, scope: Scope): boolean => caller.scopes.includes(scope);
