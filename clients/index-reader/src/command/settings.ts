import type { Patience } from '@launch/client-core/transport';
import { openObserverPair, type ObserverLog, type ObserverPair } from '@launch/chain';
import type { IndexedChain } from '@launch/contracts/index';
import { addressOf, bytes32Schema, type Hex } from '@launch/contracts/primitives';
import { ArgumentError } from './command.error.js';

export type Environment = Readonly<Record<string, string | undefined>>;
export type Options = Readonly<Record<string, string>>;

/** The surroundings of a command. */
export interface World {
  readonly environment: Environment;
  readonly log: ObserverLog;
  /** The patience of `--retry`; null without the option. */
  readonly patience: Patience | null;
}

/** Reads the chain, which the declaration limits to the two indexed ones. */
export const readChainId = ({ 'chain-id': text }: Options): IndexedChain => (text === '1' ? 1 : 4663);

/** Reads the token address. A checksum, if present, must hold. */
export function readToken({ token }: Options): Hex {
  const address = addressOf(token ?? '');
  if (address === null) throw new ArgumentError('--token', 'is an address');
  return address;
}

export function readTransaction({ transaction }: Options): Hex {
  const read = bytes32Schema.safeParse(transaction?.toLowerCase());
  if (!read.success) throw new ArgumentError('--transaction', 'is the hash of a transaction');
  return read.data as Hex;
}

export const readPageSize = ({ 'page-size': text }: Options): { readonly pageSize?: number } =>
  text === undefined ? {} : { pageSize: Number(text) };

/**
 * Reads the endpoints that a chain's verification needs.
 * @param log receives a warning if one operator may run both endpoints of a chain.
 * @throws {ArgumentError | ChainError} for missing or unusable endpoints.
 */
export function readEndpoints(
  environment: Environment,
  chainId: IndexedChain,
  log: ObserverLog,
): { readonly 1: ObserverPair; readonly 4663?: ObserverPair } {
  const pairOf = (chain: IndexedChain): ObserverPair => {
    const variable = `RPC_${chain}_URLS`;
    const text = environment[variable];
    if (text === undefined || text === '') throw new ArgumentError(variable, 'names two endpoints, id=url,id=url');
    return openObserverPair(variable, text, chain, { logger: log });
  };
  return chainId === 1 ? { 1: pairOf(1) } : { 1: pairOf(1), 4663: pairOf(4663) };
}
