import { indexerInputs } from '@launch/contracts/activities';
import type { IndexerActivities } from '@launch/contracts/orchestration';
import { Activities, type ActivityEdge } from '@launch/worker';
import type { FollowSource } from './follow/follow-source.service.js';
import type { HoldRepository } from './holds/hold.repository.js';
import { judgeAgain, type JudgeAgainParts } from './quarantine/judge-again.service.js';

const FAILED = 'INDEX_STEP_FAILED';

/** The activities of `launch-indexer`. */
export const createIndexerActivities = (
  following: FollowSource,
  parts: JudgeAgainParts & { readonly holds: Pick<HoldRepository, 'hold' | 'release'> },
  onTrouble: ActivityEdge['onTrouble'],
): Activities<IndexerActivities> =>
  new Activities<IndexerActivities>(
    indexerInputs,
    {
      followSource: ({ releaseDigest }, { signal }) => following.follow(releaseDigest, signal),
      requestRescan: ({ releaseDigest, from }) => parts.sources.requestRescan(releaseDigest, BigInt(from)),
      rejudgeEvent: ({ releaseDigest, event }) => judgeAgain(parts, releaseDigest, event),
      async dismissEvent({ releaseDigest, event, reason }) {
        if (!(await parts.quarantine.isThere(releaseDigest, event))) return false;
        await parts.quarantine.append(releaseDigest, event, { outcome: 'dismissed', reason: null, detail: reason });
        return true;
      },
      holdPlace: ({ releaseDigest, place, reason }) => parts.holds.hold(releaseDigest, place, reason),
      releasePlace: ({ releaseDigest, place }) => parts.holds.release(releaseDigest, place),
    },
    { failures: { outage: FAILED, fault: FAILED }, onTrouble },
  );
