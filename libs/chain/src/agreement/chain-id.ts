import type { ObserverPair, RpcObserver } from '../rpc/observer.js';
import { ask, rpcQuantity } from '../rpc/rpc-answers.schema.js';
import { agree, type Agreement } from './agreement.js';

/** Reads the chain ID that both observers report. */
export const agreedChainId = (pair: ObserverPair): Promise<Agreement<bigint>> =>
  agree<RpcObserver, bigint>(pair, 'chain id', (observer) => ask(observer, 'eth_chainId', [], rpcQuantity));

export const servesItsChain = (pair: ObserverPair, chainId: bigint): boolean =>
  pair.every((observer) => BigInt(observer.chainId) === chainId);

/** Returns the reason why the observers' answers cannot belong to their configured chain, or null if they can. */
export async function chainIdFault(pair: ObserverPair): Promise<string | null> {
  const chainId = await agreedChainId(pair);
  if (chainId.kind === 'indeterminate') return chainId.reason;
  return servesItsChain(pair, chainId.value)
    ? null
    : `chain id: the observers serve ${chainId.value}, not ${pair[0].chainId}`;
}
