/** Discovery documents and reports: what the deployment serves, and what each launch scenario needs. */
export * from './discovery.schema.js';
export * from './initial-buy-quote.schema.js';
export * from './launch-cli-release.schema.js';
export * from './launch-gates.schema.js';
export * from './launch-reports.schema.js';
export * from './scenarios.js';
