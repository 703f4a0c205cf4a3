/** The vault: each recipient pulls its own fees in full, and none can block another. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getAddress, parseEther } from 'viem';
import type { Address } from 'viem';
import { artifact } from './support/artifacts.js';
import type { Transaction } from './support/chain.js';
import { planLaunch } from './support/plan.js';
import type { Plan } from './support/plan.js';
import { trade, vaultState } from './support/trading.js';
import { encodeCall, eventsOf, inSnapshot, startTimeout, startWorld } from './support/world.js';
import type { World } from './support/world.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
}, startTimeout);
afterAll(() => world?.chain.close());

const payee = (digits: string): Address => `0x${digits.padStart(40, '0')}`;
const pull = (launch: Plan, from: Address, to: Address): Transaction => ({
  from,
  to: launch.vault,
  data: encodeCall('FeeVault', 'pull', [to]),
});

async function tradedLaunch(creator: Address = world.creator): Promise<Plan> {
  const launch = await planLaunch({ ...world, creator }, { initialBuyWei: parseEther('1') });
  await world.chain.send(launch.tx);
  return launch;
}

describe('The pull of fees', () => {
  it('pays each recipient its exact accrued fees, to an account of its choice, and empties the claims', () =>
    inSnapshot(world.chain, async () => {
      const launch = await tradedLaunch();
      await trade(world, launch, 'buy', 'exactIn', parseEther('2'));
      const [platform, creator, claims] = await vaultState(world, launch);
      expect([platform, creator]).toEqual([(parseEther('3') * 20n) / 10_000n, (parseEther('3') * 300n) / 10_000n]);
      expect(claims).toBe(platform + creator);
      const paid = await world.chain.send(pull(launch, world.platform, payee('a1')));
      expect(eventsOf(paid, 'FeeVault').map((e) => e.args)).toEqual([
        { recipient: getAddress(world.platform), to: getAddress(payee('a1')), amount: platform },
      ]);
      await world.chain.send(pull(launch, world.creator, payee('a2')));
      expect(await world.chain.balance(payee('a1'))).toBe(platform);
      expect(await world.chain.balance(payee('a2'))).toBe(creator);
      expect(await vaultState(world, launch)).toEqual([0n, 0n, 0n]);
      expect(await world.chain.refusal(pull(launch, world.creator, payee('a2')))).toEqual(['NothingOwed']);
    }));

  it('is refused to others, to the zero address, and to an account that refuses ether, without losing anything', () =>
    inSnapshot(world.chain, async () => {
      const launch = await tradedLaunch();
      const owed = await vaultState(world, launch);
      const refuser = await world.chain.deploy(world.owner, artifact('Refuser'));
      expect(await world.chain.refusal(pull(launch, world.stranger, payee('a1')))).toEqual(['NothingOwed']);
      expect(await world.chain.refusal(pull(launch, world.creator, payee('0')))).toEqual(['PayeeIsZero']);
      expect(await world.chain.refusal(pull(launch, world.creator, refuser))).toEqual(['WrappedError', '']);
      expect(await vaultState(world, launch)).toEqual(owed);
    }));

  it('serves a recipient that cannot receive ether itself, and the other one before it', () =>
    inSnapshot(world.chain, async () => {
      const refuser = await world.chain.deploy(world.owner, artifact('Refuser'));
      const launch = await tradedLaunch(refuser);
      const own: Transaction = {
        from: world.stranger,
        to: refuser,
        data: encodeCall('Refuser', 'pull', [launch.vault, refuser]),
      };
      expect(await world.chain.refusal(own)).toEqual(['WrappedError', '']);
      await world.chain.send(pull(launch, world.platform, payee('b1')));
      await world.chain.send({ ...own, data: encodeCall('Refuser', 'pull', [launch.vault, payee('b2')]) });
      expect(await world.chain.balance(payee('b1'))).toBe((parseEther('1') * 20n) / 10_000n);
      expect(await world.chain.balance(payee('b2'))).toBe((parseEther('1') * 300n) / 10_000n);
    }));

  it('pays once to a recipient that pulls again while it is paid', () =>
    inSnapshot(world.chain, async () => {
      // The recipient must be known before the vault: the vault's address does not depend on the recipient's code.
      const greedy = await world.chain.deploy(world.owner, artifact('Refuser'));
      const launch = await tradedLaunch(greedy);
      const template = await world.chain.deploy(world.owner, artifact('GreedyRecipient'), [launch.vault]);
      await world.chain.rpc('anvil_setCode', greedy, await world.chain.code(template));
      await world.chain.send({ from: world.stranger, to: greedy, data: encodeCall('GreedyRecipient', 'pull') });
      expect(await world.chain.balance(greedy)).toBe((parseEther('1') * 300n) / 10_000n);
      expect(await world.chain.read(greedy, 'GreedyRecipient', 'refusedAgain')).toBe(true);
    }));

  it('pays the sum when platform and creator are one account', () =>
    inSnapshot(world.chain, async () => {
      const launch = await tradedLaunch(world.platform);
      await world.chain.send(pull(launch, world.platform, payee('c1')));
      expect(await world.chain.balance(payee('c1'))).toBe((parseEther('1') * 320n) / 10_000n);
    }));
});

describe('The other entry points of the vault', () => {
  it('accept credits from the hook only, and payments from PoolManager only', () =>
    inSnapshot(world.chain, async () => {
      const launch = await tradedLaunch();
      const call = (name: string, args: unknown[]): Transaction => ({
        from: world.stranger,
        to: launch.vault,
        data: encodeCall('FeeVault', name, args),
      });
      expect(await world.chain.refusal(call('accrue', [1n, 1n]))).toEqual(['NotHook']);
      expect(await world.chain.refusal(call('unlockCallback', ['0x']))).toEqual(['NotPoolManager']);
    }));
});
