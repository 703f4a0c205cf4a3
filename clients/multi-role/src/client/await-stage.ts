import type { LaunchResource } from '@launch/contracts/multi-role';
import { setTimeout as pause } from 'node:timers/promises';
import { ClientError } from './client.error.js';
import { hasEnded, hasReached, stageOf, type Stage } from './launch-stage.js';
import { perform, READ_DEADLINE_MS, type PlannedCall } from './planned-call.js';
import type { Answer } from './transport.js';

/** The report of a launch in progress, one for each change. */
export interface WaitingNews {
  readonly status: string;
  readonly statusReason: string | null;
  readonly stage: string;
  /** Estimated time of the next of inclusion, posting and finality, with the basis of the estimate; null without one. */
  readonly estimatedNextStageAt: string | null;
  readonly basis: string | null;
}

/** Milliseconds. */
export interface WaitClock {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}
export const REAL_CLOCK: WaitClock = { now: () => Date.now(), sleep: (ms) => pause(ms) };

export interface Waiting {
  readonly until: Stage;
  readonly timeoutMs: number;
  /** The longest outage that the wait outlives. */
  readonly waitMaxMs: number;
}

export const DEFAULT_TIMEOUT_SECONDS = 3_600;
export const MAX_TIMEOUT_SECONDS = 86_400;
export const DEFAULT_WAIT_MAX_SECONDS = 300;
/** Polling intervals as in the guide: at least two seconds, at most a minute, five seconds without an estimate. */
const [SOONEST_MS, LATEST_MS, UNKNOWN_MS] = [2_000, 60_000, 5_000];
/** Milliseconds reserved for the last poll. */
const LAST_LOOK_MS = 2_000;

/** Reads the options of `wait`, which its declaration has checked. */
export const readWaiting = ({
  until,
  timeout = String(DEFAULT_TIMEOUT_SECONDS),
  'wait-max': waitMax = String(DEFAULT_WAIT_MAX_SECONDS),
}: Readonly<Record<string, string>>): Waiting => ({
  until: until as Stage,
  timeoutMs: Number(timeout) * 1_000,
  waitMaxMs: Number(waitMax) * 1_000,
});

/** The end of a wait: the last answer, and the reason why the launch did not reach its stage. */
export interface WaitEnd {
  readonly answer: Answer<object> | null;
  readonly failure: ClientError | null;
}

/**
 * Polls a launch until it reaches a stage, ends otherwise, or the timeout passes. The estimate determines the interval, which
 * is never shorter than `Retry-After`. Polls again after a retryable failure (the network, a retryable refusal); any other
 * failure ends the wait.
 */
export async function awaitStage(
  planned: PlannedCall,
  service: { readonly origin: string; readonly apiKey: string | null },
  { until, timeoutMs, waitMaxMs }: Waiting,
  tell: (news: WaitingNews) => void,
  clock: WaitClock = REAL_CLOCK,
): Promise<WaitEnd> {
  const end = clock.now() + timeoutMs;
  let answer: Answer<object> | null = null;
  let printed = '';
  let outage = { since: 0, attempts: 0 };
  for (;;) {
    let passing: ClientError | null = null;
    try {
      answer = await perform(planned, {
        ...service,
        deadlineMs: Math.min(READ_DEADLINE_MS, Math.max(LAST_LOOK_MS, end - clock.now())),
      });
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      if (!mayPass(error)) return { answer, failure: error };
      passing = error;
    }
    const launch = answer === null ? null : (answer.value as LaunchResource);
    if (passing === null && launch !== null) {
      const news = newsOf(launch);
      const moved = [news.status, news.statusReason, news.stage, news.basis].join();
      if (moved !== printed) tell(news);
      printed = moved;
      if (hasReached(launch, until)) return { answer, failure: null };
      if (hasEnded(launch)) return { answer, failure: endedElsewhere(launch) };
    }
    if (passing === null) outage = { since: 0, attempts: 0 };
    else outage = { since: outage.attempts === 0 ? clock.now() : outage.since, attempts: outage.attempts + 1 };
    const { refusal, retryAfterSeconds } = passing?.detail ?? {};
    const [left, retryAfter] = [end - clock.now(), (refusal?.retryAfterSeconds ?? retryAfterSeconds ?? 0) * 1_000];
    const outageLeft = passing === null ? Infinity : outage.since + waitMaxMs - clock.now();
    if (passing !== null && left > 0 && (outageLeft <= 0 || retryAfter > outageLeft))
      return { answer, failure: passing };
    if (left <= 0 || retryAfter > left) {
      return {
        answer,
        failure: answer === null && passing !== null ? passing : new ClientError('MULTI_ROLE_CLIENT_STILL_RUNNING'),
      };
    }
    // The remaining time ends with a poll.
    const pauseMs = passing === null ? pauseOf(launch, clock.now()) : backoffOf(outage.attempts);
    await clock.sleep(Math.min(left, outageLeft, Math.max(retryAfter, pauseMs)));
  }
}

const mayPass = ({ code, detail }: ClientError): boolean =>
  code === 'MULTI_ROLE_CLIENT_NETWORK_ERROR' ||
  code === 'MULTI_ROLE_CLIENT_DEADLINE_EXCEEDED' ||
  code === 'MULTI_ROLE_CLIENT_UNAVAILABLE' ||
  detail.refusal?.retryable === true;

const newsOf = (launch: LaunchResource): WaitingNews => ({
  status: launch.status,
  statusReason: launch.statusReason,
  stage: stageOf(launch),
  estimatedNextStageAt: launch.finality.estimatedNextStageAt,
  basis: launch.finality.basis,
});

/** Returns the pause after the nth failure in a row. */
const backoffOf = (attempts: number): number => Math.min(LATEST_MS, SOONEST_MS * 2 ** (attempts - 1));

/** Returns half of the time until the estimate, so polls become more frequent as it approaches. */
function pauseOf(launch: LaunchResource | null, now: number): number {
  if (launch === null || !hasReached(launch, 'submitted')) return SOONEST_MS;
  const estimate = launch.finality.estimatedNextStageAt;
  if (estimate === null) return launch.finality.basis === null ? UNKNOWN_MS : LATEST_MS / 4;
  return Math.min(LATEST_MS, Math.max(SOONEST_MS, (Date.parse(estimate) - now) / 2));
}

function endedElsewhere({ status, statusReason, findings }: LaunchResource): ClientError {
  const reason = { path: '/status', message: `is ${status}${statusReason === null ? '' : `: ${statusReason}`}` };
  return new ClientError('MULTI_ROLE_CLIENT_LAUNCH_ENDED', { findings: findings.length > 0 ? findings : [reason] });
}
