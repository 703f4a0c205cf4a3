import type { RequestForm } from './request-form.js';

/** Reads requests, in this thread or another. */
export interface FormReader {
  /**
   * Takes the bytes, which may move to another thread, and returns them with their contents, without a copy.
   * @throws ApiError for bytes and schema, `SERVICE_UNAVAILABLE` when no reader is free or one failed.
   */
  read<Beside, Form>(
    form: RequestForm<Beside, Form>,
    bytes: Uint8Array<ArrayBuffer>,
    beside: Beside,
  ): Promise<ReadRequest<Form>>;
  close(): Promise<void>;
}

export interface ReadRequest<Form> {
  readonly form: Form;
  /** The bytes that were read; the view of the caller may be empty now. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Reads in this thread: for small requests, where a transfer would cost more. */
export const inlineFormReader: FormReader = {
  read: async (form, bytes, beside) => ({ form: form.read(bytes, beside), bytes }),
  close: async () => undefined,
};
