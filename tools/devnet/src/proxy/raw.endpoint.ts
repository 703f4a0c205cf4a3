import type { BlockProducer } from '../anvil/block.producer.js';
import type { JsonRpcClient, RpcAnswer } from '../anvil/json-rpc.client.js';
import type { ChainRecorder } from '../journal/chain.recorder.js';
import type { Params } from './block-parameters.js';
import { noFaults } from './faults.schema.js';
import type { Answering } from './rpc.server.js';

/** Methods that change the state outside a transaction. They are recorded, and a kept chain repeats them. */
const COMMANDS = ['anvil_setBalance', 'anvil_setCode', 'anvil_setNonce', 'anvil_setStorageAt'] as const;
/** Methods that make blocks, which are read from the chain like any others. */
const MINING = ['anvil_mine', 'evm_mine'];
const READING = [
  'anvil_getAutomine',
  'anvil_metadata',
  'anvil_nodeInfo',
  'txpool_content',
  'txpool_inspect',
  'txpool_status',
];
const CONTROL = /^(anvil|evm|hardhat|txpool)_/;

export interface RawEndpointOptions {
  readonly rpc: JsonRpcClient;
  readonly recorder: ChainRecorder;
  readonly producer: BlockProducer;
}

/**
 * The chain itself, past every fault. On a kept chain it refuses every action that the next start could not repeat, so that the
 * chain never returns silently different.
 */
export class RawEndpoint implements Answering {
  readonly faults = noFaults;
  readonly #options: RawEndpointOptions;

  constructor(options: RawEndpointOptions) {
    this.#options = options;
  }

  async answer(method: string, params: Params): Promise<RpcAnswer> {
    const { rpc, recorder, producer } = this.#options;
    if (!recorder.keeps || !CONTROL.test(method) || MINING.includes(method) || READING.includes(method))
      return rpc.ask(method, params);
    const command = COMMANDS.find((one) => one === method);
    if (command === undefined) {
      return {
        error: {
          code: -32601,
          message: `${method} is refused: this chain is kept, and the next start could not do it again`,
        },
      };
    }
    await producer.whilePaused(() => recorder.command(command, params.map(String)));
    return { result: null };
  }
}
