import { Inject, Injectable } from '@nestjs/common';
import {
  availabilityPathOf,
  checksummed,
  FOUNDATION_PLATFORM_FEE_BPS,
  FOUNDATION_RELEASES_SCHEMA,
  type AvailabilityReason,
  type FoundationAvailability,
  type FoundationFactoryVersion,
  type FoundationReleases,
  type IndexedChain,
  type PublishedSource,
  type Sha256Digest,
} from '@launch/contracts';
import { ApiError } from '@launch/http';
import type { LaunchChain } from '../../multi-role/chain/launch-chain.js';
import type { ShownCode } from '../../multi-role/chain/shown-code.js';
import { CLOCK, LAUNCH_CHAIN, type Clock } from '../../tokens.js';
import { IndexStateService } from '../index-state.service.js';
import { byRank } from '../source-documents.js';

/** A binding of a Foundation factory. */
export type FoundationSource = PublishedSource & {
  readonly document: { readonly factoryVersion: FoundationFactoryVersion };
};

export const isFoundation = (source: PublishedSource): source is FoundationSource =>
  source.document.sourceVersion === 'module-foundation-v1' && source.document.factoryVersion !== null;

/** What both observers' code says of a release (decision 76). */
export function judgeAvailability(
  { document, status }: PublishedSource,
  shown: readonly ShownCode[],
): Pick<FoundationAvailability, 'availability' | 'reasons'> {
  const reasons: AvailabilityReason[] = status === 'disabled' ? ['RELEASE_DISABLED'] : [];
  const known = shown.map(({ hash }) => hash).filter((hash) => hash !== undefined);
  if (shown.length < 2 || known.length < shown.length)
    return { availability: 'INDETERMINATE', reasons: [...reasons, 'OBSERVER_WITHOUT_ANSWER'] };
  if (new Set(known).size > 1) return { availability: 'INDETERMINATE', reasons: [...reasons, 'OBSERVERS_DISAGREE'] };
  const [hash] = known;
  if (hash === null) reasons.push('NO_CODE');
  else if (hash !== document.runtimeCodeHash) reasons.push('RUNTIME_MISMATCH');
  return { availability: reasons.length === 0 ? 'AVAILABLE' : 'UNAVAILABLE', reasons };
}

/** Foundation factories: those for new launches, and those that are retained for ever (spec 3, Endpoints; decision 76). */
@Injectable()
export class FoundationReleasesService {
  constructor(
    private readonly index: IndexStateService,
    @Inject(LAUNCH_CHAIN) private readonly chain: LaunchChain,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Bindings of the factories, the one for new launches first. */
  async sources(chainId?: IndexedChain): Promise<readonly FoundationSource[]> {
    const { sources } = await this.index.state();
    return sources
      .filter(isFoundation)
      .filter(({ document }) => chainId === undefined || document.chainId === chainId)
      .sort(byRank);
  }

  async releases(): Promise<FoundationReleases> {
    const items = (await this.sources()).map(({ document, status, release_digest: releaseDigest }) => ({
      chainId: document.chainId,
      factoryVersion: document.factoryVersion,
      factoryAddress: document.address,
      releaseDigest,
      sourceCommit: document.sourceCommit,
      startBlock: document.startBlock,
      endBlock: document.endBlock,
      platformFeeBps: FOUNDATION_PLATFORM_FEE_BPS[document.factoryVersion],
      status: status === 'active' ? ('current' as const) : ('retained' as const),
      availabilityPath: availabilityPathOf(releaseDigest),
    }));
    return { schemaVersion: FOUNDATION_RELEASES_SCHEMA, items };
  }

  /** @throws ApiError `NOT_FOUND` for a digest of no release. */
  async availability(digest: Sha256Digest): Promise<FoundationAvailability> {
    const source = (await this.sources()).find(({ release_digest: releaseDigest }) => releaseDigest === digest);
    if (source === undefined) throw new ApiError('NOT_FOUND');
    const { chainId, address } = source.document;
    const shown = await this.chain.codeShown(chainId, address, 'latest');
    return {
      releaseDigest: digest,
      ...judgeAvailability(source, shown),
      checkedAt: new Date(this.clock.now()).toISOString(),
      observers: shown.map(({ observer: id, hash }) => ({ id, runtimeCodeHash: hash ?? null })),
    };
  }
}

/** Runtime hashes by the contracts' names, the factory's among them. */
export function runtimeHashesOf({ document }: FoundationSource): Record<string, `0x${string}`> {
  const bound = Object.entries(document.contracts).map(([name, one]) => [name, one.runtimeCodeHash] as const);
  return { factory: document.runtimeCodeHash, ...Object.fromEntries(bound) };
}

/** The custody of a factory's positions. @throws TypeError for a binding without one, which no indexer can verify by. */
export function custodyOf({ document }: FoundationSource): `0x${string}` {
  const { custody } = document.contracts;
  if (custody === undefined) throw new TypeError('a Foundation binding names its custody');
  return checksummed(custody.address);
}
