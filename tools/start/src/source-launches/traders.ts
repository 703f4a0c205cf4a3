import type { IndexedChain, SourceDeployment } from '@launch/contracts/index';
import type { PoolKeyWire } from '@launch/contracts/launch';
import { addressOf, type Hex } from '@launch/contracts/primitives';
import { encodeFunctionData, parseEther, zeroAddress } from 'viem';
import { ReferenceLaunchError } from '../reference-launch/reference-launch.js';
import { compiled, type Compiled, type SourceWallet } from './source-wallet.js';

/** The funds of each contract, and the value of its purchase. */
const FUNDS = parseEther('0.1');
const TRADE = parseEther('0.001');
const LOWEST_PRICE = 4_295_128_740n;

/** The manager of the pools that launches of a chain make, as its sources are bound to it. */
export function poolManagerOf(deployments: readonly SourceDeployment[], chain: IndexedChain): Hex {
  const bound = deployments.find(
    ({ chainId, contracts }) => chainId === chain && contracts['poolManager'] !== undefined,
  );
  const poolManager = addressOf(bound?.contracts['poolManager'] ?? '');
  if (poolManager === null) throw new ReferenceLaunchError(`no source of chain ${chain} is bound to a pool manager`);
  return poolManager;
}

/** Two contracts that trade for any caller: each is the `router` of its own trades. */
export class Traders {
  private constructor(
    private readonly wallet: SourceWallet,
    private readonly contract: Compiled,
    private readonly callers: readonly Hex[],
  ) {}

  /** @param wallet of the trader, on the chain of the pool manager. */
  static async open(wallet: SourceWallet, poolManager: Hex): Promise<Traders> {
    const contract = await compiled('Trader');
    const callers = [
      await wallet.deploy(contract, [poolManager], FUNDS),
      await wallet.deploy(contract, [poolManager], FUNDS),
    ];
    return new Traders(wallet, contract, callers);
  }

  /** Buys of one module coin, whose pool all their launchers make alike. */
  async buy({ token, hook }: { readonly token: Hex; readonly hook: Hex }): Promise<void> {
    await this.buyFrom({ currency0: zeroAddress, currency1: token, fee: 0, tickSpacing: 60, hooks: hook });
  }

  /** Buys from one pool, through the one contract and through the other. */
  async buyFrom(poolKey: PoolKeyWire): Promise<void> {
    const params = { zeroForOne: true, amountSpecified: -TRADE, sqrtPriceLimitX96: LOWEST_PRICE };
    const data = encodeFunctionData({ abi: this.contract.abi, functionName: 'swap', args: [poolKey, params] });
    for (const to of this.callers) await this.wallet.send({ to, data });
  }
}
