import type { RequestForm } from './request-form.js';

/** Reads requests; where it does so is its own affair. */
export interface FormReader {
  /**
   * Takes the bytes, which another thread may then hold, and gives them back with what they say: nothing is copied.
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
  /** Those that were read; the view that was given may hold nothing any more. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Reads in this thread: for small requests, where handing over would cost more. */
export const inlineFormReader: FormReader = {
  read: async (form, bytes, beside) => ({ form: form.read(bytes, beside), bytes }),
  close: async () => undefined,
};
