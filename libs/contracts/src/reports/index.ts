/** Discovery documents and reports: the routes of the deployment, and the requirements of each launch scenario. */
export * from './discovery.schema.js';
export * from './documentation-index.schema.js';
export * from './initial-buy-quote.schema.js';
export * from './launch-cli-release.schema.js';
export * from './launch-gates.schema.js';
export * from './launch-reports.schema.js';
export * from './scenarios.js';
