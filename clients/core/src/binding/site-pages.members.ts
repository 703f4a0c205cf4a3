import { holds, type BoundMember } from './bound-member.js';

/** The pages of a resource on the deployment's website. */
interface SitePages {
  readonly launchUrl: string | null;
  readonly walletUrl: string | null;
}

const ORIGIN = /^https?:\/\/[^/?#\s]+$/;

/** Returns the origin of a page with this path; null for another address. */
function siteOf(url: string, path: string): string | null {
  const origin = url.slice(0, -path.length);
  return url.endsWith(path) && ORIGIN.test(origin) ? origin : null;
}

/** The pages name the resource itself, and are of one website. */
export const sitePageMembers = <Value extends SitePages, Subject>(
  kind: 'launches' | 'plans',
  idOf: (value: Value) => string,
): readonly BoundMember<Value, Subject>[] => [
  holds(
    '/launchUrl',
    'null, or the page of the launch',
    (value) => value.launchUrl === null || siteOf(value.launchUrl, `/launches/${idOf(value)}`) !== null,
  ),
  holds('/walletUrl', 'null, or the wallet page on the website of launchUrl', (value) => {
    const { launchUrl, walletUrl } = value;
    if (walletUrl === null) return true;
    const site = launchUrl === null ? null : siteOf(launchUrl, `/launches/${idOf(value)}`);
    return site !== null && siteOf(walletUrl, `/wallet/${kind}/${idOf(value)}`) === site;
  }),
];
