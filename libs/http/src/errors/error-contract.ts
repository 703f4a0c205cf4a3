import type { CatalogueEntry, ServedCode } from '@launch/contracts/errors';
import type { z } from 'zod';
import type { ApiError } from './api.error.js';

type JsonSchema = Readonly<Record<string, unknown>>;

/** One of the forms in which a family of routes says what went wrong. */
export interface ErrorForm {
  readonly mediaType: string;
  /** Named schemas that all hold for such a body. */
  readonly schemas: readonly z.ZodType[];
  /** What holds besides, where only these codes occur. */
  readonly narrowedTo: (codes: readonly ServedCode[]) => JsonSchema;
  /** A body with this code as its only one. */
  readonly example?: (code: ServedCode) => object;
  readonly body: (error: ApiError, requestId: string) => object;
}

/** What an answer says of an error besides its form. */
export interface ToldError {
  readonly status: number;
  /** Null where an error does not pass. */
  readonly retryAfterSeconds: number | null;
}

/** How a family of routes answers errors: the gate, the error filter and the description read it. */
export interface ErrorContract {
  /** What follows from a code. */
  readonly entry: (code: ServedCode) => CatalogueEntry;
  /** Of an error, whose status may be another than its code's own. */
  readonly told: (error: ApiError) => ToldError;
  /** Every form there is. */
  readonly forms: readonly ErrorForm[];
  /** The form for a client that accepts this. */
  readonly formFor: (accept: string | undefined) => ErrorForm;
}
