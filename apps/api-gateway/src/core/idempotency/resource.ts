/** The kinds of resources that an idempotency key can reserve. The database stores these names for ever. */
export const RESOURCE_KINDS = [
  'multi-role-launch',
  'custom-launch',
  'custom-launch-plan',
  'module-submission',
] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];
