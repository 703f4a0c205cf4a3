import { parseAbi, type Hex } from 'viem';
import { agree, type Indeterminate } from '../agreement/agreement.js';
import { readContract } from '../reads/read-contract.js';
import type { BlockHeader } from '../rpc/rpc-answers.schema.js';
import type { ObserverPair } from '../rpc/observer.js';

/** Nitro's node interface, as far as the price of gas is read from it. */
const NODE_INTERFACE_ABI = parseAbi([
  'function gasEstimateL1Component(address to, bool contractCreation, bytes data) view returns (uint64 gasEstimateForL1, uint256 baseFee, uint256 l1BaseFeeEstimate)',
]);

/** A wallet's usual cap over the base fee, so that a block or two of rising fees do not hold a transaction back. */
const FEE_CAP_PERCENT = 120n;
/** What a transaction may take more than its simulation did. */
const GAS_PERCENT = 125n;
const HUNDRED = 100n;

/** A transaction that was simulated, and what it took. */
export interface GasUser {
  readonly to: string;
  readonly data: Hex;
  readonly gasUsed: bigint;
}

/** The most that transactions cost beside their value, wei. */
export interface GasCost {
  /** `l2Wei` and `l1DataWei` together. */
  readonly upperBoundWei: bigint;
  /** Their gas, and a quarter more, at the current fee cap. */
  readonly l2Wei: bigint;
  /** What the chain charges to post their data on Ethereum. */
  readonly l1DataWei: bigint;
}

/**
 * Bounds what the gas of simulated transactions costs now: gasUsed × 1.25 × the current fee cap, and the L1 data gas,
 * summed over all of them. Both observers' nodes must say the same at the block of the simulation.
 */
export async function readGasCost(
  l2: ObserverPair,
  nodeInterface: string,
  transactions: readonly GasUser[],
  { hash }: Pick<BlockHeader, 'hash'>,
): Promise<({ readonly kind: 'known' } & GasCost) | Indeterminate> {
  const components = await Promise.all(
    transactions.map(({ to, data }) =>
      agree(l2, 'gas for L1 data', (observer) =>
        readContract(
          observer,
          { address: nodeInterface, abi: NODE_INTERFACE_ABI },
          'gasEstimateL1Component',
          [to as Hex, false, data],
          { hash },
        ),
      ),
    ),
  );
  let l2Wei = 0n;
  let l1DataWei = 0n;
  for (const [index, component] of components.entries()) {
    if (component.kind === 'indeterminate') return component;
    const [l1Gas, baseFee] = component.value;
    const feeCap = (baseFee * FEE_CAP_PERCENT + HUNDRED - 1n) / HUNDRED;
    l2Wei += ((transactions[index]!.gasUsed * GAS_PERCENT + HUNDRED - 1n) / HUNDRED) * feeCap;
    l1DataWei += l1Gas * feeCap;
  }
  return { kind: 'known', upperBoundWei: l2Wei + l1DataWei, l2Wei, l1DataWei };
}
