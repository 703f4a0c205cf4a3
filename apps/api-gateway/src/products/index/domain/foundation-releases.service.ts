import { Inject, Injectable } from '@nestjs/common';
import type { IndexedChain } from '@launch/contracts/index';
import {
  availabilityPathOf,
  FOUNDATION_RELEASES_SCHEMA,
  type AvailabilityReason,
  type FoundationAvailability,
  type FoundationReleases,
} from '@launch/contracts/modules';
import type { Sha256Digest } from '@launch/contracts/primitives';
import { ApiError } from '@launch/http';
import { LAUNCH_CHAIN, type LaunchChain } from '../../../core/chain/launch-chain.js';
import type { ShownCode } from '../../../core/chain/shown-code.js';
import { CLOCK, type Clock } from '../../../platform/tokens.js';
import { IndexStateService } from './index-state.service.js';
import { releasesOf, type Release } from './foundation-release.js';

/** Judges the availability of a release by both observers' code (docs/reference/index-reads.md#foundation-releases). */
export function judgeAvailability(
  { factory, status }: Pick<Release, 'factory' | 'status'>,
  shown: readonly ShownCode[],
): Pick<FoundationAvailability, 'availability' | 'reasons'> {
  const reasons: AvailabilityReason[] = status === 'disabled' ? ['RELEASE_DISABLED'] : [];
  const known = shown.map(({ hash }) => hash).filter((hash) => hash !== undefined);
  if (shown.length < 2 || known.length < shown.length)
    return { availability: 'INDETERMINATE', reasons: [...reasons, 'OBSERVER_WITHOUT_ANSWER'] };
  if (new Set(known).size > 1) return { availability: 'INDETERMINATE', reasons: [...reasons, 'OBSERVERS_DISAGREE'] };
  const [hash] = known;
  if (hash === null) reasons.push('NO_CODE');
  else if (hash !== factory.runtimeCodeHash) reasons.push('RUNTIME_MISMATCH');
  return { availability: reasons.length === 0 ? 'AVAILABLE' : 'UNAVAILABLE', reasons };
}

/** Milliseconds for which a check answers further requests, so that they get equal bytes and the chain is read once. */
const CHECK_KEPT_MS = 5_000;

interface Check {
  readonly startedAt: number;
  readonly answer: Promise<FoundationAvailability>;
}

/** Lists Foundation factories: those for new launches, and the retained ones (docs/reference/index-reads.md#foundation-releases). */
@Injectable()
export class FoundationReleasesService {
  /** By release; one entry for each that was ever bound. */
  private readonly checks = new Map<Sha256Digest, Check>();

  constructor(
    private readonly index: IndexStateService,
    @Inject(LAUNCH_CHAIN) private readonly chain: Pick<LaunchChain, 'codeShown'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Returns factories and graph factories, for each chain the one for new launches first. */
  async all(chainId?: IndexedChain): Promise<readonly Release[]> {
    const { sources } = await this.index.state();
    return releasesOf(sources.filter(({ document }) => chainId === undefined || document.chainId === chainId));
  }

  async releases(): Promise<FoundationReleases> {
    const items = (await this.all()).map((release) => ({
      chainId: release.chainId,
      factoryVersion: release.factoryVersion,
      factoryAddress: release.factory.address,
      releaseDigest: release.releaseDigest,
      sourceCommit: release.source.document.sourceCommit,
      startBlock: release.source.document.startBlock,
      endBlock: release.source.document.endBlock,
      platformFeeBps: release.platformFeeBps,
      status: release.status === 'active' ? ('current' as const) : ('retained' as const),
      availabilityPath: availabilityPathOf(release.releaseDigest),
    }));
    return { schemaVersion: FOUNDATION_RELEASES_SCHEMA, items };
  }

  /** @throws ApiError `NOT_FOUND` for an unknown release digest. */
  async availability(digest: Sha256Digest): Promise<FoundationAvailability> {
    const release = (await this.all()).find(({ releaseDigest }) => releaseDigest === digest);
    if (release === undefined) throw new ApiError('NOT_FOUND');
    const startedAt = this.clock.now();
    const kept = this.checks.get(digest);
    if (kept !== undefined && startedAt - kept.startedAt < CHECK_KEPT_MS) return kept.answer;
    const answer = this.check(release);
    this.checks.set(digest, { startedAt, answer });
    answer.catch(() => this.checks.delete(digest));
    return answer;
  }

  private async check(release: Release): Promise<FoundationAvailability> {
    const shown = await this.chain.codeShown(release.chainId, release.factory.address, 'latest');
    return {
      releaseDigest: release.releaseDigest,
      ...judgeAvailability(release, shown),
      checkedAt: new Date(this.clock.now()).toISOString(),
      observers: shown.map(({ observer: id, hash }) => ({ id, runtimeCodeHash: hash ?? null })),
    };
  }
}
