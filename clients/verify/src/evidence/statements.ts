import type { StepProvenBy } from '@launch/contracts/plans';
import type { EvidencePins } from './evidence-pins.types.js';

type Part = 'inclusion' | 'posting' | 'ancestry' | 'state';

const PROVEN: Readonly<Record<Part, string>> = {
  inclusion: 'the exact signed transaction and its receipt with the whole stamp are in the L2 block of this hash',
  posting:
    'the call that posted the batch, its message counts and its SequencerBatchDelivered event are in the L1 block of this hash',
  ancestry: "the posting's block is the checkpoint or an ancestor of it",
  state: "the router's stamp and every account's runtime code hash are in the state of the L2 block of this hash",
};
/** Statements that differ for the proofs of a step. */
const OF_STEPS: Readonly<Record<StepProvenBy, Partial<typeof PROVEN>>> = {
  transaction_and_stamp: {},
  transaction_and_code: {
    inclusion:
      "the exact signed transaction and its successful receipt with the component's event are in the L2 block of this hash",
    state: 'the runtime code hashes of router and component are in the state of the L2 block of this hash',
  },
  stamp: {
    inclusion:
      "a transaction of the wallet's own making and its receipt with the whole stamp are in the L2 block of this hash",
  },
};
const UNPROVEN: Readonly<Record<Part, string>> = {
  inclusion: 'that transaction and receipt are in the L2 block',
  posting: "that the batch's call and event are in the L1 block",
  ancestry: "that the posting's block belongs to the chain of the checkpoint",
  state: "the router's stamp and the runtime code hashes",
};

const ALWAYS_PROVEN = [
  'who sent the launch and who permitted it: both are recovered from signatures',
  'the recorded answers of both observers of each chain lead the finality rule to this conclusion',
];
const ALWAYS_BELIEVED = [
  'that the L2 block of this hash is what the posted batch executes to: that takes a replay of the batch or a confirmed assertion',
  "the bridge's accumulator at the checkpoint and the batch that holds the block, in the words of both observers",
  'that the answers are those of the observers that the context names: JSON-RPC answers are not signed',
];
/** The pins, each of which turns a claim into a comparison with known facts. */
const PINS: readonly { readonly pin: keyof EvidencePins; readonly proven: string; readonly believed: string }[] = [
  {
    pin: 'request',
    proven:
      'the launch is the one that your request describes, under the router, inbox, observers and authorities of its context',
    believed:
      "that router, inbox, observers and permit authorities are the service's: they are those of the bundle's own context; compare contextHash with your request's",
  },
  {
    pin: 'checkpoint',
    proven: 'the checkpoint is the Ethereum block whose hash you gave',
    believed:
      'that the checkpoint is a block of Ethereum, and finalized: compare its number and hash with any node you trust',
  },
  {
    pin: 'l2Block',
    proven: "the launch's block is the block of chain 4663 whose hash you gave",
    believed: "that the launch's block is a block of chain 4663: compare its number and hash with any node you trust",
  },
];

/** Lists the statements that a pass proves, and those that rest on the observers, by the available proofs. */
export class Statements {
  readonly #proves = [...ALWAYS_PROVEN];
  readonly #rests = [...ALWAYS_BELIEVED];
  readonly #missing: string[] = [];
  readonly #proven: typeof PROVEN;

  /** @param step the proof of a plan's step; null for a launch. */
  constructor(step: StepProvenBy | null = null) {
    this.#proven = step === null ? PROVEN : { ...PROVEN, ...OF_STEPS[step] };
  }

  /** @param linked Whether the transaction's place is proven too, not its receipt's alone. */
  proven(part: Part, linked = true): void {
    this.#proves.push(this.#proven[part]);
    if (!linked)
      this.#rests.push(
        `that the receipt of the ${part} is of its transaction: the block's transactions cannot be rebuilt`,
      );
  }

  without(part: Part, reason: string): void {
    this.#rests.push(UNPROVEN[part]);
    this.#missing.push(`proof of ${part}: ${reason}`);
  }

  proves(pins: EvidencePins): readonly string[] {
    return [...PINS.filter(({ pin }) => pins[pin] !== undefined).map(({ proven }) => proven), ...this.#proves];
  }

  restsOnObservers(pins: EvidencePins): readonly string[] {
    return [...PINS.filter(({ pin }) => pins[pin] === undefined).map(({ believed }) => believed), ...this.#rests];
  }

  get missing(): readonly string[] {
    return this.#missing;
  }
}
