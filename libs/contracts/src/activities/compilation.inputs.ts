import { z } from 'zod';
import type { CompilationActivities, LongCompilationActivities } from '../orchestration/compilation.types.js';
import { inputsOf } from './activity-inputs.js';
import { launchRefSchema } from './launch.inputs.js';

/** Argument schemas of the activities of `launch-compilation`. */
export const compilationInputs = inputsOf<CompilationActivities>()({ compileRequest: z.tuple([launchRefSchema]) });

/** Argument schemas of the activities of `launch-long-compilation`. */
export const longCompilationInputs = inputsOf<LongCompilationActivities>()({
  compileLongRequest: z.tuple([launchRefSchema]),
});
