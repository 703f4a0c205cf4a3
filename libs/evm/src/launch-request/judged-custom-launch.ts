import type { AnyCustomLaunchRequest } from '@launch/contracts/custom-launch';
import type { CustomLaunchContext, JudgedRequest } from '@launch/contracts/launch';
import type { PlanRequest } from '@launch/contracts/plans';

/** A body of a custom launch or a plan. */
export type CustomLaunchBody = AnyCustomLaunchRequest | PlanRequest;

/** A request of a custom launch or a plan with its context, as the rules read it. */
export type JudgedCustomLaunch = CustomLaunchBody & {
  readonly context: CustomLaunchContext;
  readonly fundingPlan: JudgedRequest['fundingPlan'];
};

/** @param context the one that the body is judged by; whether the body names it is a rule's question. */
export function judgedCustomLaunch(body: CustomLaunchBody, context: CustomLaunchContext): JudgedCustomLaunch {
  const { initialBuyWei, minimumTokensOut, liquidityNativeWei } = body.funding;
  const fundingPlan = { initialBuyWei, minimumTokensOut, nativeLiquidityWei: liquidityNativeWei };
  return { ...body, context, fundingPlan };
}
