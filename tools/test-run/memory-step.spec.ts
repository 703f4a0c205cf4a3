import { expect, it } from '@jest/globals';
// @ts-expect-error plain JavaScript, like everything that runs before the build
import { memoryStepNs } from './memory-step.mjs';

it('a step through memory takes a time that a processor can have', () => {
  const ns = memoryStepNs(1, 100_000) as number;
  // What the compiler had left out of the walk would take none; a register answers in a quarter of a nanosecond.
  expect(ns).toBeGreaterThan(0.25);
  expect(Number.isFinite(ns)).toBe(true);
});
