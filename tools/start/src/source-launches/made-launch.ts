import type { Hex, IndexedChain, SourceVersion } from '@launch/contracts';

/** A launch that an index has to find. */
export interface MadeLaunch {
  readonly sourceVersion: SourceVersion;
  readonly what: string;
  readonly token: Hex;
  /** Null where who looks for it does not know. */
  readonly launchWallet: Hex | null;
}

export const chainOf = (sourceVersion: SourceVersion): IndexedChain =>
  sourceVersion === 'ethereum-custom-v1' ? 1 : 4663;
