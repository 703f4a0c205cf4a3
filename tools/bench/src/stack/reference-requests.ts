import { randomBytes } from 'node:crypto';
import { canonicalizeJson } from '@launch/contracts/json';
import { launchIntentHash, type CreateRequest, type LaunchContext } from '@launch/contracts/multi-role';
import { keccak256Hex } from '@launch/contracts/primitives';
import { packReference } from '@launch/e2e';
import type { Hex } from '@launch/evm';
import { buildDevelopmentContext } from '@launch/start';

export interface PackedReference {
  readonly bytes: Uint8Array;
  readonly request: CreateRequest;
}

const WINDOW_SECONDS = 1_800n;
const seconds = (): bigint => BigInt(Math.floor(Date.now() / 1_000));
const freshNonce = (): bigint => BigInt(`0x${randomBytes(16).toString('hex')}`);

/** A reference request for this wallet with a nonce of its own, packed by the client's functions; its salt is mined. */
export function packFresh(context: LaunchContext, wallet: Hex): Promise<PackedReference> {
  const now = seconds();
  return packReference({
    context,
    wallet,
    nonce: freshNonce(),
    validAfter: now - 60n,
    deadline: now - 60n + WINDOW_SECONDS,
  });
}

/**
 * The bytes of many requests that differ in nonce and intent hash alone: all that a reservation distinguishes,
 * without mining a salt for each. They are never launched.
 */
export function renonced(request: CreateRequest, count: number): Uint8Array[] {
  return Array.from({ length: count }, () => {
    const other = { ...request, nonce: freshNonce().toString() };
    return canonicalizeJson({ ...other, launchIntentHash: launchIntentHash(other) });
  });
}

const account = (digit: string): Hex => `0x${digit.repeat(40)}`;
const code = (digit: string): { address: string; runtimeCodeHash: string } => ({
  address: account(digit),
  runtimeCodeHash: keccak256Hex(new TextEncoder().encode(digit)),
});

/** Members of a launch that a packer reads. */
export interface FreshLaunch {
  readonly context: LaunchContext;
  readonly wallet: Hex;
  readonly nonce: bigint;
  readonly permitWindow: { readonly validAfter: string; readonly deadline: string };
}

export function freshLaunch(context: LaunchContext, wallet: Hex): FreshLaunch {
  const validAfter = seconds() - 60n;
  const permitWindow = { validAfter: validAfter.toString(), deadline: (validAfter + WINDOW_SECONDS).toString() };
  return { context, wallet, nonce: freshNonce(), permitWindow };
}

/** Returns a launch without a chain, for measurements of pure work. */
export function offlineLaunch(): FreshLaunch {
  const provider = (chain: string, port: number) => ({ id: `${chain}-${port}`, url: `http://127.0.0.1:${port}` });
  const chains = {
    contracts: {
      router: code('a'),
      poolManager: code('b'),
      sequencerInbox: code('c'),
      bridge: code('d'),
      nodeInterface: code('e'),
    },
    rpc: { '4663': [provider('l2', 1), provider('l2', 2)], '1': [provider('l1', 3), provider('l1', 4)] },
    platformFeeRecipient: account('5'),
    permitAuthority: { address: account('6') },
    genesisL2Block: 50_469_364,
  } as unknown as Parameters<typeof buildDevelopmentContext>[0];
  return freshLaunch(buildDevelopmentContext(chains), account('7'));
}

/** Packs a reference request of a context without a chain. */
export function packOffline(): Promise<PackedReference> {
  const { context, wallet } = offlineLaunch();
  return packFresh(context, wallet);
}
