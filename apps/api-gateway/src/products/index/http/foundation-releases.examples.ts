import type { FoundationAvailability, FoundationReleases } from '@launch/contracts/modules';

const FACTORY_CODE = `0x${'1'.repeat(64)}` as const;
export const FOUNDATION_RELEASES_EXAMPLE: FoundationReleases = {
  schemaVersion: 'service.modules.foundation-releases.v1',
  items: [
    {
      chainId: 4663,
      factoryVersion: 'V3',
      factoryAddress: '0x1111111111111111111111111111111111111111',
      releaseDigest: `sha256:${'a'.repeat(64)}`,
      sourceCommit: 'c'.repeat(40),
      startBlock: '50469365',
      endBlock: null,
      platformFeeBps: 30,
      status: 'current',
      availabilityPath: `/v1/modules/foundation/releases/${'a'.repeat(64)}/availability`,
    },
  ],
};
export const FOUNDATION_AVAILABILITY_EXAMPLE: FoundationAvailability = {
  releaseDigest: `sha256:${'a'.repeat(64)}`,
  availability: 'AVAILABLE',
  reasons: [],
  checkedAt: '2026-01-02T03:04:05.006Z',
  observers: [
    { id: 'rpc-a.example', runtimeCodeHash: FACTORY_CODE },
    { id: 'rpc-b.example', runtimeCodeHash: FACTORY_CODE },
  ],
};
