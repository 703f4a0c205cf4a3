import { finding, LIMITS } from '@launch/contracts';
import { ApiError } from '../errors/api.error.js';

export interface ListQuery {
  readonly limit: number;
  readonly cursor: string | null;
}

const LIMIT_FORM = /^[1-9][0-9]?$/;

/**
 * The two parameters of a list, each at most once: `limit` 1-25 without leading zeros and an opaque `cursor`.
 * @param raw the query as it was sent, without the question mark.
 * @throws ApiError `QUERY_INVALID` with every finding.
 */
export function readListQuery(raw: string, defaultLimit: number): ListQuery {
  const parameters = new URLSearchParams(raw);
  const names = [...new Set(parameters.keys())];
  const findings = names
    .filter((name) => (name !== 'limit' && name !== 'cursor') || parameters.getAll(name).length > 1)
    .slice(0, 32)
    .map((name) =>
      finding('QUERY_INVALID', `/${name.slice(0, 64)}`, { expected: 'limit and cursor, each at most once' }),
    );
  const limit = parameters.get('limit');
  if (limit !== null && (!LIMIT_FORM.test(limit) || Number(limit) > LIMITS.listMax)) {
    findings.push(finding('QUERY_INVALID', '/limit', { expected: `1 to ${LIMITS.listMax}` }));
  }
  if (findings.length > 0) throw new ApiError('QUERY_INVALID', { findings });
  return { limit: limit === null ? defaultLimit : Number(limit), cursor: parameters.get('cursor') };
}
