/**
 * The databases that may name blobs, each with its tables. A database that lacks one of them is another one, or not
 * migrated. Further tables are read too.
 */
export const DATABASES = {
  'api-gateway': [
    'launch',
    'plan_step',
    'finalized_record',
    'quarantined_record',
    'module_submission',
    'module_review',
    'ethereum_record',
  ],
  admission: ['source_receipts', 'wallet_handoffs'],
  custody: ['decision', 'permit_signature'],
  finality: ['launch_observations', 'step_observations'],
  indexer: ['launches', 'quarantine'],
  'module-review': ['reviews', 'review_steps'],
} as const satisfies Record<string, readonly string[]>;

export type DatabaseName = keyof typeof DATABASES;
export const DATABASE_NAMES = Object.keys(DATABASES) as DatabaseName[];
