/** Returns whether an estimate passed without a new observation, so that it no longer estimates anything. */
export const hasEstimatePassed = (expected: string | null, nowMs: number): boolean =>
  expected !== null && Date.parse(expected) <= nowMs;

/** Returns whether a permit can still be used by the server's clock. @param deadline Unix seconds, inclusive. */
export const isWindowOpen = (deadline: bigint, nowMs: number): boolean => BigInt(Math.floor(nowMs / 1_000)) <= deadline;
