import { randomInt } from 'node:crypto';
import { addressSchema, uint256Schema, unixSecondsSchema, type Hex } from '@launch/contracts/primitives';
import type { OptionDeclaration } from '@launch/client-core/command';
import { z } from 'zod';
import type { OptionReader } from '../offline/option-reader.js';

/** Options of both builders whose values hold for one launch only. */
export const LIVE_OPTIONS: readonly OptionDeclaration[] = [
  { name: 'nonce', value: 'n', summary: 'a number that the wallet has not launched with; drawn by default' },
  { name: 'valid-after', value: 'unix seconds', summary: 'begin the permit window', default: 'now' },
  { name: 'deadline', value: 'unix seconds', summary: 'end the permit window', default: '3000 seconds later' },
  { name: 'creator-recipient', value: 'address', summary: "receive the creator's fees", default: 'the wallet' },
];
export const CAPABILITIES_OPTION: OptionDeclaration = {
  name: 'capabilities',
  value: 'file',
  summary: 'read the saved capabilities of the service',
};
export const WALLET_OPTION: OptionDeclaration = { name: 'wallet', value: 'address', summary: 'the controller' };

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
