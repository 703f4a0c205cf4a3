import { z } from 'zod';
import type { ReplayGateActivities } from '../orchestration/replay-gate.types.js';
import { inputsOf } from './activity-inputs.js';

/** Argument schemas of the activity by which a version replays recent histories before it becomes current. */
export const replayGateInputs = inputsOf<ReplayGateActivities>()({
  replayHistories: z.tuple([z.strictObject({ buildId: z.string().max(255).nullable() })]),
});
