import type { PublicSettings } from './settings.js';

/** The chains whose coins the site shows. */
export const CHAIN_NAMES = { 1: 'Ethereum', 4663: 'Chain 4663' } as const;
export type ShownChain = keyof typeof CHAIN_NAMES;

/** Reads a chain id of a URL. */
export const shownChain = (text: string | undefined): ShownChain | null =>
  text === '1' ? 1 : text === '4663' ? 4663 : null;

/** Returns the page of a block explorer, or null where the operator names none. */
export function explorerLink(
  { explorers }: Pick<PublicSettings, 'explorers'>,
  chainId: ShownChain,
  kind: 'address' | 'tx' | 'block',
  id: string,
): string | null {
  const origin = explorers[chainId === 1 ? '1' : '4663'];
  return origin === undefined ? null : `${origin}/${kind}/${encodeURIComponent(id)}`;
}
