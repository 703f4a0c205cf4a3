import type { Hex } from '@launch/contracts';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Stack } from '@launch/contracts';
import { askDaemon, type RunDaemon } from '@launch/testing';
import { privateKeyToAccount } from 'viem/accounts';
import { accessTo, type StackAccess } from './own-stack.js';
import type { SharedStackName } from './shared-stacks.js';

const STACKS: RunDaemon = { name: 'stacks', script: fileURLToPath(new URL('./stacks.daemon.ts', import.meta.url)) };
/** Enough for every launch that a suite sends. */
const FUNDS_WEI = 1_000_000_000_000_000_000_000n;

/**
 * A stack that other suites use at the same time, with a controller of one's own: wallet, keys, nonces and idempotency keys
 * are nobody else's. The stack ends with the run.
 */
export async function useStack(name: SharedStackName): Promise<StackAccess> {
  const stack = await askDaemon<Stack>(`/${name}`, STACKS);
  const privateKey = `0x${randomBytes(32).toString('hex')}` as const;
  const address = privateKeyToAccount(privateKey).address.toLowerCase();
  const folder = path.join(stack.dataDir, 'wallets');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const privateKeyFile = path.join(folder, `${address}.key`);
  await writeFile(privateKeyFile, privateKey, { mode: 0o600 });
  const funded = await fetch(`${stack.faults}/chains/4663/fund`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address, wei: FUNDS_WEI.toString() }),
  });
  if (!funded.ok) throw new Error(`the wallet of a suite was not funded: ${funded.status} ${await funded.text()}`);
  return accessTo({ ...stack, controller: { address: address as Hex, privateKeyFile } });
}
