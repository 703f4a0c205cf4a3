import type { Hex } from '@launch/contracts/primitives';
import { compiled, newWallets, walletOnEthereum, type SourceWallet } from '@launch/start';
import { encodeFunctionData, parseAbi, parseEther } from 'viem';
import { ChainFaults, type Chain } from '../fixtures/chain-faults.fixture.js';
import type { StackAccess } from '../stacks/own-stack.js';

const NOISE = parseAbi(['function topics(uint256 count, uint256 seed)', 'function bare(uint256 count)']);
const FUNDS = parseEther('100');
/** The gas of one log: with four topics 1,875 and the cost of its loop, without topics 375. */
const GAS_A_LOG = { topics: 2_600n, bare: 800n } as const;
const GAS_BESIDE = 200_000n;

/** A stranger on one chain who emits logs that belong to no source. */
export class ChainNoise {
  #seed = 0n;

  private constructor(
    private readonly wallet: SourceWallet,
    readonly contract: Hex,
  ) {}

  static async open(access: StackAccess, chain: Chain): Promise<ChainNoise> {
    const wallet =
      chain === '1' ? await walletOnEthereum(access.stack, FUNDS) : (await newWallets(access.stack, 1))[0]!;
    if (chain === '4663') await new ChainFaults(access).fund(wallet.account.address.toLowerCase(), FUNDS.toString());
    return new ChainNoise(wallet, await wallet.deploy(await compiled('devnet/LogNoise')));
  }

  /** Returns the call that emits logs with four topics that no earlier transaction has. */
  call(logs: number): { readonly to: Hex; readonly value: '0'; readonly data: Hex } {
    this.#seed += 1n;
    const data = encodeFunctionData({ abi: NOISE, functionName: 'topics', args: [BigInt(logs), this.#seed] });
    return { to: this.contract, value: '0', data };
  }

  /** Sends one transaction with the maximum number of logs with four topics. */
  async emit(logs: number): Promise<void> {
    const { to, data } = this.call(logs);
    await this.wallet.sendUnread({ to, data, gas: BigInt(logs) * GAS_A_LOG.topics + GAS_BESIDE });
  }

  /** Sends one transaction with the maximum number of logs without topics, of which a block of Ethereum holds more. */
  async emitBare(logs: number): Promise<void> {
    const data = encodeFunctionData({ abi: NOISE, functionName: 'bare', args: [BigInt(logs)] });
    await this.wallet.sendUnread({ to: this.contract, data, gas: BigInt(logs) * GAS_A_LOG.bare + GAS_BESIDE });
  }
}
