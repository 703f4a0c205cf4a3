import { ChainError, getCodeHash, type ObserverPair, type RpcObserver } from '@launch/chain';
import type { Hex } from '@launch/contracts/primitives';

/** The code that one observer shows at an account: a hash, null without code, undefined without an answer. */
export interface ShownCode {
  readonly observer: string;
  readonly hash: Hex | null | undefined;
}

/** Asks both observers of a chain separately. The caller judges differences between them. */
export async function codeShownBy(
  pair: ObserverPair | null,
  address: Hex,
  at: 'latest' | bigint,
): Promise<readonly ShownCode[]> {
  if (pair === null) return [];
  return Promise.all(pair.map((observer) => shownBy(observer, address, at)));
}

async function shownBy(observer: RpcObserver, address: Hex, at: 'latest' | bigint): Promise<ShownCode> {
  try {
    return { observer: observer.id, hash: await getCodeHash(observer, address, at) };
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return { observer: observer.id, hash: undefined };
  }
}
