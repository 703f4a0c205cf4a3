/** How requests of one kind are read. */
export interface RequestForm<Beside, Form> {
  /** Its name, by which a thread finds it. */
  readonly name: string;
  /**
   * Reads a request. The form is plain data, so that another thread can work it out.
   * @param beside further data that a body is read beside, such as the context that it names by hash alone.
   * @throws ApiError for bytes (400) and schema (422)
   */
  read(bytes: Uint8Array, beside: Beside): Form;
  /** Returns memory that the form alone holds, which moves to another thread without a copy. */
  memoryOf?(form: Form): readonly ArrayBuffer[];
}
