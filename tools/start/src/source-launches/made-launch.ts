import type { FoundationFactoryVersion, Hex, IndexedChain, SourceVersion } from '@launch/contracts';

/** A launch that an index has to find. */
export interface MadeLaunch {
  readonly sourceVersion: SourceVersion;
  /** Of Foundation launches alone. */
  readonly factoryVersion?: FoundationFactoryVersion;
  /** Of graphs that a router of Ethereum stamped: their kind. */
  readonly launchKind?: number;
  readonly what: string;
  readonly token: Hex;
  /** Null where who looks for it does not know. */
  readonly launchWallet: Hex | null;
}

export const chainOf = (sourceVersion: SourceVersion): IndexedChain =>
  sourceVersion === 'ethereum-custom-v1' ? 1 : 4663;

/** A source by the name that a line begins with: its version, and the factory's where there are several. */
export const sourceName = ({ sourceVersion, factoryVersion }: Pick<MadeLaunch, 'sourceVersion' | 'factoryVersion'>) =>
  factoryVersion === undefined ? sourceVersion : `${sourceVersion} ${factoryVersion}`;
