import type { CodeProof, StateProof } from '@launch/contracts/launch';
import { readAccountProof, readStorageProof, stampProofSlot, stampProofSlotV1 } from '@launch/evm';
import type { Hex } from 'viem';
import { z } from 'zod';
import type { ComponentTarget, MultiRoleTarget, StampedTarget } from '../finality/launch-target.js';
import { stateBlockParameter } from '../reads/block-ref.js';
import type { RpcObserver } from '../rpc/observer.js';
import { ask, rpcData } from '../rpc/rpc-answers.schema.js';
import { readHeader } from './prove-transaction.js';
import { UnprovableError } from './unprovable.error.js';

const nodes = z.array(rpcData).min(1).max(64);
const accountProofSchema = z.object({ accountProof: nodes, storageProof: z.array(z.object({ proof: nodes })).max(4) });

/**
 * Proves three facts against the state root of the launch's block: the router's code hash, its `stampProof` of the
 * launch, and the code hash of every stamped account. Each proof is verified before it is kept.
 * @throws ChainError, EvmError, UnprovableError `STATE_DIFFERS` also for a router that stores its stamps in another
 * slot
 */
export async function proveState(
  observer: RpcObserver,
  target: MultiRoleTarget | StampedTarget,
  blockHash: Hex,
): Promise<StateProof> {
  const { header } = await readHeader(observer, blockHash);
  const block = stateBlockParameter({ hash: blockHash });
  const { router } = target;
  const { slot, proof, stamped } = keptStampOf(target);
  const routerProof = await ask(observer, 'eth_getProof', [router, [slot], block], accountProofSchema);
  const stampProofNodes = routerProof.storageProof[0]?.proof ?? [];
  const routerAccount = readAccountProof(header.stateRoot, router, routerProof.accountProof);
  if (
    routerAccount?.codeHash !== target.routerCodeHash ||
    readStorageProof(routerAccount.storageRoot, slot, stampProofNodes) !== proof
  )
    throw new UnprovableError('STATE_DIFFERS');
  const accounts: StateProof['accounts'] = [];
  // One account at a time: a launch may list dozens, and providers limit the request rate.
  for (const stampedAccount of stamped)
    accounts.push(await provenAccount(observer, stampedAccount, header.stateRoot, block));
  return { kind: 'proof', router: { accountNodes: routerProof.accountProof, stampProofNodes }, accounts };
}

/**
 * Proves the code hash of a deploy step's component, and the router's, against the state root of the step's block.
 * @throws ChainError, EvmError, UnprovableError `STATE_DIFFERS`
 */
export async function proveCode(observer: RpcObserver, target: ComponentTarget, blockHash: Hex): Promise<CodeProof> {
  const { header } = await readHeader(observer, blockHash);
  const block = stateBlockParameter({ hash: blockHash });
  const router = { account: target.router, runtimeCodeHash: target.routerCodeHash };
  return {
    kind: 'code-proof',
    router: await provenAccount(observer, router, header.stateRoot, block),
    component: await provenAccount(observer, target.component, header.stateRoot, block),
  };
}

async function provenAccount(
  observer: RpcObserver,
  { account, runtimeCodeHash }: { readonly account: Hex; readonly runtimeCodeHash: Hex },
  stateRoot: Hex,
  block: ReturnType<typeof stateBlockParameter>,
): Promise<StateProof['accounts'][number]> {
  const { accountProof } = await ask(observer, 'eth_getProof', [account, [], block], accountProofSchema);
  if (readAccountProof(stateRoot, account, accountProof)?.codeHash !== runtimeCodeHash)
    throw new UnprovableError('STATE_DIFFERS');
  return { account, nodes: accountProof };
}

/** Returns the router slot that holds the hash of a launch's stamp, that hash, and the stamped accounts. */
export const keptStampOf = (target: MultiRoleTarget | StampedTarget) =>
  target.provenBy === 'stamp-v2'
    ? {
        slot: stampProofSlot(target.stamp.launchId),
        proof: target.stamp.stampProof,
        stamped: target.stamp.accounts,
      }
    : {
        slot: stampProofSlotV1(target.stamp.launchId),
        proof: target.stamp.stampHash,
        stamped: target.stamp.components,
      };
