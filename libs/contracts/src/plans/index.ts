/** Wire formats of plans. */
export * from './plan-capabilities.schema.js';
export * from './plan-errors.schema.js';
export * from './plan-evidence.schema.js';
export * from './plan-handoff.schema.js';
export * from './plan-preflight.schema.js';
export * from './plan-request.schema.js';
export * from './plan-resource.schema.js';
export * from './plan-statuses.js';
export * from './plan-steps.js';
export * from './plan-transport.js';
