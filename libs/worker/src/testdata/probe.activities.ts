import { inputsOf } from '@launch/contracts/activities';
import { z } from 'zod';
import { Activities } from '../activities/activities.js';

interface ProbeActivities {
  echo(value: string): Promise<string>;
}

/** One activity for workers that a test starts. */
export const probeActivities = new Activities<ProbeActivities>(
  inputsOf<ProbeActivities>()({ echo: z.tuple([z.string()]) }),
  { echo: async (value) => value },
  { failures: { outage: 'PROBE_AWAY', fault: 'PROBE_FAILED' }, onTrouble: () => undefined },
);
