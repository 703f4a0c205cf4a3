import { ChainError, createObserverPair, parseObserverUrls, type ObserverPair } from '@launch/chain';
import type { IndexedChain } from '@launch/contracts/index';
import { ReaderError } from './reader.error.js';

export type { ObserverPair };

/**
 * Opens two endpoints of one chain on two hosts. A statement of only one of them is not a fact.
 * @param urls HTTPS, or HTTP of loopback and private hosts.
 * @throws {ReaderError} `ENDPOINTS_UNUSABLE`, which never repeats a URL.
 */
export function openObservers(chainId: IndexedChain, urls: readonly string[]): ObserverPair {
  try {
    const named = urls.map((url, index) => `endpoint-${index + 1}=${url}`).join(',');
    return createObserverPair(parseObserverUrls(`endpoints of chain ${chainId}`, named), chainId);
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    throw new ReaderError('ENDPOINTS_UNUSABLE', `chain ${chainId} needs two HTTPS endpoints on different hosts`);
  }
}
