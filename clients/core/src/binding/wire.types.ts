/**
 * A body as it is on the wire: hex words and digests are strings, and nothing is writable. Types that are generated from the
 * OpenAPI document and types that are inferred from the schemas are both of this form.
 */
export type Wire<T> = T extends `0x${string}` | `sha256:${string}`
  ? string
  : T extends readonly (infer Item)[]
    ? readonly Wire<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: Wire<T[Name]> }
      : T;
