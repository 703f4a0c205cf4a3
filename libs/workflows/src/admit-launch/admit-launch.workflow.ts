import { patched, proxyActivities, sleep, upsertSearchAttributes, upsertMemo } from '@temporalio/workflow';
import {
  SEARCH_ATTRIBUTES,
  TASK_QUEUES,
  type AdmissionActivities,
  type AdmitLaunchInput,
  type CustodyActivities,
  type GatewayActivities,
} from '@launch/contracts/orchestration';
import { IDEMPOTENT_WRITE, IRREVERSIBLE, READ_ONLY } from '../retry-profiles.js';
import { REHEARSAL_PATCH } from './rehearse.js';
import { admitLaunchLogic, type AdmitOutcome } from './admit-launch.logic.js';

const admission = proxyActivities<AdmissionActivities>({ ...READ_ONLY, taskQueue: TASK_QUEUES.admission });
const gateway = proxyActivities<GatewayActivities>({ ...IDEMPOTENT_WRITE, taskQueue: TASK_QUEUES.gateway });
const signing = proxyActivities<Pick<CustodyActivities, 'signPermit'>>({ ...IRREVERSIBLE, taskQueue: TASK_QUEUES.custody });
const refusing = proxyActivities<Pick<CustodyActivities, 'refuseLaunch'>>({ ...IDEMPOTENT_WRITE, taskQueue: TASK_QUEUES.custody });

/** Durable admission of one reserved launch; its id is `admit/<launchId>`. */
export async function admitLaunch(input: AdmitLaunchInput): Promise<AdmitOutcome> {
  const { ref, nonce, router } = input;
  if (ref.launchId === null) throw new TypeError('admitLaunch needs a reserved launch');
  const launchId = ref.launchId;
  return admitLaunchLogic(
    {
      admission,
      custody: { signPermit: signing.signPermit, refuseLaunch: refusing.refuseLaunch },
      gateway,
      isRehearsed: () => patched(REHEARSAL_PATCH),
      pause: async (milliseconds) => sleep(milliseconds),
      areRefusalsSigned: () => patched('signed-refusals'),
    },
    { ref: { ...ref, launchId }, nonce, router },
    (stage) => {
      upsertSearchAttributes({ [SEARCH_ATTRIBUTES.stage]: [stage] });
      upsertMemo({ stage });
    },
  );
}
