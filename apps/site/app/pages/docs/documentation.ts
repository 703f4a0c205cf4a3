import { getDocumentationIndex, getGuide, getReferencePage, type ApiClient } from '@launch/sdk/operations';
import { readPublic, readText, type Read } from '../../site/gateway.js';
import { documentPage } from './markdown/document-links.js';
import { renderMarkdown, type RenderedDocument } from './markdown/render-markdown.js';
import { nearNames } from './near-names.js';

export type Folder = 'guides' | 'reference';

/** A page of the documentation, as menus link it. */
export interface DocumentLink {
  readonly to: string;
  readonly title: string;
  readonly summary: string;
}

/** The published documents in the order in which they are read. */
export interface DocumentLists {
  readonly guides: readonly DocumentLink[];
  readonly reference: readonly DocumentLink[];
}

/** A document with its neighbours in the order of reading. */
export interface ShownDocument {
  readonly document: RenderedDocument;
  readonly before: DocumentLink | null;
  readonly after: DocumentLink | null;
  /** Path of the Markdown at the gateway, and its digest. */
  readonly source: { readonly path: string; readonly contentSha256: string };
}

/** The documents that an unknown name may mean. */
export interface UnknownDocument {
  readonly wanted: string;
  readonly near: readonly DocumentLink[];
}

type Index = Extract<Awaited<ReturnType<typeof readIndex>>, { is: 'value' }>['value'];
const readIndex = (api: ApiClient) => readPublic(api, getDocumentationIndex, {});

/** Reads the lists of documents for the menu. */
export async function readDocumentLists(api: ApiClient): Promise<Read<DocumentLists>> {
  const index = await readIndex(api);
  return index.is === 'value' ? { is: 'value', value: listsOf(index.value) } : index;
}

const listsOf = ({ guides, reference }: Pick<Index, 'guides' | 'reference'>): DocumentLists => ({
  guides: guides.flatMap(linkOf),
  reference: reference.flatMap(linkOf),
});

function linkOf({ path, title, summary }: Index['guides'][number]): DocumentLink[] {
  const to = documentPage(path);
  return to === null ? [] : [{ to, title, summary }];
}

/** Returns the paths of the documents to which others can link. */
export async function readPublishedPaths(api: ApiClient): Promise<Read<ReadonlySet<string>>> {
  const index = await readIndex(api);
  if (index.is !== 'value') return index;
  return { is: 'value', value: new Set([...index.value.guides, ...index.value.reference].map(({ path }) => path)) };
}

/** Reads a document and renders it. */
export async function readDocument(
  api: ApiClient,
  gatewayUrl: string,
  folder: Folder,
  name: string,
): Promise<Read<ShownDocument> | { readonly is: 'unknown'; readonly value: UnknownDocument }> {
  const index = await readIndex(api);
  if (index.is !== 'value') return index;
  const { guides, reference } = index.value;
  const all = [...guides, ...reference];
  const at = all.findIndex(({ path }) => path === `/docs/${folder}/${name}.md`);
  const found = all[at];
  if (found === undefined) return { is: 'unknown', value: unknownDocument(name, listsOf(index.value)) };
  const text = await readText(api, folder === 'guides' ? getGuide : getReferencePage, {
    path: { document: `${name}.md` },
  });
  if (text.is !== 'value') return text;
  const targets = { documents: new Set(all.map(({ path }) => path)), gatewayUrl };
  const neighbour = (index: number): DocumentLink | null => all.slice(index, index + 1).flatMap(linkOf)[0] ?? null;
  return {
    is: 'value',
    value: {
      document: renderMarkdown(text.value, found.path, targets),
      before: at === 0 ? null : neighbour(at - 1),
      after: neighbour(at + 1),
      source: { path: found.path, contentSha256: found.contentSha256 },
    },
  };
}

/** Finds the documents whose name or title resembles a wanted name. */
export function unknownDocument(wanted: string, { guides, reference }: DocumentLists): UnknownDocument {
  const all = [...guides, ...reference];
  const near = nearNames(wanted, all.map(({ to, title }) => `${to.split('/').at(-1)} ${title}`));
  return {
    wanted,
    near: near.map((name) => all.find(({ to, title }) => `${to.split('/').at(-1)} ${title}` === name)!),
  };
}
