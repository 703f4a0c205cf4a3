import { z } from 'zod';
import {
  addressSchema,
  bytes32Schema,
  decimalSchema,
  sha256DigestSchema,
  sourceCommitSchema,
  timestampSchema,
  type Sha256Digest,
} from '../primitives/scalars.schema.js';
import { FOUNDATION_RELEASES_SCHEMA } from './module-limits.js';

const RELEASES = '/v1/modules/foundation/releases';
/** Returns the path of a release's availability. */
export const availabilityPathOf = (digest: Sha256Digest): string =>
  `${RELEASES}/${digest.slice('sha256:'.length)}/availability`;

/** Reasons why a factory does not match its release, or why that is unknown. */
export const AVAILABILITY_REASONS = [
  'RELEASE_DISABLED',
  'NO_CODE',
  'RUNTIME_MISMATCH',
  'OBSERVER_WITHOUT_ANSWER',
  'OBSERVERS_DISAGREE',
] as const;
export type AvailabilityReason = (typeof AVAILABILITY_REASONS)[number];

export const AVAILABILITIES = ['AVAILABLE', 'UNAVAILABLE', 'INDETERMINATE'] as const;

/** Foundation factory releases; a retained one stays listed (docs/reference/index-reads.md#foundation-releases). */
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
          sourceCommit: sourceCommitSchema,
          startBlock: decimalSchema,
          endBlock: decimalSchema.nullable(),
          platformFeeBps: z.number().int().min(0).max(10_000),
          /** Only the current release is meant for new launches. */
          status: z.enum(['current', 'retained']),
          availabilityPath: z.string().regex(/^\//).max(256),
        }),
      )
      .max(64),
  })
  .meta({ id: 'FoundationReleases' });
export type FoundationReleases = z.infer<typeof foundationReleasesSchema>;

/** Both observers' code at a factory (docs/reference/index-reads.md#foundation-releases). */
export const foundationAvailabilitySchema = z
  .strictObject({
    releaseDigest: sha256DigestSchema,
    availability: z.enum(AVAILABILITIES),
    reasons: z.array(z.enum(AVAILABILITY_REASONS)).max(AVAILABILITY_REASONS.length),
    checkedAt: timestampSchema,
    /** Hash of the code that each observer returned; null without code or without an answer. */
    observers: z.array(z.strictObject({ id: z.string().max(64), runtimeCodeHash: bytes32Schema.nullable() })).max(8),
  })
  .meta({ id: 'FoundationAvailability' });
export type FoundationAvailability = z.infer<typeof foundationAvailabilitySchema>;
