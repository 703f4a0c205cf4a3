import type { ReviewState } from '@launch/contracts/states';
import type { Tone } from '../../ui/status.js';

/** A state of a review in plain words, and what its author does next. */
export interface ReviewWords {
  readonly name: string;
  readonly tone: Tone;
  readonly next: string;
}

const WORDS: Readonly<Record<ReviewState, ReviewWords>> = {
  awaiting_plan: {
    name: 'Waits for a reviewer',
    tone: 'neutral',
    next: 'Wait: a reviewer decides how your sources are built.',
  },
  queued: {
    name: 'Waits for a builder',
    tone: 'accent',
    next: 'Wait for the build, and submit no other revision now.',
  },
  running: { name: 'Being built', tone: 'accent', next: 'Wait for the build, and submit no other revision now.' },
  built: { name: 'Built', tone: 'accent', next: 'Wait: your sources build, and a reviewer decides.' },
  build_failed: {
    name: 'Build failed',
    tone: 'bad',
    next: 'Read the finding and wait: a reviewer corrects the build plan or asks you for changes.',
  },
  changes_requested: {
    name: 'Changes requested',
    tone: 'caution',
    next: 'Make the changes that the reviewer names, and submit a new version that supersedes this one.',
  },
  rejected: { name: 'Rejected', tone: 'bad', next: "Read the reviewer's reason. This review goes no further." },
  accepted: {
    name: 'Accepted',
    tone: 'good',
    next: 'Wait for the registry: an accepted module is neither approved nor available yet.',
  },
};

export const reviewWords = (state: ReviewState): ReviewWords => WORDS[state];

/** Returns the commands after the state, or null where the author only waits. */
export function reviewCommands(state: ReviewState, submissionId: string, gatewayUrl: string): string | null {
  if (state !== 'changes_requested') return null;
  return [
    'node module-cli.mjs pin-module-sources --root . --package draft.json --module-version NEXT_VERSION --out module-next.json',
    `node module-cli.mjs prepare-module-submission --root . --package module-next.json --supersedes ${submissionId} --out revision.json`,
    `node module-cli.mjs submit-module --root . --request revision.json --api-origin ${gatewayUrl} --idempotency-key NEW_KEY`,
  ].join('\n');
}

const MINUTE_MS = 60_000;
const BUILDING: ReadonlySet<ReviewState> = new Set(['queued', 'running']);

/** Returns the milliseconds until a review is read again. People decide the other states, so they are read rarely. */
export const pauseAfterReview = (state: ReviewState, isEnd: boolean): number | null =>
  isEnd ? null : BUILDING.has(state) ? 10_000 : MINUTE_MS;
