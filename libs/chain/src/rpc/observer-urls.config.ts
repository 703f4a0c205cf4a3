import { keccak256Hex, type Hex } from '@launch/contracts';
import { ChainError } from '../chain.error.js';

export interface ObserverEndpoint {
  /** Stable name of the provider, as published in the context's provider profile. */
  readonly id: string;
  readonly url: string;
  /** keccak-256 of the UTF-8 origin (`scheme://host[:port]`, lowercase): binds the provider without publishing it. */
  readonly originCommitment: Hex;
}

const ID = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/;

/**
 * Reads `id=url,id=url` (`RPC_4663_URLS`, `RPC_1_URLS`): exactly two observers with
 * distinct ids on distinct origins. Two names for one origin would make every
 * agreement an echo, so it is refused.
 * @throws ChainError RPC_CONFIGURATION_INVALID, which never repeats a URL.
 */
export function parseObserverUrls(variable: string, text: string): readonly [ObserverEndpoint, ObserverEndpoint] {
  const refuse = (problem: string): never => {
    throw new ChainError('RPC_CONFIGURATION_INVALID', { variable, problem });
  };
  const endpoints = text.split(',').map((part) => parseEndpoint(part.trim(), refuse));
  const [first, second] = endpoints;
  if (endpoints.length !== 2 || first === undefined || second === undefined)
    return refuse('exactly two id=url pairs are required');
  if (first.id === second.id) return refuse('the two observers need distinct ids');
  if (first.originCommitment === second.originCommitment) return refuse('the two observers must not share an origin');
  return [first, second];
}

function parseEndpoint(part: string, refuse: (problem: string) => never): ObserverEndpoint {
  const split = part.indexOf('=');
  const id = part.slice(0, Math.max(split, 0));
  if (!ID.test(id))
    return refuse('each observer is written id=url; an id is 1-64 letters, digits, dot, underscore, hyphen');
  const text = part.slice(split + 1);
  if (!URL.canParse(text)) return refuse(`the URL of observer ${id} does not parse`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return refuse(`the URL of observer ${id} is neither http nor https`);
  return { id, url: url.href, originCommitment: originCommitment(url.href) };
}

/** keccak-256 of a URL's canonical origin. */
export const originCommitment = (url: string): Hex => keccak256Hex(new TextEncoder().encode(new URL(url).origin));
