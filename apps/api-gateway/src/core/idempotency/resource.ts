/** What an idempotency key can have reserved. The database keeps these names for ever. */
export const RESOURCE_KINDS = [
  'multi-role-launch',
  'custom-launch',
  'custom-launch-plan',
  'module-submission',
] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];
