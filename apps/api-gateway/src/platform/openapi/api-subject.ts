/** What an OpenAPI document says of its API as a whole. */
export interface ApiSubject {
  readonly title: string;
  readonly description: string;
  readonly guide: { readonly description: string; readonly url: string } | null;
}
