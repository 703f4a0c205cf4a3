/** The pages and files to which links of published documents can point. */
export interface LinkTargets {
  /** Paths of the gateway's published documents, such as `/docs/guides/finality.md`. */
  readonly documents: ReadonlySet<string>;
  /** Origin of the gateway, for links to its other routes. */
  readonly gatewayUrl: string;
}

/** Any origin: it marks the links that stay at the service. */
const SERVICE = 'https://service.invalid';
const DOCUMENT = /^\/docs\/(guides|reference)\/([a-z0-9-]{1,64})\.md$/;
/** Routes of the gateway that have a page of their own at this site. */
const PAGES: Readonly<Record<string, string>> = { '/v4/errors': '/docs/errors', '/docs': '/docs/api' };

/** Returns the page of the site that shows a published document, or null for another path. */
export function documentPage(path: string): string | null {
  const [, folder, name] = DOCUMENT.exec(path) ?? [];
  return folder === undefined ? null : `/docs/${folder}/${name}`;
}

/**
 * Rewrites a link of a document so that it works at the site: to the page of another document, to an anchor, to a route of the
 * gateway, or to another site over HTTPS. Returns null for a link that leads nowhere, which is shown as text.
 * @param at path of the document at the service
 */
export function rewriteLink(target: string, at: string, { documents, gatewayUrl }: LinkTargets): string | null {
  if (target.startsWith('#')) return target;
  if (!URL.canParse(target, `${SERVICE}${at}`)) return null;
  const url = new URL(target, `${SERVICE}${at}`);
  if (url.origin !== SERVICE) return url.protocol === 'https:' ? url.href : null;
  if (url.pathname === at) return url.hash === '' ? '#' : url.hash;
  const page = PAGES[url.pathname];
  if (page !== undefined) return `${page}${url.hash}`;
  if (documents.has(url.pathname)) return `${documentPage(url.pathname)}${url.hash}`;
  // Files of the repository that the gateway does not publish have no address here.
  return isRoute(url.pathname) ? `${gatewayUrl}${url.pathname}${url.search}${url.hash}` : null;
}

const isRoute = (path: string): boolean => /^\/(v\d|api|\.well-known)\//.test(path) || path === '/openapi.json';
