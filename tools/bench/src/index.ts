/** Exports for programs that read results. `npm run bench` runs the benches. */
export {
  benchDocumentSchema,
  measurementSchema,
  type BenchDocument,
  type Measurement,
} from './measure/bench-document.schema.js';
