import type { FinalityRule, MultiRoleTarget, StampedTarget } from '@launch/chain';
import type { AnyCustomLaunchRequest, CustomLaunchHandoff } from '@launch/contracts/custom-launch';
import type { CustomLaunchContext } from '@launch/contracts/launch';
import type { CreateRequest, LaunchContext, WalletHandoff } from '@launch/contracts/multi-role';

/** A multi-role launch as it was handed off: the stored request, the stored hand-off, and what both say to look for. */
export interface HandedOffMultiRole {
  readonly family: 'multi-role.v2';
  readonly request: CreateRequest;
  /** The request's own. */
  readonly context: LaunchContext;
  readonly handoff: WalletHandoff;
  readonly target: MultiRoleTarget;
  /** By the request's own context. */
  readonly generation: 'v2' | 'v3';
  /** By the request's own context, too. */
  readonly rule: FinalityRule;
}

/** A V4 launch as it was handed off. */
export interface HandedOffCustomLaunch {
  readonly family: 'custom-launch.v4';
  readonly request: AnyCustomLaunchRequest;
  /** The one that the request names. */
  readonly context: CustomLaunchContext;
  readonly handoff: CustomLaunchHandoff;
  readonly target: StampedTarget;
  readonly rule: FinalityRule;
}

export type HandedOffLaunch = HandedOffMultiRole | HandedOffCustomLaunch;
