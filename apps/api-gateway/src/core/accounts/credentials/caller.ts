import { SCOPES, type Scope } from '../../routes/scopes.js';

/** Returns whether scopes include one that is valid on granted chains alone. */
export const asksForChain = (scopes: readonly string[]): boolean =>
  SCOPES.some((scope) => scopes.some((one) => one === scope));

export const KEY_KINDS = ['wallet', 'partner'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** The holder of an API key: a lineage of keys, bound to one wallet, or a partner's to a list (docs/reference/api-conventions.md#three-checks-on-a-key). */
export interface Caller {
  readonly credentialId: string;
  readonly lineageId: string;
  /**
   * The lineage whose launches the key reads; null for a key from signing in, which reads every launch of its wallet: the
   * wallet has proved that it is the controller, which may have submitted the launch with another key.
   */
  readonly readsLineageId: string | null;
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
