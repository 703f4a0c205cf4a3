import type { Hex } from 'viem';
import type { z } from 'zod';
import { ChainError } from '../chain.error.js';
import { stateBlockParameter } from '../reads/block-ref.js';
import { ask, rpcData, rpcHash, rpcQuantity } from '../rpc/rpc-answers.schema.js';
import type { RpcObserver } from '../rpc/observer.js';

/** More than there is of any currency, and little enough that sums stay words. */
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

/** One question about the state at a block. */
export interface StateQuestion {
  readonly method: StateMethod;
  readonly params: readonly string[];
}

/** Bounds of one execution's reads: whatever code an observer serves, it ends before the activity that waits for it. */
export interface ReadLimits {
  readonly reads: number;
  readonly milliseconds: number;
}

/** A launch reads some hundred words. */
export const DEFAULT_READ_LIMITS: ReadLimits = { reads: 4_096, milliseconds: 60_000 };

/** What one observer says of the state at one block: each question is asked once, ahead of its need where it is known. */
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

  /** The questions whose answers were needed, each once. */
  get needed(): readonly StateQuestion[] {
    return [...this.#needed.values()];
  }

  /** @throws ChainError also when the execution's bounds are reached. */
  read<M extends StateMethod>(method: M, params: readonly string[]): Promise<StateAnswer<M>> {
    const question = { method, params };
    const key = keyOf(question);
    if (!this.#needed.has(key)) {
      this.#needed.set(key, question);
      this.onNeeded(question);
    }
    return this.#ask(question) as Promise<StateAnswer<M>>;
  }

  /** Asks what will probably be needed; a failure counts only when it is. */
  ahead(questions: readonly StateQuestion[]): void {
    for (const question of questions) this.#ask(question).catch(() => undefined);
  }

  /** Whether this observer answers everything that was needed of another one as that one did. @throws ChainError */
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
