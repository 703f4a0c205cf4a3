/** Router V1's permit: who, when, how much, signed by whom. Each wrong one is refused by its own error. */
import { LAUNCH_MODES, PROFILE_WORDS, encodeLaunchCalldata, permitTypedData } from '@launch/evm';
import type { LaunchPermitV1 } from '@launch/evm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { concat, pad, slice, toHex } from 'viem';
import type { Hex } from 'viem';
import { artifact } from './support/artifacts.js';
import { Chain } from './support/chain.js';
import type { Overrides, Transaction } from './support/chain.js';
import { hashText } from './support/plan.js';
import { graphV1, routerV1Name, signV1, startWorldV1 } from './support/router-v1.js';
import type { Graph, Signed, SigningOptions, WorldV1 } from './support/router-v1.js';
import { authority, encodeCall, impostor, inSnapshot, maxUint64, startTimeout } from './support/world.js';

const { sequential } = LAUNCH_MODES;
const another = hashText('another');

let world: WorldV1;
let graph: Graph;
let plan: Signed;
beforeAll(async () => {
  world = await startWorldV1();
  graph = await graphV1(world);
  plan = await signV1(world, graph, { mode: sequential });
}, startTimeout);
afterAll(() => world?.chain.close());

const refusal = (tx: Transaction, overrides?: Overrides) => world.chain.refusal(tx, overrides);
const at = (time: bigint): Overrides => ({ block: { time: toHex(time) } });
const launchOf = async (options: SigningOptions) => refusal((await signV1(world, graph, options)).launch);
const deployOf = async (options: SigningOptions) =>
  refusal((await signV1(world, graph, { mode: sequential, ...options })).deploys[0]!);
const owner = (name: string, ...args: unknown[]): Transaction => ({
  from: world.owner,
  to: world.routerV1,
  data: encodeCall(routerV1Name, name, args),
});

describe('a permit', () => {
  it('is accepted as it was issued, for the launch and for the plan', async () => {
    expect(await launchOf({})).toEqual([]);
    expect(await refusal(plan.deploys[0]!)).toEqual([]);
  });

  it.each<[keyof LaunchPermitV1, (value: never) => unknown]>([
    ['requestHash', () => another],
    ['contextHash', () => another],
    ['economicsHash', () => another],
    ['instructionPolicyHash', () => another],
    ['graphHash', () => another],
    ['poolHash', () => another],
    ['callHash', () => another],
    ['nonce', (value: bigint) => value + 1n],
    ['validAfter', (value: bigint) => value - 1n],
    ['deadline', (value: bigint) => value + 1n],
    ['profile', () => PROFILE_WORDS['4.0']],
    ['mode', () => LAUNCH_MODES.atomic],
    ['stepsHash', () => another],
  ])('commits to its %s', async (field, change) => {
    const sentPermit = { [field]: change(plan.permit[field] as never) };
    expect(await launchOf({ sentPermit })).toEqual(['SignerNotAuthority']);
    expect(await deployOf({ sentPermit })).toEqual(['SignerNotAuthority']);
  });

  it('commits to its value, and fixes the value of the transaction', async () => {
    const signed = await signV1(world, graph, { sentPermit: { value: 1n } });
    expect(await refusal({ ...signed.launch, value: 1n })).toEqual(['SignerNotAuthority']);
    const { launch } = await signV1(world, graph);
    expect(await refusal({ ...launch, value: launch.value! - 1n })).toEqual(['WrongValue']);
    expect(await refusal({ ...plan.register, value: 0n })).toEqual(['WrongValue']);
    expect(await refusal({ ...plan.deploys[0]!, value: 1n })).toEqual(['']);
  });

  it('counts from its first to its last second, for every step', async () => {
    const { validAfter, deadline } = plan.permit;
    for (const tx of [plan.deploys[0]!, (await signV1(world, graph)).launch]) {
      expect(await refusal(tx, at(validAfter - 1n))).toEqual(['PermitNotYetValid']);
      expect(await refusal(tx, at(deadline))).toEqual([]);
      expect(await refusal(tx, at(deadline + 1n))).toEqual(['PermitExpired']);
    }
    expect(await refusal(plan.register, at(deadline + 1n))).toEqual(['PermitExpired']);
  });

  it('serves its controller only, so that a stranger deploys, registers and launches nothing', async () => {
    const { launch } = await signV1(world, graph);
    for (const tx of [plan.deploys[0]!, plan.register, launch])
      expect(await refusal({ ...tx, from: world.stranger })).toEqual(['WrongSender']);
    expect(await deployOf({ sentPermit: { controller: world.stranger } })).toEqual(['WrongSender']);
  });

  it('is refused by another router V1, and on another chain', async () => {
    expect(await refusal({ ...plan.deploys[0]!, to: world.otherRouterV1 })).toEqual(['SignerNotAuthority']);
    expect(await launchOf({ signedChainId: 1n })).toEqual(['SignerNotAuthority']);
  });

  it('of router V2 is refused, both by its signature and by its calldata', async () => {
    const { profile, mode, stepsHash, ...permitV2 } = plan.permit;
    expect([profile, mode, stepsHash]).toHaveLength(3);
    for (const router of [world.router, world.routerV1]) {
      const signature = await authority.signTypedData(permitTypedData({ chainId: 4663n, router }, permitV2));
      expect(await launchOf({ signature })).toEqual(['SignerNotAuthority']);
      expect(await deployOf({ signature })).toEqual(['SignerNotAuthority']);
      const data = encodeLaunchCalldata({ call: graph.call, permit: permitV2, signature });
      expect(await refusal({ ...plan.register, data })).toEqual(['']);
    }
  });

  it('is spent once', () =>
    inSnapshot(world.chain, async () => {
      const { launch } = await signV1(world, graph);
      await world.chain.send(launch);
      expect(await refusal(launch)).toEqual(['NonceUsed']);
      expect(await refusal(plan.deploys[0]!)).toEqual(['NonceUsed']);
    }));
});

describe('a signature', () => {
  it.each<[string, () => Hex, string]>([
    ['one byte too short', () => slice(plan.signature, 0, 64), 'SignatureMalformed'],
    [
      'signed with a high s',
      () => {
        const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
        const s = toHex(order - BigInt(slice(plan.signature, 32, 64)), { size: 32 });
        return concat([slice(plan.signature, 0, 32), s, slice(plan.signature, 64) === '0x1b' ? '0x1c' : '0x1b']);
      },
      'SignatureMalformed',
    ],
  ])('is malformed when it is %s', async (_, signature, error) => {
    expect(await deployOf({ signature: signature() })).toEqual([error]);
  });

  it('counts by its authority only, at every step of a plan', () =>
    inSnapshot(world.chain, async () => {
      const signed = await signV1(world, graph, { mode: sequential, signer: impostor });
      expect(await refusal(signed.deploys[0]!)).toEqual(['SignerNotAuthority']);
      await world.chain.send(owner('setAuthority', impostor.address, graph.now + 1_000n, graph.now + 2_000n));
      expect(await refusal(signed.deploys[0]!, at(graph.now + 999n))).toEqual(['AuthorityNotYetValid']);
      expect(await refusal(signed.deploys[0]!, at(graph.now + 2_000n))).toEqual([]);
      expect(await refusal(signed.deploys[0]!, at(graph.now + 2_001n))).toEqual(['AuthorityExpired']);
      await world.chain.send(owner('setAuthority', impostor.address, 0n, maxUint64));
      await world.chain.send(signed.deploys[0]!);
      await world.chain.send(owner('revokeAuthority', impostor.address));
      expect(await refusal(signed.deploys[1]!)).toEqual(['AuthorityRevoked']);
    }));
});

describe('A deployment', () => {
  it('fails on a chain other than 4663 and Ethereum, and without a PoolManager', async () => {
    const { creationCode } = artifact(routerV1Name);
    const deploying = (poolManager: Hex) => concat([creationCode, pad(poolManager), pad(world.owner)]);
    const from = world.owner;
    expect(await refusal({ from, data: deploying(world.stranger) })).toEqual(['AccountWithoutCode']);
    const elsewhere = await Chain.start(31_337);
    try {
      expect(await elsewhere.refusal({ from, data: deploying(world.poolManager) })).toEqual(['WrongChain']);
    } finally {
      await elsewhere.close();
    }
  });

  it('on Ethereum creates a router of chain 1', async () => {
    const ethereum = await Chain.start(1);
    try {
      const poolManager = await ethereum.deploy(world.owner, artifact('PoolManager'), [world.owner]);
      const router = await ethereum.deploy(world.owner, artifact(routerV1Name), [poolManager, world.owner]);
      expect(await ethereum.read(router, routerV1Name, 'CHAIN_ID')).toBe(1n);
    } finally {
      await ethereum.close();
    }
  });
});

describe('The owner', () => {
  it('alone manages authorities, through PermitAuthorities as in router V2', async () => {
    const by = (from: Hex, name: string, ...args: unknown[]) => refusal({ ...owner(name, ...args), from });
    expect(await by(world.stranger, 'setAuthority', impostor.address, 0n, 1n)).toEqual(['NotOwner']);
    expect(await by(world.stranger, 'acceptOwnership')).toEqual(['NotPendingOwner']);
  });
});
