import { keccak256Hex, type Hex } from '@launch/contracts/primitives';
import { ChainError } from '../chain.error.js';
import { createObserverPair, type Exchanged, type ObserverPair } from './observer.js';
import { observerHost, type ObserverHost } from './observer-hosts.js';
import { DEFAULT_RPC_LIMITS } from './rpc-limits.js';

export interface ObserverEndpoint {
  /** Stable name of the provider, as published in the context's provider profile. */
  readonly id: string;
  readonly url: string;
  /** keccak-256 of the UTF-8 origin (`scheme://host[:port]`, lowercase): binds the provider without publishing it. */
  readonly originCommitment: Hex;
}

/** The part of a logger that a start-up warning needs. */
export interface ObserverLog {
  warn(about: object, message: string): void;
}

/** Receives the start-up warning and every exchange of both observers. */
export interface ObserverReports {
  readonly logger: ObserverLog;
  readonly exchanged?: Exchanged;
}

interface LocatedEndpoint {
  readonly endpoint: ObserverEndpoint;
  readonly host: ObserverHost;
}

const ID = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * Parses `id=url,id=url` (`RPC_4663_URLS`, `RPC_1_URLS`): exactly two observers with distinct ids on distinct hosts.
 * With two names for one host every agreement would be an echo, so they are refused regardless of paths, ports and
 * spellings. On loopback, where development runs both observers, the ports must differ. Plain HTTP is accepted only for
 * loopback, private addresses and private names: elsewhere the network could answer for both observers.
 * @throws ChainError RPC_CONFIGURATION_INVALID, which never contains a URL.
 */
export function parseObserverUrls(variable: string, text: string): readonly [ObserverEndpoint, ObserverEndpoint] {
  const [first, second] = locateObservers(variable, text);
  return [first.endpoint, second.endpoint];
}

/**
 * Opens both observers of a chain from `RPC_*_URLS`, and warns if one operator may run both.
 * @throws ChainError RPC_CONFIGURATION_INVALID, which never contains a URL.
 */
export function openObserverPair(
  variable: string,
  text: string,
  chainId: number,
  { logger, exchanged }: ObserverReports,
): ObserverPair {
  const [first, second] = locateObservers(variable, text);
  const { registrableDomain } = first.host;
  if (registrableDomain !== null && registrableDomain === second.host.registrableDomain)
    logger.warn(
      { variable, observers: [first.endpoint.id, second.endpoint.id] },
      'both observers of a chain are hosts of one registrable domain; use two independent providers',
    );
  return createObserverPair([first.endpoint, second.endpoint], chainId, DEFAULT_RPC_LIMITS, exchanged);
}

function locateObservers(variable: string, text: string): readonly [LocatedEndpoint, LocatedEndpoint] {
  const refuse = (problem: string): never => {
    throw new ChainError('RPC_CONFIGURATION_INVALID', { variable, problem });
  };
  const located = text.split(',').map((part) => locateEndpoint(part.trim(), refuse));
  const [first, second] = located;
  if (located.length !== 2 || first === undefined || second === undefined)
    return refuse('exactly two id=url pairs are required');
  if (first.endpoint.id === second.endpoint.id) return refuse('the two observers need distinct ids');
  if (first.host.key === second.host.key) {
    if (first.host.reach !== 'loopback') return refuse('the two observers must not share a host');
    if (portOf(first.endpoint.url) === portOf(second.endpoint.url))
      return refuse('two observers on loopback need distinct ports');
  }
  return [first, second];
}

function locateEndpoint(part: string, refuse: (problem: string) => never): LocatedEndpoint {
  const split = part.indexOf('=');
  const id = part.slice(0, Math.max(split, 0));
  if (!ID.test(id))
    return refuse('each observer is written id=url; an id is 1-64 letters, digits, dot, underscore, hyphen');
  const text = part.slice(split + 1);
  if (!URL.canParse(text)) return refuse(`the URL of observer ${id} does not parse`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return refuse(`the URL of observer ${id} is neither http nor https`);
  const host = observerHost(url.hostname);
  if (host === null) return refuse(`the URL of observer ${id} does not name a host`);
  if (url.protocol === 'http:' && host.reach === 'public')
    return refuse(`the URL of observer ${id} needs https: only loopback and private hosts may use http`);
  return { endpoint: { id, url: url.href, originCommitment: originCommitment(url.href) }, host };
}

function portOf(text: string): string {
  const { port, protocol } = new URL(text);
  return port === '' ? (DEFAULT_PORTS[protocol] ?? '') : port;
}

/** Hashes a URL's canonical origin with keccak-256. */
export const originCommitment = (url: string): Hex => keccak256Hex(new TextEncoder().encode(new URL(url).origin));
