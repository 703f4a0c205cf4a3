import { randomBytes } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 26;
/** Random bytes are drawn for so many ids at once: a call for each costs more than all else about an id. */
const DRAWN_IDS = 256;

/** Characters of ids to come. */
let drawn = '';
let used = 0;

/** A request id: `req_` and 26 characters of Crockford base32 (130 random bits). */
export function newRequestId(): string {
  if (used === drawn.length) [drawn, used] = [draw(), 0];
  return `req_${drawn.slice(used, (used += LENGTH))}`;
}

function draw(): string {
  const bytes = randomBytes(LENGTH * DRAWN_IDS);
  for (let index = 0; index < bytes.length; index += 1)
    bytes[index] = CROCKFORD.charCodeAt((bytes[index] as number) & 31);
  return bytes.toString('latin1');
}

export const REQUEST_ID_PATTERN = /^req_[0-9A-HJKMNP-TV-Z]{26}$/;
