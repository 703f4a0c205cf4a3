/** The parts of an OpenAPI document that describe the whole API. */
export interface ApiSubject {
  readonly title: string;
  readonly description: string;
  /** The sections of the document, in order. */
  readonly sections: readonly string[];
  readonly guide: { readonly description: string; readonly url: string } | null;
}
