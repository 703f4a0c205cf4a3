import path from 'node:path';
import {
  agree,
  ChainError,
  createObserverPair,
  getCodeAgreed,
  parseObserverUrls,
  type ObserverEndpoint,
  type ObserverPair,
} from '@launch/chain';
import { keccak256Hex, type Hex } from '@launch/contracts/primitives';
import { ConfigError, loadConfig } from '@launch/platform';
import { z } from 'zod';
import { DeployError } from './deploy.error.js';

/** Both observers of each chain, as `RPC_4663_URLS` and `RPC_1_URLS` name them. */
export interface ObserverUrls {
  readonly l2: string;
  readonly l1: string;
}

const urls = z.object({ RPC_4663_URLS: z.string(), RPC_1_URLS: z.string() });
const FILES = { RPC_4663_URLS: 'rpc-4663-urls', RPC_1_URLS: 'rpc-1-urls' } as const;

/**
 * Reads the observers from the environment, and those that it does not name from the folder of secrets.
 *
 * @throws {DeployError} CONFIGURATION_INVALID
 */
export function readObserverUrls(env: NodeJS.ProcessEnv, secrets: string): ObserverUrls {
  const given: NodeJS.ProcessEnv = { ...env };
  for (const [variable, file] of Object.entries(FILES))
    if (!given[variable] && !given[`${variable}_FILE`]) given[`${variable}_FILE`] = path.join(secrets, file);
  try {
    const { RPC_4663_URLS: l2, RPC_1_URLS: l1 } = loadConfig(urls, given);
    return { l2, l1 };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new DeployError(
      'CONFIGURATION_INVALID',
      error.message,
      `Write two observers of each chain, id=url,id=url, to ${Object.values(FILES)
        .map((file) => path.join(secrets, file))
        .join(' and ')}, or name the folder by --secrets.`,
    );
  }
}

/** @throws {DeployError} CONFIGURATION_INVALID */
export function endpointsOf(variable: keyof typeof FILES, text: string): readonly [ObserverEndpoint, ObserverEndpoint] {
  try {
    return parseObserverUrls(variable, text);
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    throw new DeployError(
      'CONFIGURATION_INVALID',
      error.message,
      `${variable} names two observers on distinct hosts as id=url,id=url, by https outside private networks.`,
    );
  }
}

/** Opens both observers of one chain. @throws {DeployError} CONFIGURATION_INVALID */
export const observersOf = (given: ObserverUrls, chainId: 1 | 4663): ObserverPair =>
  createObserverPair(
    chainId === 1 ? endpointsOf('RPC_1_URLS', given.l1) : endpointsOf('RPC_4663_URLS', given.l2),
    chainId,
  );

/** A contract with the hash of its code. */
export interface PinnedContract {
  readonly address: Hex;
  readonly runtimeCodeHash: Hex;
}

/**
 * Returns a contract with the code that both observers show.
 *
 * @throws {DeployError} OBSERVERS_UNAVAILABLE, CODE_MISSING
 */
export async function pinContract(observers: ObserverPair, name: string, address: Hex): Promise<PinnedContract> {
  const code = await getCodeAgreed(observers, address);
  if (code.kind === 'indeterminate')
    throw observersUnavailable(`${name}: the observers do not agree on its code: ${code.reason}`);
  if (code.value === '0x')
    throw new DeployError(
      'CODE_MISSING',
      `${name}: there is no code at ${address}`,
      'Correct the address, or deploy the contract first.',
    );
  return { address, runtimeCodeHash: keccak256Hex(Buffer.from(code.value.slice(2), 'hex')) };
}

/** Returns the hash of a block by both observers; null for none. @throws {DeployError} OBSERVERS_UNAVAILABLE */
export async function blockHashOf(observers: ObserverPair, chainId: number, block: string): Promise<string | null> {
  const number = `0x${BigInt(block).toString(16)}`;
  const shown = await agree(observers, `block ${block} of chain ${chainId}`, async (observer) => {
    const found = (await observer.request('eth_getBlockByNumber', [number, false])) as { hash?: string } | null;
    return found?.hash ?? null;
  });
  if (shown.kind === 'indeterminate') throw observersUnavailable(`manifest: ${shown.reason}`);
  return shown.value;
}

export const observersUnavailable = (message: string): DeployError =>
  new DeployError(
    'OBSERVERS_UNAVAILABLE',
    message,
    'Run the command again once both observers answer and are at one head.',
  );
