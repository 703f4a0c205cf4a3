export const SCOPES = ['custom-launch:create', 'custom-launch:read'] as const;
export type Scope = (typeof SCOPES)[number];

export const KEY_KINDS = ['wallet', 'partner'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** Who an API key speaks for: a lineage of keys, bound to one wallet, or a partner's to a list of them (spec 2, Authentication). */
export interface Caller {
  readonly credentialId: string;
  readonly lineageId: string;
  /** The wallets the key may launch for and read, lowercase: exactly one of a wallet's key. */
  readonly controllers: readonly string[];
  readonly scopes: readonly Scope[];
}

export const maySee = (caller: Caller, scope: Scope): boolean => caller.scopes.includes(scope);
