import { activityInfo } from '@temporalio/activity';

/** Returns the fairness key of the running activity, which its workflow's start set; undefined if it set none. */
export const fairnessKey = (): string | undefined => activityInfo().priority?.fairnessKey || undefined;
