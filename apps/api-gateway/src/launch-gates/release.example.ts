import type { ReleaseState } from './v4-release.js';

/** A deployment that is bound to profile 4.1. */
export const RELEASE_EXAMPLE: ReleaseState = {
  bound: {
    profile: '4.1.0',
    contextHash: `0x${'1'.repeat(64)}`,
    platformFeeRecipient: `0x${'2'.repeat(40)}`,
    openApi: { path: '/v4/openapi.json', sha256: `sha256:${'3'.repeat(64)}` },
    recipes: ['native20-seed@1'],
  },
  reasonCodes: [],
};
