import type { ObserverPair, RpcObserver } from '../rpc/observer.js';
import { ask, rpcQuantity } from '../rpc/rpc-answers.schema.js';
import { agree, type Agreement } from './agreement.js';

/** The chain that both observers say they serve. */
export const agreedChainId = (pair: ObserverPair): Promise<Agreement<bigint>> =>
  agree<RpcObserver, bigint>(pair, 'chain id', (observer) => ask(observer, 'eth_chainId', [], rpcQuantity));

export const servesItsChain = (pair: ObserverPair, chainId: bigint): boolean =>
  pair.every((observer) => BigInt(observer.chainId) === chainId);

/** Why nothing that they answer may be taken for the chain that they are configured for; null where it may. */
export async function chainIdFault(pair: ObserverPair): Promise<string | null> {
  const chainId = await agreedChainId(pair);
  if (chainId.kind === 'indeterminate') return chainId.reason;
  return servesItsChain(pair, chainId.value)
    ? null
    : `chain id: the observers serve ${chainId.value}, not ${pair[0].chainId}`;
}
