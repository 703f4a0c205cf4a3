import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');
export const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Files of a deployment or a build, which the repository does not have. */
const MADE =
  /^deploy\/(secrets|\.env|(custom-launch\/)?context(\.facts)?\.json|answer-keys\/others\.json|payload-keys\/(launches|modules)\/keys|custody-signer\/aws-credentials|index\.facts\.json|reviewed-routers\.json|trusted-deployments\.json|reviewer-policy\.json)|(^|\/)(dist|bundles|artifacts|generated)\//;
const OURS = /(?<![\w/@.-])(?:apps|libs|prisma|clients|tools|solidity|docs|deploy)\/[\w./-]*\w/g;
/** A source file by its name alone, with its role: `judge-graph.service.ts`. */
const NAMED = /(?<![\w/.*<>{}-])[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)+\.ts\b/g;
const NAMES: ReadonlySet<string> = new Set([
  // The pattern of every name, and a file that the walk through CONTRIBUTING.md generates.
  'thing.role.ts',
  'favourites.schema.ts',
  ...globSync('{apps,libs,prisma,clients,tools,solidity,deploy}/**/*.ts', {
    cwd: root,
    exclude: (entry) => /(^|\/)(node_modules|dist)(\/|$)/.test(entry),
  }).map((file) => path.basename(file)),
]);
/** A program's name in a package names the package; a number of an ADR names its file. */
const NO_FILE = /^(prisma\/adapter-pg|docs\/adr\/\d{4})$/;
const ADR = /\bADRs? \d+(?:(?:,| and|, and) \d{4})*|\bdocs\/adr\/\d{4}/g;
const ADR_NUMBERS: ReadonlySet<string> = new Set(
  globSync('docs/adr/*.md', { cwd: root }).map((file) => path.basename(file).slice(0, 4)),
);
/** Citations by number of documents that the repository does not have. */
const FOREIGN =
  /\bdecisions? \d+|\bspec(?:ification)?s?(?:['’]s?)? (?:sections? )?\d|\bsections? \d+ of the (?:design|spec)/gi;

const anchors = new Map<string, ReadonlySet<string>>();

/** Returns the anchors of a document: the slugs of its headings, as GitHub makes them, and explicit ids. */
export function anchorsOf(document: string): ReadonlySet<string> {
  const known = anchors.get(document);
  if (known !== undefined) return known;
  const text = read(document);
  const found = new Set([...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id as string));
  const times = new Map<string, number>();
  for (const [, heading] of text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = (heading as string)
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '')
      .replaceAll(' ', '-');
    const earlier = times.get(slug) ?? 0;
    times.set(slug, earlier + 1);
    found.add(earlier === 0 ? slug : `${slug}-${earlier}`);
  }
  anchors.set(document, found);
  return found;
}

/**
 * Returns the paths, names of source files, anchors and ADR numbers of a text that do not resolve.
 * @param folder paths resolve against it and against the root.
 */
export function unresolved(text: string, folder: string): string[] {
  const exists = (name: string): boolean =>
    [name, path.join(folder, name)].some((one) => existsSync(path.join(root, one)));
  const files = [...text.matchAll(OURS)]
    // A pattern names several files.
    .filter(({ 0: name, index }) => !/^\.?[*{<]/.test(text.slice(index + name.length)))
    .map(([name]) => name)
    .filter((name) => !MADE.test(name) && !NO_FILE.test(name) && !exists(name));
  const names = [...text.matchAll(NAMED)].map(([name]) => name).filter((name) => !NAMES.has(name));
  const places = [...text.matchAll(/\b(docs\/[\w/-]+\.md)#([\w-]+)/g)]
    .filter(
      ([, document, anchor]) => exists(document as string) && !anchorsOf(document as string).has(anchor as string),
    )
    .map(([place]) => place);
  const records = [...text.matchAll(ADR)]
    .flatMap(([names]) => names.match(/\d+/g) ?? [])
    .filter((number) => !ADR_NUMBERS.has(number))
    .map((number) => `ADR ${number}`);
  return [...files, ...names, ...places, ...records];
}

/** Returns the links of a document whose file or anchor does not exist. */
export function brokenLinks(file: string): string[] {
  return [...read(file).matchAll(/\]\(([^)#\s]*)(?:#([^)\s]*))?\)/g)]
    .filter(([, to]) => !/^[a-z]+:/.test(to as string))
    .filter(([, to, anchor]) => {
      const target = to === '' ? file : path.join(path.dirname(file), to as string);
      if (!existsSync(path.join(root, target))) return true;
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor);
    })
    .map(([link]) => link);
}

/** Returns the citations by number of documents that the repository does not have. */
export const foreignCitations = (text: string): string[] => [...text.matchAll(FOREIGN)].map(([citation]) => citation);

/** Lines that are comments, by what they begin with, and comments behind code. */
const COMMENTS: readonly (readonly [files: RegExp, comment: RegExp])[] = [
  [/\.(?:ts|mjs|js|css|sol|prisma)$/, /^\s*(?:\/\/|\/?\*).*$|\s\/\/ .*$/gm],
  [/\.sql$/, /^\s*--.*$/gm],
  [/./, /^\s*#.*$/gm],
];

/** Returns the comments of a source file. */
export function commentsOf(file: string): string {
  const [, comment] = COMMENTS.find(([files]) => files.test(file))!;
  return [...read(file).matchAll(comment)].map(([line]) => line).join('\n');
}
