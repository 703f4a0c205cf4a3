import { describe, expect, it } from '@jest/globals';
import { STEP_ABANDONED } from '@launch/contracts/orchestration';
import { StepAbandoned } from '../steps/step-end.js';
import { abandonedPreflight } from './abandoned-preflight.js';

describe('The failure of a preflight whose step was given up', () => {
  it('names an abandoned step after a fault, which the same bytes would meet again', () => {
    expect(abandonedPreflight(new StepAbandoned('judgePreflight', 'fault', 'STEP_FAILED'))).toMatchObject({
      type: STEP_ABANDONED,
      message: 'judgePreflight: STEP_FAILED',
      nonRetryable: true,
    });
  });

  it.each(['outage', 'hold'] as const)('has its own code after an %s, so that the client may repeat it', (reason) => {
    expect(abandonedPreflight(new StepAbandoned('judgePreflight', reason, 'PROVIDERS_UNDECIDED'))).toMatchObject({
      type: 'PROVIDERS_UNDECIDED',
      nonRetryable: true,
    });
  });
});
