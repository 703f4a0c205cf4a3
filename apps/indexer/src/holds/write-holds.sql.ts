import { statement } from '@launch/platform';

/** Appends the judgements of the JSON array $2 to logs whose last one is that their evidence was unreadable. */
export const SETTLE_UNREADABLE = statement({
  name: 'write-holds.settle-unreadable',
  text: `
    INSERT INTO quarantine_judgements (release_digest, block_hash, transaction_hash, log_index, ordinal, outcome, reason, detail, token_address)
    SELECT last.release_digest, last.block_hash, last.transaction_hash, last.log_index, last.ordinal + 1, found.outcome, found.reason,
           found.detail, found.token_address
      FROM json_to_recordset($2::json) AS found (
             block_hash text, transaction_hash text, log_index int, outcome text, reason text, detail text, token_address text)
     CROSS JOIN LATERAL (
       SELECT j.* FROM quarantine_judgements j
        WHERE j.release_digest = $1 AND j.block_hash = found.block_hash
          AND j.transaction_hash = found.transaction_hash AND j.log_index = found.log_index
        ORDER BY j.ordinal DESC LIMIT 1) AS last
     WHERE last.outcome = 'fail' AND last.reason = 'EVIDENCE_UNREADABLE'`,
});
