import { REVIEW_STATES } from '@launch/contracts/states';
import { statement } from '@launch/platform';
import { z } from 'zod';

/** Counts reviews by the state of their last step. */
export const COUNT_BY_STATE = statement({
  name: 'review.count-by-state',
  row: z.strictObject({ state: z.enum(REVIEW_STATES), count: z.int(), oldest: z.date() }),
  text: `
        SELECT coalesce(last.state, 'awaiting_plan') AS state, count(*)::int AS count,
          min(coalesce(last.at, r.created_at)) AS oldest
        FROM reviews r LEFT JOIN LATERAL (
          SELECT s.state, s.at FROM review_steps s WHERE s.submission_id = r.submission_id
          ORDER BY s.revision DESC LIMIT 1) last ON true
        GROUP BY 1`,
});
