import type { Caller } from '../accounts/credentials/caller.js';

/** The parts of an owner's view of a launch or a plan that depend on the caller, the time and the deployment. */
export interface OwnerView {
  readonly caller: Caller;
  /** Server time, milliseconds. */
  readonly nowMs: number;
  /** The origin of the website; null for a deployment without one. */
  readonly siteUrl: string | null;
}

/** The pages of a launch or a plan on the website. */
interface SitePages {
  readonly launchUrl: string | null;
  readonly walletUrl: string | null;
}

/** @param asksWallet whether the wallet has something to sign now, which the caller may see */
export function sitePagesOf(
  { siteUrl }: Pick<OwnerView, 'siteUrl'>,
  kind: 'launches' | 'plans',
  id: string,
  asksWallet: boolean,
): SitePages {
  if (siteUrl === null) return { launchUrl: null, walletUrl: null };
  return { launchUrl: `${siteUrl}/launches/${id}`, walletUrl: asksWallet ? `${siteUrl}/wallet/${kind}/${id}` : null };
}
