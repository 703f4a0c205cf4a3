import { codedErrors } from '@launch/contracts/errors';

/**
 * The reasons why a collection ends without having removed anything further.
 * - `DATABASE_UNREADABLE`: a database is unreachable, or the role may not read one of its tables.
 * - `DATABASE_UNEXPECTED`: a database lacks a table of its service, so the URL names another one.
 * - `COLUMN_UNREADABLE`: a column has a type whose digests the collection cannot find.
 * - `COLLECTION_RUNNING`: another collection holds the lock.
 * - `SHARE_TOO_LARGE`: more of the store is unreferenced than is plausible.
 * - `ORDER_BROKEN`: a listing was not in ascending order, as with S3 directory buckets.
 */
const RETRYABLE = {
  DATABASE_UNREADABLE: true,
  DATABASE_UNEXPECTED: false,
  COLUMN_UNREADABLE: false,
  COLLECTION_RUNNING: true,
  SHARE_TOO_LARGE: false,
  ORDER_BROKEN: false,
} as const;

/** A collection that ended early. Its message names databases, tables and columns, never a URL or contents. */
export class CollectorError extends codedErrors('CollectorError', RETRYABLE) {}
