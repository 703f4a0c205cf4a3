import { readRequestForm, type RequestForm } from './request-form.js';

/** Reads requests; where it does so is its own affair. */
export interface FormReader {
  /** @throws ApiError for bytes and schema, `SERVICE_UNAVAILABLE` when no reader is free or one failed. */
  read(bytes: Uint8Array): Promise<RequestForm>;
  close(): Promise<void>;
}

/** Reads in this thread: for small requests, where handing over would cost more. */
export const inlineFormReader: FormReader = {
  read: async (bytes) => readRequestForm(bytes),
  close: async () => undefined,
};
