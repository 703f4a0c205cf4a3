import { toHex } from 'viem';
import { z } from 'zod';
import type { JsonRpcClient, RpcAnswer } from '../anvil/json-rpc.client.js';
import type { ChainId } from '../chain-id.js';
import type { ChainView, FinalityView } from '../rollup/finality.view.js';
import type { NodeInterface } from '../rollup/node.interface.js';
import {
  isRecord,
  referredHash,
  referredNumber,
  usesFinalityTag,
  withHash,
  withResolvedTags,
} from './block-parameters.js';
import type { Params } from './block-parameters.js';
import { noActiveFaults } from './faults.schema.js';
import type { ActiveFaults, Faults } from './faults.schema.js';
import { disguiseBlocks, disguiseHash, forgeReceipts } from './forged-answers.js';

const blockNumberSchema = z.object({ number: z.string().transform(Number) }).nullable();

/** A provider offers reading, simulation and raw transactions, but neither its own keys nor the development node's controls. */
const REFUSED_METHOD =
  /^(anvil|evm|hardhat|ots|personal|miner|admin|txpool)_|^eth_(accounts|sign|signTransaction|signTypedData.*|sendTransaction|sendUnsignedTransaction)$/;

/** Nitro's sequencer refuses larger transactions by default. */
const MAX_L2_TRANSACTION_BYTES = 95_000;

export interface RpcEndpointOptions {
  readonly id: string;
  readonly chain: ChainId;
  readonly rpc: JsonRpcClient;
  readonly view: FinalityView;
  /** Null for a chain without one. */
  readonly nodeInterface: NodeInterface | null;
}

/** One provider of one chain. Answers as a node of that chain would, subject to its faults. */
export class RpcEndpoint {
  readonly id: string;
  readonly chain: ChainId;
  readonly #rpc: JsonRpcClient;
  readonly #view: FinalityView;
  readonly #nodeInterface: NodeInterface | null;
  readonly #asked = new Map<string, number>();
  #active: ActiveFaults = noActiveFaults;

  constructor(options: RpcEndpointOptions) {
    this.id = options.id;
    this.chain = options.chain;
    this.#rpc = options.rpc;
    this.#view = options.view;
    this.#nodeInterface = options.nodeInterface;
  }

  /** The number of calls so far, by method. Each call of a batch counts once. */
  get asked(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#asked].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  get faults(): Faults {
    return this.#active.faults;
  }

  /** Replaces all faults. `staleHead` and `holdFinalized` freeze the state that this endpoint showed until now. */
  async setFaults(faults: Faults): Promise<void> {
    const before = await this.#ownView();
    this.#active = {
      faults,
      frozenHead: faults.staleHead ? before.latest : null,
      frozenTags: faults.holdFinalized ? { safe: before.safe, finalized: before.finalized } : null,
    };
  }

  async answer(method: string, params: Params): Promise<RpcAnswer> {
    this.#asked.set(method, (this.#asked.get(method) ?? 0) + 1);
    const { faults } = this.#active;
    const refusal = this.#refusal(method, params);
    if (refusal !== null) return { error: refusal };
    if (faults.emptyLogs && method === 'eth_getLogs') return { result: [] };
    const answer = await this.#answerAsSeen(method, this.#truthfulHash(method, params));
    if (answer.error !== undefined) return answer;
    let { result } = answer;
    if (faults.forgeReceipt !== null) result = forgeReceipts(method, result, faults.forgeReceipt);
    if (faults.disagree) result = disguiseBlocks(result);
    return { result };
  }

  #refusal(method: string, params: Params): RpcAnswer['error'] | null {
    if (REFUSED_METHOD.test(method) || (this.#active.faults.noSimulate && method === 'eth_simulateV1')) {
      return { code: -32601, message: `the method ${method} does not exist/is not available` };
    }
    const raw = params[0];
    const tooLong = typeof raw === 'string' && (raw.length - 2) / 2 > MAX_L2_TRANSACTION_BYTES;
    if (this.chain === '4663' && method === 'eth_sendRawTransaction' && tooLong) {
      return { code: -32000, message: 'oversized data' };
    }
    return null;
  }

  /** A caller of a disagreeing node knows blocks by the hashes that the node showed. */
  #truthfulHash(method: string, params: Params): Params {
    const hash = this.#active.faults.disagree ? referredHash(method, params) : null;
    return hash === null ? params : withHash(method, params, String(disguiseHash(hash)));
  }

  async #answerAsSeen(method: string, params: Params): Promise<RpcAnswer> {
    const { faults, frozenHead } = this.#active;
    if (this.#nodeInterface?.isAsked(method, params) === true) {
      return this.#nodeInterface.answer(params, (await this.#ownView()).latest);
    }
    const behind = faults.lag > 0 || frozenHead !== null;
    if (!behind && !usesFinalityTag(method, params)) return this.#rpc.ask(method, params);
    const view = await this.#ownView();
    if (!behind) return this.#rpc.ask(method, withResolvedTags(method, params, view));
    return this.#answerBehind(method, params, view);
  }

  /** Blocks above this node's head have not happened for it. */
  async #answerBehind(method: string, params: Params, view: ChainView): Promise<RpcAnswer> {
    if (method === 'eth_blockNumber') return { result: toHex(view.latest) };
    const hash = referredHash(method, params);
    const number = hash === null ? referredNumber(method, params) : await this.#numberOf(hash);
    const answersNull = method.startsWith('eth_getBlock') || method.startsWith('eth_getTransactionByBlock');
    if (number !== null && number > view.latest) {
      return answersNull ? { result: null } : { error: { code: -32000, message: 'header not found' } };
    }
    const answer = await this.#rpc.ask(method, withResolvedTags(method, params, view));
    const { result } = answer;
    if (isRecord(result) && Number(result['blockNumber'] ?? 0) > view.latest) return { result: null };
    return answer;
  }

  async #numberOf(hash: string): Promise<number | null> {
    return blockNumberSchema.parse(await this.#rpc.call('eth_getBlockByHash', hash, false))?.number ?? null;
  }

  async #ownView(): Promise<ChainView> {
    const { faults, frozenHead, frozenTags } = this.#active;
    const view = await this.#view.of(this.chain, (latest) => Math.min(latest, frozenHead ?? latest) - faults.lag);
    return frozenTags === null ? view : { latest: view.latest, ...frozenTags };
  }
}
