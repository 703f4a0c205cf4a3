/** What keys of launches may be good for; signing in grants all of it. */
export const SCOPES = ['custom-launch:create', 'custom-launch:read'] as const;
export type LaunchScope = (typeof SCOPES)[number];
/** What keys of modules may be good for. */
export const MODULE_SCOPES = ['modules:submit', 'modules:read'] as const;
export type ModuleScope = (typeof MODULE_SCOPES)[number];
/** What keys of reviewers are good for; no sign-in grants it. */
export const REVIEW_SCOPES = ['modules:review'] as const;
export type ReviewScope = (typeof REVIEW_SCOPES)[number];

/** The scopes of each kind of key that signing in can grant, by what a key is for. */
export const SCOPES_BY_PURPOSE = { launches: SCOPES, modules: MODULE_SCOPES } as const;
export type KeyPurpose = keyof typeof SCOPES_BY_PURPOSE;
export type Scope = LaunchScope | ModuleScope | ReviewScope;
/** What one key may be good for: no key has scopes of two of these. */
export const SCOPE_LISTS: readonly (readonly Scope[])[] = [SCOPES, MODULE_SCOPES, REVIEW_SCOPES];
export const ALL_SCOPES: readonly Scope[] = SCOPE_LISTS.flat();

/** Scopes that are good on granted chains alone. */
export const asksForChain = (scopes: readonly string[]): boolean =>
  SCOPES.some((scope) => scopes.some((one) => one === scope));

export const KEY_KINDS = ['wallet', 'partner'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** The holder of an API key: a lineage of keys, bound to one wallet, or a partner's to a list (docs/reference/api-conventions.md#three-checks-on-a-key). */
export interface Caller {
  readonly credentialId: string;
  readonly lineageId: string;
  /** The wallets the key may launch for and read, lowercase: exactly one of a wallet's key. */
  readonly controllers: readonly string[];
  /** The wallet that owns the key, lowercase; null of a partner's, which owns none. */
  readonly wallet: string | null;
  readonly scopes: readonly Scope[];
  /**
   * Whose bytes of storage the key uses up: its lineage's, or of a key that signing in gave its wallet's. A wallet signs
   * in to a lineage for each purpose, and has one quota all the same.
   */
  readonly storageOwner: string;
}

export const maySee = (caller: Caller, scope: Scope): boolean => caller.scopes.includes(scope);
