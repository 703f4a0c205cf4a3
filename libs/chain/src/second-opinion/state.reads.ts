import type { Hex } from 'viem';
import type { z } from 'zod';
import { ChainError } from '../chain.error.js';
import { stateBlockParameter } from '../reads/block-ref.js';
import { ask, rpcData, rpcHash, rpcQuantity } from '../rpc/rpc-answers.schema.js';
import type { RpcObserver } from '../rpc/observer.js';

/** Exceeds the supply of any currency, and is small enough that sums fit a word. */
const balanceSchema = rpcQuantity.refine((wei) => wei < 2n ** 255n);
const nonceSchema = rpcQuantity.refine((nonce) => nonce < 2n ** 64n - 1n);

const SCHEMAS = {
  eth_getBalance: balanceSchema,
  eth_getTransactionCount: nonceSchema,
  eth_getCode: rpcData,
  eth_getStorageAt: rpcHash,
} satisfies Record<string, z.ZodType>;
type StateMethod = keyof typeof SCHEMAS;
type StateAnswer<M extends StateMethod> = z.output<(typeof SCHEMAS)[M]>;

/** One read of the state at a block. */
export interface StateQuestion {
  readonly method: StateMethod;
  readonly params: readonly string[];
}

/**
 * Bounds one execution's reads, so that it ends before the activity's timeout with any code that an observer serves.
 */
export interface ReadLimits {
  readonly reads: number;
  readonly milliseconds: number;
}

/** A launch reads some hundred words. */
export const DEFAULT_READ_LIMITS: ReadLimits = { reads: 4_096, milliseconds: 60_000 };

/** One observer's state at one block: each read is sent once, in advance if it is known. */
export class StateReads {
  readonly #answers = new Map<string, Promise<bigint | Hex>>();
  readonly #needed = new Map<string, StateQuestion>();
  readonly #block: unknown;
  readonly #end: number;
  #asked = 0;

  constructor(
    readonly observer: RpcObserver,
    blockHash: Hex,
    private readonly limits: ReadLimits = DEFAULT_READ_LIMITS,
    private readonly onNeeded: (question: StateQuestion) => void = () => undefined,
  ) {
    this.#block = stateBlockParameter({ hash: blockHash });
    this.#end = performance.now() + limits.milliseconds;
  }

  /** The reads whose answers were needed, each once. */
  get needed(): readonly StateQuestion[] {
    return [...this.#needed.values()];
  }

  /** @throws ChainError also if a bound of the execution is reached. */
  read<M extends StateMethod>(method: M, params: readonly string[]): Promise<StateAnswer<M>> {
    const question = { method, params };
    const key = keyOf(question);
    if (!this.#needed.has(key)) {
      this.#needed.set(key, question);
      this.onNeeded(question);
    }
    return this.#ask(question) as Promise<StateAnswer<M>>;
  }

  /** Prefetches reads; a failure counts only if the answer is needed. */
  ahead(questions: readonly StateQuestion[]): void {
    for (const question of questions) this.#ask(question).catch(() => undefined);
  }

  /** Checks whether this observer answers every needed read of another observer equally. @throws ChainError */
  async answersLike(other: StateReads): Promise<boolean> {
    const pairs = await Promise.all(
      other.needed.map((question) => Promise.all([this.#ask(question), other.#ask(question)])),
    );
    return pairs.every(([mine, theirs]) => mine === theirs);
  }

  #ask(question: StateQuestion): Promise<bigint | Hex> {
    const key = keyOf(question);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = this.#request(question);
    this.#answers.set(key, answer);
    return answer;
  }

  async #request({ method, params }: StateQuestion): Promise<bigint | Hex> {
    const call = { observer: this.observer.id, method };
    this.#asked += 1;
    if (this.#asked > this.limits.reads)
      throw new ChainError('RPC_ANSWER_INVALID', {
        ...call,
        problem: `the state leads to more than ${this.limits.reads} reads`,
      });
    if (performance.now() > this.#end) throw new ChainError('RPC_TIMEOUT', call);
    return ask<z.ZodType<bigint | Hex>>(this.observer, method, [...params, this.#block], SCHEMAS[method]);
  }
}

const keyOf = ({ method, params }: StateQuestion): string => [method, ...params].join(' ');
