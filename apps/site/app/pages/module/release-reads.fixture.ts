import type { Read } from '../../site/gateway.js';
import type {
  Availability,
  Deployment,
  FoundationDetails,
  FoundationRelease,
  ReleaseReads,
  SourceState,
} from './release-facts.js';

export const DIGEST = `sha256:${'af'.repeat(32)}` as const;
export const UNREAD: Read<never> = {
  is: 'unavailable',
  code: 'INDEX_NOT_CURRENT',
  message: 'The index is behind.',
  requestId: 'req_1',
};
export const FACTORY = '0xbF4B0e181526659cCE3b9EfCF5f2cF509b50431F';

export const aDeployment: Deployment = {
  sourceVersion: 'module-foundation-v1',
  factoryVersion: 'V3',
  chainId: 4663,
  address: FACTORY,
  runtimeCodeHash: `0x${'0e'.repeat(32)}`,
  startBlock: '50469365',
  endBlock: null,
  status: 'active',
  releaseDigest: DIGEST,
  contracts: { custody: '0x64071810Cf1717e6d0F1337C5F2A2C3fAC772316' },
  runtimeCodeHashes: { custody: `0x${'90'.repeat(32)}` },
  profile: 'development',
  sourceCommit: '7f50395dd2f51843c9075728799cf035f00b4d21',
  abiUrl: `/api/v2/abi/${'fa'.repeat(32)}.json`,
  abiSha256: `sha256:${'fa'.repeat(32)}`,
};
export const aFoundationRelease: FoundationRelease = {
  chainId: 4663,
  factoryVersion: 'V3',
  factoryAddress: FACTORY.toLowerCase(),
  releaseDigest: DIGEST,
  sourceCommit: '7f50395dd2f51843c9075728799cf035f00b4d21',
  startBlock: '50469365',
  endBlock: null,
  platformFeeBps: 30,
  status: 'current',
  availabilityPath: `/v1/modules/foundation/releases/${'af'.repeat(32)}/availability`,
};
export const theDetails: FoundationDetails = {
  factoryVersion: 'V3',
  releaseDigest: DIGEST,
  sourceCommit: '7f50395dd2f51843c9075728799cf035f00b4d21',
  startBlock: '50469365',
  runtimeHashes: {
    factory: `0x${'0e'.repeat(32)}`,
    custody: `0x${'90'.repeat(32)}`,
    poolManager: `0x${'96'.repeat(32)}`,
  },
  factoryAddress: FACTORY,
  custodyAddress: '0x64071810Cf1717e6d0F1337C5F2A2C3fAC772316',
  endBlock: null,
  platformFeeBps: 30,
  status: 'active',
  abiUrl: `/api/v2/abi/${'fa'.repeat(32)}.json`,
  abiSha256: `sha256:${'fa'.repeat(32)}`,
};
export const anAvailability: Availability = {
  releaseDigest: DIGEST,
  availability: 'AVAILABLE',
  reasons: [],
  checkedAt: '2026-11-28T11:59:58.000Z',
  observers: [
    { id: 'l2-a', runtimeCodeHash: `0x${'0e'.repeat(32)}` },
    { id: 'l2-b', runtimeCodeHash: null },
  ],
};

const value = <Value>(of: Value): Read<Value> => ({ is: 'value', value: of });

/** The reads about a release of the Foundation. Each part can be absent. */
export function someReads({
  deployments = [aDeployment],
  releases = [aFoundationRelease],
  details = theDetails,
  sources = [],
  availability = anAvailability,
}: {
  deployments?: readonly Deployment[];
  releases?: readonly FoundationRelease[];
  details?: FoundationDetails | null;
  sources?: readonly SourceState[];
  availability?: Availability | null;
} = {}): ReleaseReads {
  return {
    indexer: value({ deployments } as Extract<ReleaseReads['indexer'], { is: 'value' }>['value']),
    foundation: value({ schemaVersion: 'service.modules.foundation-releases.v1', items: releases }),
    status: value({ sources } as Extract<ReleaseReads['status'], { is: 'value' }>['value']),
    details:
      details === null
        ? null
        : value({ releases: [details] } as unknown as Extract<
            NonNullable<ReleaseReads['details']>,
            { is: 'value' }
          >['value']),
    availability: availability === null ? null : value(availability),
  };
}
