import { randomBytes } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 26;
/** Random bytes are drawn for so many ids at once: a call for each costs more than all else about an id. */
const DRAWN_IDS = 256;

let drawn = Buffer.alloc(0);
let used = 0;

/** A request id: `req_` and 26 characters of Crockford base32 (130 random bits). */
export function newRequestId(): string {
  if (used === drawn.length) [drawn, used] = [randomBytes(LENGTH * DRAWN_IDS), 0];
  let id = 'req_';
  for (const byte of drawn.subarray(used, (used += LENGTH))) id += CROCKFORD[byte & 31];
  return id;
}

export const REQUEST_ID_PATTERN = /^req_[0-9A-HJKMNP-TV-Z]{26}$/;
