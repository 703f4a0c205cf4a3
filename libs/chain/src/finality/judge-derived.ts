import type { L2Inclusion } from '@launch/contracts/launch';
import type { DerivedContract } from '@launch/contracts/multi-role';
import type { Hex } from 'viem';
import { agree } from '../agreement/agreement.js';
import { agreedHeader } from '../agreement/common-head.js';
import type { DerivedTarget, MultiRoleTarget } from './launch-target.js';
import { unknown, type L2FinalityObserver, type Poll, type StageVerdict } from './ports.types.js';

/** Returns the derived contracts that a launch declares, unproven. */
export const declaredContracts = (derived: readonly DerivedTarget[]): DerivedContract[] =>
  derived.map((target) => withProof(target, null));

/**
 * Judges finality V3, where every derived contract is a separate proof item. Its address is its parent's CREATE
 * address. In the launch's block, which is in a finalized batch, both observers return the declared code and the
 * router's record of the contract for this launch. The block before has no code there, which excludes an earlier
 * contract. One contract without proof leaves the whole launch unfinalized.
 */
export async function judgeDerived(
  poll: Poll,
  derived: readonly DerivedTarget[],
  inclusion: L2Inclusion,
): Promise<StageVerdict<DerivedContract[]>> {
  const { target: launch } = poll;
  if (launch.provenBy !== 'stamp-v2') return unknown('derived contracts: of router V2 alone');
  const block = await agreedHeader(
    poll.l2,
    { hash: inclusion.blockHash },
    (observer, at) => observer.header(at),
    poll.now,
  );
  if (block.kind === 'indeterminate') return unknown(`derived contracts: ${block.reason}`);
  const proven: DerivedContract[] = [];
  // One account at a time: providers limit the request rate.
  for (const target of derived) {
    const { stamped, creationNonce } = target;
    const say = (problem: string) => unknown(`derived contract ${stamped.account}: ${problem}`);
    if (creationNonce === null) return say('not made by its parent');
    const found = await agree(
      poll.l2,
      stamped.account,
      (observer) => readDerived(observer, launch, target, block.value),
      undefined,
      poll.now,
    );
    if (found.kind === 'indeterminate') return unknown(`derived contract ${found.reason}`);
    const { codeHash, codeBefore, componentProof, launchIdByComponent } = found.value;
    if (codeHash !== stamped.runtimeCodeHash) return say('its runtime differs');
    if (codeBefore !== null) return say('it had code before the launch');
    if (componentProof !== stamped.proof || launchIdByComponent !== launch.stamp.launchId)
      return say('the router records another');
    proven.push(
      withProof(target, {
        blockNumber: inclusion.blockNumber,
        blockHash: inclusion.blockHash,
        runtimeCodeHash: codeHash,
        componentProof,
        codeBefore: 'none',
        observers: [...found.observers],
      }),
    );
  }
  return { kind: 'holds', value: proven };
}

async function readDerived(
  observer: L2FinalityObserver,
  launch: MultiRoleTarget,
  { stamped }: DerivedTarget,
  block: { readonly hash: Hex; readonly parentHash: Hex },
) {
  const [codeHash, codeBefore, recorded] = await Promise.all([
    observer.codeHash(stamped.account, block.hash),
    observer.codeHash(stamped.account, block.parentHash),
    observer.stampedAccount(launch, stamped.account, block.hash),
  ]);
  return { codeHash, codeBefore, ...recorded };
}

const withProof = (
  { stamped, parent, creationNonce }: DerivedTarget,
  proof: DerivedContract['proof'],
): DerivedContract => ({
  account: stamped.account,
  roleMask: stamped.roleMask,
  runtimeCodeHash: stamped.runtimeCodeHash,
  resultIndex: stamped.resultIndex,
  parent,
  creationNonce,
  proof,
});
