import { describe, expect, it } from '@jest/globals';
import { canonicalKeccak, keccak256Hex } from '@launch/contracts/primitives';
import type { DevnetDescription } from '@launch/devnet';
import { NATIVE20_SEED_TEMPLATE_SET, templateSetHash } from '@launch/evm';
import {
  buildDevelopmentContext,
  buildDevelopmentCustomLaunchContext,
  type RuntimeRelease,
} from './development-context.js';

const account = (digit: string): `0x${string}` => `0x${digit.repeat(40)}`;
const code = (digit: string) => ({
  address: account(digit),
  runtimeCodeHash: keccak256Hex(new TextEncoder().encode(digit)),
});
const provider = (chain: string, port: number) => ({ id: `${chain}-${port}`, url: `http://127.0.0.1:${port}` });
const CHAINS = {
  contracts: {
    router: code('A'),
    poolManager: code('b'),
    sequencerInbox: code('c'),
    bridge: code('d'),
    nodeInterface: code('e'),
    routerV1: code('1'),
    priceFeedL2: code('2'),
    priceFeedL1: code('3'),
  },
  priceFeed: { decimals: 8, heartbeatSeconds: 3600 },
  rpc: { '4663': [provider('l2', 1), provider('l2', 2)], '1': [provider('l1', 3), provider('l1', 4)] },
  platformFeeRecipient: account('5'),
  permitAuthority: { address: account('6') },
  genesisL2Block: 50469364,
} as unknown as DevnetDescription;
const RELEASE: RuntimeRelease = {
  schemaVersion: 'service.multi-role-runtime-release-instance.v2',
  sourceCommit: '1'.repeat(40),
  sourceTree: '2'.repeat(40),
};

/** Requests are bound to these hashes. One moves only with a policy, a template, a compiler or a limit of the release. */
describe('the development context', () => {
  it.each([
    ['v2', 'v2', undefined, '0xa4b99fe0a4b0734d139f60d41d79c2290f685183539022fdf8c04828ec5f6cdb'],
    ['v2', 'v2', RELEASE, '0xf35c67a6c714c3aa86eb8400a86c2233d5b9d8e8e98ae96f90ce7b322e03555b'],
    ['v2', 'v3', undefined, '0x51b169ea166a7dbc29b847cb8dc6e703103f9672ebece4bd88c7a70dd1aed0c3'],
    ['v2', 'v3', RELEASE, '0x1c616e921b7e030f7aecf5b4e4696279af8163914631f9a32c80c8f7e46d3db5'],
    ['reachable', 'v2', undefined, '0x397b08e07c5a521de1a66e78b7f897022c5c7af82506ddbd38bfc21438cf452e'],
    ['reachable', 'v2', RELEASE, '0x1908808dcbdbe89ba30154df0fb688f5b37dfbc808b9d51af2b964965e28c3a6'],
    ['reachable', 'v3', undefined, '0x830b096417ebcde4b727ee6b15eca7f498d066c93b72b10005066e33e42eba50'],
    ['reachable', 'v3', RELEASE, '0x3aa0045db6d75995b78953fe33b10dc4af24f4369b1a014be5c041549bfd1798'],
  ] as const)('of policy %s and finality %s has its recorded hash', (policy, finality, release, hash) => {
    expect(canonicalKeccak(buildDevelopmentContext(CHAINS, policy, release, finality))).toBe(hash);
  });
});

describe('the development context of custom launches and plans', () => {
  const context = buildDevelopmentCustomLaunchContext(CHAINS, 'reachable', RELEASE);

  it('equals the multi-role one except for its profile, router V1, its one recipe, its feeds and its rule of finality', () => {
    const multiRole = buildDevelopmentContext(CHAINS, 'reachable', RELEASE);
    const router = { ...code('1') };
    const feed = { decimals: 8, heartbeatSeconds: 3600 };
    expect(context).toEqual({
      ...multiRole,
      profile: {
        ...multiRole.profile,
        schemaVersion: 'service.custom-launch-profile.v4.1',
        recipes: [{ id: 'native20-seed', version: '1', templateSetHash: templateSetHash(NATIVE20_SEED_TEMPLATE_SET) }],
      },
      chainDeployment: {
        ...multiRole.chainDeployment,
        router,
        usdReference: { l2Feed: { ...code('2'), ...feed }, l1Feed: { ...code('3'), ...feed }, maxDeviationBps: 100 },
      },
      providerProfile: { ...multiRole.providerProfile, finalityPolicyId: 'chain-ethereum-finalized-v1' },
      chainBindings: { ...multiRole.chainBindings, router: router.address },
    });
  });

  it('of profile 4.0 differs in the name of the profile alone', () => {
    const earlier = buildDevelopmentCustomLaunchContext(CHAINS, 'reachable', RELEASE, '4.0');
    const schemaVersion = 'service.custom-launch-profile.v4.0';
    expect(earlier).toEqual({ ...context, profile: { ...context.profile, schemaVersion } });
  });
});
