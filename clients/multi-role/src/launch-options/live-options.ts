import { randomInt } from 'node:crypto';
import { addressSchema, uint256Schema, unixSecondsSchema, type Hex } from '@launch/contracts/primitives';
import { z } from 'zod';
import type { OptionReader } from '../offline/option-reader.js';

/** Options of both builders whose values hold for one launch only, for `CommandShape`. */
export const LIVE_OPTIONS = {
  required: ['capabilities', 'wallet'],
  optional: ['nonce', 'valid-after', 'deadline', 'creator-recipient'],
} as const;

/** The section on live options in both builders' `--help`. */
export const LIVE_HELP = `--nonce <n> is a number that the wallet has not launched with; without it the builder draws one.
--valid-after and --deadline <unix seconds> bound the permit window, which begins now and lasts 3000
seconds unless given. The same arguments with all three give the same bytes.
The creator's fees go to the wallet unless --creator-recipient names another account.
`;

/** Long enough to sign and send in, and shorter than the longest window that the service accepts. */
const WINDOW_SECONDS = 3_000n;

/** The largest range that `randomInt` draws from, so that two launches of a wallet do not meet. */
const NONCES = 2 ** 48 - 1;

export interface LiveOptions {
  readonly wallet: Hex;
  readonly creatorRecipient: Hex;
  readonly nonce: bigint;
  readonly validAfter: bigint;
  readonly deadline: bigint;
}

/** Reads the live options, with a drawn nonce and a window from now where they are not given. */
export function readLiveOptions(reader: OptionReader): LiveOptions {
  const address = z.string().toLowerCase().pipe(addressSchema);
  const seconds = 'is not a time in unix seconds';
  const now = String(Math.floor(Date.now() / 1_000));
  const wallet = reader.read('wallet', address, 'is not an address') as Hex;
  const validAfter = BigInt(reader.read('valid-after', unixSecondsSchema, seconds) ?? now);
  const deadline = reader.read('deadline', unixSecondsSchema, seconds);
  return {
    wallet,
    creatorRecipient: (reader.read('creator-recipient', address, 'is not an address') as Hex | null) ?? wallet,
    nonce: BigInt(reader.read('nonce', uint256Schema, 'is not a nonce') ?? randomInt(NONCES)),
    validAfter,
    deadline: deadline === null ? validAfter + WINDOW_SECONDS : BigInt(deadline),
  };
}
