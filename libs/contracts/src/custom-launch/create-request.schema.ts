import { z } from 'zod';
import { slugSchema } from '../primitives/scalars.schema.js';
import { customLaunchFundingSchema, customLaunchMembers } from '../launch/custom-launch-body.schema.js';

export const CUSTOM_LAUNCH_REQUEST_4_1 = 'service.custom-launch-create-request.v4.1';
export const CUSTOM_LAUNCH_REQUEST_4_0 = 'service.custom-launch-create-request.v4.0';

/** A module that a launch asks for. Profiles 4.0 and 4.1 offer none. */
const moduleSelectionSchema = z.strictObject({ familyId: slugSchema, version: slugSchema });

const createMembers = { ...customLaunchMembers, moduleSelections: z.array(moduleSelectionSchema).max(16) };

/**
 * The immutable request of a custom launch under profile 4.1: strict JSON of at most 16 MiB, with members in any order.
 * The service stores and hashes the bytes as the client sent them.
 */
export const customLaunchRequestSchema = z
  .strictObject({
    schemaVersion: z.literal(CUSTOM_LAUNCH_REQUEST_4_1),
    profile: z.literal('4.1.0'),
    ...createMembers,
  })
  .meta({ id: 'CustomLaunchRequest' });
export type CustomLaunchRequest = z.infer<typeof customLaunchRequestSchema>;

/** The request under the historical profile 4.0, which has no initial buy (docs/reference/custom-launch.md#profile). */
export const customLaunchRequest40Schema = z
  .strictObject({
    schemaVersion: z.literal(CUSTOM_LAUNCH_REQUEST_4_0),
    profile: z.literal('4.0.0'),
    ...createMembers,
    funding: z.strictObject({ ...customLaunchFundingSchema.shape, kind: z.literal('none') }),
  })
  .meta({ id: 'CustomLaunchRequestV40' });
export type CustomLaunchRequestV40 = z.infer<typeof customLaunchRequest40Schema>;

/**
 * A request of either profile; `schemaVersion` distinguishes them. The service refuses a new request of a profile that
 * the deployment does not publish, and never converts it.
 */
export const anyCustomLaunchRequestSchema = z
  .discriminatedUnion('schemaVersion', [customLaunchRequestSchema, customLaunchRequest40Schema])
  .meta({ id: 'AnyCustomLaunchRequest' });
export type AnyCustomLaunchRequest = z.infer<typeof anyCustomLaunchRequestSchema>;
