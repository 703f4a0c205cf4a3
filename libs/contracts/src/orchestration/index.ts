/** Types, constants and findings for workflow code: this entry pulls in no library at run time. */
export * from './queues.js';
export * from './search-attributes.js';
export * from './operator.types.js';
export * from '../launch/families.js';
export { finding } from '../errors/make-finding.js';
export type * from './launch-ref.types.js';
export type * from './admission.types.js';
export type * from './custody.types.js';
export * from './finality.types.js';
export type * from './gateway.types.js';
export * from './indexing.types.js';
export type * from './module-build.types.js';
export * from './module-review.types.js';
export type * from './review-readiness.types.js';
export * from '../modules/review-states.js';
export * from './plan.types.js';
export type * from './recovery.types.js';
export * from '../plans/plan-states.js';
