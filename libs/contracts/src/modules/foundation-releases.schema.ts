import { z } from 'zod';
import { addressSchema, decimalSchema, sha256DigestSchema, timestampSchema } from '../primitives/scalars.schema.js';
import { FOUNDATION_RELEASES_SCHEMA } from './module-limits.js';

export const AVAILABILITIES = ['AVAILABLE', 'UNAVAILABLE', 'INDETERMINATE'] as const;

/** Foundation factory releases; a retained one is listed for ever (spec 3, Endpoints; decision 76). */
export const foundationReleasesSchema = z
  .strictObject({
    schemaVersion: z.literal(FOUNDATION_RELEASES_SCHEMA),
    items: z
      .array(
        z.strictObject({
          chainId: z.union([z.literal(1), z.literal(4663)]),
          factoryVersion: z.enum(['V1', 'V2', 'V3']),
          factoryAddress: addressSchema,
          releaseDigest: sha256DigestSchema,
          sourceCommit: z.string().regex(/^[0-9a-f]{40}$/),
          startBlock: decimalSchema,
          endBlock: decimalSchema.nullable(),
          platformFeeBps: z.number().int().min(0).max(10_000),
          /** New launches are meant for the current one alone. */
          status: z.enum(['current', 'retained']),
          availabilityPath: z.string().regex(/^\//).max(256),
        }),
      )
      .max(64),
  })
  .meta({ id: 'FoundationReleases' });
export type FoundationReleases = z.infer<typeof foundationReleasesSchema>;

/** Both observers' code at a factory (decision 76). */
export const foundationAvailabilitySchema = z
  .strictObject({
    releaseDigest: sha256DigestSchema,
    availability: z.enum(AVAILABILITIES),
    reasons: z.array(z.string().max(256)).max(16),
    checkedAt: timestampSchema,
    observers: z.array(z.string().max(64)).max(8),
  })
  .meta({ id: 'FoundationAvailability' });
export type FoundationAvailability = z.infer<typeof foundationAvailabilitySchema>;
