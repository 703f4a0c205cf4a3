import { statement } from '@launch/platform';

/** Deletes up to $2 trades from before $1, except the last trade of each coin. */
export const PRUNE = statement({
  name: 'prune-swaps.prune',
  text: `
      DELETE FROM swaps WHERE id IN (
        SELECT old.id FROM swaps old
         WHERE old.block_time < $1::timestamptz AND EXISTS (
           SELECT FROM swaps later WHERE later.chain_id = old.chain_id AND later.token_address = old.token_address
              AND (later.block_number, later.log_index) > (old.block_number, old.log_index))
         LIMIT $2::int)`,
});
