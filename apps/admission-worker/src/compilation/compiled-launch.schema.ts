import { z } from 'zod';
import { HOOK_FLAGS, type HookFlag } from '@launch/evm';

/**
 * Facts about a matching compilation for later steps, as a blob between activities. It omits the bytecode, which equals
 * the declared one.
 */
export const compiledLaunchSchema = z.strictObject({
  schemaVersion: z.literal('service.compiled-launch.v1'),
  components: z
    .array(
      z.strictObject({
        componentId: z.string(),
        /** Callbacks of `IHooks` that the compiled contract implements. */
        hookCallbacks: z.array(
          z.custom<HookFlag>((name) => typeof name === 'string' && Object.hasOwn(HOOK_FLAGS, name)),
        ),
      }),
    )
    .min(1),
});
export type CompiledLaunch = z.infer<typeof compiledLaunchSchema>;
