/** What an OpenAPI document says of its API as a whole. */
export interface ApiSubject {
  readonly title: string;
  readonly description: string;
  /** The sections of the document, in order. */
  readonly sections: readonly string[];
  readonly guide: { readonly description: string; readonly url: string } | null;
}
