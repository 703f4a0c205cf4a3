import { agree } from '../agreement/agreement.js';
import { agreedHeader, tipsOf } from '../agreement/common-head.js';
import { isDone } from './candidates.js';
import { ABSENT, unknown, type Poll, type StageVerdict } from './ports.types.js';

/**
 * Judges whether the permit can no longer be used: both observers' *finalized* L2 time is past the deadline, and the
 * permit's nonce is unspent at their common finalized block. Nothing less ends a launch that is not finalized, because
 * a block inside the window can still spend a permit that is unspent at the head.
 */
export async function judgeExpiry(poll: Poll): Promise<StageVerdict<true>> {
  const tips = await tipsOf(poll.l2, 'finalized', (observer, at) => observer.header(at));
  if (tips.kind === 'indeterminate') return unknown(tips.reason);
  const deadline = poll.target.window.deadline;
  if (tips.headers.some((header) => header.timestamp <= deadline)) return ABSENT;
  const common = await agreedHeader(poll.l2, tips.lower.number, (observer, at) => observer.header(at), poll.now);
  if (common.kind === 'indeterminate') return unknown(common.reason);
  if (common.value.timestamp <= deadline) return unknown('finalized block: its time is not the one first given');
  const spent = await agree(
    poll.l2,
    'nonce',
    (observer) => isDone(observer, poll.target, { hash: common.value.hash }),
    undefined,
    poll.now,
  );
  if (spent.kind === 'indeterminate') return unknown(spent.reason);
  if (!spent.value) return { kind: 'holds', value: true };
  return unknown(
    poll.target.provenBy === 'code'
      ? 'component: deployed, but no transaction of its step is known'
      : 'nonce: spent, but no transaction with its stamp is known',
  );
}
