import { z } from 'zod';
import { uuidSchema } from '../primitives/scalars.schema.js';
import { customLaunchResourceSchema } from './resource.schema.js';
import { namedTransactionSchema } from '../launch/finality-parts.schema.js';

/**
 * The last observation of a custom launch, as the observation hands it to the resource. A stage claims no more than its
 * evidence shows: a transaction that was only sent, or that reverted, is `pending`.
 */
export const customLaunchFinalitySchema = z.strictObject({
  schemaVersion: z.literal('service.custom-launch-finality.v4'),
  launchId: uuidSchema,
  /** The launch transaction, after an observer showed it. */
  transactions: z.array(namedTransactionSchema).max(1),
  ...customLaunchResourceSchema.shape.finality.shape,
});
export type CustomLaunchFinality = z.infer<typeof customLaunchFinalitySchema>;
