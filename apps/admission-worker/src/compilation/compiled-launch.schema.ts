import { z } from 'zod';
import { HOOK_FLAGS, type HookFlag } from '@launch/evm';

/**
 * What later steps need of a compile that matched, as a blob between activities. The
 * bytecode itself is not repeated: it equals what the request declares.
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
