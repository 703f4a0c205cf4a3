import { randomBytes } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 26;

/** A request id: `req_` and 26 characters of Crockford base32 (130 random bits). */
export function newRequestId(): string {
  const bytes = randomBytes(LENGTH);
  let id = 'req_';
  for (const byte of bytes) id += CROCKFORD[byte & 31];
  return id;
}

export const REQUEST_ID_PATTERN = /^req_[0-9A-HJKMNP-TV-Z]{26}$/;
