import type { LaunchResource } from '@launch/contracts/multi-role';

/** The stages that `wait` can wait for, in the order of a launch. */
export const STAGES = ['authorized', 'submitted', 'included', 'posted', 'finalized'] as const;
export type Stage = (typeof STAGES)[number];

/** The parts of a launch that show its stage. */
export interface StagedLaunch {
  readonly status: LaunchResource['status'];
  readonly wallet: object | null;
  readonly finality: {
    readonly state: LaunchResource['finality']['state'];
    readonly inclusion?: { readonly receiptStatus: string } | null;
    readonly posting?: object | null;
  };
}

const PERMITTED: readonly LaunchResource['status'][] = ['authorized', 'awaiting_wallet_signature'];
const SENT: readonly LaunchResource['status'][] = ['submitted', 'finalized'];
const ENDED: readonly LaunchResource['status'][] = ['action_required', 'failed', 'expired', 'finalized'];

/** Returns whether the status is final. */
export const hasEnded = ({ status }: Pick<StagedLaunch, 'status'>): boolean => ENDED.includes(status);

/**
 * Returns whether a launch has reached a stage. It is authorized once its transaction is present, in any status. A reverted
 * transaction is included in a block, but its launch is not.
 */
export function hasReached(launch: StagedLaunch, stage: Stage): boolean {
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

/** Returns the last stage that a launch has reached; before the first, its status. */
export const stageOf = (launch: StagedLaunch): string =>
  STAGES.findLast((stage) => hasReached(launch, stage)) ?? launch.status;
