import type { LaunchResource } from '@launch/contracts/multi-role';

/** What `wait` can wait for, in the order in which a launch comes to them. */
export const STAGES = ['authorized', 'submitted', 'included', 'posted', 'finalized'] as const;
export type Stage = (typeof STAGES)[number];

export const isStage = (text: string): text is Stage => (STAGES as readonly string[]).includes(text);

const PERMITTED: readonly LaunchResource['status'][] = ['authorized', 'awaiting_wallet_signature'];
const SENT: readonly LaunchResource['status'][] = ['submitted', 'finalized'];
const ENDED: readonly LaunchResource['status'][] = ['action_required', 'failed', 'expired', 'finalized'];

/** Whether nothing will move any more. */
export const hasEnded = ({ status }: LaunchResource): boolean => ENDED.includes(status);

/** Whether a launch has come to a stage. It is authorized when its transaction is there, whatever the status says. A transaction that reverted is included in a block, and no launch in any. */
export function hasReached(launch: LaunchResource, stage: Stage): boolean {
  const { status, finality, wallet } = launch;
  const isIncluded =
    finality.state === 'ethereum_finalized' ||
    (finality.state === 'included' && finality.inclusion?.receiptStatus === 'success');
  const isSent = SENT.includes(status) || isIncluded;
  switch (stage) {
    case 'authorized':
      return isSent || (PERMITTED.includes(status) && wallet !== null);
    case 'submitted':
      return isSent;
    case 'included':
      return isIncluded;
    case 'posted':
      return finality.state === 'ethereum_finalized' || (isIncluded && finality.posting !== null);
    case 'finalized':
      return status === 'finalized';
  }
}

/** The last stage that a launch has come to; before the first its status. */
export const stageOf = (launch: LaunchResource): string =>
  STAGES.findLast((stage) => hasReached(launch, stage)) ?? launch.status;
