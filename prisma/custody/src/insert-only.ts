import type pg from 'pg';

const QUESTION = `
  SELECT coalesce(bool_or(has_table_privilege(current_user, name, 'UPDATE, DELETE, TRUNCATE')), true) AS "rewrite"
  FROM unnest(ARRAY['decision', 'permit_signature']) AS name`;

/**
 * Returns whether the connected role could change or remove custody's decisions. True for a superuser. Custody does not
 * work with such a role: a signing key and the power to forget a signature must not meet in one process.
 */
export async function mayRewriteDecisions(pool: pg.Pool): Promise<boolean> {
  const [row]: readonly unknown[] = (await pool.query(QUESTION)).rows;
  // Only an explicit "no" clears the role.
  return !(typeof row === 'object' && row !== null && 'rewrite' in row && row.rewrite === false);
}
