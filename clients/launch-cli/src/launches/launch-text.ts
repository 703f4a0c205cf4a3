import type { components } from '@launch/api-client';
import type { SentLaunch } from '@launch/client-core/binding';
import { walletPageOf } from '@launch/client-core/command';
import { instant, plain, table } from '@launch/multi-role/offline';

export type Launch = components['schemas']['CustomLaunchResource'];

/** The words after the id of a replay. */
export const REPLAYED = ' (a replay: the service had this request before)';

/** The knowledge of a program about a launch or a plan besides the answer. */
export interface KnownOf {
  readonly replayed?: boolean;
  /** The request that the program sent or read, with which the answer agrees. */
  readonly request?: Pick<SentLaunch, 'requestSha256'> | undefined;
}

/** Formats a launch for a terminal. @param now milliseconds, by the reader's clock */
export function launchText(launch: Launch, now: number, { replayed = false, request }: KnownOf = {}): string {
  const { finality, failure, handoff } = launch;
  const findings = launch.findings.map(
    ({ code, path, message, remediation }) => `  ${plain(`${code} ${path} ${message} ${remediation.detail}`)}\n`,
  );
  const rows = table([
    ['launch', `${launch.launchId}${replayed ? REPLAYED : ''}`],
    ['status', launch.statusReason === null ? launch.status : `${launch.status}, ${launch.statusReason}`],
    ['wallet', launch.launchWallet],
    ['request', launch.requestSha256],
    ['finality', finality.stage],
    ['next stage', finality.estimatedNextStageAt === null ? null : instant(finality.estimatedNextStageAt, now)],
    ['sign until', handoff === null ? null : instant(handoff.expiresAt, now)],
    ['page', launch.launchUrl],
    ['wallet page', walletPageOf(launch.walletUrl, request?.requestSha256)],
    ['transaction', launch.transactions[0]?.transactionHash ?? null],
    ['failed with', failure === null ? null : `${failure.code}: ${failure.recovery.detail}`],
  ]);
  return `${rows}${findings.join('')}`;
}

/** The part of a watched launch whose change is worth a line. Estimates move with every reading. */
export const progressOf = ({ status, statusReason, finality }: Launch): string =>
  JSON.stringify([status, statusReason, finality.stage, finality.observation?.status ?? null]);

/** Formats one line of a watched launch. */
export function progressLine({ status, statusReason, finality }: Launch, now: number): string {
  const next = finality.estimatedNextStageAt;
  const reason = statusReason === null ? '' : ` (${statusReason})`;
  return plain(`${status}${reason}${next === null ? '' : `, next stage ${instant(next, now)}`}`);
}
