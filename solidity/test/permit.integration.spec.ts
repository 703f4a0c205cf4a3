/** The permit: who, when, how much, signed by whom. Each wrong one is refused by its own error. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { concat, pad, parseEther, slice, toHex } from 'viem';
import type { Hex } from 'viem';
import type { Overrides, Transaction } from './support/chain.js';
import { hashText, initCodeOf, planLaunch } from './support/plan.js';
import type { Plan } from './support/plan.js';
import {
  authority,
  encodeCall,
  eventsOf,
  impostor,
  inSnapshot,
  maxUint64,
  routerName,
  startTimeout,
  startWorld,
} from './support/world.js';
import type { World } from './support/world.js';

let world: World;
let plan: Plan;
beforeAll(async () => {
  world = await startWorld();
}, startTimeout);
beforeEach(async () => {
  plan = await planLaunch(world, { initialBuyWei: parseEther('0.2') });
});
afterAll(() => world?.chain.close());

const refusal = (tx: Transaction, overrides?: Overrides) => world.chain.refusal(tx, overrides);
const at = (time: bigint): Overrides => ({ block: { time: toHex(time) } });
const owner = (name: string, ...args: unknown[]): Transaction => ({
  from: world.owner,
  to: world.router,
  data: encodeCall(routerName, name, args),
});
const withSignature = (signature: Hex): Transaction => ({
  ...plan.tx,
  data: encodeCall(routerName, 'launch', [plan.call, plan.permit, signature]),
});

describe('a permit', () => {
  it('is accepted as it was issued', async () => {
    expect(await refusal(plan.tx)).toEqual([]);
  });

  it('is spent once', () =>
    inSnapshot(world.chain, async () => {
      await world.chain.send(plan.tx);
      expect(await refusal(plan.tx)).toEqual(['NonceUsed']);
      const other = await planLaunch(world, { name: 'Same nonce' });
      expect(await refusal(other.tx)).toEqual(['NonceUsed']);
    }));

  it('leaves its nonce unused when the launch reverts', () =>
    inSnapshot(world.chain, async () => {
      const doomed = await planLaunch(world, { initialBuyWei: 1n, call: { minimumTokensOut: 2n ** 120n } });
      expect((await world.chain.submit(doomed.tx)).status).toBe('0x0');
      await world.chain.send(plan.tx);
    }));

  it('serves its controller only', async () => {
    expect(await refusal({ ...plan.tx, from: world.stranger })).toEqual(['WrongSender']);
  });

  it('of another controller is refused under a changed name', async () => {
    const stolen = await planLaunch(world, { sentPermit: { controller: world.stranger } });
    expect(await refusal({ ...stolen.tx, from: world.stranger })).toEqual(['SignerNotAuthority']);
  });

  it.each([
    ['more', 1n],
    ['less', -1n],
    ['nothing', -parseEther('0.2')],
  ])('fixes the value, so that %s is refused', async (_, difference) => {
    expect(await refusal({ ...plan.tx, value: plan.permit.value + difference })).toEqual(['WrongValue']);
  });

  it('counts from its first to its last second', async () => {
    const { validAfter, deadline } = plan.permit;
    expect(await refusal(plan.tx, at(validAfter - 1n))).toEqual(['PermitNotYetValid']);
    expect(await refusal(plan.tx, at(validAfter))).toEqual([]);
    expect(await refusal(plan.tx, at(deadline))).toEqual([]);
    expect(await refusal(plan.tx, at(deadline + 1n))).toEqual(['PermitExpired']);
  });

  it('is refused by another router with the same authority', async () => {
    expect(await refusal({ ...plan.tx, to: world.otherRouter })).toEqual(['SignerNotAuthority']);
  });

  it('is refused when it was issued for another chain', async () => {
    const foreign = await planLaunch(world, { signedChainId: 1n });
    expect(await refusal(foreign.tx)).toEqual(['SignerNotAuthority']);
  });

  it.each([
    'requestHash',
    'contextHash',
    'economicsHash',
    'instructionPolicyHash',
    'graphHash',
    'poolHash',
    'callHash',
  ] as const)('commits to its %s', async (field) => {
    const changed = await planLaunch(world, { sentPermit: { [field]: hashText('another') } });
    expect(await refusal(changed.tx)).toEqual(['SignerNotAuthority']);
  });

  it.each(['value', 'nonce', 'validAfter', 'deadline'] as const)('commits to its %s', async (field) => {
    const value = plan.permit[field];
    const changed = field === 'validAfter' ? value - 1n : value + 1n;
    const sent = await planLaunch(world, { initialBuyWei: parseEther('0.2'), sentPermit: { [field]: changed } });
    const tx = field === 'value' ? { ...sent.tx, value: changed } : sent.tx;
    expect(await refusal(tx)).toEqual(['SignerNotAuthority']);
  });
});

describe('a signature', () => {
  it('of an account that is not an authority is refused as such', async () => {
    expect(await refusal((await planLaunch(world, { signer: impostor })).tx)).toEqual(['SignerNotAuthority']);
  });

  it('has exactly one form', async () => {
    const { signature } = plan;
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const highS = pad(toHex(order - BigInt(slice(signature, 32, 64))));
    const mirrored = concat([slice(signature, 0, 32), highS, signature.endsWith('1b') ? '0x1c' : '0x1b']);
    const unrecoverable = concat([slice(signature, 0, 64), '0x00']);
    for (const malformed of [
      mirrored,
      slice(signature, 0, 64),
      concat([signature, '0x00']),
      '0x',
      unrecoverable,
    ] as Hex[]) {
      expect(await refusal(withSignature(malformed))).toEqual(['SignatureMalformed']);
    }
  });
});

describe('an authority', () => {
  it('counts in its interval only, ends included', () =>
    inSnapshot(world.chain, async () => {
      const { validAfter, deadline } = plan.permit;
      await world.chain.send(owner('setAuthority', authority.address, validAfter + 10n, deadline - 10n));
      expect(await refusal(plan.tx, at(validAfter + 9n))).toEqual(['AuthorityNotYetValid']);
      expect(await refusal(plan.tx, at(validAfter + 10n))).toEqual([]);
      expect(await refusal(plan.tx, at(deadline - 10n))).toEqual([]);
      expect(await refusal(plan.tx, at(deadline - 9n))).toEqual(['AuthorityExpired']);
    }));

  it('never counts again once it is revoked', () =>
    inSnapshot(world.chain, async () => {
      const receipt = await world.chain.send(owner('revokeAuthority', authority.address));
      expect(eventsOf(receipt, routerName).map((e) => e.eventName)).toEqual(['PermitAuthorityRevoked']);
      expect(await refusal(plan.tx)).toEqual(['AuthorityRevoked']);
      expect(await refusal(owner('setAuthority', authority.address, 0n, maxUint64))).toEqual(['AuthorityRevoked']);
    }));

  it('overlaps with the next one while keys rotate', () =>
    inSnapshot(world.chain, async () => {
      const receipt = await world.chain.send(owner('setAuthority', impostor.address, 0n, maxUint64));
      expect(eventsOf(receipt, routerName).map((e) => [e.eventName, e.args])).toEqual([
        ['PermitAuthoritySet', { signer: impostor.address, validFrom: 0n, validUntil: maxUint64 }],
      ]);
      expect(await refusal(plan.tx)).toEqual([]);
      expect(await refusal((await planLaunch(world, { signer: impostor })).tx)).toEqual([]);
    }));

  it('is set by the owner, with a real account and a real interval', async () => {
    const set = (...args: unknown[]) => encodeCall(routerName, 'setAuthority', args);
    const revoke = encodeCall(routerName, 'revokeAuthority', [authority.address]);
    for (const data of [set(impostor.address, 0n, 1n), revoke]) {
      expect(await refusal({ from: world.stranger, to: world.router, data })).toEqual(['NotOwner']);
    }
    const zero = `0x${'00'.repeat(20)}`;
    expect(await refusal(owner('setAuthority', zero, 0n, 1n))).toEqual(['AuthorityIsZero']);
    expect(await refusal(owner('revokeAuthority', zero))).toEqual(['AuthorityIsZero']);
    expect(await refusal(owner('setAuthority', impostor.address, 5n, 4n))).toEqual(['AuthorityIntervalInvalid']);
    expect(await refusal(owner('setAuthority', impostor.address, 0n, 0n))).toEqual(['AuthorityIntervalInvalid']);
  });
});

describe('The ownership', () => {
  it('moves in two steps', () =>
    inSnapshot(world.chain, async () => {
      const accept = (from: Hex): Transaction => ({
        from,
        to: world.router,
        data: encodeCall(routerName, 'acceptOwnership'),
      });
      expect(await refusal({ ...owner('transferOwnership', world.stranger), from: world.stranger })).toEqual([
        'NotOwner',
      ]);
      expect(await refusal(accept(world.stranger))).toEqual(['NotPendingOwner']);
      const started = await world.chain.send(owner('transferOwnership', world.stranger));
      expect(eventsOf(started, routerName).map((e) => e.eventName)).toEqual(['OwnershipTransferStarted']);
      expect(await refusal(owner('setAuthority', impostor.address, 0n, 1n))).toEqual([]);
      expect(await refusal(accept(world.controller))).toEqual(['NotPendingOwner']);
      const accepted = await world.chain.send(accept(world.stranger));
      expect(eventsOf(accepted, routerName).map((e) => e.eventName)).toEqual(['OwnershipTransferred']);
      expect(await refusal(owner('setAuthority', impostor.address, 0n, 1n))).toEqual(['NotOwner']);
      expect(await refusal(accept(world.stranger))).toEqual(['NotPendingOwner']);
    }));
});

describe('the router', () => {
  const deployment = (poolManager: Hex, owner: Hex): Transaction => ({
    from: world.owner,
    data: initCodeOf(routerName, [poolManager, owner]),
  });

  it('is invalid on another chain and launches nothing there', async () => {
    await world.chain.rpc('anvil_setChainId', 1);
    try {
      expect(await refusal(deployment(world.poolManager, world.owner))).toEqual(['WrongChain']);
      expect(await refusal(plan.tx)).toEqual(['WrongChain']);
    } finally {
      await world.chain.rpc('anvil_setChainId', 4663);
    }
    expect(await refusal(plan.tx)).toEqual([]);
  });

  it('needs a PoolManager with code and an owner', async () => {
    expect(await refusal(deployment(world.stranger, world.owner))).toEqual(['AccountWithoutCode']);
    expect(await refusal(deployment(world.poolManager, `0x${'00'.repeat(20)}`))).toEqual(['OwnerIsZero']);
  });
});
