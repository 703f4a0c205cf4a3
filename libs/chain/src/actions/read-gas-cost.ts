import { parseAbi, type Hex } from 'viem';
import { agree, type Indeterminate } from '../agreement/agreement.js';
import { readContract } from '../reads/read-contract.js';
import type { BlockHeader } from '../rpc/rpc-answers.schema.js';
import type { ObserverPair } from '../rpc/observer.js';

/** The part of Nitro's node interface that returns the price of gas. */
const NODE_INTERFACE_ABI = parseAbi([
  'function gasEstimateL1Component(address to, bool contractCreation, bytes data) view returns (uint64 gasEstimateForL1, uint256 baseFee, uint256 l1BaseFeeEstimate)',
]);

/**
 * The usual fee cap of a wallet in percent of the base fee, so that a block or two of rising fees do not delay a
 * transaction.
 */
const FEE_CAP_PERCENT = 120n;
/** The gas that a transaction may use, in percent of its simulation. */
const GAS_PERCENT = 125n;
const HUNDRED = 100n;

/** A simulated transaction and its gas. */
export interface GasUser {
  readonly to: string;
  readonly data: Hex;
  readonly gasUsed: bigint;
}

/** The upper bound on the cost of transactions beside their value, in wei. */
export interface GasCost {
  /** `l2Wei` and `l1DataWei` together. */
  readonly upperBoundWei: bigint;
  /** 125 % of their gas at the current fee cap. */
  readonly l2Wei: bigint;
  /** The chain's charge for posting their data on Ethereum. */
  readonly l1DataWei: bigint;
}

/**
 * Bounds the current gas cost of simulated transactions: gasUsed × 1.25 × the current fee cap plus the L1 data gas,
 * summed over all of them. Both observers must agree at the block of the simulation.
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
