/** What an idempotency key can have reserved, and the relay can carry. The database keeps these names for ever. */
export const RESOURCE_KINDS = ['multi-role-launch'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];
