/** Reads requests of one kind. */
export interface RequestForm<Beside, Form> {
  /** The name by which a thread finds it. */
  readonly name: string;
  /**
   * Reads a request. The form is plain data, so that another thread can compute it.
   * @param beside further data that reading a body needs, such as the context that it names by hash alone.
   * @throws ApiError for bytes (400) and schema (422)
   */
  read(bytes: Uint8Array, beside: Beside): Form;
  /** Returns memory that the form alone holds, which moves to another thread without a copy. */
  memoryOf?(form: Form): readonly ArrayBuffer[];
}
