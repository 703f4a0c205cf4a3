import { decodeFunctionData, encodeErrorResult, encodeFunctionResult, parseAbi } from 'viem';
import { size, type Hex } from 'viem';
import { z } from 'zod';
import type { JsonRpcClient, RpcAnswer } from '../anvil/json-rpc.client.js';
import type { BatchPoster, PostedBatch } from './batch.poster.js';
import { GENESIS_L2_BLOCK, NODE_INTERFACE_ADDRESS, nodeInterfaceAbi } from './rollup.abi.js';

const callSchema = z.object({ to: z.string(), data: z.string().optional(), input: z.string().optional() });
const blockSchema = z.object({ number: z.string().transform(Number) }).nullable();
/** The block of a call: a tag or number, or a hash (EIP-1898). */
const atSchema = z.union([z.string(), z.object({ blockHash: z.string() })]);
const pricedBlockSchema = z.object({ baseFeePerGas: z.string().transform(BigInt) }).nullable();
/** Wei per gas of Ethereum, as this node estimates it; constant here. */
const L1_BASE_FEE = 1_000_000_000n;
/** Gas of Ethereum for one byte of a batch. */
const L1_GAS_A_BYTE = 16n;
const errorAbi = parseAbi(['error Error(string)']);

export interface NodeInterfaceParts {
  readonly l1: JsonRpcClient;
  readonly l2: JsonRpcClient;
  readonly poster: BatchPoster;
}

/**
 * Answers calls of a Nitro node's node interface. No contract exists at its address. The node computes the answer from its own
 * reading of the inbox, for any block that the call names, and the chain's state has none of it.
 */
export class NodeInterface {
  readonly #parts: NodeInterfaceParts;

  constructor(parts: NodeInterfaceParts) {
    this.#parts = parts;
  }

  /** Returns whether this `eth_call` targets the interface. */
  isAsked(method: string, params: readonly unknown[]): boolean {
    const call = callSchema.safeParse(params[0]);
    return method === 'eth_call' && call.success && call.data.to.toLowerCase() === NODE_INTERFACE_ADDRESS;
  }

  /** @param head the node's newest L2 block: it knows no batch that ends beyond it. */
  async answer(params: readonly unknown[], head: number): Promise<RpcAnswer> {
    const { data, input } = callSchema.parse(params[0]);
    const batches = this.#parts.poster.batches.filter((batch) => batch.lastL2Block <= head);
    const call = decode((input ?? data ?? '0x') as Hex);
    switch (call?.functionName) {
      case 'nitroGenesisBlock':
        return result('nitroGenesisBlock', BigInt(GENESIS_L2_BLOCK));
      case 'findBatchContainingBlock': {
        const batch = holding(batches, Number(call.args[0]));
        if (batch === undefined) return revert('requested block is after latest on-chain block');
        return result('findBatchContainingBlock', BigInt(batch.batchNumber));
      }
      case 'gasEstimateL1Component':
        return this.#l1Component(call.args[2], params[1]);
      case 'getL1Confirmations':
        return this.#confirmations(call.args[0], batches);
      default:
        return { error: { code: 3, message: 'execution reverted', data: '0x' } };
    }
  }

  /** Returns the cost of posting these bytes, in gas of this chain at the block's base fee. */
  async #l1Component(data: Hex, at: unknown): Promise<RpcAnswer> {
    const { l2 } = this.#parts;
    const place = atSchema.parse(at ?? 'latest');
    const block = pricedBlockSchema.parse(
      typeof place === 'string'
        ? await l2.call('eth_getBlockByNumber', place, false)
        : await l2.call('eth_getBlockByHash', place.blockHash, false),
    );
    if (block === null) return revert('unknown block');
    const baseFee = block.baseFeePerGas;
    const gas = baseFee === 0n ? 0n : (BigInt(size(data)) * L1_GAS_A_BYTE * L1_BASE_FEE) / baseFee;
    const functionName = 'gasEstimateL1Component';
    return {
      result: encodeFunctionResult({ abi: nodeInterfaceAbi, functionName, result: [gas, baseFee, L1_BASE_FEE] }),
    };
  }

  async #confirmations(blockHash: Hex, batches: readonly PostedBatch[]): Promise<RpcAnswer> {
    const { l1, l2 } = this.#parts;
    const block = blockSchema.parse(await l2.call('eth_getBlockByHash', blockHash, false));
    if (block === null) return revert('unknown block hash');
    const batch = holding(batches, block.number);
    return result(
      'getL1Confirmations',
      batch === undefined ? 0n : BigInt(Math.max(0, (await l1.head()) - batch.l1BlockNumber)),
    );
  }
}

function holding(batches: readonly PostedBatch[], l2Block: number): PostedBatch | undefined {
  return batches.find((batch) => batch.lastL2Block >= l2Block);
}

function decode(data: Hex): ReturnType<typeof decodeFunctionData<typeof nodeInterfaceAbi>> | null {
  try {
    return decodeFunctionData({ abi: nodeInterfaceAbi, data });
  } catch {
    // Another function, or arguments of another shape: reverted without a reason, as by a contract.
    return null;
  }
}

function result(
  functionName: 'findBatchContainingBlock' | 'getL1Confirmations' | 'nitroGenesisBlock',
  value: bigint,
): RpcAnswer {
  return { result: encodeFunctionResult({ abi: nodeInterfaceAbi, functionName, result: value }) };
}

function revert(reason: string): RpcAnswer {
  const data = encodeErrorResult({ abi: errorAbi, errorName: 'Error', args: [reason] });
  return { error: { code: 3, message: `execution reverted: ${reason}`, data } };
}
