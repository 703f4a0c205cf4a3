import type pg from 'pg';

const QUESTION = `
  SELECT coalesce(bool_or(has_table_privilege(current_user, name, 'UPDATE, DELETE, TRUNCATE')), true) AS "rewrite"
  FROM unnest(ARRAY['decision', 'permit_signature']) AS name`;

/**
 * Whether the connected role could change or remove what custody decided. True for a superuser. Custody does not
 * work with such a role: a signing key and the power to forget what was signed must not meet in one process.
 */
export async function mayRewriteDecisions(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ rewrite: boolean }>(QUESTION);
  return rows[0]?.rewrite ?? true;
}
