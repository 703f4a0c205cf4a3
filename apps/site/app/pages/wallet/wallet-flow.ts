/**
 * The states of the wallet page, from reading a hand-off to the final launch. It is pure: the page performs the work of a state and
 * reports the outcome as an event. A request reaches the wallet in the state `asking` only, and every path there goes through
 * `rechecking`.
 */

/** Something that prevents signing now, with its remedy. */
export interface Obstacle {
  /** A stable name: `wrong-chain`, or the id of a check. */
  readonly id: string;
  /** A sentence. */
  readonly title: string;
  readonly remedy: string;
  /** The value that the hand-off or the wallet claims; null without one. */
  readonly claimed: string | null;
  /** The value that the page computed or requires; null without one. */
  readonly computed: string | null;
}

/** A transaction that this tab sent. It is the only part that survives a reload. */
export interface SentTransaction {
  /** The launch or plan. */
  readonly id: string;
  /** The step of a plan. */
  readonly stepId: string | null;
  readonly hash: `0x${string}`;
}

/** The reason why a launch has nothing to sign now. */
export type Idle = 'not-ready' | 'sent-elsewhere' | 'ended' | 'finalized';

export type Flow =
  /** Reads the hand-off, recomputes it, and reads the chain through the wallet. */
  | { readonly is: 'reading' }
  | { readonly is: 'unread'; readonly message: string }
  | { readonly is: 'idle'; readonly why: Idle }
  /** A value of the hand-off differs from the recomputed one, or cannot be recomputed. The wallet is never asked. */
  | { readonly is: 'refused'; readonly obstacles: readonly Obstacle[] }
  /** The hand-off is genuine, but the wallet or the chain prevents it now. */
  | { readonly is: 'obstructed'; readonly obstacles: readonly Obstacle[] }
  | { readonly is: 'ready'; readonly notice: string | null }
  /** Reads chain, account, nonce and time again, right before the wallet is asked. */
  | { readonly is: 'rechecking' }
  | { readonly is: 'asking' }
  | { readonly is: 'following'; readonly sent: SentTransaction }
  | { readonly is: 'done'; readonly outcome: 'finalized' | 'failed'; readonly sent: SentTransaction | null };

export type FlowEvent =
  | { readonly type: 'restored'; readonly sent: SentTransaction }
  | { readonly type: 'read-failed'; readonly message: string }
  | { readonly type: 'nothing-to-sign'; readonly why: Idle }
  | { readonly type: 'refused'; readonly obstacles: readonly Obstacle[] }
  /** The reads of chain and wallet. Without obstacles the hand-off can be signed. */
  | { readonly type: 'inspected'; readonly obstacles: readonly Obstacle[] }
  | { readonly type: 'confirmed' }
  | { readonly type: 'asked' }
  | { readonly type: 'declined'; readonly message: string }
  | { readonly type: 'sent'; readonly sent: SentTransaction }
  /** The account or chain of the wallet changed, or the visitor asked to read again. */
  | { readonly type: 'restarted' }
  | { readonly type: 'window-ended'; readonly obstacle: Obstacle }
  /** The sent step of a plan is included, and the plan has another. */
  | { readonly type: 'step-included' }
  | { readonly type: 'settled'; readonly outcome: 'finalized' | 'failed' };

export const START: Flow = { is: 'reading' };

/** Returns the next state. An event that the state does not expect changes nothing: a late answer has no effect. */
export function advance(flow: Flow, event: FlowEvent): Flow {
  switch (event.type) {
    case 'restored':
      return flow.is === 'reading' ? { is: 'following', sent: event.sent } : flow;
    case 'read-failed':
      return flow.is === 'reading' ? { is: 'unread', message: event.message } : flow;
    case 'nothing-to-sign':
      return flow.is === 'reading' ? { is: 'idle', why: event.why } : flow;
    case 'refused':
      return isBeforeAsking(flow) ? { is: 'refused', obstacles: event.obstacles } : flow;
    case 'inspected':
      return inspected(flow, event.obstacles);
    case 'confirmed':
      return flow.is === 'ready' ? { is: 'rechecking' } : flow;
    case 'asked':
      return flow.is === 'rechecking' ? { is: 'asking' } : flow;
    case 'declined':
      return flow.is === 'rechecking' || flow.is === 'asking' ? { is: 'ready', notice: event.message } : flow;
    case 'sent':
      return flow.is === 'asking' ? { is: 'following', sent: event.sent } : flow;
    case 'restarted':
      // A request that the wallet shows, and a transaction that is on its way, go on.
      return flow.is === 'asking' || flow.is === 'following' ? flow : START;
    case 'window-ended':
      return flow.is === 'ready' || flow.is === 'obstructed' || flow.is === 'rechecking'
        ? { is: 'obstructed', obstacles: [event.obstacle] }
        : flow;
    case 'step-included':
      return flow.is === 'following' ? START : flow;
    case 'settled':
      return flow.is === 'following' ? { is: 'done', outcome: event.outcome, sent: flow.sent } : flow;
  }
}

const isBeforeAsking = ({ is }: Flow): boolean => is === 'reading' || is === 'rechecking';

function inspected(flow: Flow, obstacles: readonly Obstacle[]): Flow {
  if (obstacles.length > 0) return isBeforeAsking(flow) ? { is: 'obstructed', obstacles } : flow;
  return flow.is === 'reading' ? { is: 'ready', notice: null } : flow;
}

/** Returns whether the page shows the review of a genuine hand-off. A refused one is never explained: its values are false. */
export const showsReview = ({ is }: Flow): boolean =>
  is === 'ready' || is === 'obstructed' || is === 'rechecking' || is === 'asking';
