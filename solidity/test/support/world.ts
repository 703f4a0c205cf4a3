/** A fresh chain with PoolManager, two routers, an authority on both, and a trader with ether. */
import { jest } from '@jest/globals';
import { encodeFunctionData, parseEther, parseEventLogs } from 'viem';
import type { Address, Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { artifact } from './artifacts.js';
import { Chain } from './chain.js';
import type { Receipt, Transaction } from './chain.js';

// A busy machine is slow, not wrong: no test here asserts a duration.
jest.setTimeout(60_000);

export const routerName = 'MultiRoleLaunchStampRouterV2';
/** Milliseconds for a suite's start: the first one may have to compile. */
export const startTimeout = 120_000;
export const maxUint64 = 2n ** 64n - 1n;

/** Development keys without value: the permit authority of these tests, and an account that is not one. */
export const authority = privateKeyToAccount(`0x${'a1'.repeat(32)}`);
export const impostor = privateKeyToAccount(`0x${'b2'.repeat(32)}`);

export interface World {
  chain: Chain;
  poolManager: Address;
  router: Address;
  otherRouter: Address;
  trader: Address;
  oracle: Address;
  controller: Address;
  owner: Address;
  platform: Address;
  creator: Address;
  stranger: Address;
}

export const encodeCall = (contract: string, functionName: string, args: unknown[] = []): Hex =>
  encodeFunctionData({ abi: artifact(contract).abi, functionName, args });

export async function startWorld(hardfork?: 'prague'): Promise<World> {
  const chain = await Chain.start(4663, hardfork);
  try {
    const [controller, owner, platform, creator, stranger] = (await chain.rpc<Address[]>('eth_accounts')) as [
      Address,
      Address,
      Address,
      Address,
      Address,
    ];
    const poolManager = await chain.deploy(owner, artifact('PoolManager'), [owner]);
    const router = await chain.deploy(owner, artifact(routerName), [poolManager, owner]);
    const otherRouter = await chain.deploy(owner, artifact(routerName), [poolManager, owner]);
    const trader = await chain.deploy(owner, artifact('Trader'), [poolManager], parseEther('500'));
    const oracle = await chain.deploy(owner, artifact('TickMathOracle'));
    for (const to of [router, otherRouter]) {
      await chain.send({
        from: owner,
        to,
        data: encodeCall(routerName, 'setAuthority', [authority.address, 0n, maxUint64]),
      });
    }
    return { chain, poolManager, router, otherRouter, trader, oracle, controller, owner, platform, creator, stranger };
  } catch (error) {
    await chain.close();
    throw error;
  }
}

export interface DecodedEvent {
  eventName: string;
  args: Record<string, unknown>;
  address: Address;
}

/** The receipt's events that `contract` declares, in order, of one emitter if given. */
export function eventsOf(receipt: Receipt, contract: string, emitter?: Address): DecodedEvent[] {
  const logs = receipt.logs.filter(
    (log) => emitter === undefined || log.address.toLowerCase() === emitter.toLowerCase(),
  );
  return parseEventLogs({ abi: artifact(contract).abi, logs: logs as never }) as unknown as DecodedEvent[];
}

/** Runs `body` and puts the chain back as it was. */
export async function inSnapshot<T>(chain: Chain, body: () => Promise<T>): Promise<T> {
  const snapshot = await chain.rpc<Hex>('evm_snapshot');
  try {
    return await body();
  } finally {
    await chain.rpc('evm_revert', snapshot);
  }
}

export const poolManagerTx = (world: World, from: Address, functionName: string, args: unknown[]): Transaction => ({
  from,
  to: world.poolManager,
  data: encodeCall('PoolManager', functionName, args),
});
