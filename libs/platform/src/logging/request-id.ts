import { randomFillSync } from 'node:crypto';

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

/** Two characters by each ten bits: a character a step costs twice. */
const PAIRS = Uint16Array.from(
  { length: 1_024 },
  (_, bits) => CROCKFORD.charCodeAt(bits & 31) | (CROCKFORD.charCodeAt(bits >> 5) << 8),
);

function draw(): string {
  const pairs = new Uint16Array((LENGTH * DRAWN_IDS) / 2);
  randomFillSync(pairs);
  for (let index = 0; index < pairs.length; index += 1)
    pairs[index] = PAIRS[(pairs[index] as number) & 1_023] as number;
  return Buffer.from(pairs.buffer).toString('latin1');
}

export const REQUEST_ID_PATTERN = /^req_[0-9A-HJKMNP-TV-Z]{26}$/;
