/** Wire formats of custom launches (profiles 4.0 and 4.1). */
export * from './admission-documents.schema.js';
export * from './create-request.schema.js';
export * from './error-body.schema.js';
export * from './finality-evidence.schema.js';
export * from './finality.schema.js';
export * from './finalized.schema.js';
export * from './machine-contracts.js';
export * from './pack-config.schema.js';
export * from './preflight.schema.js';
export * from './request-subject.js';
export * from './resource.schema.js';
export * from './routes.js';
export * from './usd-reference.schema.js';
