import type { StateProof } from '@launch/contracts';
import { readAccountProof, readStorageProof, stampProofSlot } from '@launch/evm';
import type { Hex } from 'viem';
import { z } from 'zod';
import type { LaunchTarget } from '../finality/launch-target.js';
import { stateBlockParameter } from '../reads/block-ref.js';
import type { RpcObserver } from '../rpc/observer.js';
import { ask, rpcData } from '../rpc/rpc-answers.schema.js';
import { readHeader } from './prove-transaction.js';
import { UnprovableError } from './unprovable.error.js';

const nodes = z.array(rpcData).min(1).max(64);
const accountProofSchema = z.object({ accountProof: nodes, storageProof: z.array(z.object({ proof: nodes })).max(4) });

/**
 * Proves three facts against the state root of the launch's block: the router's code hash, its `stampProof` of the
 * launch, and the code hash of every stamped account. Each proof is read before it is kept.
 * @throws ChainError, EvmError, UnprovableError `STATE_DIFFERS` also for a router that keeps its stamps elsewhere
 */
export async function proveState(observer: RpcObserver, target: LaunchTarget, blockHash: Hex): Promise<StateProof> {
  const { header } = await readHeader(observer, blockHash);
  const block = stateBlockParameter({ hash: blockHash });
  const { stamp, router } = target;
  const slot = stampProofSlot(stamp.launchId);
  const routerProof = await ask(observer, 'eth_getProof', [router, [slot], block], accountProofSchema);
  const stampProofNodes = routerProof.storageProof[0]?.proof ?? [];
  const routerAccount = readAccountProof(header.stateRoot, router, routerProof.accountProof);
  if (
    routerAccount?.codeHash !== target.routerCodeHash ||
    readStorageProof(routerAccount.storageRoot, slot, stampProofNodes) !== stamp.stampProof
  )
    throw new UnprovableError('STATE_DIFFERS');
  const accounts: StateProof['accounts'] = [];
  // One account at a time: a launch may list dozens, and a provider counts requests.
  for (const { account, runtimeCodeHash } of stamp.accounts) {
    const { accountProof } = await ask(observer, 'eth_getProof', [account, [], block], accountProofSchema);
    if (readAccountProof(header.stateRoot, account, accountProof)?.codeHash !== runtimeCodeHash)
      throw new UnprovableError('STATE_DIFFERS');
    accounts.push({ account, nodes: accountProof });
  }
  return { kind: 'proof', router: { accountNodes: routerProof.accountProof, stampProofNodes }, accounts };
}
