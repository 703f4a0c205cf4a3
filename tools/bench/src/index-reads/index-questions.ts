import type { Question } from '../reads/charged-asking-fastify.child.js';

// The gateway's statements of its reads of the index (apps/api-gateway/src/products/index/data/index-rows.repository.ts).
const SOURCES = `SELECT release_digest, document, status, state, state_reason, checkpoint_number, checkpoint_hash, checkpoint_at,
  finalized_head, provisional_number, updated_at FROM published.source ORDER BY chain_id, address, release_digest`;
const LAUNCH = `SELECT sequence, finality_stage, transaction_index, record, metadata FROM published.launch`;
const ADMITTED = `${LAUNCH} WHERE sequence > $1 AND ($2::int IS NULL OR chain_id = $2) AND ($3::text IS NULL OR source_kind = $3)
  ORDER BY sequence LIMIT $4`;
const FILTER = `WHERE ($1 = 'all' OR ($1 = 'custom') = (source_kind IN ('custom-router-v1', 'custom-multi-role-v2', 'ethereum-custom-v1') AND launch_kind IS DISTINCT FROM 2))
  AND ($2::text IS NULL OR name ILIKE $2 OR symbol ILIKE $2) AND ($3::text IS NULL OR token_address = $3) AND ($4::text IS NULL OR creator = $4)`;
const COUNT = `SELECT count(*)::int AS total FROM published.launch ${FILTER}`;
const NEWEST = `${LAUNCH} ${FILTER} ORDER BY launched_at DESC, chain_id, block_number DESC, log_index DESC LIMIT $5 OFFSET $6`;
const QUARANTINE = `SELECT release_digest, reason, dismissed_reason IS NOT NULL AS dismissed, count(*)::int AS count FROM published.quarantine
  GROUP BY release_digest, reason, dismissed ORDER BY release_digest, reason, dismissed`;

const sources: Question = { name: 'sources', text: SOURCES, values: [] };
const all = ['all', null, null, null];

/** The gateway's queries for the first page of a list, and for the status. */
export const FEED: readonly Question[] = [sources, { name: 'admitted', text: ADMITTED, values: ['0', null, null, 26] }];
export const EXPLORE: readonly Question[] = [
  sources,
  { name: 'count', text: COUNT, values: all },
  { name: 'newest', text: NEWEST, values: [...all, 50, 0] },
];
export const STATUS: readonly Question[] = [sources, { name: 'quarantine', text: QUARANTINE, values: [] }];
