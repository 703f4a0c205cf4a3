import { randomFillSync } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 26;
/** The number of ids for which random bytes are drawn at once: one call per id would dominate its cost. */
const DRAWN_IDS = 256;

/** Characters for the next ids. */
let drawn = '';
let used = 0;

/** Returns a new request id: `req_` and 26 characters of Crockford base32 (130 random bits). */
export function newRequestId(): string {
  if (used === drawn.length) [drawn, used] = [draw(), 0];
  return `req_${drawn.slice(used, (used += LENGTH))}`;
}

/** Two characters for each ten bits: one character per step would cost twice as much. */
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
