export const SCOPES = ['custom-launch:create', 'custom-launch:read'] as const;
export type Scope = (typeof SCOPES)[number];

/** Who an API key speaks for: a lineage of keys, bound to one wallet (spec 2, Authentication). */
export interface Caller {
  readonly credentialId: string;
  readonly lineageId: string;
  /** The wallet the key is bound to, lowercase. */
  readonly controller: string;
  readonly scopes: readonly Scope[];
}

export const maySee = (caller: Caller, scope: Scope): boolean => caller.scopes.includes(scope);
