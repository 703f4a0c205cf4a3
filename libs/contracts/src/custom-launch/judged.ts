import type { JudgedRequest } from '../launch/judged-request.js';
import type { PlanRequest } from '../plans/plan-request.schema.js';
import type { CustomLaunchContext } from './context.schema.js';
import type { AnyCustomLaunchRequest } from './create-request.schema.js';

/** A V4 or plan body. */
export type CustomLaunchBody = AnyCustomLaunchRequest | PlanRequest;

/** A V4 request or a plan beside its context, as rules read it. */
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
