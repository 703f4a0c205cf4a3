import { z } from 'zod';
import { unixSecondsSchema } from '../primitives/scalars.schema.js';

/** The time window in which the router accepts a permit, in unix seconds, both ends included. */
export const permitWindowSchema = z.strictObject({ validAfter: unixSecondsSchema, deadline: unixSecondsSchema });
export type PermitWindow = z.infer<typeof permitWindowSchema>;
