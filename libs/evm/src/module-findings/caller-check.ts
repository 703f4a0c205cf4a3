import { AbstractMemory } from './abstract-memory.js';
import { compute, mix, type Word } from './abstract-word.js';

/**
 * The result of a check whether a function lets any caller through.
 * - `guarded`: every path to its end passes a branch on CALLER whose other side reverts.
 * - `open`: some path to its end does not.
 * - `reverts`: it has no path to its end.
 * - `undetermined`: there are too many paths, or another contract judges the caller.
 */
export type CallerCheck = 'guarded' | 'open' | 'reverts' | 'undetermined';

/** Instructions that one check may follow. */
const MAX_STEPS = 200_000;
/** Entries of stacks, memories and round tables that one check may copy and compare: each change copies them all. */
const MAX_WORK = 4_000_000;
/** The same limit for all checks of one build; a package can cause hundreds. */
const MAX_WORK_OF_BUILD = 40_000_000;
/** The words that the machine's stack holds. */
const MAX_STACK = 1_024;
/** Visits of one place on one path after which changing values count as unknown. */
const MAX_ROUNDS = 6;
const MAX_DEPTH = 1_500;

/**
 * Words that an instruction pops and pushes, for instructions without another effect that matters here: `[opcode,
 * takes, gives]`.
 */
const PLAIN: readonly (readonly [number, number, number])[] = [
  ...[0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x0a, 0x0b].map((opcode) => [opcode, 2, 1] as const),
  ...[0x10, 0x11, 0x12, 0x13, 0x14, 0x16, 0x17, 0x18, 0x1a, 0x1b, 0x1c, 0x1d].map((opcode) => [opcode, 2, 1] as const),
  ...[0x08, 0x09].map((opcode) => [opcode, 3, 1] as const),
  ...[0x15, 0x19, 0x31, 0x35, 0x3b, 0x3f, 0x40, 0x49, 0x54, 0x5c].map((opcode) => [opcode, 1, 1] as const),
  ...[0x30, 0x32, 0x38, 0x3a, 0x3d, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x4a, 0x58, 0x59, 0x5a].map(
    (opcode) => [opcode, 0, 1] as const,
  ),
  ...[0x50].map((opcode) => [opcode, 1, 0] as const),
  ...[0x55, 0x5d].map((opcode) => [opcode, 2, 0] as const),
  ...[0xa0, 0xa1, 0xa2, 0xa3, 0xa4].map((opcode) => [opcode, opcode - 0xa0 + 2, 0] as const),
];
const PLAIN_OF = new Map(PLAIN.map(([opcode, takes, gives]) => [opcode, { takes, gives }]));
/** `[takes, position of the input's offset]` of calls; the length follows the offset. */
const CALLS: ReadonlyMap<number, readonly [number, number]> = new Map([
  [0xf1, [7, 3]],
  [0xf2, [7, 3]],
  [0xf4, [6, 2]],
  [0xfa, [6, 2]],
]);
const COPIES: ReadonlyMap<number, number> = new Map([
  [0x37, 3],
  [0x39, 3],
  [0x3e, 3],
  [0x5e, 3],
  [0x3c, 4],
]);
/** Instructions that read or change memory, which must then be searched or copied. */
const TOUCHES_MEMORY: ReadonlySet<number> = new Set([0x20, 0x51, 0x52, 0x53, ...CALLS.keys(), ...COPIES.keys()]);
/** The known properties of a call: its caller by name, no value, and calldata long enough for every argument. */
const GIVEN: ReadonlyMap<number, Word> = new Map<number, Word>([
  [0x33, 'derived'],
  [0x34, 0n],
  [0x36, 1n << 15n],
]);

interface State {
  counter: number;
  stack: Word[];
  memory: AbstractMemory;
  depth: number;
  /** The number of visits of each place on this path with the same return places, and the stack of the last visit. */
  rounds: ReadonlyMap<string, { readonly times: number; readonly stack: readonly Word[] }>;
}

/** Bounds the total cost of all checks of one build. Checks beyond the budget are undetermined. */
export class WalkBudget {
  #left: number;

  constructor(work = MAX_WORK_OF_BUILD) {
    this.#left = work;
  }

  /** Deducts a cost and returns whether the budget covered it. */
  take(work: number): boolean {
    this.#left -= work;
    return this.#left >= 0;
  }
}

/**
 * Follows a function of a runtime from its selector along every path, without executing it. Words are constants or
 * unknown; the caller's share of a word is followed through computation, memory and storage. A branch guards if its
 * condition depends on the caller and one of its sides has no path to an end. A revert undoes everything, so a check
 * counts at any position on the path.
 */
export function callerCheck(
  runtime: Uint8Array,
  selector: `0x${string}`,
  budget: WalkBudget = new WalkBudget(),
): CallerCheck {
  return new Walk(runtime, BigInt(selector) << 224n, budget).follow({
    counter: 0,
    stack: [],
    memory: AbstractMemory.EMPTY,
    depth: 0,
    rounds: new Map(),
  });
}

class Walk {
  readonly #code: Uint8Array;
  readonly #firstWord: bigint;
  readonly #entries: ReadonlySet<number>;
  readonly #seen = new Map<string, CallerCheck>();
  /** States in progress, by their depth. */
  readonly #open = new Map<string, number>();
  /** The outermost state in progress that a path has met again since. */
  #met = Infinity;
  #steps = 0;
  readonly #budget: WalkBudget;
  readonly #ownBudget = new WalkBudget(MAX_WORK);

  constructor(code: Uint8Array, firstWord: bigint, budget: WalkBudget) {
    this.#code = code;
    this.#firstWord = firstWord;
    this.#budget = budget;
    const entries = new Set<number>();
    for (let at = 0; at < code.length; at += 1) {
      const opcode = code[at]!;
      if (opcode === 0x5b) entries.add(at);
      if (opcode >= 0x60 && opcode <= 0x7f) at += opcode - 0x5f;
    }
    this.#entries = entries;
  }

  /** Follows a state to each of its ends. */
  follow(state: State): CallerCheck {
    for (;;) {
      this.#steps += 1;
      if (this.#steps > MAX_STEPS || state.depth > MAX_DEPTH) return 'undetermined';
      const opcode = this.#code[state.counter];
      if (!this.#afford(state, opcode)) return 'undetermined';
      if (state.stack.length > MAX_STACK) return 'reverts';
      if (opcode === undefined || opcode === 0x00 || opcode === 0xf3 || opcode === 0xff) return 'open';
      if (opcode === 0x5b) {
        const known = this.#arrive(state);
        if (known !== null) return known;
      }
      if (opcode === 0x56) {
        const to = this.#jump(state.stack.pop());
        if (typeof to === 'string') return to;
        state.counter = to;
        continue;
      }
      if (opcode === 0x57) return this.#branch(state);
      const ended = this.#step(state, opcode);
      if (ended !== null) return ended;
      state.counter += 1;
    }
  }

  /** Deducts the cost of the state that an instruction copies. Returns false if the budget is exhausted. */
  #afford({ stack, memory, rounds }: State, opcode: number | undefined): boolean {
    let work = 1;
    if (opcode === 0x5b) work += stack.length + rounds.size;
    else if (opcode === 0x57) work += 2 * stack.length + memory.size;
    else if (opcode !== undefined && TOUCHES_MEMORY.has(opcode)) work += memory.size;
    return this.#ownBudget.take(work) && this.#budget.take(work);
  }

  /** Handles the arrival at a jump destination: a state that was met before has a known result. */
  #arrive(state: State): CallerCheck | null {
    const { counter } = state;
    const place = `${counter}:${state.stack.map((word) => (this.#isEntry(word) ? String(word) : '')).join()}`;
    const round = state.rounds.get(place);
    const times = (round?.times ?? 0) + 1;
    if (round !== undefined && times > MAX_ROUNDS) {
      state.stack = state.stack.map((word, index) => (word === round.stack[index] ? word : mix([word])));
      state.memory = AbstractMemory.EMPTY.overwrite(
        'unknown',
        'unknown',
        state.memory.range('unknown', 'unknown') !== 'unknown',
      );
    }
    if (times > 4 * MAX_ROUNDS) return 'undetermined';
    state.rounds = new Map(state.rounds).set(place, { times, stack: [...state.stack] });
    return null;
  }

  #branch(state: State): CallerCheck {
    const target = state.stack.pop();
    const condition = state.stack.pop();
    if (target === undefined || condition === undefined) return 'reverts';
    const to = this.#jump(target);
    const aside = (counter: number): State => ({
      ...state,
      counter,
      stack: [...state.stack],
      depth: state.depth + 1,
    });
    const on = (): CallerCheck => this.#once(aside(state.counter + 1));
    const off = (): CallerCheck => (typeof to === 'string' ? to : this.#once(aside(to)));
    if (typeof condition === 'bigint') return condition === 0n ? on() : off();
    const sides = [on(), off()] as const;
    const ways = sides.filter((side) => side !== 'reverts');
    if (ways.length < 2) {
      const [way] = ways;
      if (way === undefined) return 'reverts';
      if (condition === 'derived') return 'guarded';
      return condition === 'perhaps' && way === 'open' ? 'undetermined' : way;
    }
    if (ways.includes('open')) return 'open';
    return ways.includes('undetermined') ? 'undetermined' : 'guarded';
  }

  /** Follows each state once. A state that leads back to itself adds no end. */
  #once(state: State): CallerCheck {
    const key = `${state.counter}|${state.stack.map(String).join()}|${state.memory.key}`;
    const known = this.#seen.get(key);
    if (known !== undefined) return known;
    const open = this.#open.get(key);
    if (open !== undefined) {
      this.#met = Math.min(this.#met, open);
      return 'reverts';
    }
    const depth = this.#open.size;
    this.#open.set(key, depth);
    const answer = this.follow(state);
    this.#open.delete(key);
    // The result of a path that met an outer state again is valid for this path only.
    if (this.#met >= depth) {
      this.#met = Infinity;
      this.#seen.set(key, answer);
    }
    return answer;
  }

  #jump(target: Word | undefined): number | CallerCheck {
    if (target === undefined) return 'reverts';
    if (typeof target !== 'bigint') return 'undetermined';
    return this.#isEntry(target) ? Number(target) : 'reverts';
  }

  #isEntry(word: Word): boolean {
    return typeof word === 'bigint' && this.#entries.has(Number(word));
  }

  /** Executes one instruction that does not jump. Returns an end, or null. */
  #step(state: State, opcode: number): CallerCheck | null {
    const { stack } = state;
    if (opcode >= 0x5f && opcode <= 0x7f) {
      const width = opcode - 0x5f;
      let word = 0n;
      for (let index = 1; index <= width; index += 1)
        word = (word << 8n) | BigInt(this.#code[state.counter + index] ?? 0);
      state.counter += width;
      stack.push(word);
      return null;
    }
    if (opcode >= 0x80 && opcode <= 0x8f) return this.#copy(stack, opcode - 0x7f);
    if (opcode >= 0x90 && opcode <= 0x9f) return this.#swap(stack, opcode - 0x8f);
    if (opcode === 0x5b) return null;
    const given = GIVEN.get(opcode);
    if (given !== undefined) {
      stack.push(given);
      return null;
    }
    const special = this.#special(state, opcode);
    if (special !== undefined) return special;
    const plain = PLAIN_OF.get(opcode);
    // INVALID, REVERT and unknown instructions.
    if (plain === undefined) return 'reverts';
    const operands = take(stack, plain.takes);
    if (operands === null) return 'reverts';
    if (plain.gives === 0) return null;
    stack.push(opcode === 0x35 && operands[0] === 0n ? this.#firstWord : compute(opcode, operands));
    return null;
  }

  /** Executes memory, hash, call and creation instructions. Returns undefined for others. */
  #special(state: State, opcode: number): CallerCheck | null | undefined {
    const { stack } = state;
    const call = CALLS.get(opcode);
    const copied = COPIES.get(opcode);
    if (call !== undefined) {
      const operands = take(stack, call[0]);
      if (operands === null) return 'reverts';
      const asked = state.memory.range(operands[call[1]]!, operands[call[1] + 1]!);
      const judged = asked === 'derived' || asked === 'perhaps';
      state.memory = state.memory.overwrite(operands[call[1] + 2]!, operands[call[1] + 3]!, judged);
      stack.push(judged ? 'perhaps' : 'unknown');
      return null;
    }
    if (copied !== undefined) {
      const operands = take(stack, copied);
      if (operands === null) return 'reverts';
      const [to, , length] = copied === 4 ? operands.slice(1) : operands;
      state.memory = state.memory.overwrite(to!, length!, false);
      return null;
    }
    if (opcode === 0x51 || opcode === 0x20) {
      const operands = take(stack, opcode === 0x51 ? 1 : 2);
      if (operands === null) return 'reverts';
      stack.push(opcode === 0x51 ? state.memory.load(operands[0]!) : state.memory.range(operands[0]!, operands[1]!));
      return null;
    }
    if (opcode === 0x52 || opcode === 0x53) {
      const operands = take(stack, 2);
      if (operands === null) return 'reverts';
      const [at, word] = operands as [Word, Word];
      state.memory =
        opcode === 0x52 ? state.memory.store(at, word) : state.memory.overwrite(at, 1n, mix([word]) !== 'unknown');
      return null;
    }
    if (opcode === 0xf0 || opcode === 0xf5) {
      if (take(stack, opcode === 0xf0 ? 3 : 4) === null) return 'reverts';
      stack.push('unknown');
      return null;
    }
    return undefined;
  }

  #copy(stack: Word[], depth: number): CallerCheck | null {
    const word = stack.at(-depth);
    if (word === undefined) return 'reverts';
    stack.push(word);
    return null;
  }

  #swap(stack: Word[], depth: number): CallerCheck | null {
    const below = stack.length - 1 - depth;
    if (below < 0) return 'reverts';
    [stack[below], stack[stack.length - 1]] = [stack[stack.length - 1]!, stack[below]!];
    return null;
  }
}

/** Pops words from the top. Returns null if the stack has fewer, for which the machine reverts. */
function take(stack: Word[], count: number): Word[] | null {
  return stack.length < count ? null : stack.splice(stack.length - count).reverse();
}
