import { z } from 'zod';
import { uuidSchema } from '../primitives/scalars.schema.js';
import { customLaunchResourceSchema } from './resource.schema.js';
import { namedTransactionSchema } from '../launch/finality-parts.schema.js';

/**
 * What was last observed of a custom launch, as it travels from the observation to the resource. A stage asserts no
 * more than the evidence beside it: what was only sent, or reverted, is `pending`.
 */
export const customLaunchFinalitySchema = z.strictObject({
  schemaVersion: z.literal('service.custom-launch-finality.v4'),
  launchId: uuidSchema,
  /** The launch's own transaction, once an observer showed it. */
  transactions: z.array(namedTransactionSchema).max(1),
  ...customLaunchResourceSchema.shape.finality.shape,
});
export type CustomLaunchFinality = z.infer<typeof customLaunchFinalitySchema>;
