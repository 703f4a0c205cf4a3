/** Queues, workflows, activities, signals and updates, for workflow code and its callers. Imports no library. */
export * from './queues.js';
export * from './search-attributes.js';
export * from './operator.types.js';
export * from './housekeeping.types.js';
export type * from './launch-ref.types.js';
export type * from './admission.types.js';
export type * from './compilation.types.js';
export type * from './custody.types.js';
export * from './finality.types.js';
export * from './ethereum-feed.types.js';
export type * from './gateway.types.js';
export * from './indexing.types.js';
export type * from './module-build.types.js';
export * from './module-review.types.js';
export type * from './review-readiness.types.js';
export * from './plan.types.js';
export type * from './recovery.types.js';
