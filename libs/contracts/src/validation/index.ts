/** Validates values against closed schemas; findings and error bodies on the wire. */
export * from './finding.schema.js';
export { expectedForm } from './schema-faults.js';
export * from './validate.js';
