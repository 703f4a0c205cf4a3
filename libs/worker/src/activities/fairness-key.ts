import { activityInfo } from '@temporalio/activity';

/** Returns the fairness key of the running activity, which it has of its workflow's start; undefined where that named none. */
export const fairnessKey = (): string | undefined => activityInfo().priority?.fairnessKey || undefined;
