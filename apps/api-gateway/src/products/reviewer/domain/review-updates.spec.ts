import { describe, expect, it } from '@jest/globals';
import { updateIdOf } from './review-updates.js';

const digest = (digit: string) => `sha256:${digit.repeat(64)}` as const;

describe('The id of a change', () => {
  it('The id is the same for the same change of the same revision, and differs for any other change.', () => {
    const plan = (revision: number, digit = '1') =>
      updateIdOf({ name: 'attachPlan', input: { revision, planSha256: digest(digit) } });
    const decision = (outcome: 'accept' | 'reject') =>
      updateIdOf({ name: 'decide', input: { revision: 0, outcome, decisionSha256: digest('1') } });
    expect(plan(0)).toBe(plan(0));
    const names = [
      plan(0),
      plan(3),
      plan(0, '2'),
      decision('accept'),
      decision('reject'),
      updateIdOf({ name: 'requeue', input: { revision: 0 } }),
      updateIdOf({ name: 'requeue', input: { revision: 3 } }),
    ];
    expect(new Set(names).size).toBe(names.length);
  });
});
