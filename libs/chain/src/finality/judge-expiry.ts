import { agree } from '../agreement/agreement.js';
import { agreedHeader, tipsOf } from '../agreement/common-head.js';
import { isDone } from './candidates.js';
import { ABSENT, unknown, type Look, type StageVerdict } from './ports.types.js';

/**
 * The permit can no longer be used. Both observers' *finalized* L2 time is past the deadline, and the permit's nonce is
 * unspent at their common finalized block. Nothing less ends a launch that is not finalized. A block inside the window
 * can still spend a permit that is unspent at the head.
 */
export async function judgeExpiry(look: Look): Promise<StageVerdict<true>> {
  const tips = await tipsOf(look.l2, 'finalized', (observer, at) => observer.header(at));
  if (tips.kind === 'indeterminate') return unknown(tips.reason);
  const deadline = look.target.window.deadline;
  if (tips.headers.some((header) => header.timestamp <= deadline)) return ABSENT;
  const common = await agreedHeader(look.l2, tips.lower.number, (observer, at) => observer.header(at), look.now);
  if (common.kind === 'indeterminate') return unknown(common.reason);
  if (common.value.timestamp <= deadline) return unknown('finalized block: its time is not the one first given');
  const spent = await agree(
    look.l2,
    'nonce',
    (observer) => isDone(observer, look.target, { hash: common.value.hash }),
    undefined,
    look.now,
  );
  if (spent.kind === 'indeterminate') return unknown(spent.reason);
  if (!spent.value) return { kind: 'holds', value: true };
  return unknown(
    look.target.provenBy === 'code'
      ? 'component: stands, but no transaction of its step is known'
      : 'nonce: spent, but no transaction with its stamp is known',
  );
}
