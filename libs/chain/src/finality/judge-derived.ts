import type { L2Inclusion } from '@launch/contracts/launch';
import type { DerivedContract } from '@launch/contracts/multi-role';
import type { Hex } from 'viem';
import { agree } from '../agreement/agreement.js';
import { agreedHeader } from '../agreement/common-head.js';
import type { DerivedTarget, MultiRoleTarget } from './launch-target.js';
import { unknown, type L2FinalityObserver, type Look, type StageVerdict } from './ports.types.js';

/** What a launch declares, before anything is proven of it. */
export const declaredContracts = (derived: readonly DerivedTarget[]): DerivedContract[] =>
  derived.map((target) => withProof(target, null));

/**
 * Finality V3: every derived contract is a proof item of its own. Its address is its parent's CREATE address. In the
 * launch's block, which by now lies in a finalized batch, both observers show the declared code. They show the router's
 * record of it for this launch, too. In the block before there was no code, so no earlier contract stands in for it.
 * One that cannot be shown leaves the whole launch unfinalized.
 */
export async function judgeDerived(
  look: Look,
  derived: readonly DerivedTarget[],
  inclusion: L2Inclusion,
): Promise<StageVerdict<DerivedContract[]>> {
  const { target: launch } = look;
  if (launch.provenBy !== 'stamp-v2') return unknown('derived contracts: of router V2 alone');
  const block = await agreedHeader(
    look.l2,
    { hash: inclusion.blockHash },
    (observer, at) => observer.header(at),
    look.now,
  );
  if (block.kind === 'indeterminate') return unknown(`derived contracts: ${block.reason}`);
  const proven: DerivedContract[] = [];
  // One account at a time: a provider counts requests.
  for (const target of derived) {
    const { stamped, creationNonce } = target;
    const say = (problem: string) => unknown(`derived contract ${stamped.account}: ${problem}`);
    if (creationNonce === null) return say('not made by its parent');
    const found = await agree(
      look.l2,
      stamped.account,
      (observer) => readDerived(observer, launch, target, block.value),
      undefined,
      look.now,
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
