import { z } from 'zod';
import type { CompilationActivities, LongCompilationActivities } from '../orchestration/compilation.types.js';
import { inputsOf } from './activity-inputs.js';
import { launchRefSchema } from './launch.inputs.js';

/** What the activity of `launch-compilation` is given. */
export const compilationInputs = inputsOf<CompilationActivities>()({ compileRequest: z.tuple([launchRefSchema]) });

/** What the activity of `launch-long-compilation` is given. */
export const longCompilationInputs = inputsOf<LongCompilationActivities>()({
  compileLongRequest: z.tuple([launchRefSchema]),
});
