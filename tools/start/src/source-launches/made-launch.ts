import type { FoundationFactoryVersion, IndexedChain, QuarantineReason, SourceVersion } from '@launch/contracts/index';
import type { Hex } from '@launch/contracts/primitives';

/** The place of an event that is not a launch, and the check that it fails. */
export interface QuarantinedEvent {
  readonly reason: QuarantineReason;
  /** The source that emitted it. */
  readonly source: Hex;
  readonly blockNumber: string;
}

/** A launch that an index has to find, or to refuse. */
export interface MadeLaunch {
  readonly sourceVersion: SourceVersion;
  /** Only for Foundation launches. */
  readonly factoryVersion?: FoundationFactoryVersion;
  /** Only for graphs that a router of Ethereum stamped. */
  readonly launchKind?: number;
  readonly what: string;
  readonly token: Hex;
  /** Null if the reader does not know it. */
  readonly launchWallet: Hex | null;
  /** Only for an event that no index may take for a launch. */
  readonly quarantined?: QuarantinedEvent;
}

export const chainOf = (sourceVersion: SourceVersion): IndexedChain =>
  sourceVersion === 'ethereum-custom-v1' ? 1 : 4663;

/** A source by the name that a line begins with: its version, and the factory's where there are several. */
export const sourceName = ({ sourceVersion, factoryVersion }: Pick<MadeLaunch, 'sourceVersion' | 'factoryVersion'>) =>
  factoryVersion === undefined ? sourceVersion : `${sourceVersion} ${factoryVersion}`;
