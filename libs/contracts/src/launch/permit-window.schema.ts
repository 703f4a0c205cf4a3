import { z } from 'zod';
import { unixSecondsSchema } from '../primitives/scalars.schema.js';

/** The seconds in which the router accepts a permit, both ends inside. */
export const permitWindowSchema = z.strictObject({ validAfter: unixSecondsSchema, deadline: unixSecondsSchema });
export type PermitWindow = z.infer<typeof permitWindowSchema>;
