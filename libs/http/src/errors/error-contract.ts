import type { CatalogueEntry, ServedCode } from '@launch/contracts/errors';
import type { z } from 'zod';
import type { ApiError } from './api.error.js';

type JsonSchema = Readonly<Record<string, unknown>>;

/** One of the forms in which a family of routes reports errors. */
export interface ErrorForm {
  readonly mediaType: string;
  /** Named schemas that such a body satisfies. */
  readonly schemas: readonly z.ZodType[];
  /** Returns the additional schema of a body in which only these codes occur. */
  readonly narrowedTo: (codes: readonly ServedCode[]) => JsonSchema;
  /** Returns a body with only this code. */
  readonly example?: (code: ServedCode) => object;
  readonly body: (error: ApiError, requestId: string) => object;
}

/** The parts of an error's answer outside its body. */
export interface ErrorHead {
  readonly status: number;
  /** Null for an error that is not transient. */
  readonly retryAfterSeconds: number | null;
}

/** The error answers of a family of routes, for the gate, the error filter and the OpenAPI document. */
export interface ErrorContract {
  /** Returns the catalogue entry of a code. */
  readonly entry: (code: ServedCode) => CatalogueEntry;
  /** The only error statuses of the family's operations; absent if there is no such limit. */
  readonly statuses?: readonly number[];
  /** Returns an error's status, which may differ from its code's own, and its retry delay. */
  readonly head: (error: ApiError) => ErrorHead;
  /** Every form of the family. */
  readonly forms: readonly ErrorForm[];
  /** Returns the form for a client with this `Accept` header. */
  readonly formFor: (accept: string | undefined) => ErrorForm;
}
