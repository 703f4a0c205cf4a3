import { STAGES, type LaunchFacts, type Stage } from './launch-facts.js';

/** One stage of a launch as the timeline shows it. */
export interface TimelineEntry {
  readonly stage: Stage;
  readonly title: string;
  /** One sentence about the stage in its present state. */
  readonly text: string;
  /** `never`: the launch ended before this stage. */
  readonly state: 'done' | 'now' | 'ahead' | 'stopped' | 'never';
  /** The time at which the launch reached the stage; null where the service does not say. */
  readonly at: string | null;
  /** The time at which the service expects it. An estimate is no promise. */
  readonly expectedAt: string | null;
  /** Whether a reorganisation can still take the stage back. */
  readonly isReversible: boolean;
}

interface Wording {
  readonly title: string;
  readonly done: string;
  /** In place of `done` once a later stage makes it untrue. */
  readonly passed?: string;
  readonly now: string;
  readonly ahead: string;
  readonly stopped: string;
}

const WORDING: Readonly<Record<Stage, Wording>> = {
  received: {
    title: 'Received',
    done: 'The service stored the exact bytes of your request.',
    now: '',
    ahead: '',
    stopped: '',
  },
  judged: {
    title: 'Checked',
    done: 'The service compiled the sources and found no fault.',
    now: 'The service compiles the sources and checks the request.',
    ahead: 'The service checks the request.',
    stopped: 'The service found faults. This request goes no further.',
  },
  authorized: {
    title: 'Permit signed',
    done: 'The service signed the permit. It is valid until the window ends.',
    passed: 'The service signed the permit.',
    now: 'The service signs the permit.',
    ahead: 'The service signs a permit for exactly this launch.',
    stopped: 'The launch ended before its permit was signed.',
  },
  sent: {
    title: 'Signed and sent',
    done: 'Your transaction is on its way to the chain.',
    passed: 'Your wallet signed and sent the transaction.',
    now: 'The launch waits for the transaction of your wallet. The service cannot send it.',
    ahead: 'Your wallet signs and sends the transaction.',
    stopped: 'The launch ended before a transaction of it was included. Nothing was launched.',
  },
  included: {
    title: 'Included on chain 4663',
    done: 'The chain executed the launch. The coin exists, but its block can still be lost.',
    passed: 'The chain executed the launch. The coin exists.',
    now: 'One provider shows the transaction. The launch counts once both providers show it in a block.',
    ahead: 'A block of chain 4663 contains the transaction.',
    stopped: 'The transaction reverted. Nothing was launched.',
  },
  posted: {
    title: 'Posted to Ethereum',
    done: 'Ethereum has the data of the block, but not in a final block yet.',
    passed: 'Ethereum has the data of the block.',
    now: 'The chain posts its blocks to Ethereum in batches.',
    ahead: 'A batch on Ethereum contains the block.',
    stopped: 'The launch ended before its block was posted to Ethereum.',
  },
  finalized: {
    title: 'Final',
    done: 'Ethereum finalized the batch. No reorganisation can take the launch back.',
    now: 'Ethereum finalizes the block with the batch, usually within a quarter of an hour.',
    ahead: 'Ethereum finalizes the batch.',
    stopped: 'The launch ended before it became final.',
  },
};

/** Returns the stages of a launch, from the first to the last. */
export function timelineOf(facts: LaunchFacts): readonly TimelineEntry[] {
  const { next, end } = facts;
  const position = next === null ? STAGES.length : STAGES.indexOf(next);
  return STAGES.map((stage, index) => {
    const state = stateOf(index - position, end);
    const words = WORDING[stage];
    return {
      stage,
      title: words.title,
      text:
        stage === 'sent' && facts.steps !== null
          ? stepsText(facts.steps, state)
          : textOf(words, state, isPassed(stage, facts)),
      state,
      at: state === 'done' ? reachedAt(facts, stage) : state === 'stopped' ? facts.updatedAt : null,
      expectedAt: state === 'now' && facts.waitsFor === 'chain' ? facts.estimatedNextStageAt : null,
      isReversible: state === 'done' && index >= STAGES.indexOf('sent') && end !== 'finalized' && stage !== 'finalized',
    };
  });
}

/** @param distance of the stage from the one that the launch is at */
function stateOf(distance: number, end: LaunchFacts['end']): TimelineEntry['state'] {
  if (distance < 0) return 'done';
  if (end === 'stopped') return distance === 0 ? 'stopped' : 'never';
  return distance === 0 ? 'now' : 'ahead';
}

const textOf = (words: Wording, state: TimelineEntry['state'], hasPassed: boolean): string =>
  state === 'never' ? '' : state === 'done' && hasPassed ? (words.passed ?? words.done) : words[state];

/** A permit matters until it is used, a transaction is on its way until it is included, and a block can be lost until it is final. */
const isPassed = (stage: Stage, { next, end }: LaunchFacts): boolean =>
  stage === 'authorized' ? next !== 'sent' : stage === 'sent' ? next !== 'included' : end === 'finalized';

function stepsText(
  { included, total, nextStepId }: NonNullable<LaunchFacts['steps']>,
  state: TimelineEntry['state'],
): string {
  if (state === 'never') return '';
  const count = `${included} of ${total} transactions of the plan are on chain 4663.`;
  return state === 'now' && nextStepId !== null
    ? `${count} The next step is ${nextStepId}.`
    : state === 'ahead'
      ? `Your wallet signs and sends ${total === 1 ? 'one batch' : `${total} transactions, one after the other`}.`
      : count;
}

/** A stage is reached when the last of the providers that agree on it saw it. */
function reachedAt(facts: LaunchFacts, stage: Stage): string | null {
  switch (stage) {
    case 'received':
      return facts.createdAt;
    case 'authorized':
      return facts.authorizedAt;
    case 'included':
      return observedAt(facts.inclusion);
    case 'posted':
      return observedAt(facts.posting);
    case 'finalized':
      return observedAt(facts.checkpoint);
    case 'judged':
    case 'sent':
      return null;
  }
}

const observedAt = (
  seen: LaunchFacts['inclusion'] | LaunchFacts['posting'] | LaunchFacts['checkpoint'],
): string | null =>
  seen === null
    ? null
    : (seen.observers
        .map(({ observedAt: one }) => one)
        .sort()
        .at(-1) ?? null);

/** Says in one sentence where a launch is, for a list and for screen readers. */
export function statusSentence(facts: LaunchFacts): string {
  const now = timelineOf(facts).find(({ state }) => state === 'now' || state === 'stopped');
  if (now === undefined) return 'The launch is final.';
  return now.text;
}
