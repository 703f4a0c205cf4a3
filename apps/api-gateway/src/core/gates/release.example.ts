import {
  CHAIN_ETHEREUM_FINALIZED_V1,
  CUSTOM_LAUNCH_PROFILE_4_1,
  type CustomLaunchContext,
} from '@launch/contracts/launch';
import { canonicalKeccak } from '@launch/contracts/primitives';
import { CONTEXT_EXAMPLE } from '../context/context.example.js';
import type { ReleaseState } from './custom-launch-release.js';

const FEED = { runtimeCodeHash: `0x${'6'.repeat(64)}`, decimals: 8, heartbeatSeconds: 3_600 } as const;

/** The context of custom launches on the chains of the multi-role example. */
const CUSTOM_LAUNCH_CONTEXT_EXAMPLE = {
  ...CONTEXT_EXAMPLE,
  profile: {
    ...CONTEXT_EXAMPLE.profile,
    schemaVersion: CUSTOM_LAUNCH_PROFILE_4_1,
    recipes: [{ id: 'native20-seed', version: '1', templateSetHash: `0x${'5'.repeat(64)}` }],
  },
  chainDeployment: {
    ...CONTEXT_EXAMPLE.chainDeployment,
    usdReference: {
      l2Feed: { ...FEED, address: `0x${'e'.repeat(40)}` },
      l1Feed: { ...FEED, address: `0x${'f'.repeat(40)}` },
      maxDeviationBps: 100,
    },
  },
  providerProfile: { ...CONTEXT_EXAMPLE.providerProfile, finalityPolicyId: CHAIN_ETHEREUM_FINALIZED_V1 },
} as CustomLaunchContext;

/** A deployment that is bound to profile 4.1. */
export const RELEASE_EXAMPLE: ReleaseState = {
  bound: {
    profile: '4.1.0',
    contextHash: canonicalKeccak(CUSTOM_LAUNCH_CONTEXT_EXAMPLE),
    context: CUSTOM_LAUNCH_CONTEXT_EXAMPLE,
    platformFeeRecipient: `0x${'2'.repeat(40)}`,
    openApi: { path: '/v4/openapi.json', sha256: `sha256:${'3'.repeat(64)}` },
    recipes: ['native20-seed@1'],
  },
  reasonCodes: [],
};
