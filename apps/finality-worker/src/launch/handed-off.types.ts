import type { FinalityRule, MultiRoleTarget, StampedTarget } from '@launch/chain';
import type { AnyCustomLaunchRequest, CustomLaunchHandoff } from '@launch/contracts/custom-launch';
import type { CustomLaunchContext } from '@launch/contracts/launch';
import type { CreateRequest, LaunchContext, WalletHandoff } from '@launch/contracts/multi-role';

/** A handed-off multi-role launch: the stored request, the stored hand-off, and the target that both define. */
export interface HandedOffMultiRole {
  readonly family: 'multi-role.v2';
  readonly request: CreateRequest;
  /** The request's own context. */
  readonly context: LaunchContext;
  readonly handoff: WalletHandoff;
  readonly target: MultiRoleTarget;
  /** From the request's own context. */
  readonly generation: 'v2' | 'v3';
  /** From the request's own context. */
  readonly rule: FinalityRule;
}

/** A handed-off custom launch. */
export interface HandedOffCustomLaunch {
  readonly family: 'custom-launch.v4';
  readonly request: AnyCustomLaunchRequest;
  /** The context that the request names. */
  readonly context: CustomLaunchContext;
  readonly handoff: CustomLaunchHandoff;
  readonly target: StampedTarget;
  readonly rule: FinalityRule;
}

export type HandedOffLaunch = HandedOffMultiRole | HandedOffCustomLaunch;
