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
