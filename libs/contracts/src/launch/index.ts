/** Parts of contexts, requests, hand-offs and finality that all launch families share. */
export * from './context-commitments.js';
export * from './context-parts.schema.js';
export * from './finality-parts.schema.js';
export * from './graph.schema.js';
export * from './judged-request.js';
export * from './permit-window.schema.js';
export * from './source.schema.js';
export * from './wallet-transaction.schema.js';
