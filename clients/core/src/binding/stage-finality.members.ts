import type { CustomLaunchResource } from '@launch/contracts/custom-launch';
import { holds, type BoundMember } from './bound-member.js';
import type { Wire } from './wire.types.js';

/** The stage of a launch or a step, with its evidence. */
type StageFinality = Pick<
  Wire<CustomLaunchResource>['finality'],
  'stage' | 'l2Inclusion' | 'l1Posting' | 'l1FinalizedCheckpoint'
>;

/**
 * The members of a stage that agree with each other: a stage has exactly the evidence that it claims. A reverted transaction
 * launches nothing, so no stage shows its receipt.
 */
export const STAGE_FINALITY_MEMBERS: readonly BoundMember<StageFinality, unknown>[] = [
  holds('/stage', 'the stage that the evidence shows', (finality) => {
    const { stage, l2Inclusion, l1Posting, l1FinalizedCheckpoint } = finality;
    const isPosted = stage === 'posted' || stage === 'ethereum_finalized';
    return (
      (stage === 'pending') === (l2Inclusion === null) &&
      (stage !== 'pending' || l1Posting === null) &&
      (!isPosted || l1Posting !== null) &&
      (stage === 'ethereum_finalized') === (l1FinalizedCheckpoint !== null)
    );
  }),
  holds(
    '/l2Inclusion/receiptStatus',
    'success: the stage of a reverted transaction is pending',
    ({ l2Inclusion }) => l2Inclusion === null || l2Inclusion.receiptStatus === 'success',
  ),
];
