/** Contexts, request members, hand-offs, evidence and keys that launch families share. */
export * from './admission-parts.schema.js';
export * from './context-commitments.js';
export * from './context-parts.schema.js';
export * from './credential.schema.js';
export * from './custom-launch-body.schema.js';
export * from './custom-launch-context.schema.js';
export * from './custom-launch-finding.schema.js';
export * from './finality-evidence.schema.js';
export * from './finality-parts.schema.js';
export * from './graph.schema.js';
export * from './inventory-parameters.schema.js';
export * from './judged-request.js';
export * from './permit-window.schema.js';
export * from './plan-versions.js';
export * from './preflight-parts.schema.js';
export * from './source.schema.js';
export * from './wallet-transaction.schema.js';
