import { addressOf, type Hex, type SourceDeployment, type Stack } from '@launch/contracts';
import { encodeFunctionData, parseEther, zeroAddress } from 'viem';
import { ReferenceLaunchError } from '../reference-launch/reference-launch.js';
import { compiled, newWallets, type Compiled, type SourceWallet } from './source-wallet.js';

/** What each contract is funded with, and what it buys for. */
const FUNDS = parseEther('0.1');
const TRADE = parseEther('0.001');
const LOWEST_PRICE = 4_295_128_740n;

/** Two contracts that trade for whoever calls them: each is the `router` of its own trades. */
export class Traders {
  private constructor(
    private readonly wallet: SourceWallet,
    private readonly contract: Compiled,
    private readonly callers: readonly Hex[],
  ) {}

  static async open(stack: Stack, deployments: readonly SourceDeployment[]): Promise<Traders> {
    const bound = deployments.find(
      ({ chainId, contracts }) => chainId === 4663 && contracts['poolManager'] !== undefined,
    );
    const poolManager = addressOf(bound?.contracts['poolManager'] ?? '');
    if (poolManager === null) throw new ReferenceLaunchError('no source is bound to a pool manager');
    const [wallet] = (await newWallets(stack, 1)) as [SourceWallet];
    const contract = await compiled('Trader');
    const callers = [
      await wallet.deploy(contract, [poolManager], FUNDS),
      await wallet.deploy(contract, [poolManager], FUNDS),
    ];
    return new Traders(wallet, contract, callers);
  }

  /** Buys of one coin, through the one contract and through the other. */
  async buy({ token, hook }: { readonly token: Hex; readonly hook: Hex }): Promise<void> {
    const poolKey = { currency0: zeroAddress, currency1: token, fee: 0, tickSpacing: 60, hooks: hook };
    const params = { zeroForOne: true, amountSpecified: -TRADE, sqrtPriceLimitX96: LOWEST_PRICE };
    const data = encodeFunctionData({ abi: this.contract.abi, functionName: 'swap', args: [poolKey, params] });
    for (const to of this.callers) await this.wallet.send({ to, data });
  }
}
