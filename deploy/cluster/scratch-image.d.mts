export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}
export interface ImageDocuments {
  readonly blobs: readonly { readonly content: Buffer; readonly descriptor: Descriptor }[];
  readonly index: { readonly manifests: readonly (Descriptor & { readonly annotations: Readonly<Record<string, string>> })[] };
}
export function imageDocuments(image: { name: string; entrypoint: readonly string[]; layer: Buffer; architecture: string }): ImageDocuments;
