/** What a program that reads results needs; the benches themselves are run by `npm run bench`. */
export {
  benchDocumentSchema,
  measurementSchema,
  type BenchDocument,
  type Measurement,
} from './measure/bench-document.schema.js';
